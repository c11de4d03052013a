//! The pipes that stages hand over: each is the stderr of a program that its stage has started.

use std::cell::{Cell, RefCell};
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

/// How many are open at most. A program could send them without end, until no descriptor is left.
const MOST: usize = 64;

/// Those that were not taken yet.
#[derive(Debug, Default)]
pub(super) struct ProgramPipes {
    waiting: RefCell<Vec<ProgramPipe>>,
    /// Each open pipe has it, too.
    counted: Rc<()>,
    /// Why one was lost.
    failure: Cell<Option<Errno>>,
}

/// The stderr of one program. It does not block.
#[derive(Debug)]
pub(crate) struct ProgramPipe {
    reader: PipeReader,
    _counted: Rc<()>,
}

impl AsFd for ProgramPipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

impl ProgramPipes {
    /// All of them.
    pub(super) fn take(&self) -> Vec<ProgramPipe> {
        self.waiting.take()
    }

    /// Keeps a pipe. A program can send what it likes, and anything but a pipe might not be read without waiting.
    pub(super) fn keep(&self, descriptor: Result<Option<OwnedFd>, Errno>) {
        if Rc::strong_count(&self.counted) > MOST {
            return;
        }
        let opened = descriptor.and_then(|one| one.map_or(Ok(None), opened_anew));
        match opened {
            Ok(None) => {}
            Ok(Some(reader)) => self.waiting.borrow_mut().push(ProgramPipe {
                reader,
                _counted: self.counted.clone(),
            }),
            Err(error) => self.failure.set(Some(error)),
        }
    }

    /// Why a pipe was lost, if one was: its program may have ended of that.
    pub(super) fn failure(&self) -> Option<io::Error> {
        self.failure.get().map(io::Error::from)
    }
}

/// The pipe of a descriptor, opened once more, and not to wait. Who has sent the descriptor may have it too, and could make
/// that one wait again. An error only if there is no room for it.
fn opened_anew(descriptor: OwnedFd) -> Result<Option<PipeReader>, Errno> {
    let Ok(about) = rustix::fs::fstat(&descriptor) else {
        return Ok(None);
    };
    if FileType::from_raw_mode(about.st_mode) != FileType::Fifo {
        return Ok(None);
    }
    let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => Ok(Some(opened.into())),
        Err(error @ (Errno::MFILE | Errno::NFILE | Errno::NOMEM)) => Err(error),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe() -> Result<Option<OwnedFd>, Errno> {
        Ok(Some(std::io::pipe().unwrap().0.into()))
    }

    #[test]
    fn only_pipes_are_kept_and_few_at_once() {
        let pipes = ProgramPipes::default();
        let file = std::fs::File::open("/dev/zero").unwrap();
        pipes.keep(Ok(Some(file.into())));
        pipes.keep(Ok(None));
        assert!(pipes.take().is_empty());
        for _ in 0..100 {
            pipes.keep(pipe());
        }
        let mut taken = pipes.take();
        assert_eq!(taken.len(), 64);
        // Taken ones count until they end.
        pipes.keep(pipe());
        assert!(pipes.take().is_empty());
        taken.pop();
        pipes.keep(pipe());
        assert_eq!(pipes.take().len(), 1);
    }

    /// A program that reads and writes a pipe of its own must not hold the judge up.
    #[test]
    fn a_pipe_that_is_kept_does_not_block() {
        use std::io::Read;
        let (reader, _writer) = std::io::pipe().unwrap();
        let own = reader.try_clone().unwrap();
        let pipes = ProgramPipes::default();
        pipes.keep(Ok(Some(reader.into())));
        rustix::io::ioctl_fionbio(&own, false).unwrap();
        let mut kept = pipes.take().remove(0);
        let error = kept.reader.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    }
}
