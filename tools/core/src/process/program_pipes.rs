//! The pipes that stages hand over: each is the stderr of a program that its stage has started.

use std::cell::RefCell;
use std::io::PipeReader;
use std::os::fd::OwnedFd;

use rustix::fs::FileType;

/// How many wait to be taken at most. What it would take more for is no tester, and the rest is closed.
const MOST: usize = 256;

/// Those that were not taken yet.
#[derive(Debug, Default)]
pub(super) struct ProgramPipes(RefCell<Vec<PipeReader>>);

impl ProgramPipes {
    /// All of them. They do not block.
    pub(super) fn take(&self) -> Vec<PipeReader> {
        self.0.take()
    }

    /// Keeps a pipe. A program can send what it likes, and anything else might not be read without waiting.
    pub(super) fn keep(&self, descriptor: Option<OwnedFd>) {
        let is_pipe = |fd: &OwnedFd| {
            let about = rustix::fs::fstat(fd);
            about.is_ok_and(|about| FileType::from_raw_mode(about.st_mode) == FileType::Fifo)
                && rustix::io::ioctl_fionbio(fd, true).is_ok()
        };
        let mut pipes = self.0.borrow_mut();
        if pipes.len() < MOST {
            pipes.extend(descriptor.filter(is_pipe).map(PipeReader::from));
        }
    }
}
