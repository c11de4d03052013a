//! Who judges a run, and whether that process still does.
//!
//! The owner of a run is a text: the boot of the machine, the process since that boot, and the number of a byte in the
//! file `history.sqlite-lock`. The owner keeps that byte [locked](crate::util::byte_lock) as long as it has the history
//! open. A process in another PID namespace or on another machine has a number that means nothing here; its lock does.
//! Owners of older histories have no lock, nor have those on a file system without locks.

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::process::procfs::ProcessId;
use crate::util::byte_lock::{ByteLock, is_locked};

/// This process, as the owner of runs in one history.
pub(super) struct Owner {
    pub(super) name: String,
    /// Released when the history is closed.
    _lock: Option<ByteLock>,
}

impl Owner {
    /// Takes a lock for this process.
    pub(super) fn new(history: &Path) -> Self {
        // Any byte that no other owner has; two machines do not draw the same one.
        let byte = RandomState::new().hash_one(std::process::id()) as u32;
        let lock = ByteLock::new(&lock_file(history), byte).ok();
        let name = match lock {
            Some(_) => format!("{} {byte}", this_process()),
            None => this_process(),
        };
        Self { name, _lock: lock }
    }
}

/// This process without a lock: for runs that are over before another process can see them.
pub(super) fn this_process() -> String {
    format!("{} {}", boot(), ProcessId::this())
}

/// Whether the process that was named so still has the history open, here or elsewhere.
pub(super) fn lives(history: &Path, owner: &str) -> bool {
    let mut words = owner.split(' ');
    let is_this_boot = words.next() == Some(&boot());
    let process = words.next().and_then(|word| word.parse::<ProcessId>().ok());
    let byte = words.next().and_then(|word| word.parse().ok());
    let is_locked = |byte| is_locked(&lock_file(history), byte).unwrap_or(false);
    byte.is_some_and(is_locked) || is_this_boot && process.is_some_and(ProcessId::lives)
}

/// The byte of the process that reads and writes the file of frozen best scores.
const BEST: u32 = u32::MAX;

/// A lock for the file of frozen best scores; `None` where the file system has no locks.
///
/// # Errors
/// If another process has it for longer than `patience`.
pub(super) fn lock_best(history: &Path, patience: Duration) -> io::Result<Option<ByteLock>> {
    let begun = Instant::now();
    loop {
        match ByteLock::new(&lock_file(history), BEST) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if begun.elapsed() > patience {
                    return Err(io::Error::other("another process is writing it"));
                }
            }
            lock => return Ok(lock.ok()),
        }
    }
}

fn lock_file(history: &Path) -> PathBuf {
    let mut name = OsString::from(history);
    name.push("-lock");
    name.into()
}

fn boot() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_lives_while_its_process_does() {
        let dir = tempfile::tempdir().unwrap();
        let history = dir.path().join("h");
        let this = this_process();
        assert!(lives(&history, &this));
        let other_boot = this.replacen(&boot(), "another", 1);
        for gone in [&other_boot, "", "x y", "x y z"] {
            assert!(!lives(&history, gone), "{gone}");
        }
    }

    #[test]
    fn an_owner_elsewhere_lives_while_it_has_its_lock() {
        let dir = tempfile::tempdir().unwrap();
        let history = dir.path().join("h");
        let owner = Owner::new(&history);
        // What another machine, or another PID namespace, reads there.
        let elsewhere = owner.name.replacen(&this_process(), "another 1-1", 1);
        assert!(lives(&history, &owner.name) && lives(&history, &elsewhere));
        let second = Owner::new(&history);
        assert_ne!(second.name, owner.name);
        drop(owner);
        assert!(!lives(&history, &elsewhere));
        drop(second);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
    }
}
