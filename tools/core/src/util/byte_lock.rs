//! Locks that the kernel keeps: one byte of a file for each owner, for as long as the owner has it open.
//!
//! The kernel releases the lock when its process ends, in whatever way. Processes in other PID namespaces see it, and
//! so do other machines, where the file system shares locks (NFS does). The file has no content. It is removed with
//! the last lock.
//!
//! These are the locks of an open file (`F_OFD_SETLK`). The older ones of a process (`F_SETLK`) are lost when any
//! descriptor of the file is closed, and `flock` locks whole files only.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;

use super::regular_file::{open_plain, open_regular_with};

/// How often the file may be removed by another owner while we open it.
const TRIES: usize = 100;

/// A byte that is locked until this is dropped.
pub(crate) struct ByteLock {
    path: PathBuf,
    file: File,
}

impl ByteLock {
    /// Locks byte `at` of a file, which is made if it is missing.
    ///
    /// # Errors
    /// If the byte is locked, or the system refuses: some file systems have no such locks.
    pub(crate) fn new(path: &Path, at: u32) -> io::Result<Self> {
        for _ in 0..TRIES {
            let mut options = File::options();
            options.read(true).write(true).create(true);
            let file = open_regular_with(path, &mut options, OFlags::NOFOLLOW)?;
            match lock(&file, Range::byte(at)) {
                // Another owner may have removed the file before we locked it.
                Ok(()) if is_at(&file, path) => {
                    let path = path.to_owned();
                    return Ok(Self { path, file });
                }
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::WouldBlock.into())
    }
}

impl Drop for ByteLock {
    fn drop(&mut self) {
        // Where the whole file can be locked, no other owner is left.
        if lock(&self.file, Range::WHOLE).is_ok() && is_at(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a living owner has locked byte `at` of a file.
///
/// # Errors
/// If the file is there and cannot be looked at.
pub(crate) fn is_locked(path: &Path, at: u32) -> io::Result<bool> {
    let file = match open_plain(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened?,
    };
    let mut found = Range::byte(at).request();
    call(&file, libc::F_OFD_GETLK, &mut found)?;
    // A lock of the whole file is that of the last owner, which is gone and removes the file.
    Ok(i32::from(found.l_type) != libc::F_UNLCK && found.l_len == 1)
}

fn is_at(file: &File, path: &Path) -> bool {
    let id = |found: io::Result<Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
    id(file.metadata()) == id(std::fs::symlink_metadata(path))
}

/// A part of a file.
struct Range {
    start: u32,
    /// 0: to the end, however far that will be.
    length: u32,
}

impl Range {
    const WHOLE: Self = Self {
        start: 0,
        length: 0,
    };

    fn byte(at: u32) -> Self {
        Self {
            start: at,
            length: 1,
        }
    }

    /// What the kernel is asked for.
    fn request(&self) -> libc::flock {
        // SAFETY: plain numbers, for which all zeroes is a value.
        let mut request: libc::flock = unsafe { std::mem::zeroed() };
        request.l_type = libc::F_WRLCK as _;
        request.l_whence = libc::SEEK_SET as _;
        request.l_start = self.start.into();
        request.l_len = self.length.into();
        request
    }
}

fn lock(file: &File, range: Range) -> io::Result<()> {
    call(file, libc::F_OFD_SETLK, &mut range.request())
}

fn call(file: &File, command: i32, request: &mut libc::flock) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the request is valid to read and to write.
    match unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut *request) } {
        0.. => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_locked_until_its_owner_is_gone_and_the_last_removes_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        assert!(!is_locked(&path, 3).unwrap());
        let first = ByteLock::new(&path, 3).unwrap();
        let second = ByteLock::new(&path, u32::MAX).unwrap();
        assert!(is_locked(&path, 3).unwrap() && is_locked(&path, u32::MAX).unwrap());
        assert!(!is_locked(&path, 4).unwrap());
        let taken = ByteLock::new(&path, 3).err().unwrap();
        assert_eq!(taken.kind(), io::ErrorKind::WouldBlock);
        drop(first);
        assert!(!is_locked(&path, 3).unwrap() && is_locked(&path, u32::MAX).unwrap());
        drop(second);
        assert!(!path.exists());
    }

    #[test]
    fn owners_that_come_and_go_never_lose_a_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        std::thread::scope(|scope| {
            for at in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..300 {
                        let lock = ByteLock::new(path, at).unwrap();
                        assert!(is_locked(path, at).unwrap());
                        drop(lock);
                        assert!(!is_locked(path, at).unwrap());
                    }
                });
            }
        });
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), 0o600.into()).unwrap();
        std::os::unix::fs::symlink("elsewhere", at("link")).unwrap();
        for name in ["fifo", "link"] {
            assert!(ByteLock::new(&at(name), 1).is_err(), "{name}");
            assert!(is_locked(&at(name), 1).is_err(), "{name}");
        }
        assert!(!at("elsewhere").exists());
    }
}
