//! Why a history does not answer.

use std::path::PathBuf;

use rusqlite::ErrorCode;

use crate::util::atomic_file::WriteError;

/// Why the history does not answer.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No run was kept there yet.
    #[error(
        "failed to read history {}: expected a file that `tester batch` has written, found none; \
         name another with --history FILE",
        .0.display()
    )]
    Absent(PathBuf),
    /// A later version wrote it.
    #[error(
        "failed to read history {}: expected format {known} or older, found {found}, written by a newer \
         tester; use that one, or name another file with --history; nothing was changed",
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
    /// It is something else.
    #[error(
        "failed to read history {}: expected a file that `tester batch` has written, found another \
         kind of file; name another with --history FILE; nothing was changed",
        .0.display()
    )]
    NotAHistory(PathBuf),
    /// It was there.
    #[error(
        "failed to keep the run in {}: somebody has removed the file, or put another in its place, while \
         it was being written",
        .0.display()
    )]
    Gone(PathBuf),
    /// The database failed.
    #[error("failed to {what} history {}: {reason}{}", .path.display(), advice(.reason))]
    Database {
        /// What we were doing: `read`, `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What SQLite said; no source, which would say it once more.
        reason: rusqlite::Error,
    },
    /// The folder of a run cannot be made.
    #[error(transparent)]
    Folder(#[from] WriteError),
    /// There is no such run.
    #[error(
        "failed to find a run in {}: expected {expected}, found {found}; `tester history` lists all",
        .path.display()
    )]
    NoRun {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        expected: String,
        /// What was there.
        found: String,
    },
}

/// What whoever has a broken file can do.
fn advice(reason: &rusqlite::Error) -> &'static str {
    match reason.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure) => {
            "; the file is damaged, or cannot be read: put a copy of it in its place, save what is in it with `sqlite3 \
             FILE .recover`, or move it away and begin another"
        }
        _ => "",
    }
}

pub(super) type Result<T> = std::result::Result<T, HistoryError>;

/// Why a transaction is given up.
pub(super) enum Abort {
    Database(rusqlite::Error),
    Folder(WriteError),
}

impl From<rusqlite::Error> for Abort {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<WriteError> for Abort {
    fn from(error: WriteError) -> Self {
        Self::Folder(error)
    }
}
