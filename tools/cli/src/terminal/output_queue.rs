//! Our own output while a case is judged. Its reader may be slow or stopped, and a program can stop a terminal.
//!
//! Nothing here waits until the case is over: what the reader does not take is queued. So a slow reader costs the
//! program no time, and a reader that the program has stopped gives it none. The limits of output bound the queue.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::getpgrp;
use rustix::termios::{Action, isatty, tcflow, tcgetpgrp};

/// An output, and what its reader has not taken yet.
pub(crate) struct OutputQueue<'a> {
    output: Output,
    interrupt: BorrowedFd<'a>,
    queue: Vec<u8>,
    /// How much of the queue was written.
    written: usize,
}

/// A pipe that is writable takes this much without blocking (POSIX: at least 512; Linux: a page).
const PIECE: usize = 4096;

/// A larger queue is freed when it is empty.
const KEPT: usize = 1 << 20;

impl<'a> OutputQueue<'a> {
    /// A queue for this output, which a signal (when `interrupt` becomes readable) keeps from waiting.
    pub(crate) fn new(output: OwnedFd, interrupt: BorrowedFd<'a>) -> Self {
        Self {
            output: Output::new(output),
            interrupt,
            queue: Vec::new(),
            written: 0,
        }
    }

    /// Queues this, to be written later with more.
    pub(crate) fn hold(&mut self, bytes: &[u8]) {
        self.queue.extend_from_slice(bytes);
    }

    /// How many bytes are queued.
    pub(crate) fn len(&self) -> usize {
        self.queue.len() - self.written
    }

    /// Writes what the reader takes now.
    ///
    /// # Errors
    /// If the write fails.
    pub(crate) fn pass_on(&mut self) -> io::Result<()> {
        self.written += self.output.write_some(&self.queue[self.written..])?;
        if self.written == self.queue.len() {
            self.queue.clear();
            self.queue.shrink_to(KEPT);
            self.written = 0;
        }
        Ok(())
    }

    /// Waits until the reader has taken everything.
    ///
    /// # Errors
    /// If a write fails, or a signal comes meanwhile.
    pub(crate) fn wait_until_empty(&mut self) -> io::Result<()> {
        restart_terminal(self.output.file.as_fd());
        loop {
            self.pass_on()?;
            if self.queue.is_empty() {
                return Ok(());
            }
            let mut fds = [
                PollFd::new(&self.output.file, PollFlags::OUT),
                PollFd::from_borrowed_fd(self.interrupt.as_fd(), PollFlags::IN),
            ];
            match poll(&mut fds, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
            if !fds[1].revents().is_empty() {
                return Err(io::Error::other("interrupted while an output was full"));
            }
        }
    }
}

/// When judging is interrupted, what the contestant wrote before is written as far as the reader takes it.
impl Drop for OutputQueue<'_> {
    fn drop(&mut self) {
        let _ = self.pass_on();
    }
}

impl Write for OutputQueue<'_> {
    /// Takes everything; what the reader does not take now is queued.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pass_on()?;
        let written = match self.queue.is_empty() {
            true => self.output.write_some(bytes)?,
            false => 0,
        };
        self.queue.extend_from_slice(&bytes[written..]);
        Ok(bytes.len())
    }

    /// Does not wait.
    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()
    }
}

/// An output that is written without waiting for its reader.
pub(crate) struct Output {
    file: File,
    /// If a write may wait: whether there is room has to be asked before, and only a little be written.
    may_wait: bool,
}

impl Output {
    pub(crate) fn new(output: OwnedFd) -> Self {
        let file = File::from(output);
        let kind = file.metadata().map(|found| found.file_type());
        let has_reader = kind.as_ref().map_or(true, |kind| !kind.is_file());
        let is_pipe = kind.is_ok_and(|kind| kind.is_fifo());
        let opened = (is_pipe || isatty(&file))
            .then(|| without_waiting(&file))
            .flatten();
        Self {
            may_wait: has_reader && opened.is_none(),
            file: opened.unwrap_or(file),
        }
    }

    /// Writes what the reader takes now, and returns how much.
    pub(crate) fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < bytes.len() {
            let mut piece = &bytes[written..];
            if self.may_wait {
                if !has_room(self.file.as_fd()) {
                    break;
                }
                piece = &piece[..piece.len().min(PIECE)];
            }
            match self.file.write(piece) {
                Ok(n) => written += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                Err(e) => return Err(e),
            }
        }
        Ok(written)
    }
}

/// Opens a pipe or terminal once more. That descriptor alone does not wait; others, such as the shell's, still do.
fn without_waiting(file: &File) -> Option<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let opened = File::options()
        .write(true)
        .custom_flags(flags.bits() as i32)
        .open(path);
    opened.ok()
}

/// Whether something can be written now.
fn has_room(fd: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::OUT)];
    poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

/// Starts a terminal that a program has stopped (`TCOOFF`). Ctrl-Q would not start it. What you have stopped by Ctrl-S
/// stays so.
pub(crate) fn restart_terminal(fd: BorrowedFd<'_>) {
    // From the background, it would stop us.
    let is_ours = || isatty(fd) && tcgetpgrp(fd).is_ok_and(|group| group == getpgrp());
    if !has_room(fd) && is_ours() {
        let _ = tcflow(fd, Action::OOn);
    }
}
