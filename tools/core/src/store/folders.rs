//! The folders of runs, `OUT/runs/N`: which run has which folder, and how long outputs are kept.
//!
//! The history names the folder of each run. Only these folders are changed, and in them only files with names of
//! outputs. When the outputs of a run expire, its folder becomes the folder of a new run, which writes over the
//! files: see [`overwrite`](crate::util::overwrite) for what that saves.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::error::{Abort, Result};
use super::history::{History, signed};
use super::lock;
use super::run::{EXPIRED, NewRun, Run, RunId, base_of};
use super::write::insert_run;
use crate::case::CaseId;
use crate::run::draw::remove_pictures;
use crate::util::atomic_file::{WriteError, make_dir};
use crate::util::overwrite::remove;
use crate::util::random_name::random_name;

/// The suffixes of all output files, of any kind of run.
const KINDS: [&str; 4] = ["txt", "err", "log", "transcript"];

impl History {
    /// Begins a run with its own folder in `runs`; this process is its owner. The outputs of `keep` runs are kept,
    /// including this run. The folder of the oldest run beyond them becomes the folder of this run.
    ///
    /// # Errors
    /// If it cannot be written, or the folder cannot be made.
    pub fn begin_in(
        &mut self,
        new: &NewRun,
        runs: &Path,
        keep: NonZeroUsize,
    ) -> Result<(RunId, PathBuf)> {
        make_dir(runs)?;
        let (base, owner, path) = (self.base(), self.owner(), self.path.clone());
        let mut moved = None;
        let begun = self.write_and(|db, _| {
            let run = insert_run(db, new, &owner)?;
            let runs_of = (&*path, &*stored(&base, runs));
            let expired = expired(db, runs_of, keep.get() - 1, run)?;
            let expired = expired.into_iter().next();
            let old = expired.as_ref().map(|(_, folder)| base.join(folder));
            let folder = moved.insert(new_folder(runs, run, old)?).to.clone();
            if let Some((old, _)) = expired {
                set_folder(db, old, None)?;
            }
            set_folder(db, run, Some(&stored(&base, &folder)))?;
            Ok((run, folder))
        });
        take_back_unless_done(begun, moved)
    }

    /// The folder of a run that is resumed; a new one in `runs` if its folder has expired.
    ///
    /// # Errors
    /// If it cannot be written, or the folder cannot be made.
    pub fn resume_in(&mut self, run: RunId, runs: &Path) -> Result<PathBuf> {
        if let Some(folder) = self.folder(run)? {
            make_dir(&folder)?;
            return Ok(folder);
        }
        make_dir(runs)?;
        let base = self.base();
        let mut moved = None;
        let made = self.write_and(|db, _| {
            let folder = moved.insert(new_folder(runs, run, None)?).to.clone();
            set_folder(db, run, Some(&stored(&base, &folder)))?;
            Ok(folder)
        });
        take_back_unless_done(made, moved)
    }

    /// Gives the folder of a run a name that cannot be guessed, until [`History::reveal`]. Only the owner of the run
    /// may call this.
    ///
    /// # Errors
    /// If it cannot be written, or the folder cannot be renamed.
    pub fn conceal(&mut self, run: RunId) -> Result<PathBuf> {
        self.rename_folder(run, |folder| {
            let name = format!("{run}-{}", random_name());
            let concealed = folder.with_file_name(name);
            fs::rename(folder, &concealed).map(|()| concealed)
        })
    }

    /// Gives the folder of a run its usual name again, or the first free one.
    ///
    /// # Errors
    /// As [`History::conceal`].
    pub fn reveal(&mut self, run: RunId) -> Result<PathBuf> {
        self.rename_folder(run, |folder| {
            let runs = folder.parent().unwrap_or(folder);
            let revealed = free_folder(runs, run).map_err(|error| error.source)?;
            fs::rename(folder, &revealed).map(|()| revealed)
        })
    }

    fn rename_folder(
        &mut self,
        run: RunId,
        rename: impl FnOnce(&Path) -> io::Result<PathBuf>,
    ) -> Result<PathBuf> {
        let base = self.base();
        let folder = self.folder(run)?.unwrap_or_default();
        let mut moved = None;
        let renamed = self.write_and(|db, _| {
            let to = rename(&folder).map_err(|source| WriteError {
                path: folder.clone(),
                source,
            })?;
            let from = Some(folder);
            let to = moved.insert(Moved { from, to }).to.clone();
            set_folder(db, run, Some(&stored(&base, &to)))?;
            Ok(to)
        });
        take_back_unless_done(renamed, moved)
    }

