//! Why runs cannot be shown, or not be compared.

use crate::store::{HistoryError, RunId};

/// Why there is no report, or no comparison.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The runs cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// They have nothing to do with each other.
    #[error("failed to compare runs {first} and {second}: expected {expected}, found {found}")]
    Incomparable {
        /// The first run.
        first: RunId,
        /// The second one.
        second: RunId,
        /// What both should have.
        expected: &'static str,
        /// What they have.
        found: String,
    },
    /// The logarithm of a score is asked for, and there is none.
    #[error("failed to compare by log: expected scores of 1 or more, found 0")]
    LogOfZero,
    /// They are too many cases.
    #[error(
        "failed to write a report: expected at most {most} cases in all, found {found}; \
         `tester show --csv` gives them to other programs"
    )]
    TooMany {
        /// How many a report shows.
        most: usize,
        /// How many they have.
        found: usize,
    },
    /// The same run is given twice.
    #[error("expected each run once, found run {0} twice; `tester history` lists all")]
    Twice(RunId),
}
