//! One instance against one contestant: the loop between three pipes, a clock and a referee.
//!
//! Every wait has a deadline. When the loop has ended, the facts are complete, and
//! [`verdict`](super::verdict) decides.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use super::case_clock::CaseClock;
use super::ended::{EndedCase, push_tail};
use super::error::JudgeError;
use super::io::{Ready, pending, read, wait, write};
use super::record::Record;
use super::referee::{Referee, Ruling, Stage};
use super::transcript::Speaker;
use super::usage::{Extension, UsageSampler};
use super::verdict::{Flood, Limits, ProcessFacts, TimeoutState, builtin_verdict};
use super::watcher::Watcher;
use crate::problem::Instance;
use crate::process::{Command, Containment, Contestant, Ending};
use crate::util::quote::quote;

/// How long a contestant may go on after a line that broke the protocol, to print what it still has to say.
const GRACE: Duration = Duration::from_millis(200);

/// Unread output of which this much is left is no guess that came just now.
const FLOOD: u64 = 4096;

/// Replies that are not read wait here. Beyond this, we read no more, so that the contestant does not fill our memory.
const MAX_OUTBOX: usize = 64 << 10;

/// With the reply to this turn, the judge goes to the contestant's processor. A case of one turn would lose by it.
const APPROACH: u64 = 2;

/// Starts `command`, plays `instance` with it and returns the record.
///
/// When `interrupt` becomes readable, judging stops with [`JudgeError::Interrupted`]. However it ends, the contestant's
/// process group is dead and reaped.
///
/// Cost: one spawn, and about 10 µs a turn beside the contestant's own time. Memory: a line at its limit, whatever the
/// contestant writes.
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
    let confinement = limits.confinement(Containment::Namespace, None);
    let contestant = Contestant::start(command, &confinement)?;
    judge_started(instance, contestant, limits, interrupt, watcher)
}

/// As [`judge`], with a contestant that was started just before. Its program is loaded while you prepare
/// the rest.
///
/// # Errors
/// As [`judge`], except that the contestant is running already.
pub fn judge_started(
    instance: &dyn Instance,
    contestant: Contestant,
    limits: &Limits,
    interrupt: Option<BorrowedFd<'_>>,
    watcher: &mut dyn Watcher,
) -> Result<Record, JudgeError> {
    let referee = Referee::new(instance, limits.turns);
    let mut case = LiveCase::new(contestant, Some(referee), limits, watcher);
    case.say(instance.opening().as_bytes())?;
    let process = case.process_facts(interrupt)?;
    let session = case.referee.as_ref().map(Referee::facts);
    let session = session.unwrap_or_default();
    let outcome = builtin_verdict(&session, &process, limits);
    let ended = EndedCase {
        process,
        turns: session.turns,
        stderr_tail: case.stderr_tail,
    };
    Ok(ended.record(instance.spec(), outcome))
}

/// Runs a program to its end, or to a limit. Its input is empty, and what it prints gets no reply. `extension` is asked
/// when the time is up how much more the program may take, and again after that if it says so.
///
/// # Errors
/// As [`judge_started`].
pub(super) fn run_unattended(
    mut program: Contestant,
    limits: &Limits,
    extension: Extension<'_>,
    interrupt: Option<BorrowedFd<'_>>,
    watcher: &mut dyn Watcher,
) -> Result<EndedCase, JudgeError> {
    program.stdin = None;
    let mut case = LiveCase::new(program, None, limits, watcher);
    case.extension = Some(extension);
    Ok(EndedCase {
        process: case.process_facts(interrupt)?,
        turns: 0,
        stderr_tail: case.stderr_tail,
    })
}

/// A case that is being judged.
struct LiveCase<'a> {
    contestant: Contestant,
    /// Who answers what the program prints, if it is answered at all.
    referee: Option<Referee>,
    limits: Limits,
    /// Asked when the time is up, until it has given its last.
    extension: Option<Extension<'a>>,
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
    usage: UsageSampler,
    violated_at: Option<Duration>,
    clock: CaseClock,
}

impl<'a> LiveCase<'a> {
    fn new(
        contestant: Contestant,
        referee: Option<Referee>,
        limits: &Limits,
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        Self {
            clock: CaseClock::new(limits.time, contestant.started()),
            contestant,
            referee,
            limits: *limits,
            extension: None,
            watcher,
            outbox: Vec::new(),
            line: Vec::new(),
            chunk: Vec::with_capacity(64 << 10),
            stdout_bytes: 0,
            stderr_bytes: 0,
            stderr_tail: Vec::new(),
            flood: None,
            usage: UsageSampler::new(),
            violated_at: None,
        }
    }

    /// Plays to the end, clears the contestant away, and returns what is known of it.
    fn process_facts(
        &mut self,
        interrupt: Option<BorrowedFd<'_>>,
    ) -> Result<ProcessFacts, JudgeError> {
        let ended_by_itself = self.play(interrupt)?;
        self.end(ended_by_itself)
    }