    /// Removes the outputs in `runs` of all runs except the newest `keep`, and except runs that are being
    /// judged. Outputs of runs in other folders stay: a run with another `--out` removes nothing of yours.
    ///
    /// # Errors
    /// If that cannot be read or written. What cannot be removed only takes up room.
    pub fn remove_expired(&mut self, runs: &Path, keep: NonZeroUsize) -> Result<()> {
        let (base, path) = (self.base(), self.path.clone());
        let runs = stored(&base, runs);
        loop {
            // The new name keeps it apart from a run that another history begins meanwhile.
            let next = self.write_and(|db, _| {
                let expired = expired(db, (&path, &runs), keep.get(), RunId(0))?;
                let Some((run, stored)) = expired.into_iter().next() else {
                    return Ok(None);
                };
                let folder = base.join(&stored);
                let mut name = folder.clone().into_os_string();
                name.push(EXPIRED);
                let renamed = PathBuf::from(name);
                if folder.as_os_str().as_bytes().ends_with(EXPIRED.as_bytes()) {
                    return Ok(Some((run, folder)));
                }
                match fs::rename(&folder, &renamed) {
                    Ok(()) => set_folder(db, run, Some(&self::stored(&base, &renamed)))?,
                    Err(_) => set_folder(db, run, None)?,
                }
                Ok(Some((run, renamed)))
            })?;
            let Some((run, folder)) = next else {
                return Ok(());
            };
            remove_folder(&folder, &mut || ());
            self.write_and(|db, _| Ok(set_folder(db, run, None)?))?;
        }
    }

    /// Removes output files in a run's folder that belong to no stored case. They come from an earlier run, or from an
    /// interrupted case of this run. Only the owner of the run may call this.
    ///
    /// Cost: lists the folder, and 3 µs a file.
    ///
    /// # Errors
    /// If the history cannot be read.
    pub fn remove_leftovers(&self, run: RunId) -> Result<()> {
        let run = self.find(&run.to_string())?;
        let Some(folder) = &run.folder else {
            return Ok(());
        };
        let kinds = run.about.spec.output_kinds();
        let sql = "SELECT 1 FROM record WHERE run = ? AND case_id = ?";
        let mut found = self.read(|db| db.prepare(sql))?;
        let mut failed = None;
        remove_outputs(folder, |case, kind| {
            let kept = found.exists(params![run.id.0, signed(case.0)]);
            // If the history cannot be read, the file stays.
            let is_kept = kept.unwrap_or_else(|error| {
                failed = Some(error);
                true
            });
            kinds.contains(&kind) && is_kept
        });
        failed.map_or(Ok(()), |error| Err(self.failed("read", error)))
    }

    /// The folder of a run, if it has one.
    pub(super) fn folder(&self, run: RunId) -> Result<Option<PathBuf>> {
        let sql = "SELECT folder FROM run WHERE id = ?";
        let folder: Option<Option<Vec<u8>>> =
            self.read(|db| db.query_row(sql, [run.0], |row| row.get(0)).optional())?;
        Ok(folder.flatten().map(|bytes| self.base().join(path(&bytes))))
    }

    pub(super) fn with_whole_path(&self, run: Run) -> Run {
        Run {
            folder: run.folder.map(|folder| self.base().join(folder)),
            ..run
        }
    }

    /// The folder of the history. Folders of runs are relative to it, so that both can be moved together.
    pub(super) fn base(&self) -> PathBuf {
        base_of(self.path())
    }
}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// A folder in the form that the history stores.
fn stored(base: &Path, folder: &Path) -> PathBuf {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    folder.strip_prefix(base).unwrap_or(&folder).to_owned()
}

fn set_folder(db: &Connection, run: RunId, folder: Option<&Path>) -> rusqlite::Result<()> {
    let bytes = folder.map(|folder| folder.as_os_str().as_bytes());
    db.execute(
        "UPDATE run SET folder = ? WHERE id = ?",
        params![bytes, run.0],
    )?;
    Ok(())
}

