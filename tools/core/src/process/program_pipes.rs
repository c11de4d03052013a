//! The pipes that stages hand over: each is the stderr of a program that its stage has started.

use std::cell::{Cell, RefCell};
use std::io::PipeReader;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags};

/// How many are kept at most that come while a program runs. Only a tester that runs its program several times at once
/// needs any; a program could send them without end, until no descriptor is left.
const MOST: usize = 64;

/// Those that were not taken yet.
#[derive(Debug, Default)]
pub(super) struct ProgramPipes {
    waiting: RefCell<Vec<PipeReader>>,
    /// How many have come while a program ran.
    beside: Cell<usize>,
}

impl ProgramPipes {
    /// All of them. They do not block.
    pub(super) fn take(&self) -> Vec<PipeReader> {
        self.waiting.take()
    }

    /// Keeps a pipe, which may have come while a program `runs`. A program can send what it likes, and anything but a pipe
    /// might not be read without waiting.
    pub(super) fn keep(&self, descriptor: Option<OwnedFd>, runs: bool) {
        let Some(pipe) = descriptor.and_then(opened_anew) else {
            return;
        };
        let beside = self.beside.get() + usize::from(runs);
        if beside <= MOST {
            self.beside.set(beside);
            self.waiting.borrow_mut().push(pipe);
        }
    }
}

/// The pipe of a descriptor, opened once more, and not to wait. Who has sent the descriptor may have it too, and could make
/// that one wait again.
fn opened_anew(descriptor: OwnedFd) -> Option<PipeReader> {
    let about = rustix::fs::fstat(&descriptor).ok()?;
    if FileType::from_raw_mode(about.st_mode) != FileType::Fifo {
        return None;
    }
    let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty());
    opened.ok().map(PipeReader::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe() -> Option<OwnedFd> {
        Some(std::io::pipe().unwrap().0.into())
    }

    #[test]
    fn only_pipes_are_kept_and_few_that_a_running_program_may_have_sent() {
        let pipes = ProgramPipes::default();
        let file = std::fs::File::open("/dev/zero").unwrap();
        pipes.keep(Some(file.into()), false);
        pipes.keep(None, false);
        assert!(pipes.take().is_empty());
        for runs in [false, true] {
            for _ in 0..100 {
                pipes.keep(pipe(), runs);
            }
        }
        assert_eq!(pipes.take().len(), 100 + MOST);
        // Taken ones count.
        pipes.keep(pipe(), true);
        assert!(pipes.take().is_empty());
        pipes.keep(pipe(), false);
        assert_eq!(pipes.take().len(), 1);
    }

    /// A program that reads and writes a pipe of its own must not hold the judge up.
    #[test]
    fn a_pipe_that_is_kept_does_not_block() {
        use std::io::Read;
        let (reader, _writer) = std::io::pipe().unwrap();
        let own = reader.try_clone().unwrap();
        let pipes = ProgramPipes::default();
        pipes.keep(Some(reader.into()), false);
        rustix::io::ioctl_fionbio(&own, false).unwrap();
        let error = pipes.take()[0].read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    }
}
