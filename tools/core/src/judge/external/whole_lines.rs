//! The stderr of a contest's tester and that of its program, one after the other in whole lines.
//!
//! Where the stage gives the program a stderr of its own (`process/stage/own_stderr.rs`), both are read here. What the
//! program has written comes first: its tester answers to what it does.

use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::io::Errno;

use crate::judge::transcript::Speaker;
use crate::judge::watcher::Watcher;
use crate::process::Meter;

/// What is read at once.
const CHUNK: usize = 64 << 10;

/// How much of one stream is read at one look, at most, and how long a line is held back: as much as a pipe holds.
const AT_ONCE: usize = 1 << 20;

/// Passes everything on to a watcher, stderr in whole lines.
pub(super) struct WholeLines<'a> {
    watcher: &'a mut dyn Watcher,
    /// Who hands over the pipes of programs. Without it, there is one stream.
    meter: Option<&'a Meter>,
    programs: Vec<ProgramStderr>,
    /// The tester's line that has no end yet.
    line: Vec<u8>,
    /// When stderr was heard last.
    at: Duration,
    /// How much the programs have written.
    written: u64,
}

struct ProgramStderr {
    pipe: PipeReader,
    /// Its line that has no end yet.
    line: Vec<u8>,
}

impl<'a> WholeLines<'a> {
    pub(super) fn new(watcher: &'a mut dyn Watcher, meter: Option<&'a Meter>) -> Self {
        Self {
            watcher,
            meter,
            programs: Vec::new(),
            line: Vec::new(),
            at: Duration::ZERO,
            written: 0,
        }
    }

    /// Reads what the programs have written until now.
    fn hear_programs(&mut self) -> io::Result<()> {
        let Some(meter) = self.meter else {
            return Ok(());
        };
        let new = meter.take_stderrs().into_iter();
        self.programs.extend(new.map(|pipe| ProgramStderr {
            pipe,
            line: Vec::new(),
        }));
        let (mut at, mut chunk) = (0, Vec::new());
        while let Some(program) = self.programs.get_mut(at) {
            let ends = read_now(&program.pipe, &mut chunk)?;
            self.written += chunk.len() as u64;
            pass_lines(&mut program.line, &chunk, |lines| {
                self.watcher.stderr(self.at, lines)
            })?;
            match ends {
                true => {
                    let ended = self.programs.swap_remove(at);
                    self.end_line(ended.line)?;
                }
                false => at += 1,
            }
        }
        Ok(())
    }

    /// Passes the last line of a stream on, with an end: another stream goes on.
    fn end_line(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        if line.is_empty() {
            return Ok(());
        }
        line.push(b'\n');
        self.watcher.stderr(self.at, &line)
    }

    /// Reads the rest, and passes the last lines on.
    ///
    /// # Errors
    /// If they cannot be kept.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.meter.map(Meter::heard);
        self.hear_programs()?;
        for program in std::mem::take(&mut self.programs) {
            self.end_line(program.line)?;
        }
        match self.line.is_empty() {
            true => Ok(()),
            false => self.watcher.stderr(self.at, &self.line),
        }
    }
}

/// Reads what is in a pipe now, and no more than [`AT_ONCE`]; whether it has ended.
fn read_now(pipe: &PipeReader, all: &mut Vec<u8>) -> io::Result<bool> {
    all.clear();
    while all.len() < AT_ONCE {
        all.reserve(CHUNK);
        match rustix::io::read(pipe, rustix::buffer::spare_capacity(all)) {
            Ok(0) => return Ok(true),
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}

/// Passes the lines on that are whole with this piece. A line that is too long is passed on in parts.
fn pass_lines(
    line: &mut Vec<u8>,
    piece: &[u8],
    mut pass: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let whole = piece.iter().rposition(|&byte| byte == b'\n');
    let (whole, rest) = piece.split_at(whole.map_or(0, |last| last + 1));
    if !whole.is_empty() {
        line.extend_from_slice(whole);
        pass(&std::mem::take(line))?;
    }
    line.extend_from_slice(rest);
    match line.len() > AT_ONCE {
        true => pass(&std::mem::take(line)),
        false => Ok(()),
    }
}

impl Watcher for WholeLines<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.watcher.stdout(bytes)
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        let Some(meter) = self.meter else {
            return self.watcher.stderr(at, bytes);
        };
        self.at = at;
        meter.hear_start();
        self.hear_programs()?;
        pass_lines(&mut self.line, bytes, |lines| {
            self.watcher.stderr(at, lines)
        })
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.watcher.line(at, speaker, line)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.hear_programs()?;
        self.watcher.pass_on()
    }

    fn written(&self) -> Option<u64> {
        self.watcher.written()
    }

    fn stderr_beside(&self) -> u64 {
        self.written
    }

    fn waits_for(&self) -> Option<BorrowedFd<'_>> {
        self.programs.first().map(|program| program.pipe.as_fd())
    }

    fn last_line_written(&self) -> Option<Vec<u8>> {
        self.watcher.last_line_written()
    }

    fn blocked_time(&self) -> Duration {
        self.watcher.blocked_time()
    }
}