/// Runs of a history with a folder in `parent` beyond the newest `keep`, the oldest first, except one and those that
/// are being judged.
fn expired(
    db: &Connection,
    (history, parent): (&Path, &Path),
    keep: usize,
    except: RunId,
) -> rusqlite::Result<Vec<(RunId, PathBuf)>> {
    let mut runs = db.prepare(
        "SELECT id, folder, state, owner FROM run WHERE folder IS NOT NULL AND id <> ? ORDER BY id DESC",
    )?;
    let mut rows = runs.query([except.0])?;
    let (mut found, mut newer) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let folder: Vec<u8> = row.get(1)?;
        let folder = path(&folder);
        if folder.parent() != Some(parent) {
            continue;
        }
        newer += 1;
        let (state, owner): (String, String) = (row.get(2)?, row.get(3)?);
        if newer > keep && (state != "running" || !lock::lives(history, &owner)) {
            found.push((RunId(row.get(0)?), folder.to_owned()));
        }
    }
    found.reverse();
    Ok(found)
}

/// A folder that was made, or had another name, before the transaction that says so.
struct Moved {
    from: Option<PathBuf>,
    to: PathBuf,
}

/// Removes or renames a folder back if its transaction has failed, so that the history still knows it.
fn take_back_unless_done<T>(done: Result<T>, moved: Option<Moved>) -> Result<T> {
    if done.is_err()
        && let Some(Moved { from, to }) = moved
    {
        // Where that fails as well, the first error says what is wrong.
        let _ = match from {
            Some(from) => fs::rename(&to, &from),
            None => fs::remove_dir(&to),
        };
    }
    done
}

/// Makes the folder of a run in `runs`. If there is an `old` folder, renames it instead.
fn new_folder(runs: &Path, run: RunId, old: Option<PathBuf>) -> std::result::Result<Moved, Abort> {
    let to = free_folder(runs, run)?;
    // A rename replaces an empty folder. If the old folder is gone or on another disk, the new one is used.
    let from = old.filter(|old| fs::rename(old, &to).is_ok());
    if from.is_some() {
        remove_pictures(&to);
    }
    Ok(Moved { from, to })
}

/// Makes a folder under the first free name for a run: `7`, `7-2`, …
fn free_folder(runs: &Path, run: RunId) -> std::result::Result<PathBuf, WriteError> {
    let mut number = 1;
    loop {
        let folder = runs.join(match number {
            1 => run.to_string(),
            _ => format!("{run}-{number}"),
        });
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(source) => {
                return Err(WriteError {
                    path: folder,
                    source,
                });
            }
        }
    }
}

/// Removes the outputs and pictures of a run, then its folder unless other files are in it. A link in its place stays, and
/// is not followed. Returns whether nothing is there any more. `passed` is called for each case.
pub(super) fn remove_folder(folder: &Path, passed: &mut dyn FnMut()) -> bool {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => {
            remove_outputs(folder, |_, kind| {
                if kind == "txt" {
                    passed();
                }
                false
            });
            remove_pictures(folder);
            fs::remove_dir(folder).is_ok()
        }
        Ok(_) => false,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Removes the output files in a folder, except those for which `stay` holds. An empty `err` file is always removed.
/// Files that cannot be removed only take up space.
fn remove_outputs(folder: &Path, mut stay: impl FnMut(CaseId, &str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((case, kind)) = name.to_str().and_then(output) else {
            continue;
        };
        let is_empty = || entry.metadata().is_ok_and(|found| found.len() == 0);
        if !stay(case, kind) || (kind == "err" && is_empty()) {
            let _ = remove(&entry.path());
        }
    }
}

/// The cases of which a folder has the program's output.
pub(super) fn cases_in(folder: &Path) -> impl Iterator<Item = CaseId> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    names.filter_map(|name| match output(name.to_str()?)? {
        (case, "txt") => Some(case),
        _ => None,
    })
}

/// The case and the kind in the name of an output file.
fn output(name: &str) -> Option<(CaseId, &str)> {
    let (number, kind) = name.split_once('.')?;
    let case = CaseId(number.parse().ok()?);
    (KINDS.contains(&kind) && case.file_name(kind) == name).then_some((case, kind))
}

/// A path below the working directory, as it would be typed there.
pub fn near(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}
