//! The stderr of a contest's tester and that of its program, one after the other in whole lines.
//!
//! Where the stage gives the program a stderr of its own (`process/stage/own_stderr.rs`), both are read here. What the
//! program has written comes first: its tester answers to what it does.
//!
//! The report of a crash is held back until the meter hears of the end. A tester that leaves its program makes it crash, and
//! has said before why it left. It notices no other crash before the meter has heard of that.

use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::LazyLock;
use std::time::Duration;

use regex::bytes::Regex;
use rustix::io::Errno;

use crate::judge::transcript::Speaker;
use crate::judge::watcher::Watcher;
use crate::process::{Heard, Meter, ProgramPipe};

/// What is read at once.
const CHUNK: usize = 64 << 10;

/// How much of one stream is read at one look, at most, and held back: as much as a pipe holds.
const AT_ONCE: usize = 1 << 20;

/// Passes everything on to a watcher, stderr in whole lines.
pub(super) struct WholeLines<'a> {
    watcher: &'a mut dyn Watcher,
    /// Who hands over the pipes of programs. Without it, there is one stream.
    meter: Option<&'a Meter>,
    programs: Vec<ProgramStderr>,
    /// What the tester has written since the last look, and its line that had no end then.
    tester: Vec<u8>,
    /// How long that line is.
    held_back: &'a Cell<usize>,
    /// When stderr was heard last.
    at: Duration,
    /// How much the programs have written.
    written: u64,
}

struct ProgramStderr {
    /// Until its end.
    pipe: Option<ProgramPipe>,
    /// A line that has no end yet, or the report of a crash.
    held: Vec<u8>,
    /// Whether there was something to read at the last look.
    has_written: bool,
}

impl<'a> WholeLines<'a> {
    /// `held_back` will be how much of the tester's stderr waits for the end of its line.
    pub(super) fn new(
        watcher: &'a mut dyn Watcher,
        meter: Option<&'a Meter>,
        held_back: &'a Cell<usize>,
    ) -> Self {
        Self {
            watcher,
            meter,
            programs: Vec::new(),
            tester: Vec::new(),
            held_back,
            at: Duration::ZERO,
            written: 0,
        }
    }

    /// Passes on what programs have written until now, and what their tester had written before.
    fn put_together(&mut self, meter: &Meter, heard: Heard) -> io::Result<()> {
        let new = meter.take_stderrs().into_iter();
        self.programs.extend(new.map(ProgramStderr::new));
        for program in &mut self.programs {
            self.written += program.read()?;
        }
        // Of a program that its tester has left, the meter hears no failure.
        self.pass_programs(heard.failed().is_some())?;
        let whole = whole_lines(&self.tester);
        let lines = take(&mut self.tester, whole);
        self.held_back.set(self.tester.len());
        pass(&lines, |lines| self.watcher.stderr(self.at, lines))?;
        match heard.is_undecided() {
            true => Ok(()),
            false => self.pass_programs(true),
        }
    }

    /// Passes on the whole lines of programs, those of reports only if `with_reports`.
    fn pass_programs(&mut self, with_reports: bool) -> io::Result<()> {
        for program in &mut self.programs {
            let lines = program.take_lines(with_reports);
            pass(&lines, |lines| self.watcher.own_stderr(self.at, lines))?;
        }
        self.programs.retain(|program| !program.is_over());
        Ok(())
    }

    /// Reads the rest, and passes the last lines on.
    ///
    /// # Errors
    /// If they cannot be kept.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let Some(meter) = self.meter else {
            return Ok(());
        };
        let heard = meter.heard();
        self.put_together(meter, heard)?;
        let programs: Vec<u8> = (self.programs.drain(..))
            .flat_map(|program| with_end(program.held))
            .collect();
        let Self {
            watcher,
            at,
            tester,
            ..
        } = self;
        // Where a program still runs, its tester has left it, and said why.
        let (before, after) = match heard.is_undecided() && !programs.is_empty() {
            true => (with_end(tester), Vec::new()),
            false => (Vec::new(), tester),
        };
        pass(&before, |lines| watcher.stderr(at, lines))?;
        pass(&programs, |lines| watcher.own_stderr(at, lines))?;
        pass(&after, |lines| watcher.stderr(at, lines))
    }
}

