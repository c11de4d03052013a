//! Why no run was written to the history.

use tester_core::shard::MergeError;
use tester_core::store::HistoryError;

/// Why no run was written to the history.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Merge(#[from] MergeError),
}

impl ImportError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::History(error) => error.hint(),
            Self::Merge(error) => error.hint(),
        }
    }
}
