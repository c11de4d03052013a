//! Why runs cannot be shown, or not be compared.

use crate::store::{HistoryError, RunId};
use crate::util::tester_word::tester_word;

/// Why there is no report, or no comparison.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The runs cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The two runs differ in what a comparison needs.
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
    #[error("a score of 0 has no logarithm")]
    LogOfZero,
    /// They are too many cases.
    #[error("too many cases for a report: expected at most {most} in all, found {found}")]
    TooMany {
        /// How many a report shows.
        most: usize,
        /// How many they have.
        found: usize,
    },
    /// The same run is given twice.
    #[error("run {0} is named twice")]
    Twice(RunId),
}

/// What both runs should have whose scores are compared.
pub(super) const SAME_OBJECTIVE: &str = "the same objective";

impl ReportError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::History(error) => return error.hint(),
            Self::LogOfZero => "choose another measure than log, such as --by rank",
            Self::TooMany { .. } => {
                return Some(format!(
                    "`{} show --csv` prints a run for other programs",
                    tester_word()
                ));
            }
            Self::Incomparable { expected, .. } if *expected == SAME_OBJECTIVE => {
                return Some(format!(
                    "`{} edit RUN… --objective min` corrects runs that were judged with the wrong one",
                    tester_word()
                ));
            }
            Self::Twice(_) | Self::Incomparable { .. } => {
                return Some(format!("`{} history` lists all runs", tester_word()));
            }
        };
        Some(hint.to_owned())
    }
}