impl ProgramStderr {
    fn new(pipe: ProgramPipe) -> Self {
        Self {
            pipe: Some(pipe),
            held: Vec::new(),
            has_written: false,
        }
    }

    /// Reads what is in the pipe now, and no more than [`AT_ONCE`]; how much that is.
    fn read(&mut self) -> io::Result<u64> {
        let before = self.held.len();
        while let Some(pipe) = &self.pipe
            && self.held.len() - before < AT_ONCE
        {
            self.held.reserve(CHUNK);
            match rustix::io::read(pipe, rustix::buffer::spare_capacity(&mut self.held)) {
                Ok(0) => self.pipe = None,
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let read = self.held.len() - before;
        self.has_written = read > 0;
        Ok(read as u64)
    }

    /// The whole lines; without reports of a crash, those before the first one.
    fn take_lines(&mut self, with_reports: bool) -> Vec<u8> {
        if self.pipe.is_none() {
            self.held = with_end(std::mem::take(&mut self.held));
        }
        let whole = whole_lines(&self.held);
        let report = (!with_reports).then(|| report_start(&self.held[..whole]));
        take(&mut self.held, report.flatten().unwrap_or(whole))
    }

    fn is_over(&self) -> bool {
        self.pipe.is_none() && self.held.is_empty()
    }
}

/// Where the report of a crash begins that has several lines (`judge/crash_report.rs`).
fn report_start(text: &[u8]) -> Option<usize> {
    static FIRST: LazyLock<Regex> = LazyLock::new(|| {
        let all = r"thread '[^'\n]*' (\(\d+\) )?panicked at |Traceback \(most recent call last\):|terminate called ";
        Regex::new(all).expect("it is an expression")
    });
    let start = FIRST.find(text)?.start();
    let before = text[..start].iter().rposition(|&byte| byte == b'\n');
    Some(before.map_or(0, |before| before + 1))
}

/// Passes lines on, if there are any.
fn pass(lines: &[u8], to: impl FnOnce(&[u8]) -> io::Result<()>) -> io::Result<()> {
    match lines.is_empty() {
        true => Ok(()),
        false => to(lines),
    }
}

/// The length of the lines that have an end.
fn whole_lines(text: &[u8]) -> usize {
    let last = text.iter().rposition(|&byte| byte == b'\n');
    last.map_or(0, |last| last + 1)
}

/// The text with an end of its last line: another stream goes on.
fn with_end(mut text: Vec<u8>) -> Vec<u8> {
    if text.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    text
}

/// Takes the first part of a text; all of it, with an end, if the rest is too long to be held back.
fn take(text: &mut Vec<u8>, length: usize) -> Vec<u8> {
    if text.len() - length > AT_ONCE {
        return with_end(std::mem::take(text));
    }
    let rest = text.split_off(length);
    std::mem::replace(text, rest)
}

impl Watcher for WholeLines<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.watcher.stdout(bytes)
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        if self.meter.is_none() {
            return self.watcher.stderr(at, bytes);
        }
        self.at = at;
        self.tester.extend_from_slice(bytes);
        Ok(())
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.watcher.line(at, speaker, line)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if let Some(meter) = self.meter {
            // What the tester had written before this moment was read.
            meter.is_still_running();
            self.put_together(meter, meter.last_heard())?;
        }
        self.watcher.pass_on()
    }

    fn written(&self) -> Option<u64> {
        self.watcher.written()
    }

    fn stderr_beside(&self) -> u64 {
        self.written
    }

    fn waits_for(&self) -> Option<BorrowedFd<'_>> {
        // Whichever is ready, all of them are read. The loudest could wait the least.
        let open = self
            .programs
            .iter()
            .filter(|program| program.pipe.is_some());
        let loudest = open.max_by_key(|program| program.has_written)?;
        loudest.pipe.as_ref().map(AsFd::as_fd)
    }

    fn last_line_written(&self) -> Option<Vec<u8>> {
        self.watcher.last_line_written()
    }

    fn blocked_time(&self) -> Duration {
        self.watcher.blocked_time()
    }
}
