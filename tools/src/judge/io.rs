//! One instance against one contestant: the loop between three pipes, a clock and a referee.
//!
//! One thread polls everything and blocks nowhere else, so that neither a silent contestant nor
//! one that floods or never reads can hold it. Every wait has a deadline. Reader threads and an
//! async runtime were considered; with a pipe round trip of about 5 µs, either would cost more
//! than it saves.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::judge::record::Record;
use crate::judge::referee::{Referee, Ruling, Stage};
use crate::judge::transcript::Speaker;
use crate::judge::verdict::{Facts, Flood, Limits, TimeoutState, verdict};
use crate::problem::Instance;
use crate::process::{Command, Contestant, Ending, StartError};
use crate::util::quote::quote;

/// Hears and sees everything as it happens. What it does not care for, it leaves out.
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

    /// How long it has waited, so far, for whoever reads what it hands on. That is not charged to
    /// the contestant.
    fn blocked_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// Watches nothing.
impl Watcher for () {}

/// Why a case could not be judged. Never the contestant's fault.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// There was nothing to judge.
    #[error(transparent)]
    Start(#[from] StartError),
    /// What the contestant wrote could not be kept.
    #[error("failed to keep the contestant's output")]
    Watcher(#[source] io::Error),
    /// The operating system failed us.
    #[error("failed to {what}")]
    System {
        /// What we were doing.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody asked us to stop.
    #[error("interrupted")]
    Interrupted,
}

/// How long a contestant may go on after a line that broke the protocol, to print its last words.
const GRACE: Duration = Duration::from_millis(200);

/// So much of the end of stderr is remembered, for the line that tells why it failed.
const TAIL: usize = 512;

/// How often processor time and memory are looked at. The first look comes this long after the
/// start, so that a short case pays nothing.
const SAMPLE: Duration = Duration::from_millis(20);

/// Replies that the contestant does not read wait here; beyond this, we stop reading what it
/// writes, so that it stands still instead of filling our memory.
const MAX_OUTBOX: usize = 64 << 10;

/// Woken later than this after the time that we asked for, we were stopped or had no processor; the
/// contestant may have ended long ago, and the time is not charged to it.
const LATE: Duration = Duration::from_millis(50);

/// Starts `command`, plays `instance` with it and says what came of it.
///
/// When `interrupt` becomes readable, judging stops with [`JudgeError::Interrupted`]. However it ends,
/// the contestant's process group is dead and reaped.
///
/// Cost: one spawn, and about 10 µs a turn beside the contestant's own time. Memory is bounded by
/// the limit for one line, whatever the contestant writes.
///
/// # Errors
/// If the contestant cannot be started, the watcher or the operating system fails, or on interrupt.
pub fn judge(
    instance: &dyn Instance,
    command: &Command,
    limits: &Limits,
    interrupt: Option<BorrowedFd<'_>>,
    watcher: &mut dyn Watcher,
) -> Result<Record, JudgeError> {
    let contestant = Contestant::start(command, None)?;
    judge_started(instance, contestant, limits, interrupt, watcher)
}

/// As [`judge`], with a contestant that was started just before: what else is to be prepared can be
/// prepared while its program is being loaded.
///
/// # Errors
/// As there.
pub fn judge_started(
    instance: &dyn Instance,
    contestant: Contestant,
    limits: &Limits,
    interrupt: Option<BorrowedFd<'_>>,
    watcher: &mut dyn Watcher,
) -> Result<Record, JudgeError> {
    let opening = instance.opening();
    let referee = Side::Referee(Referee::new(instance, limits.turns));
    let mut game = Game::new(contestant, referee, limits, watcher);
    game.say(opening.as_bytes())?;
    game.record(opening, interrupt)
}

/// Runs a program to its end, or to a limit, and answers nothing: its input is empty. Accepted means that it
/// ended well; the score is left at 0.
///
/// # Errors
/// As [`judge`].
pub fn run_unattended(
    title: String,
    program: Contestant,
    limits: &Limits,
    interrupt: Option<BorrowedFd<'_>>,
    watcher: &mut dyn Watcher,
) -> Result<Record, JudgeError> {
    let mut game = Game::new(program, Side::Nobody, limits, watcher);
    game.contestant.stdin = None;
    game.record(title, interrupt)
}

/// Who answers what the program prints.
enum Side {
    Referee(Referee),
    Nobody,
}

impl Side {
    fn stage(&self) -> Stage {
        match self {
            Self::Referee(referee) => referee.stage(),
            Self::Nobody => Stage::Playing,
        }
    }

    fn hear(&mut self, line: &[u8]) -> Ruling {
        match self {
            Self::Referee(referee) => referee.hear(line),
            Self::Nobody => Ruling::Ignored,
        }
    }
}

/// A game in progress.
struct Game<'a> {
    contestant: Contestant,
    side: Side,
    limits: &'a Limits,
    watcher: &'a mut dyn Watcher,
    /// What is to be written to the contestant.
    outbox: Vec<u8>,
    /// The line that has no newline yet.
    line: Vec<u8>,
    /// What was read last.
    chunk: Vec<u8>,
    stdout_bytes: u64,
    stderr_bytes: u64,
    /// The end of what it wrote on stderr.
    stderr_tail: Vec<u8>,
    flood: Option<Flood>,
    cpu: Duration,
    memory_kib: u64,
    processes: u64,
    next_sample: Duration,
    violated_at: Option<Duration>,
    /// Time during which this process was stopped.
    stopped: Duration,
}

/// What a poll found.
#[derive(Default)]
struct Ready {
    interrupt: bool,
    exited: bool,
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

impl<'a> Game<'a> {
    fn new(
        contestant: Contestant,
        side: Side,
        limits: &'a Limits,
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        Self {
            contestant,
            side,
            limits,
            watcher,
            outbox: Vec::new(),
            line: Vec::new(),
            chunk: Vec::with_capacity(64 << 10),
            stdout_bytes: 0,
            stderr_bytes: 0,
            stderr_tail: Vec::new(),
            flood: None,
            cpu: Duration::ZERO,
            memory_kib: 0,
            processes: 0,
            next_sample: SAMPLE,
            violated_at: None,
            stopped: Duration::ZERO,
        }
    }

    /// Plays to the end and says what came of it.
    fn record(
        &mut self,
        opening: String,
        interrupt: Option<BorrowedFd<'_>>,
    ) -> Result<Record, JudgeError> {
        let ended_by_itself = self.play(interrupt)?;
        let facts = self.end(ended_by_itself)?;
        let (verdict, reason) = verdict(&facts, self.limits);
        let score = match &self.side {
            Side::Referee(referee) if reason.is_none() => referee.score(),
            _ => 0,
        };
        let ms = |time: Duration| time.as_nanos() as f64 / 1e6;
        Ok(Record {
            opening,
            verdict,
            score,
            turns: facts.turns,
            wall_ms: ms(facts.wall),
            cpu_ms: ms(facts.cpu),
            memory_kib: facts.memory_kib,
            last_stderr_line: reason.as_ref().and(last_line(&self.stderr_tail)),
            reason,
        })
    }

    /// Plays until the contestant has exited (true) or has to be killed (false).
    fn play(&mut self, interrupt: Option<BorrowedFd<'_>>) -> Result<bool, JudgeError> {
        while !self.over_a_limit()? {
            let ready = self.wait(interrupt)?;
            if ready.interrupt {
                return Err(JudgeError::Interrupted);
            }
            if ready.exited {
                return Ok(true);
            }
            if ready.stderr {
                self.read_stderr()?;
            }
            if ready.stdout {
                self.read_stdout()?;
            }
            if ready.stdin || ready.stdout {
                self.write();
            }
        }
        Ok(false)
    }

    /// Looks at every limit, at processor time and memory only now and then.
    fn over_a_limit(&mut self) -> Result<bool, JudgeError> {
        let mut now = self.wall();
        if now >= self.next_sample {
            self.sample()?;
            // That may have taken long.
            now = self.wall();
            self.next_sample = now + SAMPLE;
        }
        let passed = now.max(self.cpu) > self.limits.time
            || self.memory_kib > self.limits.memory_kib
            || self.processes > self.limits.processes
            || self.flood.is_some()
            || self.violated_at.is_some_and(|at| now > at + GRACE);
        Ok(passed)
    }

    /// Looks at what the contestant, and everything that it has started, uses now.
    fn sample(&mut self) -> Result<(), JudgeError> {
        let family = self
            .contestant
            .family()
            .map_err(|e| system("look at its processes", e))?;
        self.cpu = self.cpu.max(self.contestant.cpu() + family.cpu_of_others);
        self.processes = self.processes.max(family.processes);
        self.memory_kib = self.memory_kib.max(self.contestant.peak_kib());
        // What processes share is counted for each of them; only where that matters is it worth a closer
        // look.
        if family.memory_kib > self.memory_kib {
            let within = family.memory_kib <= self.limits.memory_kib;
            let closer = || self.contestant.unshared_kib();
            let all = Some(family.memory_kib).filter(|_| within).or_else(closer);
            self.memory_kib = self.memory_kib.max(all.unwrap_or(family.memory_kib));
        }
        Ok(())
    }

    /// Waits until something can be read or written, or a limit has to be looked at.
    fn wait(&mut self, interrupt: Option<BorrowedFd<'_>>) -> Result<Ready, JudgeError> {
        let reading = self.outbox.len() <= MAX_OUTBOX;
        let stdin = self
            .contestant
            .stdin
            .as_ref()
            .filter(|_| !self.outbox.is_empty());
        let stdout = self.contestant.stdout.as_ref().filter(|_| reading);
        let wanted = [
            (interrupt, PollFlags::IN),
            (Some(self.contestant.exit_fd()), PollFlags::IN),
            (stdin.map(AsFd::as_fd), PollFlags::OUT),
            (stdout.map(AsFd::as_fd), PollFlags::IN),
            (
                self.contestant.stderr.as_ref().map(AsFd::as_fd),
                PollFlags::IN,
            ),
        ];
        let polled = |(fd, flags)| Some(PollFd::from_borrowed_fd(fd?, flags));
        let mut fds: Vec<PollFd<'_>> = wanted.into_iter().filter_map(polled).collect();

        let mut until = self.limits.time.min(self.next_sample);
        if let Some(at) = self.violated_at {
            until = until.min(at + GRACE);
        }
        // A little later than the limit, so that it has been passed when we look. What we were late already,
        // by our own work, is not forgiven: who makes us work would gain by it.
        let now = self.wall();
        let until = until.max(now);
        let left = until - now + Duration::from_micros(100);
        let timeout = Timespec::try_from(left).expect("a limit is far below 2^63 seconds");
        loop {
            match poll(&mut fds, Some(&timeout)) {
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(system("wait for the contestant", e.into())),
            }
        }
        let mut found = fds.iter().map(|fd| !fd.revents().is_empty());
        let [interrupt, exited, stdin, stdout, stderr] =
            wanted.map(|(fd, _)| fd.is_some() && found.next().unwrap_or(false));
        drop(found);
        drop(fds);
        let late = self.wall().saturating_sub(until);
        if late > LATE {
            self.stopped += late;
        }
        Ok(Ready {
            interrupt,
            exited,
            stdin,
            stdout,
            stderr,
        })
    }

    /// Queues a line for the contestant and tries to write it at once.
    fn say(&mut self, line: &[u8]) -> Result<(), JudgeError> {
        self.outbox.extend_from_slice(line);
        self.outbox.push(b'\n');
        self.watch(|watcher, at| watcher.line(at, Speaker::Judge, line))?;
        Ok(())
    }

    /// Writes as much as the pipe takes, and closes it after the last word.
    fn write(&mut self) {
        let Some(stdin) = &mut self.contestant.stdin else {
            self.outbox.clear();
            return;
        };
        let mut written = 0;
        let mut gone = false;
        while written < self.outbox.len() {
            match stdin.write(&self.outbox[written..]) {
                Ok(n) => written += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                // The contestant has closed it or has left; its status will say which.
                Err(_) => {
                    gone = true;
                    break;
                }
            }
        }
        self.outbox.drain(..written);
        let last_word_said = self.side.stage() != Stage::Playing && self.outbox.is_empty();
        if gone || last_word_said {
            self.contestant.stdin = None;
            self.outbox.clear();
        }
    }

    /// Reads one chunk of stdout and hears the lines in it.
    fn read_stdout(&mut self) -> Result<(), JudgeError> {
        let read = read(&mut self.contestant.stdout, &mut self.chunk);
        if read == 0 {
            return Ok(());
        }
        self.stdout_bytes += read as u64;
        let mut chunk = std::mem::take(&mut self.chunk);
        // What is past the limit is neither kept nor heard.
        let past = self.stdout_bytes.saturating_sub(self.limits.output_bytes) as usize;
        chunk.truncate(chunk.len().saturating_sub(past));
        let kept = self.keep_stdout(&chunk);
        self.chunk = chunk;
        kept
    }

    fn keep_stdout(&mut self, bytes: &[u8]) -> Result<(), JudgeError> {
        self.watch(|watcher, _| watcher.stdout(bytes))?;
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            let line = piece.strip_suffix(b"\n");
            // Looked at before the line is heard: whether it came in one piece must not matter.
            let length = self.line.len() + line.unwrap_or(piece).len();
            if length > self.limits.line_bytes {
                self.flood = self.flood.or(Some(Flood::Line));
                self.line.clear();
                return Ok(());
            }
            match line {
                Some(whole) if self.line.is_empty() => self.hear(whole)?,
                Some(end) => {
                    let mut line = std::mem::take(&mut self.line);
                    line.extend_from_slice(end);
                    self.hear(&line)?;
                }
                None => self.line.extend_from_slice(piece),
            }
        }
        if self.stdout_bytes > self.limits.output_bytes {
            self.flood = self.flood.or(Some(Flood::Stdout));
        }
        Ok(())
    }

    fn hear(&mut self, line: &[u8]) -> Result<(), JudgeError> {
        if self.flood.is_some() {
            return Ok(());
        }
        if !line.trim_ascii().is_empty() {
            self.watch(|watcher, at| watcher.line(at, Speaker::Contestant, line))?;
        }
        let was_playing = self.side.stage() == Stage::Playing;
        if let Ruling::Reply(reply) = self.side.hear(line) {
            self.say(reply.as_bytes())?;
        }
        if was_playing && self.side.stage() != Stage::Playing {
            // It lives a little longer: the last good time to ask. A peak above the judge's own is
            // in the kernel's account at the end; this is for small programs.
            self.memory_kib = self.memory_kib.max(self.contestant.resident_kib());
        }
        if self.side.stage() == Stage::Violated && self.violated_at.is_none() {
            self.violated_at = Some(self.wall());
        }
        Ok(())
    }

    fn read_stderr(&mut self) -> Result<(), JudgeError> {
        let read = read(&mut self.contestant.stderr, &mut self.chunk);
        if read == 0 {
            return Ok(());
        }
        self.stderr_bytes += read as u64;
        if self.stderr_bytes > self.limits.output_bytes {
            self.flood = self.flood.or(Some(Flood::Stderr));
        }
        let chunk = std::mem::take(&mut self.chunk);
        self.stderr_tail
            .extend_from_slice(&chunk[chunk.len().saturating_sub(TAIL)..]);
        let past = self.stderr_tail.len().saturating_sub(TAIL);
        self.stderr_tail.drain(..past);
        let kept = self.watch(|watcher, at| watcher.stderr(at, &chunk));
        self.chunk = chunk;
        kept
    }

    /// Kills what is left, reads what was written before the end, reaps, and gathers the facts.
    fn end(&mut self, ended_by_itself: bool) -> Result<Facts, JudgeError> {
        let wall = self.wall();
        // Only who is too slow is asked what he does: to look takes time, in which others would go on.
        let mut standstill = match ended_by_itself || wall.max(self.cpu) <= self.limits.time {
            true => TimeoutState {
                exited: ended_by_itself,
                ..TimeoutState::default()
            },
            false => self.standstill(),
        };
        // The number of the group is still ours, because its leader has not been reaped.
        self.contestant.kill();
        self.drain(ended_by_itself)?;
        let usage = self
            .contestant
            .reap()
            .map_err(|e| system("reap the contestant", e))?;
        if !self.line.trim_ascii().is_empty() {
            if ended_by_itself && usage.ending == Ending::Exited(0) {
                // As readers of lines do, a last line without its newline is taken as one.
                let line = std::mem::take(&mut self.line);
                self.hear(&line)?;
            } else {
                standstill.unended_line = Some(quote(&self.line));
            }
        }
        let (violation, turns, alone) = match &self.side {
            Side::Referee(referee) => (referee.violation().cloned(), referee.turns(), false),
            Side::Nobody => (None, 0, true),
        };
        Ok(Facts {
            violation,
            solved: self.side.stage() == Stage::Solved,
            turns,
            alone,
            wall,
            cpu: self.cpu.max(usage.cpu),
            memory_kib: self.memory_kib.max(usage.memory_kib),
            processes: self.processes,
            flood: self.flood,
            ending: usage.ending,
            standstill,
        })
    }

    /// What the contestant is doing now, as far as can be seen from outside.
    fn standstill(&self) -> TimeoutState {
        TimeoutState {
            exited: false,
            unended_line: None,
            running: self.contestant.is_running(),
            stdin_closed: self.contestant.stdin_closed(),
            unread_bytes: self.contestant.unread_bytes(),
            stdout_closed: self.contestant.stdout.is_none(),
        }
    }

    /// Reads what is in the pipes now and no more: everything that the contestant wrote before it
    /// ended is there, and a grandchild that still writes is not waited for.
    fn drain(&mut self, ended_by_itself: bool) -> Result<(), JudgeError> {
        let pending = |pipe: Option<BorrowedFd<'_>>| {
            pipe.map_or(0, |fd| rustix::io::ioctl_fionread(fd).unwrap_or(0))
        };
        let mut left = pending(self.contestant.stdout.as_ref().map(AsFd::as_fd));
        // Of one that we killed, only stderr is of interest: its turn is over.
        while ended_by_itself && left > 0 && self.contestant.stdout.is_some() {
            let before = self.stdout_bytes;
            self.read_stdout()?;
            self.outbox.clear(); // nobody is left to read it
            match self.stdout_bytes - before {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        let mut left = pending(self.contestant.stderr.as_ref().map(AsFd::as_fd));
        while left > 0 && self.contestant.stderr.is_some() {
            let before = self.stderr_bytes;
            self.read_stderr()?;
            match self.stderr_bytes - before {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        Ok(())
    }

    /// The contestant's time: what passed since its start, less what held us up.
    fn wall(&self) -> Duration {
        let blocked_time = self.stopped + self.watcher.blocked_time();
        self.contestant.wall().saturating_sub(blocked_time)
    }

    /// Calls the watcher with the time.
    fn watch(
        &mut self,
        call: impl FnOnce(&mut dyn Watcher, Duration) -> io::Result<()>,
    ) -> Result<(), JudgeError> {
        let at = self.wall();
        call(self.watcher, at).map_err(JudgeError::Watcher)
    }
}

/// The last line that is not blank, quoted.
fn last_line(text: &[u8]) -> Option<String> {
    let mut lines = text.split(|&byte| byte == b'\n').rev();
    lines.find(|line| !line.trim_ascii().is_empty()).map(quote)
}

/// Reads once, as much as `chunk` has room for, and says how much; 0 if there is nothing now. At the
/// end of the stream, it is closed as well.
fn read<R: AsFd>(stream: &mut Option<R>, chunk: &mut Vec<u8>) -> usize {
    use rustix::io::Errno;
    chunk.clear();
    let Some(open) = stream else { return 0 };
    match rustix::io::read(open, rustix::buffer::spare_capacity(chunk)) {
        Ok(0) => *stream = None,
        Ok(read) => return read,
        Err(Errno::AGAIN | Errno::INTR) => {}
        Err(_) => *stream = None,
    }
    0
}

fn system(what: &'static str, source: io::Error) -> JudgeError {
    JudgeError::System { what, source }
}
