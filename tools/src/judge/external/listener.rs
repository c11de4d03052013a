//! A watcher that remembers the ends of both streams.

use std::io;
use std::time::Duration;

use crate::judge::transcript::Speaker;
use crate::judge::watcher::Watcher;

/// How many bytes of the end of each stream are searched for the score.
const TAIL: usize = 1 << 20;

/// Remembers the ends of both streams.
pub(super) struct Listener<'a> {
    inner: &'a mut dyn Watcher,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

impl<'a> Listener<'a> {
    /// Passes everything on to `inner`.
    pub(super) fn new(inner: &'a mut dyn Watcher) -> Self {
        Self {
            inner,
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    }
}

fn remember(tail: &mut Vec<u8>, bytes: &[u8]) {
    tail.extend_from_slice(bytes);
    // Seldom, and not at each piece. What is left begins with a whole line: the end of a line is no line.
    if tail.len() > 2 * TAIL {
        let cut = tail.len() - TAIL;
        let line = tail[cut..].iter().position(|&b| b == b'\n');
        tail.drain(..line.map_or(tail.len(), |at| cut + at + 1));
    }
}

impl Watcher for Listener<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        remember(&mut self.stdout, bytes);
        self.inner.stdout(bytes)
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        remember(&mut self.stderr, bytes);
        self.inner.stderr(at, bytes)
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.inner.line(at, speaker, line)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.inner.pass_on()
    }

    fn blocked_time(&self) -> Duration {
        self.inner.blocked_time()
    }
}
