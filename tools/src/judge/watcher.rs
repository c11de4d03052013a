//! What is told of a case while it is judged.

use std::io;
use std::time::Duration;

use super::transcript::Speaker;

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

    /// A line of either side, without its newline, comments included.
    ///
    /// # Errors
    /// As above.
    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        let _ = (at, speaker, line);
        Ok(())
    }

    /// How long it has waited so far until its own output was read. That is not charged to the contestant.
    fn blocked_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// Watches nothing.
impl Watcher for () {}
