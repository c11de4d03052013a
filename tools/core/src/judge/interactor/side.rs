//! One of the two programs of a session: its pipes, what waits to be written to it, what it has used.

use std::io;
use std::time::Duration;

use rustix::event::PollFlags;
use std::os::fd::AsFd;

use crate::judge::error::JudgeError;
use crate::judge::io::{Wanted, pending, read, write};
use crate::judge::usage::UsageSampler;
use crate::judge::verdict::{Flood, Limits, ProcessFacts, TimeoutState};
use crate::process::{Contestant, Ending};
use crate::util::quote::quote;

/// What waits for a program that does not read. Beyond this, we stop reading what the other one writes, so that it
/// stands still and does not fill our memory.
const MAX_OUTBOX: usize = 64 << 10;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Contestant,
    Interactor,
}

impl Who {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Contestant => Self::Interactor,
            Self::Interactor => Self::Contestant,
        }
    }
}

/// Reads until as much was read as was `left`, or there is nothing now.
pub(super) fn drain<E>(mut left: u64, mut read: impl FnMut() -> Result<usize, E>) -> Result<(), E> {
    while left > 0 {
        match read()? {
            0 => break,
            read => left = left.saturating_sub(read as u64),
        }
    }
    Ok(())
}

/// How a program left the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Departure {
    /// When, since the contestant was started.
    pub(super) at: Duration,
    pub(super) ending: Ending,
    /// Whether it left before it was told that the other one had left.
    pub(super) by_itself: bool,
}

/// One of the two programs.
pub(super) struct Side {
    pub(super) process: Contestant,
    pub(super) limits: Limits,
    pub(super) usage: UsageSampler,
    /// What is to be written to it.
    pub(super) outbox: Vec<u8>,
    /// The line that has no newline yet.
    pub(super) line: Vec<u8>,
    /// Lines that it has written, blank ones not counted.
    pub(super) lines: u64,
    pub(super) stdout_bytes: u64,
    stderr_bytes: u64,
    pub(super) flood: Option<Flood>,
    /// Whether it has closed its stdin: it hears nothing more.
    pub(super) is_deaf: bool,
    /// Since when it has been told that the other one has left, or will say nothing more.
    pub(super) told: Option<Duration>,
    pub(super) departure: Option<Departure>,
}

