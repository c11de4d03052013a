//! What may be typed. What it means is the library's.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Parser, ValueEnum};
use lab::alphabet::Names;
use lab::optimal::Without;
use lab::play::{Entry, STUDIES, Study};
use lab::policy::{FAMILIES, Family, Given, Options, Policy, Pool, Tie, select};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::{game, prior};
use tester::problem::DEFAULT_PROBLEM;
use tester::shard::Part;

const EXAMPLES: &str = "\
Examples:
  lab policy mi --problem \"hitblow 3 10\" --pool all --tie candidate
  lab articles
  lab explain \"hitblow 3 10\" 012:0,1 134:0,2 --guess 243 --guess 451
  lab advise \"hitblow 3 9\" --digits 123456789
  lab serve                                 then open http://localhost:8700/
  lab exploit mi --problem \"hitblow 3 10\"
  lab plot turns map mi --out turns.svg
  lab plot sweep --hit-gain 0..30 --out sweep.png
  lab policy mi --problem \"distance 3 10 10\" --seeds 0..2000
  lab plot posterior --problem \"distance 3 10 10\" --seed 3 --out game.svg
  lab optimal \"hitblow 3 10\" --tree tree.txt
  lab verify tree.txt

Exit status: 0; 1 if a figure that should agree does not, or replies contradict each other; 2 if the
input is not right; 130 if a search was stopped.";

/// Studies strategies over all secrets at once, with the solver's own code
#[derive(Parser)]
#[command(name = "lab", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Turns of a policy over all secrets
    Policy(PolicyArgs),
    /// Every figure of the five articles, computed now
    Articles,
    /// What replies tell: candidates, entropy, and what each guess is worth
    Explain(ExplainArgs),
    /// Help with a game that is played elsewhere
    Advise(AdviseArgs),
    /// What an opponent gains who knows the strategy
    Exploit(ExploitArgs),
    /// Pictures, as SVG or PNG
    Plot(PlotArgs),
    /// The least possible turns, proved, with a strategy that takes no more
    Optimal(OptimalArgs),
    /// A tree file, played against every secret
    Verify(VerifyArgs),
    /// A page on this machine: runs, cases turn by turn with what was known, games to play
    Serve(ServeArgs),
    /// Optimal strategies as the solver's file carries them (scripts/book puts them there)
    Book(BookArgs),
}

fn policies_help() -> String {
    let line = |family: &&dyn Family| {
        let takes: Vec<&str> = family.takes().iter().map(|option| option.flag()).collect();
        format!(
            "  {:<17} {}\n  {:<17} takes {}\n",
            family.name(),
            family.about(),
            "",
            if takes.is_empty() {
                "no option".into()
            } else {
                takes.join(", ")
            }
        )
    };
    format!(
        "Policies:\n{}",
        FAMILIES.iter().map(line).collect::<String>()
    )
}

