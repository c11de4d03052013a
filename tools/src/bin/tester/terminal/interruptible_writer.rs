//! Our own output; its reader may stop reading, so that the pipe stays full.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

/// Standard output or error. A write waits for room or for a signal, and counts the time.
pub(crate) struct InterruptibleWriter<'a> {
    file: File,
    interrupt: BorrowedFd<'a>,
    waited: Duration,
}

/// A pipe that is writable takes this much without blocking (POSIX: at least 512; Linux: a page).
const PIECE: usize = 4096;

impl<'a> InterruptibleWriter<'a> {
    pub(crate) fn new(file: File, interrupt: BorrowedFd<'a>) -> Self {
        Self {
            file,
            interrupt,
            waited: Duration::ZERO,
        }
    }

    /// How long writes have waited for room.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    /// Writes everything.
    ///
    /// # Errors
    /// If the write fails, or a signal comes meanwhile.
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(PIECE) {
            let mut written = 0;
            while written < piece.len() {
                self.wait_for_room()?;
                match self.file.write(&piece[written..]) {
                    Ok(n) => written += n,
                    // Another process has made this output non-blocking.
                    Err(e)
                        if matches!(
                            e.kind(),
                            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                        ) => {}
                    Err(e) => return Err(e),
                }
            }
        }
        Ok(())
    }

    fn wait_for_room(&mut self) -> io::Result<()> {
        let mut fds = [
            PollFd::new(&self.file, PollFlags::OUT),
            PollFd::from_borrowed_fd(self.interrupt.as_fd(), PollFlags::IN),
        ];
        let before = Instant::now();
        loop {
            match poll(&mut fds, None) {
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        let room = !fds[0].revents().is_empty();
        self.waited += before.elapsed();
        if room {
            Ok(())
        } else {
            Err(io::Error::other("interrupted while an output was full"))
        }
    }
}