impl Side {
    pub(super) fn new(process: Contestant, limits: &Limits) -> Self {
        Self {
            process,
            limits: *limits,
            usage: UsageSampler::new(),
            outbox: Vec::new(),
            line: Vec::new(),
            lines: 0,
            stdout_bytes: 0,
            stderr_bytes: 0,
            flood: None,
            is_deaf: false,
            told: None,
            departure: None,
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        self.departure.is_none()
    }

    /// Whether it ended by itself, and not well.
    pub(super) fn crashed_by_itself(&self) -> bool {
        let crashed = |left: Departure| left.by_itself && left.ending != Ending::Exited(0);
        self.departure.is_some_and(crashed)
    }

    /// Whether it, which is `who`, is to be told that the other one has left, says nothing more, or hears nothing more.
    pub(super) fn must_be_told(&self, who: Who, other: &Self) -> bool {
        if !self.is_alive() {
            return false;
        }
        let is_silent = other.process.stdout.is_none() && self.process.stdin.is_some();
        // An interactor is never stopped by a contestant that does not listen.
        let is_unheard = who == Who::Contestant && (other.is_deaf || !other.is_alive());
        let is_left_alone = !other.is_alive() && self.told.is_none();
        is_silent || is_left_alone || is_unheard && self.process.stdout.is_some()
    }

    /// Whether there is room for what the other one writes. What it can no longer hear is dropped and needs no room.
    pub(super) fn has_room(&self) -> bool {
        self.outbox.len() <= MAX_OUTBOX
    }

    /// What is waited for: its exit, its stdin if there is something to write, its stdout if we are `reading`, its stderr.
    pub(super) fn wanted(&self, reading: bool) -> [Wanted<'_>; 4] {
        let writing = !self.outbox.is_empty();
        let stdin = self.process.stdin.as_ref().filter(|_| writing);
        let stdout = self.process.stdout.as_ref().filter(|_| reading);
        let exit = self.is_alive().then(|| self.process.exit_fd());
        [
            (exit, PollFlags::IN),
            (stdin.map(AsFd::as_fd), PollFlags::OUT),
            (stdout.map(AsFd::as_fd), PollFlags::IN),
            (self.process.stderr.as_ref().map(AsFd::as_fd), PollFlags::IN),
        ]
    }

    /// Queues what the other one wrote, unless it will not be heard.
    pub(super) fn queue(&mut self, bytes: &[u8]) {
        if self.process.stdin.is_some() && self.is_alive() {
            self.outbox.extend_from_slice(bytes);
        }
    }

    /// Writes as much as its pipe takes.
    pub(super) fn flush(&mut self) -> Result<(), JudgeError> {
        if self.outbox.is_empty() {
            return Ok(());
        }
        let open = match &mut self.process.stdin {
            Some(stdin) => write(stdin, &mut self.outbox)?,
            None => false,
        };
        if !open {
            self.is_deaf = true;
            self.process.stdin = None;
            self.outbox.clear();
        }
        Ok(())
    }

    /// Reads one chunk of stdout. What is past the limit is not in it.
    pub(super) fn read_stdout(&mut self, chunk: &mut Vec<u8>) -> Result<usize, JudgeError> {
        let read = read(&mut self.process.stdout, chunk)?;
        self.stdout_bytes += read as u64;
        let past = self.stdout_bytes.saturating_sub(self.limits.output_bytes) as usize;
        if past > 0 {
            self.flood = self.flood.or(Some(Flood::Stdout));
            chunk.truncate(chunk.len().saturating_sub(past));
        }
        Ok(read)
    }

    /// Splits what was read into lines, and hands over those that are whole, without their newlines. A line is carried
    /// however long it is, but only its beginning is kept, and handed over.
    pub(super) fn split(
        &mut self,
        chunk: &[u8],
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        for piece in chunk.split_inclusive(|&b| b == b'\n') {
            let whole = piece.strip_suffix(b"\n");
            let text = whole.unwrap_or(piece);
            let room = self.limits.line_bytes.saturating_sub(self.line.len());
            let text = &text[..text.len().min(room)];
            match whole.map(|_| text) {
                None => self.line.extend_from_slice(text),
                Some(end) => {
                    let kept;
                    let line = match self.line.is_empty() {
                        true => end,
                        false => {
                            self.line.extend_from_slice(end);
                            kept = std::mem::take(&mut self.line);
                            &kept
                        }
                    };
                    if !line.trim_ascii().is_empty() {
                        self.lines += 1;
                        each(line)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads one chunk of stderr.
    pub(super) fn read_stderr(&mut self, chunk: &mut Vec<u8>) -> Result<usize, JudgeError> {
        let read = read(&mut self.process.stderr, chunk)?;
        self.stderr_bytes += read as u64;
        if self.stderr_bytes > self.limits.output_bytes {
            self.flood = self.flood.or(Some(Flood::Stderr));
        }
        Ok(read)
    }

    /// Samples what it uses, unless it has ended.
    pub(super) fn sample(&mut self) -> io::Result<()> {
        match self.is_alive() {
            true => self.usage.sample(&self.process, &self.limits),
            false => Ok(()),
        }
    }

    /// Bytes that were sent to it and that it has not read.
    pub(super) fn unread_bytes(&self) -> u64 {
        self.process.unread_bytes() + self.outbox.len() as u64
    }

    /// What it is doing now, as far as can be seen from outside.
    pub(super) fn timeout_state(&self) -> TimeoutState {
        TimeoutState {
            exited: !self.is_alive(),
            unended_line: (!self.line.trim_ascii().is_empty()).then(|| quote(&self.line)),
            running: self.is_alive() && self.process.is_running(),
            stdin_closed: self.is_alive() && self.process.stdin_closed(),
            unread_bytes: self.unread_bytes(),
            unheard_bytes: pending(self.process.stdout.as_ref()),
            stdout_closed: self.process.stdout.is_none(),
            is_spoken_to: true,
        }
    }

    /// Kills what is left of it, and gathers the facts. `wall` is its time.
    ///
    /// # Errors
    /// If it cannot be reaped.
    pub(super) fn reap(&mut self, wall: Duration) -> io::Result<ProcessFacts> {
        let used = self.process.reap()?;
        Ok(ProcessFacts {
            flood: self.flood,
            ending: self.departure.map_or(used.ending, |left| left.ending),
            ..self.usage.facts(wall, &used)
        })
    }
}
