//! Why cases could not be read, made or written.

use std::io;
use std::path::PathBuf;

use crate::problem::{InstanceError, ParamError};
use crate::process::shell_word;
use crate::util::atomic_file::WriteError;
use crate::util::tester_word::tester_word;

/// Why cases could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The operating system refused.
    #[error("failed to read {}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not text, or not a case.
    #[error("failed to read case {}", .path.display())]
    Case {
        /// The file.
        path: PathBuf,
        /// Which line, and why.
        source: InstanceError,
    },
    /// A seeds file's line is not a seed.
    #[error(
        "failed to read seeds {}: line {line}: expected an integer from 0 to {}, found {found}",
        .path.display(), u64::MAX
    )]
    Seeds {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What stood there, quoted, or `end of file`.
        found: String,
    },
    /// There is nothing to judge.
    #[error("no case in folder {}: expected files named 0000.txt, 0001.txt, …", .dir.display())]
    Empty {
        /// The folder.
        dir: PathBuf,
    },
    /// No case has such a name.
    #[error("no case matches {pattern}: expected files named 0000.txt, 0001.txt, …")]
    NoMatch {
        /// As it was typed.
        pattern: String,
    },
    /// It is no pattern.
    #[error("failed to understand the pattern {pattern}")]
    Pattern {
        /// As it was typed.
        pattern: String,
        /// What is wrong with it, and where.
        source: glob::PatternError,
    },
    /// Two files have the same number.
    #[error(
        "two cases that match {pattern} have the same number: {} and {}",
        .first.display(), .second.display()
    )]
    Twice {
        /// As it was typed.
        pattern: String,
        /// One of them.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// It is no folder, or cannot be read.
    #[error("failed to read folder {}", .dir.display())]
    Folder {
        /// What was named.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The problem refuses its parameters.
    #[error("failed to generate a case")]
    Params(#[from] ParamError),
    /// Files are there already, with another content.
    #[error(
        "{} of {total} files exist with another content, the first is {}; nothing was written",
        .count, .first.display()
    )]
    Exists {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
        /// How many were to be written.
        total: usize,
    },
    /// The operating system refused.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl CaseError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Empty { dir } | Self::Folder { dir, .. } => Some(format!(
                "`{} gen --seeds 0..100 --dir {}` makes cases of our problems; \
                 --cases names the folder of another contest's cases",
                tester_word(),
                shell_word(dir.as_os_str())
            )),
            Self::Params(error) => error.hint(),
            Self::Exists { .. } => {
                Some("choose another --dir, or replace them with --force".to_owned())
            }
            _ => None,
        }
    }
}
