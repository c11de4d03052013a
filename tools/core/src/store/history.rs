//! Runs, kept in an SQLite database, each with all its records.
//!
//! Records are written in transactions into a write-ahead log. A stored record survives the death of this
//! process at any moment. Several batches may write at once, and readers never wait. Only a crash of the
//! whole machine can lose the last records; a record is never stored in part.

use std::collections::HashMap;

use std::os::unix::fs::MetadataExt;

use std::path::{Path, PathBuf};

use std::time::{Duration, Instant};

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::{HistoryError, Result};
use super::lock::Owner;
use super::patience::{PATIENCE, wait_again};
use super::schema;
use crate::util::quote::quote;

/// How many pages are copied at a time.
const PAGES: std::ffi::c_int = 1024;

/// The runs in one database file.
pub struct History {
    pub(super) db: Connection,
    pub(super) path: PathBuf,
    /// Which file that was when it was opened.
    file: Option<(u64, u64)>,
    pub(super) openings: HashMap<String, i64>,
    /// This process, once it has begun or resumed a run.
    owner: Option<Owner>,
}

/// A number without a sign as SQLite stores it: the same bits.
pub(super) fn signed(number: u64) -> i64 {
    number as i64
}

impl History {
    /// Opens a history for writing; creates it if it is missing.
    ///
    /// # Errors
    /// If the file is not a history, has a newer format, or cannot be written.
    pub fn open(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_READ_WRITE;
        let history = Self::with_flags(path, flags)?;
        history.begin_writing()?;
        Ok(history)
    }

    /// Opens a history that exists, for writing.
    ///
    /// # Errors
    /// As [`History::open`], and if the file does not exist.
    pub fn open_to_change(path: &Path) -> Result<Self> {
        match path.exists() {
            true => Self::open(path),
            false => Err(HistoryError::Absent(path.to_owned())),
        }
    }

