//! Who watches a case while it is judged: an echo, a transcript, files.

use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::time::Duration;

use super::transcript::{Speaker, Transcript};

/// Receives everything as it happens. A method that is not needed may be left out.
pub trait Watcher {
    /// Bytes of the contestant's stdout, unchanged.
    ///
    /// # Errors
    /// If they cannot be kept; judging stops then.
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _ = bytes;
        Ok(())
    }

    /// Bytes of the contestant's stderr, unchanged.
    ///
    /// # Errors
    /// As above.
    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        let _ = (at, bytes);
        Ok(())
    }

    /// Bytes that came on a stderr of the contestant's own, beside that of a tester that has started it.
    ///
    /// # Errors
    /// As above.
    fn own_stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.stderr(at, bytes)
    }

    /// Bytes of an interactor's stderr, unchanged.
    ///
    /// # Errors
    /// As above.
    fn interactor_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _ = bytes;
        Ok(())
    }

    /// A line of either side, without its newline, comments included.
    ///
    /// # Errors
    /// As above.
    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        let _ = (at, speaker, line);
        Ok(())
    }

    /// Passes on what a slow reader of our own output has not taken yet. Called at least every 20 ms; does not wait.
    ///
    /// # Errors
    /// As above.
    fn pass_on(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// How many bytes the contestant has written to a file that takes the place of its stdout, if there is one. Asked at
    /// least every 20 ms.
    fn written(&self) -> Option<u64> {
        None
    }

    /// How many bytes of stderr came on another way than from the contestant that is waited for.
    fn stderr_beside(&self) -> u64 {
        0
    }

    /// What else is to be waited for until it can be read, if there is something: [`Watcher::pass_on`] is called then.
    fn waits_for(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// The last line of that file which is not blank, or its end if it is very long.
    fn last_line_written(&self) -> Option<Vec<u8>> {
        None
    }

    /// How long the system has taken so far to write files. Up to an allowance, it is not charged to the contestant.
    /// Our own work is.
    fn blocked_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// Watches nothing.
impl Watcher for () {}

/// Watches if it is there.
impl<W: Watcher> Watcher for Option<W> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.as_mut()
            .map_or(Ok(()), |watcher| watcher.stdout(bytes))
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.as_mut()
            .map_or(Ok(()), |watcher| watcher.stderr(at, bytes))
    }

    fn interactor_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.as_mut()
            .map_or(Ok(()), |watcher| watcher.interactor_stderr(bytes))
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.as_mut()
            .map_or(Ok(()), |watcher| watcher.line(at, speaker, line))
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.as_mut().map_or(Ok(()), Watcher::pass_on)
    }

    fn written(&self) -> Option<u64> {
        self.as_ref().and_then(Watcher::written)
    }

    fn last_line_written(&self) -> Option<Vec<u8>> {
        self.as_ref().and_then(Watcher::last_line_written)
    }

    fn blocked_time(&self) -> Duration {
        self.as_ref().map_or(Duration::ZERO, Watcher::blocked_time)
    }
}

/// Writes both sides and stderr down.
impl<W: Write> Watcher for Transcript<W> {
    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        Transcript::stderr(self, at, bytes)
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        Transcript::line(self, at, speaker, line)
    }
}
