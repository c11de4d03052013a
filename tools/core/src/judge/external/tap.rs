//! A tap on a case: it passes everything on to its watcher, and lets a listener hear both streams.

use std::io;
use std::time::Duration;

use crate::judge::transcript::Speaker;
use crate::judge::watcher::Watcher;

/// Hears the bytes of both streams. What it does with them changes nothing for the watcher.
pub(crate) trait StreamListener {
    /// Bytes of stdout, unchanged.
    fn stdout(&mut self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// Bytes of stderr, unchanged.
    fn stderr(&mut self, bytes: &[u8]);

    /// The same of a program whose tester has a stderr of its own.
    fn own_stderr(&mut self, bytes: &[u8]) {
        self.stderr(bytes);
    }

    /// What was to be heard has been heard: called after each look at the streams, often.
    fn caught_up(&mut self) {}
}

/// Passes everything on to a watcher; a listener hears the streams first.
pub(crate) struct Tap<'a> {
    watcher: &'a mut dyn Watcher,
    listener: &'a mut dyn StreamListener,
}

impl<'a> Tap<'a> {
    /// A tap before `watcher`.
    pub fn new(watcher: &'a mut dyn Watcher, listener: &'a mut dyn StreamListener) -> Self {
        Self { watcher, listener }
    }
}

impl Watcher for Tap<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.listener.stdout(bytes);
        self.watcher.stdout(bytes)
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.listener.stderr(bytes);
        self.watcher.stderr(at, bytes)
    }

    fn own_stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.listener.own_stderr(bytes);
        self.watcher.own_stderr(at, bytes)
    }

    fn interactor_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.listener.stderr(bytes);
        self.watcher.interactor_stderr(bytes)
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.watcher.line(at, speaker, line)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.listener.caught_up();
        self.watcher.pass_on()
    }

    fn written(&self) -> Option<u64> {
        self.watcher.written()
    }

    fn last_line_written(&self) -> Option<Vec<u8>> {
        self.watcher.last_line_written()
    }

    fn blocked_time(&self) -> Duration {
        self.watcher.blocked_time()
    }
}