    /// Opens a history for reading. If the file or its folder is read-only, later changes are not seen.
    ///
    /// # Errors
    /// If the file does not exist, is not a history, or has a newer format.
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
                Self::open_read_only(path).or_else(|refused| match refused {
                    // It would name the address by which it was tried.
                    HistoryError::Database { .. } => opened,
                    _ => Err(refused),
                })
            }
            Err(HistoryError::Database { reason, .. })
                if matches!(
                    reason.sqlite_error_code(),
                    Some(ErrorCode::SystemIoFailure | ErrorCode::DiskFull)
                ) =>
            {
                Self::open_alone(path).or(opened)
            }
            _ => opened,
        }
    }

    /// Opens a history for this process alone, which then needs no shared memory: that is a file beside it, and a full
    /// disk has no room for one. The newest runs may be in the write-ahead log only.
    fn open_alone(path: &Path) -> Result<Self> {
        let failed = |reason| cannot_open(path, reason);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags).map_err(failed)?;
        db.pragma_update(None, "locking_mode", "exclusive")
            .map_err(failed)?;
        Self::prepared(path, db, false)
    }

    /// Opens a read-only history without a lock, because a lock would have to be written.
    pub(super) fn open_read_only(path: &Path) -> Result<Self> {
        let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let uri = format!("file:{}?immutable=1", escaped(path));
        Self::connect(path, &uri, read).or_else(|refused| match &refused {
            HistoryError::Database { reason, .. }
                if reason.sqlite_error_code() == Some(ErrorCode::ReadOnly) =>
            {
                Self::copied(path, &uri)
            }
            _ => Err(refused),
        })
    }

    fn with_flags(path: &Path, flags: OpenFlags) -> Result<Self> {
        Self::connect(path, path, flags)
    }

    pub(super) fn connect(path: &Path, name: impl AsRef<Path>, flags: OpenFlags) -> Result<Self> {
        let failed = |reason| cannot_open(path, reason);
        // Of a folder, a pipe or a device, SQLite would only say that it cannot be read.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(HistoryError::NotAHistory(path.to_owned()));
        }
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(name, flags).map_err(failed)?;
        db.busy_handler(Some(wait_again)).map_err(failed)?;
        Self::prepared(path, db, flags.contains(OpenFlags::SQLITE_OPEN_CREATE))
    }

    /// Copies an older read-only history into memory and brings the copy to our format.
    ///
    /// Memory: as large as the file.
    fn copied(path: &Path, uri: &str) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let copy = || -> rusqlite::Result<Connection> {
            let file = Connection::open_with_flags(uri, flags)?;
            let mut memory = Connection::open_in_memory()?;
            let backup = Backup::new(&file, &mut memory)?;
            backup.run_to_completion(PAGES, Duration::ZERO, None)?;
            drop(backup);
            Ok(memory)
        };
        let memory = copy().map_err(|reason| HistoryError::from_database("read", path, reason))?;
        Self::prepared(path, memory, false)
    }

    /// The history in a database, brought to our format; an empty database becomes a history if `make` is set.
    fn prepared(path: &Path, mut db: Connection, make: bool) -> Result<Self> {
        let failed = |reason| cannot_open(path, reason);
        // Otherwise a statement that was kept is prepared again whenever a number in it changes: 30 µs a case.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(failed)?;
        match schema::prepare(&mut db, make).map_err(failed)? {
            schema::Found::Ready => {}
            schema::Found::Older(_) => return Err(HistoryError::Absent(path.to_owned())),
            schema::Found::Newer(found) => {
                return Err(HistoryError::Newer {
                    path: path.to_owned(),
                    found,
                    known: schema::VERSION,
                });
            }
            schema::Found::Foreign => return Err(HistoryError::NotAHistory(path.to_owned())),
            schema::Found::Unsafe(statement) => {
                return Err(HistoryError::Unsafe {
                    path: path.to_owned(),
                    statement: quote(statement.as_bytes()),
                });
            }
        }
        Ok(Self {
            db,
            path: path.to_owned(),
            file: identity(path),
            openings: HashMap::new(),
            owner: None,
        })
    }

    /// If a file system does not support a write-ahead log (some network and shared folders), SQLite stays with
    /// its rollback journal, which is slower.
    fn begin_writing(&self) -> Result<()> {
        let journal = |db: &Connection| -> rusqlite::Result<()> {
            let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
            let mode: String = match mode.as_str() {
                "wal" => mode,
                _ => db.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?,
            };
            // Without a write-ahead log, only the slower default is safe if the machine fails.
            if mode == "wal" {
                db.pragma_update(None, "synchronous", "normal")?;
            }
            // If the file is read-only, this reports it now.
            db.execute_batch("BEGIN IMMEDIATE; COMMIT")
        };
        // If two processes create the file at the same moment, one of them gets the error that it is locked.
        let begun = Instant::now();
        let mut tried = journal(&self.db);
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

    pub(super) fn failed(&self, what: &'static str, reason: rusqlite::Error) -> HistoryError {
        HistoryError::from_database(what, &self.path, reason)
    }

    /// Reads with the database; an error says which history it is.
    pub(super) fn read<'a, T>(
        &'a self,
        work: impl FnOnce(&'a Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        work(&self.db).map_err(|reason| self.failed("read", reason))
    }

    pub(super) fn no_run(
        &self,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> HistoryError {
        HistoryError::NoRun {
            path: self.path.clone(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Runs `work` on one snapshot of the history, whatever other processes write meanwhile.
    ///
    /// # Errors
    /// If `work` fails, or the history cannot be read.
    pub fn with_snapshot<T, E: From<HistoryError>>(
        &self,
        work: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let moment = self.db.unchecked_transaction();
        let _moment = moment.map_err(|e| self.failed("read", e))?;
        work(self)
    }

    /// Checks that the open file is still the file at its path.
    ///
    /// # Errors
    /// If the file was removed or replaced.
    pub fn check_is_there(&self) -> Result<()> {
        match identity(&self.path) == self.file {
            true => Ok(()),
            false => Err(HistoryError::Gone(self.path.clone())),
        }
    }

    /// The name of this process as the owner of a run, which it is as long as this history is open.
    pub(super) fn owner(&mut self) -> String {
        let owner = self.owner.get_or_insert_with(|| Owner::new(&self.path));
        owner.name.clone()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn cannot_open(path: &Path, reason: rusqlite::Error) -> HistoryError {
    match reason.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => HistoryError::NotAHistory(path.to_owned()),
        _ => HistoryError::from_database("open", path, reason),
    }
}

/// Identifies a file, so that a later replacement is noticed.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// A path, escaped for a URI.
pub(super) fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(byte);
    let letters = bytes.iter().map(|byte| match plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    letters.collect()
}

/// The usual history.
pub const HISTORY: &str = "out/history.sqlite";

/// The word for the newest run.
pub const LAST: &str = "last";

/// The word for the best run on the same cases.
pub const BEST: &str = "best";
