//! Two pipes with names (FIFOs) for a program that you start yourself, such as in a debugger.
//!
//! The program reads `to-program` and writes `from-program`. [`Fifos`] are the files; `relay` joins them to a judge.

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, flock, mkfifoat, open};
use rustix::io::Errno;

/// What the program reads.
const TO_PROGRAM: &str = "to-program";
/// What the program writes.
const FROM_PROGRAM: &str = "from-program";
/// What both have said, for us.
const CONVERSATION: &str = ".conversation";

/// The FIFOs of a folder. They are removed when this is dropped, and so is the folder if it was made for them and is
/// empty.
#[derive(Debug)]
pub struct Fifos {
    folder: PathBuf,
    made_folder: bool,
    /// Holds the lock of the folder.
    _lock: OwnedFd,
}

/// Why there are no FIFOs.
#[derive(Debug, thiserror::Error)]
pub enum FifoError {
    /// Another process uses them.
    #[error("the pipes in {} are in use by another process", .0.display())]
    InUse(PathBuf),
    /// Something else has the name.
    #[error("expected a pipe (FIFO) or nothing at {}, found a file", .0.display())]
    File(PathBuf),
    /// The operating system failed.
    #[error("failed to make the pipe {}", .path.display())]
    System {
        /// The pipe, or its folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl FifoError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::InUse(_) => Some("end that process, or name another folder".to_owned()),
            Self::File(_) => Some("remove the file, or name another folder".to_owned()),
            Self::System { .. } => None,
        }
    }
}

impl Fifos {
    /// Makes the FIFOs, and the folder if it does not exist. Those that exist are used: your program may wait for their
    /// other end already.
    ///
    /// # Errors
    /// If another process uses the folder, or something else has one of the names.
    pub fn new(folder: &Path) -> Result<Self, FifoError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| FifoError::System { path, source }
        };
        let made_folder = !folder.is_dir();
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let lock = open(folder, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        let lock = lock.map_err(|e| failed(folder)(e.into()))?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Err(FifoError::InUse(folder.to_owned())),
            Err(error) => return Err(failed(folder)(error.into())),
        }
        // From here on, what was made is removed.
        let fifos = Self {
            folder: folder.to_owned(),
            made_folder,
            _lock: lock,
        };
        for path in [
            fifos.to_program(),
            fifos.from_program(),
            conversation(folder),
        ] {
            match mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR) {
                Ok(()) => {}
                Err(Errno::EXIST) if is_fifo(&path) => {}
                Err(Errno::EXIST) => return Err(FifoError::File(path)),
                Err(error) => return Err(failed(&path)(error.into())),
            }
        }
        Ok(fifos)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the program reads.
    pub fn to_program(&self) -> PathBuf {
        to_program(&self.folder)
    }

    /// What the program writes.
    pub fn from_program(&self) -> PathBuf {
        from_program(&self.folder)
    }

    /// Opens the conversation for reading, without waiting for a relay: a line of either side, after `> ` for the
    /// judge's, `< ` for the program's and `! ` for a remark.
    ///
    /// # Errors
    /// If the system fails.
    pub fn conversation(&self) -> io::Result<OwnedFd> {
        open_to_read(&conversation(&self.folder))
    }

    /// Waits until no program has its output open, or until `interrupt` is readable. What a program writes meanwhile is
    /// thrown away. `waits` is called once if a program has its output open.
    ///
    /// # Errors
    /// If the system fails.
    pub fn wait_for_end(
        &self,
        interrupt: BorrowedFd<'_>,
        mut waits: impl FnMut(),
    ) -> io::Result<()> {
        // One descriptor for the whole time: between two, the end of one program and the begin of another would be
        // missed.
        let pipe = open_to_read(&self.from_program())?;
        let mut bytes = [0; 4096];
        let mut is_first = true;
        loop {
            match rustix::io::read(&pipe, &mut bytes) {
                Ok(0) => return Ok(()),
                Ok(_) | Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
            if std::mem::take(&mut is_first) {
                waits();
            }
            let mut fds = [
                PollFd::new(&pipe, PollFlags::IN),
                PollFd::from_borrowed_fd(interrupt, PollFlags::IN),
            ];
            match poll(&mut fds, None) {
                Ok(_) if !fds[1].revents().is_empty() => return Ok(()),
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Fifos {
    fn drop(&mut self) {
        for path in [
            self.to_program(),
            self.from_program(),
            conversation(&self.folder),
        ] {
            if is_fifo(&path) {
                let _ = fs::remove_file(path);
            }
        }
        if self.made_folder {
            // It stays if something else is in it.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

pub(super) fn to_program(folder: &Path) -> PathBuf {
    folder.join(TO_PROGRAM)
}

pub(super) fn from_program(folder: &Path) -> PathBuf {
    folder.join(FROM_PROGRAM)
}

pub(super) fn conversation(folder: &Path) -> PathBuf {
    folder.join(CONVERSATION)
}

fn is_fifo(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

/// Opens a FIFO for reading, without waiting for a writer.
pub(super) fn open_to_read(path: &Path) -> io::Result<OwnedFd> {
    open_fifo(path, OFlags::RDONLY)
}

/// Opens a FIFO without waiting for its other end.
pub(super) fn open_fifo(path: &Path, access: OFlags) -> io::Result<OwnedFd> {
    let flags = access | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    Ok(open(path, flags, Mode::empty())?)
}