/// The same with those of problems that are played.
fn all_policies_help() -> String {
    let study = |study: &&dyn Study| {
        let line = |entry: &Entry| {
            let takes = entry
                .takes
                .iter()
                .map(|option| format!(" ({})", option.flag()));
            format!(
                "  {:<17} {}{}\n",
                entry.name,
                entry.about,
                takes.collect::<String>()
            )
        };
        let lines: String = study.policies().iter().map(line).collect();
        format!(
            "For {}, which is played and not walked:\n{lines}",
            study.name()
        )
    };
    let played: Vec<String> = STUDIES.iter().map(study).collect();
    format!("{}\n{}", policies_help(), played.join("\n"))
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

#[derive(Clone, Copy, ValueEnum)]
enum PoolArg {
    /// Codes that are still possible
    Candidates,
    /// Every code
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum TieArg {
    /// The smallest
    First,
    /// One that is still possible, then the smallest
    Candidate,
}

/// Options of a policy, which each takes or does not.
#[derive(Args)]
pub(crate) struct Choice {
    /// Which guesses are considered [default: all]
    #[arg(long, value_enum)]
    pool: Option<PoolArg>,
    /// Which of equally good ones is taken [default: candidate]
    #[arg(long, value_enum)]
    tie: Option<TieArg>,
    /// Bits that the right guess counts, times its probability (article 003: 2)
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    hit_bonus: Option<f64>,
    /// The right guess of probability p counts log2(1/p + C) (article 004: 10)
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    hit_gain: Option<f64>,
    /// For random choices [default: 0]
    #[arg(long)]
    seed: Option<u64>,
}

impl Choice {
    pub(crate) fn given(&self, prior: bool) -> Given {
        Given {
            pool: self.pool.map(|pool| match pool {
                PoolArg::Candidates => Pool::Candidates,
                PoolArg::All => Pool::All,
            }),
            tie: self.tie.map(|tie| match tie {
                TieArg::First => Tie::First,
                TieArg::Candidate => Tie::Candidate,
            }),
            hit_bonus: self.hit_bonus,
            hit_gain: self.hit_gain,
            seed: self.seed,
            prior,
        }
    }
}

/// A policy, ready to be played.
pub(crate) struct Chosen {
    pub(crate) family: &'static dyn Family,
    pub(crate) options: Options,
}

impl Chosen {
    pub(crate) fn new(name: &str, choice: &Choice, prior: bool) -> Result<Self> {
        let (family, options) =
            select(name, &choice.given(prior)).context("failed to understand the policy")?;
        Ok(Self { family, options })
    }

    pub(crate) fn policy(&self) -> Box<dyn Policy> {
        self.family.build(&self.options)
    }
}

/// The codes of a game, or a message that lists what there is.
pub(crate) fn codes(problem: &str) -> Result<Codes> {
    game::codes(problem).context("failed to understand the problem")
}

/// The prior in a file; without one, all codes are equally likely.
pub(crate) fn read_prior(codes: &Codes, file: Option<&PathBuf>) -> Result<Posterior> {
    read_prior_as(&Names::new(codes, None)?, file)
}

/// The same, its codes written as `names` has them.
pub(crate) fn read_prior_as(names: &Names<'_>, file: Option<&PathBuf>) -> Result<Posterior> {
    let Some(path) = file else {
        return Ok(Posterior::uniform(names.codes().len()));
    };
    let failed = || format!("failed to read prior {}", path.display());
    let text = std::fs::read_to_string(path).with_context(failed)?;
    prior::parse(names, &text).with_context(failed)
}

#[derive(Args)]
#[command(after_help = all_policies_help())]
pub(crate) struct PolicyArgs {
    /// Its name, see below
    #[arg(
        required_unless_present = "merge",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) policy: String,
    /// Problem and parameters
    #[arg(long, default_value = DEFAULT_PROBLEM)]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) choice: Choice,
    /// A file with a code and its weight in each line; other codes are impossible
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
    /// Cases to play, where not all secrets are [default: 0..2000]
    #[arg(long, value_name = "A..B", value_parser = seed_range)]
    pub(crate) seeds: Option<Range<u64>>,
    /// One JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Count only the I-th of N parts of the secrets or cases, and print what --merge reads
    #[arg(long, value_name = "I/N", conflicts_with = "prior")]
    pub(crate) shard: Option<Part>,
    /// Put such parts together, wherever they were counted, and print the figures
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["policy", "problem", "seeds", "prior", "shard"])]
    pub(crate) merge: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Problem and parameters
    pub(crate) problem: String,
    /// Guesses and replies, such as 012:0,1 for 0 hits, 1 blow
    #[arg(value_name = "GUESS:H,B")]
    pub(crate) rows: Vec<String>,
    /// Explain this guess as well
    #[arg(long, value_name = "CODE")]
    pub(crate) guess: Vec<String>,
    /// A file with a code and its weight in each line
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// The port on this machine; 0 is any that is free
    #[arg(long, default_value_t = 8700)]
    pub(crate) port: u16,
    /// The file that `tester batch` has written
    #[arg(long, value_name = "FILE", default_value = "out/history.sqlite")]
    pub(crate) history: PathBuf,
}

#[derive(Args)]
pub(crate) struct AdviseArgs {
    /// Problem and parameters
    pub(crate) problem: String,
    /// How digits are written there, the one for 0 first, such as 123456789 [default: 0-9a-zA-Z@%, as
    /// many as needed]
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) digits: Option<String>,
    /// Bits that the right guess counts [default: the solver's]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    pub(crate) hit_bonus: Option<f64>,
    /// A file with a code and its weight in each line
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = policies_help())]
pub(crate) struct ExploitArgs {
    /// Its name, see below
    pub(crate) policy: String,
    /// Problem and parameters
    #[arg(long, default_value = DEFAULT_PROBLEM)]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) choice: Choice,
}

#[derive(Args)]
pub(crate) struct PlotArgs {
    #[command(subcommand)]
    pub(crate) picture: Picture,
}

#[derive(clap::Subcommand)]
pub(crate) enum Picture {
    /// How many secrets take how many turns, policies side by side
    Turns(TurnsArgs),
    /// Mean turns against a policy's number
    Sweep(SweepArgs),
    /// What the solver believes before each guess of a noisy game
    Posterior(PosteriorArgs),
    /// Whether codes believed with probability p are right with frequency p
    Reliability(ReliabilityArgs),
}

/// A noisy game.
const NOISY_PROBLEM: &str = "distance 3 10 10";

