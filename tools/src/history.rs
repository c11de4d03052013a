//! Runs, kept in an SQLite database, each with all its records.
//!
//! Records are written in transactions as they come, into a write-ahead log: what was kept survives
//! the death of this process at any moment, several batches may write at once, and readers wait for
//! nobody. Only a crash of the whole machine can lose the last moments; nothing can leave half a record.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

mod merged;
mod owner;
mod read;
mod run;
mod schema;
mod write;
pub use merged::{Ended, Entry};
pub use run::{Kind, NewRun, Run, RunId, State};

/// How long we wait for another batch that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// The runs that were kept in one file.
pub struct History {
    db: Connection,
    path: PathBuf,
    /// Which file that was when it was opened.
    file: Option<(u64, u64)>,
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

    /// Opens a history to read; where the file or its folder may not be written, as it is now.
    ///
    /// # Errors
    /// If there is none, or it is something else or a newer one.
    pub fn open_existing(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(HistoryError::Absent(path.to_owned()));
        }
        let opened = Self::with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        match &opened {
            Err(HistoryError::Database { reason, .. })
                if matches!(
                    reason.sqlite_error_code(),
                    Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen)
                ) =>
            {
                let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                // Nobody can write to it here, so that it need not be locked, which would need writing.
                let uri = format!("file:{}?immutable=1", escaped(path));
                Self::connect(path, &uri, read)
            }
            _ => opened,
        }
    }

    fn with_flags(path: &Path, flags: OpenFlags) -> Result<Self> {
        Self::connect(path, path, flags)
    }

    fn connect(path: &Path, name: impl AsRef<Path>, flags: OpenFlags) -> Result<Self> {
        let failed = |reason: rusqlite::Error| match reason.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => HistoryError::Foreign(path.to_owned()),
            _ => HistoryError::Database {
                what: "open",
                path: path.to_owned(),
                reason,
            },
        };
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(name, flags).map_err(failed)?;
        db.busy_timeout(PATIENCE).map_err(failed)?;
        let make = flags.contains(OpenFlags::SQLITE_OPEN_CREATE);
        match schema::prepare(&mut db, make).map_err(failed)? {
            schema::Found::Ready => {}
            schema::Found::Empty => return Err(HistoryError::Absent(path.to_owned())),
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
            file: identity(path),
            openings: HashMap::new(),
        })
    }

    /// Where a file system cannot do what a write-ahead log needs (some network and shared folders),
    /// SQLite keeps to its older way, which is slower.
    fn begin_writing(&self) -> Result<()> {
        let journal = |db: &Connection| -> rusqlite::Result<()> {
            let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
            let mode: String = match mode.as_str() {
                "wal" => mode,
                _ => db.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?,
            };
            // Without a write-ahead log, only the slower way is safe when the machine fails.
            if mode == "wal" {
                db.pragma_update(None, "synchronous", "normal")?;
            }
            // The file may be one that can be read only; better to know now.
            db.execute_batch("BEGIN IMMEDIATE; COMMIT")
        };
        // Two that make the file at the same moment: one of them is told that it is locked.
        let mut tried = journal(&self.db);
        let begun = Instant::now();
        loop {
            match &tried {
                Err(e)
                    if e.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && begun.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_millis(20));
                    tried = journal(&self.db);
                }
                _ => break,
            }
        }
        tried.map_err(|e| self.failed("write", e))
    }

    fn failed(&self, what: &'static str, reason: rusqlite::Error) -> HistoryError {
        HistoryError::Database {
            what,
            path: self.path.clone(),
            reason,
        }
    }

    fn no_run(&self, expected: impl Into<String>, found: impl Into<String>) -> HistoryError {
        HistoryError::NoRun {
            path: self.path.clone(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Does some reading as if at one moment, whatever others write meanwhile.
    ///
    /// # Errors
    /// If `work` fails, or the history cannot be read.
    pub fn at_one_moment<T, E: From<HistoryError>>(
        &self,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let moment = self.db.unchecked_transaction();
        let _moment = moment.map_err(|e| self.failed("read", e))?;
        work(self)
    }

    /// Makes sure that what was kept is where it was kept.
    ///
    /// # Errors
    /// If somebody has removed the file, or put another in its place.
    pub fn check_is_there(&self) -> Result<()> {
        match identity(&self.path) == self.file {
            true => Ok(()),
            false => Err(HistoryError::Gone(self.path.clone())),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Tells a file from one that takes its place later.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// A path as it stands in a URI.
fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(byte);
    let letters = bytes.iter().map(|byte| match plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    letters.collect()
}

/// The word for the newest run.
pub const LAST: &str = "last";
/// The word for the best run on the same cases.
pub const BEST: &str = "best";

#[cfg(test)]
pub(crate) mod tests;
