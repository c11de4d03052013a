//! The command line as you type it. Meanings are in the library.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Parser, ValueEnum};
use lab::game::{self, Notation, prior};
use lab::solver::bayes::Posterior;
use lab::solver::elsewhere::Rules;
use lab::solver::pegs::Codes;
use tester::store::HISTORY;
use tester::util::bounded_read;

mod articles;
mod oil;
mod optimal;
mod plot;
mod policy;
mod race;

pub(crate) use articles::{ArticlesArgs, BayesArgs, EntropyArgs};
pub(crate) use oil::OilArgs;
pub(crate) use optimal::{BookArgs, ObjectiveArg, OptimalArgs, Technique, VerifyArgs};
pub(crate) use plot::{
    Picture, PictureArgs, PlotArgs, PosteriorArgs, ReliabilityArgs, SweepArgs, TurnsArgs,
};
pub(crate) use policy::{
    CompareArgs, ExploitArgs, PolicyArgs, PolicyOptionArgs, PriorCostArgs, SelectedPolicy,
    select_played,
};
pub(crate) use race::{BoundedArgs, BoundsArgs, LossArgs, RaceArgs, RacersArgs, ValueArgs};

const EXAMPLES: &str = "\
Examples:
  lab policy mi --problem \"hitblow 3 10\" --pool all --tie candidate
  lab policy mi --problem \"distance 3 10 10\" --seeds 0..2000
  lab compare map \"mi[pool=candidates]\"
  lab articles 003
  lab bayes 0.99 0.01 / 1/6 1/3 --names fair,loaded --times 5
  lab entropy 3 4 0 / 1 6 0 / 0 7 0 / 2 3 2
  lab explain \"hitblow 3 10\" 012:0,1 134:0,2 --guess 243 --guess 451
  lab advise \"hitblow 3 9\" --digits 123456789
  lab serve                            then open http://localhost:8700/
  lab exploit mi --problem \"hitblow 3 10\"
  lab liar \"liar 3 10\"
  lab prior-cost mi --problem \"hitblow 3 10\"
  lab bound --problem \"distance 3 10 10\"                          takes 5 s
  lab plot turns map mi --out turns.svg
  lab plot sweep --hit-gain 0..30 --out sweep.png
  lab plot posterior --problem \"distance 3 10 10\" --seed 3 --out game.svg
  lab optimal \"hitblow 3 10\" --tree tree.txt
  lab verify tree.txt
  lab race optimal mi --best-against optimal --games 100000    takes 6 s
  lab value \"mastermind 4 6\"                                  takes 20 s
  lab loss mi --hit-bonus 1.5
  lab oil in/0000.txt out/0000.txt --out oil.html
  lab oil --calibration --seeds 0..100 --out calibration.svg  takes minutes

Exit status:
  0    success
  1    a figure differs, replies contradict each other, or a tree is wrong
  2    invalid input
  130  a search was stopped";

/// Study strategies over all secrets at once, with the solver's own code
#[derive(Parser)]
#[command(name = "lab", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Compute the turns of a policy over all secrets
    Policy(PolicyArgs),
    /// Compare policies: turns, what each turn tells, and where two of them part
    Compare(CompareArgs),
    /// Answer every claim, figure, question and wish of the five articles
    Articles(ArticlesArgs),
    /// Apply Bayes' rule step by step to numbers that you type
    Bayes(BayesArgs),
    /// Compute entropies, and the mutual information of rows and columns
    Entropy(EntropyArgs),
    /// Show candidates, entropy and the value of guesses after some replies
    Explain(ExplainArgs),
    /// Propose guesses for a game that you play elsewhere
    Advise(AdviseArgs),
    /// Compute what an opponent gains who knows the strategy
    Exploit(ExploitArgs),
    /// Compute what it costs that one reply may be false
    Liar(LiarArgs),
    /// Compute what it costs to believe a wrong prior
    PriorCost(PriorCostArgs),
    /// Compute how few turns a noisy game takes at least
    Bound(BoundArgs),
    /// Draw pictures, as SVG or PNG
    Plot(PlotArgs),
    /// Show what the submission for AHC030 knew, and compare it with the truth
    Oil(OilArgs),
    /// Find a strategy with the fewest turns, and prove that none has fewer
    Optimal(OptimalArgs),
    /// Play a tree file against every secret
    Verify(VerifyArgs),
    /// Compute who finds first, and the strategy that wins most often
    Race(RaceArgs),
    /// Compute the value of a game in which the opponent chooses the secret
    Value(ValueArgs),
    /// Show where a policy loses turns against the optimum
    Loss(LossArgs),
    /// Compare bounds by information with the optimum
    Bounds(BoundsArgs),
    /// Show runs, cases and games in a browser on this machine
    Serve(ServeArgs),
    /// Print optimal strategies for the solver's file (for scripts/book)
    Book(BookArgs),
}

