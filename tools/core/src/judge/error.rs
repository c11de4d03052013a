//! Why a case could not be judged.

use std::io;

use crate::process::StartError;

/// Why a case could not be judged. Never the contestant's fault.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// What the contestant wrote could not be kept.
    #[error("failed to keep the contestant's output")]
    Watcher(#[source] io::Error),
    /// The operating system failed us.
    #[error("failed to {what}")]
    System {
        /// What we were doing.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Judging was interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl JudgeError {
    pub(super) fn system(what: &'static str, source: io::Error) -> Self {
        Self::System { what, source }
    }
}
