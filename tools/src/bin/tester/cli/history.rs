//! `tester history`, `tester show`, `tester compare`, `tester report`: what was kept.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use tester::stats::paired::Measure;
use tester::store::{BEST, LAST};

use super::Format;

/// Which file.
#[derive(Args)]
pub(crate) struct HistoryFile {
    /// The file that `tester batch` has written
    #[arg(
        long = "history",
        value_name = "FILE",
        default_value = "out/history.sqlite"
    )]
    pub(crate) path: PathBuf,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  tools/tester history                 the last 20 runs, newest first
  tools/tester history --all --tag v2")]
pub(crate) struct History {
    #[command(flatten)]
    pub(crate) file: HistoryFile,
    /// Only runs with this tag
    #[arg(long, value_name = "T")]
    pub(crate) tag: Option<String>,
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    pub(crate) limit: usize,
    /// All of them
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args)]
#[command(group(ArgGroup::new("lines").args(["json", "csv"])))]
#[command(after_help = "\
Examples:
  tools/tester show                    the last run
  tools/tester show v2                 the newest run with this tag
  tools/tester show 17 --json | jq 'select(.verdict != \"AC\")'

Of accepted cases, the mean relative score is 100 x the best score that any run has had on the
case / the score: 100 is the best, as in pahcer.")]
pub(crate) struct Show {
    /// A run's number, a tag, or last
    #[arg(value_name = "RUN", default_value = LAST)]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
    /// Print a JSON object for each case
    #[arg(long)]
    json: bool,
    /// Print comma separated values
    #[arg(long)]
    csv: bool,
}

impl Show {
    pub(crate) fn format(&self) -> Option<Format> {
        Format::chosen(self.json, self.csv)
    }
}

/// What is averaged.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum By {
    /// The score
    Score,
    /// 100 x the best known score of the case / the score
    Relative,
    /// 1 for the better of the two on a case, 2 for the worse, 1.5 for equals
    Rank,
    /// The logarithm of the score: differences are ratios
    Log,
}

impl From<By> for Measure {
    fn from(by: By) -> Self {
        match by {
            By::Score => Self::Score,
            By::Relative => Self::Relative,
            By::Rank => Self::Rank,
            By::Log => Self::Log,
        }
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  tools/tester compare                 the last run with the one before it
  tools/tester compare best            the last run with the best other one on the same cases
  tools/tester compare v1 v2           by tag
  tools/tester compare 3 17 --by log

Cases are paired by number and content. What either run failed is listed apart and in no mean.")]
pub(crate) struct Compare {
    /// A run's number, a tag, last or best [default: the run before B]
    #[arg(value_name = "A")]
    pub(crate) first: Option<String>,
    /// The same; differences are B - A
    #[arg(value_name = "B", default_value = LAST)]
    pub(crate) second: String,
    /// What of a score is averaged
    #[arg(long, value_name = "MEASURE", default_value = "score")]
    pub(crate) by: By,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}

impl Compare {
    /// Whether a word asks for the best run.
    pub(crate) fn asks_for_best(word: &str) -> bool {
        word == BEST
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  tools/tester report                  the last run
  tools/tester report v1 v2 v3         v2 and v3 beside v1
  tools/tester report last best        the last run beside the best other one on the same cases
  tools/tester report --to /tmp/a.html 17

The file needs no network and no other file. It shows figures, pictures, a table that sorts and
filters, and each case turn by turn, as long as the outputs of the run are kept (--keep-runs of
tester batch).")]
pub(crate) struct Report {
    /// Runs by number or tag, last or best; the others are compared with the first
    #[arg(value_name = "RUN", default_values = [LAST])]
    pub(crate) runs: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "out/report.html")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}
