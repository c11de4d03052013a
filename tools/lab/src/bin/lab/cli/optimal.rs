//! Searches for optimal strategies, and trees, as they are typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lab::optimal::{Part, Without};
use tester::problem::default_problem;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum ObjectiveArg {
    /// Same as mean-then-worst
    Mean,
    /// Same as worst-then-mean
    Worst,
    /// The mean, then the worst case among strategies with that mean
    MeanThenWorst,
    /// The worst case, then the mean among strategies with that worst case
    WorstThenMean,
}

#[derive(Args)]
#[command(
    after_help = "Ctrl-C stops the search. It then shows, and writes to --tree, the best strategy so far with the bounds that were proved."
)]
pub(crate) struct OptimalArgs {
    /// Problem and parameters
    #[arg(default_value = default_problem())]
    pub(crate) problem: String,
    /// What to minimize
    #[arg(long, value_enum, default_value = "mean")]
    pub(crate) objective: ObjectiveArg,
    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write the strategy to this file
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub(crate) tree: Option<PathBuf>,
    /// Threads of the search; one finds the same strategy every time
    #[arg(long, help_heading = "Search", value_name = "N", default_value_t = 1, value_parser = threads)]
    pub(crate) threads: usize,
    /// Go on from this file if it exists, and keep in it what is found out
    #[arg(long, help_heading = "Checkpoints", value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between two writes of the checkpoint; at the end, and at Ctrl-C, it is written too
    #[arg(long, help_heading = "Checkpoints", value_name = "SECONDS", default_value_t = 60, requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) checkpoint_seconds: u64,
    /// Know what is in these checkpoints too, which are only read
    #[arg(long, help_heading = "Checkpoints", value_name = "FILE", num_args = 1..)]
    pub(crate) also: Vec<PathBuf>,
    /// Solve part K of N only (1/3, 2/3, 3/3), for a later search with --also
    #[arg(long, help_heading = "Checkpoints", value_name = "K/N", requires = "checkpoint", value_parser = part)]
    pub(crate) part: Option<Part>,
    /// Try only the N guesses for each set that usually cost least: a good strategy soon, but no proof
    #[arg(long, help_heading = "Search", value_name = "N", conflicts_with = "part", value_parser = width)]
    pub(crate) width: Option<usize>,
    /// Leave out a technique, to measure its effect; the result stays right
    #[arg(long, help_heading = "Search", value_enum, value_name = "TECHNIQUE")]
    pub(crate) without: Vec<Technique>,
}

/// What makes the search fast.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Technique {
    /// Remember sets that were met before
    Memo,
    /// Treat sets as equal that differ only in names of places and digits
    Names,
    /// Try one of the guesses that differ only in exchangeable digits
    Classes,
    /// Try one of the guesses that a symmetry of the set takes into each other
    Symmetries,
    /// Count guesses with the same digits at once
    Bags,
    /// Count candidates as bits of words
    Words,
    /// Look at all cells of a guess before searching any
    Looks,
    /// Raise the bounds of all cells of a guess to their first levels before searching any
    Levels,
}

impl Technique {
    pub(crate) fn leave_out(self, without: &mut Without) {
        match self {
            Self::Memo => without.memo = true,
            Self::Names => without.names = true,
            Self::Classes => without.classes = true,
            Self::Symmetries => without.symmetries = true,
            Self::Bags => without.bags = true,
            Self::Words => without.words = true,
            Self::Looks => without.looks = true,
            Self::Levels => without.levels = true,
        }
    }
}

fn width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width @ 1..) => Ok(width),
        _ => Err("expected a number from 1 on".to_owned()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

fn part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/').map(|(k, n)| (k.parse(), n.parse()));
    match numbers {
        Some((Ok(number), Ok(of))) if 1 <= number && number <= of => Ok(Part { number, of }),
        _ => Err("expected K/N with K from 1 to N, such as 2/3".to_owned()),
    }
}

#[derive(Args)]
pub(crate) struct BookArgs {
    /// Problems and parameters
    #[arg(required_unless_present = "openings", value_name = "PROBLEM")]
    pub(crate) problems: Vec<String>,
    /// Make the table of first guesses at numbers of 5 to 10 digits instead
    #[arg(long, conflicts_with = "problems")]
    pub(crate) openings: bool,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// Tree file, as written by lab optimal --tree
    pub(crate) tree: PathBuf,
    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}
