//! Why a history cannot be read or written.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::column::Damage;
use super::run::RunId;
use crate::util::atomic_file::WriteError;
use crate::util::tester_word::tester_word;

/// Why a history cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The file does not exist.
    #[error("no history at {}", .0.display())]
    Absent(PathBuf),
    /// A later version wrote it.
    #[error(
        "history {} is of a newer tester: expected format {known} or older, found {found}",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The file is not a history.
    #[error("{} is not a history, but another kind of file", .0.display())]
    NotAHistory(PathBuf),
    /// It has a view or a trigger, which could go on without end.
    #[error(
        "history {} may only have tables and indexes, found {statement}",
        .path.display()
    )]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// The beginning of the statement that makes the other thing.
        statement: String,
    },
    /// The file is no longer the one that was opened.
    #[error(
        "failed to store the run: history {} was removed or replaced while the run was being judged",
        .0.display()
    )]
    Gone(PathBuf),
    /// The database failed.
    #[error("failed to {what} history {}: {reason}", .path.display())]
    Database {
        /// What we were doing: `read`, `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What SQLite said; no source, which would say it once more.
        reason: rusqlite::Error,
    },
    /// A value in it is none that a tester writes.
    #[error("history {} is damaged: {damage}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, what was expected, and what stands there.
        damage: Damage,
    },
    /// The file of frozen best scores cannot be understood.
    #[error("failed to read the frozen best scores {}: {reason}", .path.display())]
    Best {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The folder of a run cannot be made.
    #[error(transparent)]
    Folder(#[from] WriteError),
    /// The run may not be changed now.
    #[error("another process is judging run {run}; nothing was {done}")]
    Running {
        /// The run.
        run: RunId,
        /// What is done only with a run that has ended: `deleted`.
        done: &'static str,
    },
    /// There is no such run.
    #[error("no such run in {}: expected {expected}, found {found}", .path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
}

impl HistoryError {
    /// What the database said while we did `what`.
    pub(super) fn from_database(what: &'static str, path: &Path, reason: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match Damage::from_database(&reason) {
            Some(damage) => Self::Damaged { path, damage },
            None => Self::Database { what, path, reason },
        }
    }

    /// Whether the file cannot be used again as it is.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::NotAHistory(_) | Self::Unsafe { .. } | Self::Damaged { .. } => true,
            Self::Database { reason, .. } => is_corrupt(reason),
            _ => false,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Absent(_) => {
                return Some(format!(
                    "`{} batch` makes a history; --history FILE names another",
                    tester_word()
                ));
            }
            Self::Newer { .. } => "use the newer tester, or name another file with --history",
            Self::NotAHistory(_) => "name another file with --history",
            Self::Unsafe { .. } => {
                "no tester makes views or triggers: if it is yours, drop it with `sqlite3 FILE`; else name another \
                 file with --history"
            }
            Self::NoRun { .. } => {
                return Some(format!("`{} history` lists all runs", tester_word()));
            }
            Self::Database { reason, .. } if is_corrupt(reason) => DAMAGED,
            Self::Database { reason, .. } => match reason.sqlite_error_code()? {
                ErrorCode::SystemIoFailure => {
                    return Some(format!(
                        "if the disk is full, make room and try again; else {DAMAGED}"
                    ));
                }
                ErrorCode::DiskFull => "make room on the disk and try again",
                // SQLite says the same where the file system has no locks.
                ErrorCode::DatabaseBusy => {
                    "another program is changing it: try again; if none is, the file system may have no locks, as some of \
                     networks: --history FILE names a file elsewhere"
                }
                // SQLite says no more than this, also where a disk is read-only.
                ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
                    "the file must be readable, and for a change the file and its folder must be writable; \
                     --history FILE names another"
                }
                _ => return None,
            },
            Self::Damaged { .. } => DAMAGED,
            Self::Best { .. } => {
                return Some(format!(
                    "move the file away; `{} best freeze` writes another",
                    tester_word()
                ));
            }
            Self::Running { .. } => "try again when it has ended",
            Self::Gone(_) | Self::Folder(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// Whether SQLite says that the file is damaged.
fn is_corrupt(reason: &rusqlite::Error) -> bool {
    let code = reason.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

const DAMAGED: &str = "the file is damaged or cannot be read: restore a copy, save what is in it with \
                       `sqlite3 FILE .recover`, or move it away to begin another";

pub(super) type Result<T> = std::result::Result<T, HistoryError>;

/// Why a transaction is given up.
pub(super) enum Abort {
    Database(rusqlite::Error),
    Refused(HistoryError),
}

impl From<HistoryError> for Abort {
    fn from(error: HistoryError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for Abort {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<WriteError> for Abort {
    fn from(error: WriteError) -> Self {
        Self::Refused(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_history_has_a_hint() {
        let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        let reason = rusqlite::Error::SqliteFailure(busy, Some("database is locked".to_owned()));
        let error = HistoryError::from_database("open", Path::new("out/history.sqlite"), reason);
        let shown = "failed to open history out/history.sqlite: database is locked";
        assert_eq!(error.to_string(), shown);
        assert!(
            error
                .hint()
                .unwrap()
                .starts_with("another program is changing it: try again")
        );
    }
}