    fn stage(&self) -> Stage {
        self.referee.as_ref().map_or(Stage::Playing, Referee::stage)
    }

    // ---- The loop.

    /// Plays until the contestant has exited (true) or has to be killed (false).
    fn play(&mut self, interrupt: Option<BorrowedFd<'_>>) -> Result<bool, JudgeError> {
        while !self.has_passed_a_limit()? {
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
                self.write()?;
            }
            self.watcher.pass_on().map_err(JudgeError::Watcher)?;
        }
        Ok(false)
    }

    /// Checks every limit; samples processor time and memory if that is due.
    fn has_passed_a_limit(&mut self) -> Result<bool, JudgeError> {
        let mut now = self.wall();
        if now >= self.usage.due {
            let sampled = self.usage.sample(&self.contestant, &self.limits);
            sampled.map_err(|e| JudgeError::system("look at its processes", e))?;
            self.usage.written = self.watcher.written().unwrap_or(0);
            self.clock.look(); // that may have taken long
            now = self.wall();
            self.usage.schedule(now);
        }
        // We may be late by more than it gives at once.
        while now.max(self.usage.cpu) > self.limits.time
            && let Some(extension) = self.extension
        {
            let more = extension();
            self.limits.time += more.time;
            self.extension = (!more.is_last).then_some(extension);
        }
        Ok(self.usage.passes(now, &self.limits)
            || self.watcher.stderr_beside() > self.limits.output_bytes
            || self.flood.is_some()
            || self.violated_at.is_some_and(|at| now > at + GRACE))
    }

    /// Waits until something can be read or written, or a limit has to be checked.
    fn wait(&mut self, interrupt: Option<BorrowedFd<'_>>) -> Result<Ready, JudgeError> {
        let mut until = self.limits.time.min(self.usage.due);
        if let Some(at) = self.violated_at {
            until = until.min(at + GRACE);
        }
        // If our own work has made us late already, that is not forgiven: a contestant could make us work.
        let now = self.wall();
        let until = until.max(now);
        // A little later than the limit, so that it has been passed when we look.
        let timeout = until - now + Duration::from_micros(100);
        let streams = (self.outbox.len() <= MAX_OUTBOX, !self.outbox.is_empty());
        let others = (interrupt, self.watcher.waits_for());
        let ready = wait(&self.contestant, streams, others, timeout)
            .map_err(|e| JudgeError::system("wait for the contestant", e))?;
        self.clock.woke(until, self.watcher.blocked_time());
        Ok(ready)
    }

    /// The contestant's time: what passed since its start, less what is forgiven.
    fn wall(&self) -> Duration {
        self.clock.time(self.watcher.blocked_time())
    }

    /// Calls the watcher with the time.
    fn watch(
        &mut self,
        call: impl FnOnce(&mut dyn Watcher, Duration) -> io::Result<()>,
    ) -> Result<(), JudgeError> {
        let at = self.wall();
        call(self.watcher, at).map_err(JudgeError::Watcher)
    }

    // ---- Lines to the contestant and from it.

    /// Queues lines for the contestant; `text` has no last newline.
    fn say(&mut self, text: &[u8]) -> Result<(), JudgeError> {
        self.outbox.extend_from_slice(text);
        self.outbox.push(b'\n');
        self.watch(|watcher, at| {
            let mut lines = text.split(|&b| b == b'\n');
            lines.try_for_each(|line| watcher.line(at, Speaker::Judge, line))
        })
    }

    /// Writes as much as the pipe takes, and closes it after the last line.
    fn write(&mut self) -> Result<(), JudgeError> {
        let Some(stdin) = &mut self.contestant.stdin else {
            self.outbox.clear();
            return Ok(());
        };
        let open = write(stdin, &mut self.outbox)?;
        let is_over = self.stage() != Stage::Playing && self.outbox.is_empty();
        // If the contestant has closed it or has exited, its status will say which.
        if !open || is_over {
            self.contestant.stdin = None;
            self.outbox.clear();
        }
        Ok(())
    }

    /// Reads one chunk of stdout and hears the lines in it.
    fn read_stdout(&mut self) -> Result<(), JudgeError> {
        let read = read(&mut self.contestant.stdout, &mut self.chunk)?;
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
        self.watcher.stdout(bytes).map_err(JudgeError::Watcher)?;
        // A flood of blank lines is cheap to print, and means nothing: one is heard, if there is nothing after them.
        let is_blank = |&b: &u8| b == b'\n' && self.line.is_empty();
        let blank = bytes.iter().copied().take_while(is_blank).count();
        let bytes = &bytes[blank.min(bytes.len().saturating_sub(1))..];
        // All these lines came by now. A look at the clock for each would take as long as hearing a comment.
        let at = self.wall();
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            let line = piece.strip_suffix(b"\n");
            // Checked before the line is heard: whether it came in one piece must not matter.
            let length = self.line.len() + line.unwrap_or(piece).len();
            if length > self.limits.line_bytes {
                self.flood = self.flood.or(Some(Flood::Line));
                self.line.clear();
                return Ok(());
            }
            match line {
                Some(whole) if self.line.is_empty() => self.hear(at, whole)?,
                Some(end) => {
                    let mut line = std::mem::take(&mut self.line);
                    line.extend_from_slice(end);
                    self.hear(at, &line)?;
                }
                None => self.line.extend_from_slice(piece),
            }
        }
        if self.stdout_bytes > self.limits.output_bytes {
            self.flood = self.flood.or(Some(Flood::Stdout));
        }
        Ok(())
    }

    /// Hears a line that came at this time.
    fn hear(&mut self, at: Duration, line: &[u8]) -> Result<(), JudgeError> {
        if self.flood.is_some() {
            return Ok(());
        }
        if !line.trim_ascii().is_empty() {
            let heard = self.watcher.line(at, Speaker::Contestant, line);
            heard.map_err(JudgeError::Watcher)?;
        }
        let was_playing = self.stage() == Stage::Playing;
        let ruling = self.referee.as_mut().map(|referee| referee.hear(line));
        if let Some(Ruling::Reply(reply)) = ruling {
            if self.referee.as_ref().map(Referee::turns) == Some(APPROACH) {
                self.contestant.move_beside();
            }
            self.say(reply.as_bytes())?;
        }
        let stage = self.stage();
        if was_playing && stage != Stage::Playing && !self.contestant.is_reaped() {
            self.usage.sample_before_exit(&self.contestant);
        }
        if stage == Stage::Violated && self.violated_at.is_none() {
            self.violated_at = Some(self.wall());
        }
        Ok(())
    }

    fn read_stderr(&mut self) -> Result<(), JudgeError> {
        let read = read(&mut self.contestant.stderr, &mut self.chunk)?;
        if read == 0 {
            return Ok(());
        }
        self.stderr_bytes += read as u64;
        if self.stderr_bytes > self.limits.output_bytes {
            self.flood = self.flood.or(Some(Flood::Stderr));
        }
        let chunk = std::mem::take(&mut self.chunk);
        push_tail(&mut self.stderr_tail, &chunk);
        let kept = self.watch(|watcher, at| watcher.stderr(at, &chunk));
        self.chunk = chunk;
        kept
    }

    // ---- The end.

    /// Kills what is left, reads what was written before the end, reaps, and gathers the facts.
    fn end(&mut self, ended_by_itself: bool) -> Result<ProcessFacts, JudgeError> {
        let wall = self.wall();
        // Only a contestant that is too slow is looked at: the look takes time, in which others would go on.
        let mut timeout = match ended_by_itself || wall.max(self.usage.cpu) <= self.limits.time {
            true => TimeoutState {
                exited: ended_by_itself,
                ..TimeoutState::default()
            },
            false => self.timeout_state(),
        };
        // The number of the group is still ours, because its leader has not been reaped.
        self.contestant.kill();
        self.drain(ended_by_itself)?;
        let used = self.contestant.reap();
        let used = used.map_err(|e| JudgeError::system("reap the contestant", e))?;
        if !self.line.trim_ascii().is_empty() {
            if ended_by_itself && used.ending == Ending::Exited(0) {
                // As readers of lines do, a last line without its newline is taken as one.
                let line = std::mem::take(&mut self.line);
                self.hear(self.wall(), &line)?;
            } else {
                timeout.unended_line = Some(quote(&self.line));
            }
        }
        Ok(ProcessFacts {
            flood: self.flood.or(self.usage.flood(self.watcher, &self.limits)),
            timeout,
            ..self.usage.facts(wall, &used)
        })
    }

    /// What the contestant is doing now, as far as can be seen from outside.
    fn timeout_state(&self) -> TimeoutState {
        TimeoutState {
            running: self.contestant.is_running(),
            stdin_closed: self.contestant.stdin_closed(),
            unread_bytes: self.contestant.unread_bytes(),
            unheard_bytes: match pending(self.contestant.stdout.as_ref()) {
                flood @ FLOOD.. if self.outbox.is_empty() => flood,
                _ => 0,
            },
            stdout_closed: self.contestant.stdout.is_none(),
            ..TimeoutState::default()
        }
    }

    /// Reads what is in the pipes now and no more: everything that the contestant wrote before it
    /// ended is there, and we do not wait for a grandchild that still writes.
    fn drain(&mut self, ended_by_itself: bool) -> Result<(), JudgeError> {
        let mut left = pending(self.contestant.stdout.as_ref());
        // Of one that we killed, only stderr is of interest: its turn is over.
        while ended_by_itself && left > 0 && self.contestant.stdout.is_some() {
            let before = self.stdout_bytes;
            self.read_stdout()?;
            self.outbox.clear(); // no process reads it any more
            match self.stdout_bytes - before {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        let mut left = pending(self.contestant.stderr.as_ref());
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
}
