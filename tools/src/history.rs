//! Runs, kept in an SQLite database, each with all its records.
//!
//! Records are written in transactions as they come, into a write-ahead log: what was kept survives
//! the death of this process at any moment, several batches may write at once, and readers wait for
//! nobody. Only a crash of the whole machine can lose the last moments; nothing can leave half a record.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

mod owner;
mod read;
mod run;
mod schema;
mod write;
pub use run::{Kind, NewRun, Run, RunId, State};

/// How long we wait for another batch that is writing.
const PATIENCE: Duration = Duration::from_secs(30);

/// The runs that were kept in one file.
pub struct History {
    db: Connection,
    path: PathBuf,
    openings: HashMap<String, i64>,
}

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
    Foreign(PathBuf),
    /// The database failed.
    #[error("failed to {what} history {}", .path.display())]
    Database {
        /// What we were doing: `read`, `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
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

type Result<T> = std::result::Result<T, HistoryError>;

/// A number without a sign as SQLite stores it: the same bits.
fn signed(number: u64) -> i64 {
    number as i64
}

impl History {
    /// Opens a history to write to; makes it where it is missing.
    ///
    /// # Errors
    /// If it is something else, a newer one, or may not be written.
    pub fn open(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_READ_WRITE;
        let history = Self::with_flags(path, flags)?;
        history.begin_writing()?;
        Ok(history)
    }

    /// Opens a history to read; where the file may not be written, reading is still possible.
    ///
    /// # Errors
    /// If there is none, or it is something else or a newer one.
    pub fn open_existing(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(HistoryError::Absent(path.to_owned()));
        }
        Self::with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    fn with_flags(path: &Path, flags: OpenFlags) -> Result<Self> {
        let failed = |source: rusqlite::Error| match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => HistoryError::Foreign(path.to_owned()),
            _ => HistoryError::Database {
                what: "open",
                path: path.to_owned(),
                source,
            },
        };
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(path, flags).map_err(failed)?;
        db.busy_timeout(PATIENCE).map_err(failed)?;
        match schema::prepare(&mut db).map_err(failed)? {
            schema::Found::Ready => {}
            schema::Found::Newer(found) => {
                return Err(HistoryError::Newer {
                    path: path.to_owned(),
                    found,
                    known: schema::VERSION,
                });
            }
            schema::Found::Foreign => return Err(HistoryError::Foreign(path.to_owned())),
        }
        Ok(Self {
            db,
            path: path.to_owned(),
            openings: HashMap::new(),
        })
    }

    /// Where a file system cannot do what a write-ahead log needs (some network and shared folders),
    /// SQLite keeps to its older way, which is slower and as safe.
    fn begin_writing(&self) -> Result<()> {
        let journal = |db: &Connection| -> rusqlite::Result<()> {
            let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
            if mode != "wal" {
                let _: String =
                    db.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
            }
            // The file may be one that can be read only; better to know now.
            db.execute_batch("BEGIN IMMEDIATE; COMMIT")
        };
        // Two that make the file at the same moment: one of them is told that it is locked.
        let mut tried = journal(&self.db);
        for _ in 0..50 {
            match &tried {
                Err(e) if e.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                    std::thread::sleep(Duration::from_millis(20));
                    tried = journal(&self.db);
                }
                _ => break,
            }
        }
        tried.map_err(|e| self.failed("write", e))?;
        let safe = self.db.pragma_update(None, "synchronous", "normal");
        safe.map_err(|e| self.failed("write", e))
    }

    fn failed(&self, what: &'static str, source: rusqlite::Error) -> HistoryError {
        HistoryError::Database {
            what,
            path: self.path.clone(),
            source,
        }
    }

    fn no_run(&self, expected: impl Into<String>, found: impl Into<String>) -> HistoryError {
        HistoryError::NoRun {
            path: self.path.clone(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The word for the newest run.
pub const LAST: &str = "last";
/// The word for the best run on the same cases.
pub const BEST: &str = "best";

#[cfg(test)]
mod tests;