#[derive(Args)]
pub(crate) struct PosteriorArgs {
    /// Problem and parameters: a distance
    #[arg(long, default_value = NOISY_PROBLEM)]
    pub(crate) problem: String,
    /// The case
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The picture: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Args)]
pub(crate) struct ReliabilityArgs {
    /// Problem and parameters: a distance
    #[arg(long, default_value = NOISY_PROBLEM)]
    pub(crate) problem: String,
    /// The cases to play
    #[arg(long, value_name = "A..B", value_parser = seed_range, default_value = "0..2000")]
    pub(crate) seeds: Range<u64>,
    /// The picture: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Args)]
pub(crate) struct TurnsArgs {
    /// Policies with options in brackets, such as map mi "mi[pool=all,tie=first,hit-bonus=2]"
    #[arg(required = true, value_name = "POLICY")]
    pub(crate) policies: Vec<String>,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Args)]
pub(crate) struct SweepArgs {
    /// Every whole C from A to B in log2(1/p + C)
    #[arg(
        long,
        value_name = "A..B",
        conflicts_with = "hit_bonus",
        required_unless_present = "hit_bonus"
    )]
    pub(crate) hit_gain: Option<String>,
    /// Every tenth of a bit from A to B
    #[arg(long, value_name = "A..B")]
    pub(crate) hit_bonus: Option<String>,
    /// Which of equally good guesses is taken
    #[arg(long, value_enum)]
    tie: Option<TieArg>,
    #[command(flatten)]
    pub(crate) target: Target,
}

impl SweepArgs {
    pub(crate) fn tie(&self) -> Tie {
        match self.tie {
            Some(TieArg::First) => Tie::First,
            Some(TieArg::Candidate) | None => Tie::Candidate,
        }
    }
}

#[derive(Args)]
pub(crate) struct Target {
    /// Problem and parameters
    #[arg(long, default_value = DEFAULT_PROBLEM)]
    pub(crate) problem: String,
    /// The picture: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum ObjectiveArg {
    /// As mean-then-worst
    Mean,
    /// As worst-then-mean
    Worst,
    /// The mean; of all strategies with that mean, the worst case
    MeanThenWorst,
    /// The worst case; of all strategies with that worst case, the mean
    WorstThenMean,
}

impl ObjectiveArg {
    /// As it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Worst => "worst",
            Self::MeanThenWorst => "mean-then-worst",
            Self::WorstThenMean => "worst-then-mean",
        }
    }
}

#[derive(Args)]
#[command(
    after_help = "Ctrl-C stops the search: what is shown then, and written to --tree, is the best strategy so far,\nwith the bounds that were proved."
)]
pub(crate) struct OptimalArgs {
    /// Problem and parameters
    #[arg(default_value = DEFAULT_PROBLEM)]
    pub(crate) problem: String,
    /// What is to be least
    #[arg(long, value_enum, default_value = "mean")]
    pub(crate) objective: ObjectiveArg,
    /// One JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the strategy there
    #[arg(long, value_name = "FILE")]
    pub(crate) tree: Option<PathBuf>,
    /// How many threads search; with one, the same strategy is found every time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub(crate) threads: usize,
    /// Leave a technique out, to see what it gives (scripts/ablation); what is found stays right
    #[arg(long, value_enum, value_name = "TECHNIQUE")]
    pub(crate) without: Vec<Technique>,
}

/// What makes the search fast.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Technique {
    /// What is known of sets that were met before
    Memo,
    /// Remembering sets but for the names of their places and digits
    Names,
    /// One guess of those that differ in digits that can be exchanged
    Classes,
    /// Counting guesses with the same digits at once
    Bags,
    /// Counting candidates as bits of words
    Words,
    /// A look at all cells of a guess before any of them is searched
    Looks,
}

impl Technique {
    pub(crate) fn leave_out(self, without: &mut Without) {
        match self {
            Self::Memo => without.memo = true,
            Self::Names => without.names = true,
            Self::Classes => without.classes = true,
            Self::Bags => without.bags = true,
            Self::Words => without.words = true,
            Self::Looks => without.looks = true,
        }
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct BookArgs {
    /// Problems and parameters
    #[arg(required = true, value_name = "PROBLEM")]
    pub(crate) problems: Vec<String>,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// As written by lab optimal --tree
    pub(crate) tree: PathBuf,
    /// One JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,
}

impl Choice {
    /// What stands in brackets behind a policy's name: `pool=all,tie=first,hit-bonus=2`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Words {
            #[command(flatten)]
            choice: Choice,
        }
        let words = text
            .split(',')
            .filter(|word| !word.is_empty())
            .map(|word| format!("--{word}"));
        let parsed = Words::try_parse_from(words).map_err(|error| {
            let first = error.to_string();
            anyhow::anyhow!(
                "{}",
                first
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches("error: ")
                    .to_owned()
            )
        });
        Ok(parsed?.choice)
    }
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
