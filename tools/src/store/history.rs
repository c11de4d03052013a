//! Runs, kept in an SQLite database, each with all its records.
//!
//! Records are written in transactions as they come, into a write-ahead log: what was kept survives
//! the death of this process at any moment, several batches may write at once, and readers wait for
//! nobody. Only a crash of the whole machine can lose the last moments; nothing can leave half a record.

use std::collections::HashMap;

use std::os::unix::fs::MetadataExt;

use std::path::{Path, PathBuf};

use std::time::{Duration, Instant};

use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::{HistoryError, Result};
use super::schema;

/// How long we wait for another batch that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pages that are copied at a time.
const PAGES: std::ffi::c_int = 1024;

/// The runs that were kept in one file.
pub struct History {
    pub(super) db: Connection,
    pub(super) path: PathBuf,
    /// Which file that was when it was opened.
    file: Option<(u64, u64)>,
    pub(super) openings: HashMap<String, i64>,
}

/// A number without a sign as SQLite stores it: the same bits.
pub(super) fn signed(number: u64) -> i64 {
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
                Self::open_read_only(path)
            }
            _ => opened,
        }
    }

    /// Opens a history that nobody can write to: it need not be locked, which would need writing.
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
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(name, flags).map_err(failed)?;
        db.busy_timeout(PATIENCE).map_err(failed)?;
        Self::prepared(path, db, flags.contains(OpenFlags::SQLITE_OPEN_CREATE))
    }

    /// An older history that may not be written is read as a copy in memory, which is brought to our format.
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
        let memory = copy().map_err(|reason| HistoryError::Database {
            what: "read",
            path: path.to_owned(),
            reason,
        })?;
        Self::prepared(path, memory, false)
    }

    /// The history in a database, which is brought to our format; in an empty one it may `make` a history.
    fn prepared(path: &Path, mut db: Connection, make: bool) -> Result<Self> {
        let failed = |reason| cannot_open(path, reason);
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
            schema::Found::Foreign => return Err(HistoryError::NotAHistory(path.to_owned())),
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

    pub(super) fn failed(&self, what: &'static str, reason: rusqlite::Error) -> HistoryError {
        HistoryError::Database {
            what,
            path: self.path.clone(),
            reason,
        }
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

    /// Does some reading as if at one moment, whatever others write meanwhile.
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

fn cannot_open(path: &Path, reason: rusqlite::Error) -> HistoryError {
    match reason.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => HistoryError::NotAHistory(path.to_owned()),
        _ => HistoryError::Database {
            what: "open",
            path: path.to_owned(),
            reason,
        },
    }
}

/// Tells a file from one that takes its place later.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// A path as it stands in a URI.
pub(super) fn escaped(path: &Path) -> String {
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