/// `0..2000`
fn seed_range(text: &str) -> Result<Range<u64>, String> {
    let ends = text
        .split_once("..")
        .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match ends {
        Some((first, end)) if first < end => Ok(first..end),
        _ => Err("expected A..B with A < B, such as 0..2000".to_owned()),
    }
}

/// A value of an option as it is typed.
pub(crate) fn as_typed(value: impl ValueEnum) -> String {
    let value = value.to_possible_value().expect("no value is hidden");
    value.get_name().to_owned()
}

/// The codes of a game, or a message that lists what there is.
pub(crate) fn codes(problem: &str) -> Result<Codes> {
    game::codes(problem).context("failed to understand the problem")
}

/// The same for the games that `lab optimal` and `lab book` know, some of other judges among them.
pub(crate) fn rules(problem: &str) -> Result<Rules> {
    game::rules(problem).context("failed to understand the problem")
}

/// The prior in a file; without one, all codes are equally likely.
pub(crate) fn read_prior(codes: &Codes, file: Option<&PathBuf>) -> Result<Posterior> {
    read_prior_in(&Notation::new(codes, None)?, file)
}

/// The same, its codes written in this notation.
pub(crate) fn read_prior_in(notation: &Notation<'_>, file: Option<&PathBuf>) -> Result<Posterior> {
    let Some(path) = file else {
        return Ok(Posterior::uniform(notation.codes().len()));
    };
    let failed = || format!("failed to read prior {}", path.display());
    let text = bounded_read::read_text(path, bounded_read::MAX_TEXT).with_context(failed)?;
    prior::parse(notation, &text).with_context(failed)
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Problem and parameters
    pub(crate) problem: String,
    /// Guesses with replies, such as 012:0,1 for 0 hits and 1 blow, or 058:0,299 in distance and gap
    #[arg(value_name = "GUESS:H,B")]
    pub(crate) rows: Vec<String>,
    /// Show the value of this guess too
    #[arg(long, value_name = "CODE")]
    pub(crate) guess: Vec<String>,
    /// Characters for the digits, the one for 0 first, such as 123456789 [default: numbers]
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) digits: Option<String>,
    /// File with a code and its weight in each line; other codes are impossible
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct LiarArgs {
    /// Problems with at most 1000 codes
    #[arg(value_name = "PROBLEM", default_values = ["liar 3 10", "liar 4 6"])]
    pub(crate) problems: Vec<String>,
    /// Bonus in bits for the right guess [default: the solver's]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    pub(crate) hit_bonus: Option<f64>,
}

#[derive(Args)]
pub(crate) struct BoundArgs {
    /// Problem and parameters, distance or gap
    #[arg(long, default_value = "distance 3 10 10")]
    pub(crate) problem: String,
    /// Seeds of the cases
    #[arg(long, value_name = "A..B", value_parser = seed_range, default_value = "0..2000")]
    pub(crate) seeds: Range<u64>,
    /// Policy to compare with the bound, on the same cases
    #[arg(long, value_name = "POLICY", default_value = "solver")]
    pub(crate) policy: String,
    /// Print one JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Port on this machine; 0 for any free one
    #[arg(long, default_value_t = 8700)]
    pub(crate) port: u16,
    /// History file of `tester batch`
    #[arg(long, value_name = "FILE", default_value = HISTORY)]
    pub(crate) history: PathBuf,
}

#[derive(Args)]
pub(crate) struct AdviseArgs {
    /// Problem and parameters
    pub(crate) problem: String,
    /// Characters for the digits, the one for 0 first, such as 123456789 [default:
    /// 0-9a-zA-Z@%, as many as needed]
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) digits: Option<String>,
    /// Bonus in bits for the right guess [default: the solver's]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    pub(crate) hit_bonus: Option<f64>,
    /// File with a code and its weight in each line; other codes are impossible
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn options_are_declared_consistently() {
        Cli::command().debug_assert();
    }
}
