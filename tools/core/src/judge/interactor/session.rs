//! A contestant and an interactor, and we between them: the loop that carries what each writes to the other.
//!
//! Nothing blocks: one poll waits for all pipes, both exits and the next deadline. What one side writes waits in a
//! bounded buffer until the other reads; when that is full, we stop reading, so that the writer stands still as before
//! a full pipe.
//!
//! **Who ended first** must not depend on which of two processes the kernel happened to run. So that one has ended is
//! not passed on at once: the other one is *told* (its pipes are closed) only when it rests, which means that it waits
//! for us or sleeps. What ends before it is told has ended by itself, whatever it was that it had read. A resting
//! process is looked at twice: what has just been sent to it wakes it up at once.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::PollFlags;

use super::blame::{Ended, SessionEnd, TimeUp};
use super::rest::RestWatch;
use super::side::Who::{self, Contestant as C, Interactor as I};
use super::side::{Departure, Side, drain};
use crate::judge::case_clock::CaseClock;
use crate::judge::ended::push_tail;
use crate::judge::error::JudgeError;
use crate::judge::external::{Claim, StreamListener, Tails};
use crate::judge::io::{pending, wait_for};
use crate::judge::transcript::Speaker;
use crate::judge::verdict::Limits;
use crate::judge::watcher::Watcher;
use crate::process::{Contestant, Ending};

/// After this time, a program that never rests is told that the other one has left.
const PATIENCE: Duration = Duration::from_secs(1);

/// How much time a contestant is given that waits for the interactor.
const TURN: Duration = Duration::from_millis(20);

/// How long a program may go on after it was told, if the verdict does not depend on it any more.
const GRACE: Duration = Duration::from_millis(200);

/// Says what an interactor means that ended like this, with these ends of its streams.
pub(super) type Claims<'a> = &'a dyn Fn(Ending, &Tails) -> Claim;

/// A session that is being judged.
pub(super) struct Session<'a> {
    sides: [Side; 2],
    watcher: &'a mut dyn Watcher,
    claims: Claims<'a>,
    claim: Option<Claim>,
    clock: CaseClock,
    chunk: Vec<u8>,
    /// The end of what the contestant wrote on stderr.
    stderr_tail: Vec<u8>,
    /// The ends of the interactor's streams.
    tails: Tails,
    /// Who ended first.
    first: Option<Who>,
    /// Looks at the one that is to be told that the other one has left.
    rest: RestWatch,
    time_up: Option<TimeUp>,
    /// The contestant's time when it had ended.
    contestant_ended_at: Option<Duration>,
    /// Time in which the contestant waited for an interactor that was computing, and perhaps had no processor.
    interactors_turns: Duration,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        (contestant, limits): (Contestant, &Limits),
        (interactor, its_limits): (Contestant, &Limits),
        claims: Claims<'a>,
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        Self {
            clock: CaseClock::new(limits.time, contestant.started()),
            sides: [
                Side::new(contestant, limits),
                Side::new(interactor, its_limits),
            ],
            watcher,
            claims,
            claim: None,
            chunk: Vec::with_capacity(64 << 10),
            stderr_tail: Vec::new(),
            tails: Tails::default(),
            first: None,
            rest: RestWatch::new(Duration::ZERO),
            time_up: None,
            contestant_ended_at: None,
            interactors_turns: Duration::ZERO,
        }
    }

    /// Carries until both have ended or one has to be killed, and returns what is known then.
    ///
    /// # Errors
    /// As [`crate::judge::judge`].
    pub(super) fn run(
        mut self,
        interrupt: Option<BorrowedFd<'_>>,
    ) -> Result<SessionEnd, JudgeError> {
        while !self.is_over()? {
            self.step(interrupt)?;
        }
        self.end()
    }

    fn side(&mut self, who: Who) -> &mut Side {
        &mut self.sides[who as usize]
    }

    fn contestant(&self) -> &Side {
        &self.sides[C as usize]
    }

    fn interactor(&self) -> &Side {
        &self.sides[I as usize]
    }

    // ---- Time and limits.

    /// The time since the contestant was started, less what is forgiven.
    fn now(&self) -> Duration {
        self.clock.time(self.watcher.blocked_time())
    }

    /// The contestant's time: that until its end, less the time for which the interactor was computing.
    fn contestants_time(&self) -> Duration {
        let others = self.interactor().usage.cpu + self.interactors_turns;
        let now = || self.now().saturating_sub(others);
        self.contestant_ended_at.unwrap_or_else(now)
    }

    /// How long the interactor has gone on after the contestant.
    fn interactors_time(&self) -> Duration {
        let since = self.contestant().departure.map(|left| left.at);
        since.map_or(Duration::ZERO, |since| self.now().saturating_sub(since))
    }

    /// Whether the interactor has refused the contestant, or failed: by itself, or because the contestant, which still
    /// ran, had closed its output. Nothing else counts any more.
    fn is_decided(&self) -> bool {
        let left = self.interactor().departure;
        let counts = left.is_some_and(|left| left.by_itself || self.first == Some(I));
        counts && !matches!(self.claim, Some(Claim::Accepted(_)))
    }

    fn is_over(&mut self) -> Result<bool, JudgeError> {
        let now = self.now();
        if now >= self.contestant().usage.due {
            self.sample()?;
        }
        if self.sides.iter().all(|side| !side.is_alive()) {
            return Ok(true);
        }
        if self.contestant().is_alive() && !self.is_decided() {
            if self.contestant_passes() {
                // The interactor may have computed since the last sample, which is not the contestant's time.
                self.sample()?;
            }
            if self.contestant_passes() && !self.is_interactors_turn() {
                self.note_time_up();
                return Ok(true);
            }
        }
        let interactor = self.interactor();
        let passes = interactor
            .usage
            .passes(self.interactors_time(), &interactor.limits);
        if interactor.is_alive() && (passes || interactor.flood.is_some()) {
            return Ok(true);
        }
        Ok(self.killing_time().is_some_and(|at| self.now() >= at))
    }

    /// Whether only the time is up, and the contestant waits for an interactor that is computing: then it is given time
    /// until the next look. How fast the interactor computes is the machine's affair; its own limit ends it.
    fn is_interactors_turn(&mut self) -> bool {
        let [contestant, interactor] = &self.sides;
        let limits = &contestant.limits;
        let only_time =
            !contestant.usage.passes(Duration::ZERO, limits) && contestant.flood.is_none();
        let waits = only_time && interactor.is_alive() && contestant.unread_bytes() == 0;
        if !waits || contestant.process.is_busy() || !interactor.process.is_busy() {
            return false;
        }
        let past = self.contestants_time().saturating_sub(limits.time);
        self.interactors_turns += past + TURN;
        true
    }

    fn contestant_passes(&self) -> bool {
        let contestant = self.contestant();
        let time = self.contestants_time();
        contestant.usage.passes(time, &contestant.limits) || contestant.flood.is_some()
    }

    fn sample(&mut self) -> Result<(), JudgeError> {
        for side in &mut self.sides {
            let sampled = side.sample();
            sampled.map_err(|e| JudgeError::system("look at its processes", e))?;
        }
        self.clock.look();
        let now = self.now();
        self.side(C).usage.schedule(now);
        Ok(())
    }

    /// If the contestant's time is up, notes what both are doing now.
    fn note_time_up(&mut self) {
        let contestant = self.contestant();
        let time = self.contestants_time().max(contestant.usage.cpu);
        if time > contestant.limits.time {
            self.time_up = Some(TimeUp {
                contestant: contestant.timeout_state(),
                interactor: self.interactor().timeout_state(),
            });
        }
    }

    /// When a program is killed whose end does not matter to the verdict.
    fn killing_time(&self) -> Option<Duration> {
        let [contestant, interactor] = &self.sides;
        let idle = match (contestant.is_alive(), interactor.is_alive()) {
            (true, false) if self.is_decided() => contestant,
            (false, true) if contestant.crashed_by_itself() => interactor,
            _ => return None,
        };
        idle.told.map(|at| at + GRACE)
    }

    // ---- The loop.

    fn step(&mut self, interrupt: Option<BorrowedFd<'_>>) -> Result<(), JudgeError> {
        let now = self.now();
        let mut until = self.contestant().usage.due;
        until = until.min(self.killing_time().unwrap_or(until));
        if self.contestant().is_alive() {
            let left = self.contestant().limits.time;
            until = until.min(now + left.saturating_sub(self.contestants_time()));
        }
        if self.has_to_tell().is_some() {
            until = until.min(self.rest.due);
        }
        let until = until.max(now);
        let timeout = until - now + Duration::from_micros(100);
        // What no one will hear waits in the pipe, so that a contestant that floods comes to rest.
        let is_heard = self.interactor().is_alive() && !self.interactor().is_deaf;
        let hears_contestant = is_heard && self.interactor().has_room();
        let hears_interactor = self.contestant().has_room();
        let [a, b, c, d] = self.contestant().wanted(hears_contestant);
        let [e, f, g, h] = self.interactor().wanted(hears_interactor);
        let wanted = [a, b, c, d, e, f, g, h, (interrupt, PollFlags::IN)];
        let ready = wait_for(wanted, timeout);
        let ready = ready.map_err(|e| JudgeError::system("wait for the two programs", e))?;
        self.clock.woke(until, self.watcher.blocked_time());
        if ready[8] {
            return Err(JudgeError::Interrupted);
        }
        for (who, base) in [(C, 0), (I, 4)] {
            if ready[base + 3] {
                self.read_stderr(who)?;
            }
            if ready[base + 2] {
                self.carry_from(who)?;
            }
        }
        for (who, base) in [(C, 0), (I, 4)] {
            self.side(who).flush()?;
            if ready[base] {
                self.note_departure(who)?;
            }
        }
        self.tell_if_resting()?;
        self.watcher.pass_on().map_err(JudgeError::Watcher)
    }

    /// Reads one chunk of a program and queues it for the other one; how much was read.
    fn carry_from(&mut self, who: Who) -> Result<usize, JudgeError> {
        let mut chunk = std::mem::take(&mut self.chunk);
        let read = self.side(who).read_stdout(&mut chunk)?;
        let carried = self.carry(who, &chunk);
        self.chunk = chunk;
        carried.map(|()| read)
    }

    fn carry(&mut self, who: Who, chunk: &[u8]) -> Result<(), JudgeError> {
        if chunk.is_empty() {
            return Ok(());
        }
        // First, because the other one waits for it.
        let other = self.side(who.other());
        other.queue(chunk);
        other.flush()?;
        let at = self.now();
        let speaker = match who {
            C => Speaker::Contestant,
            I => Speaker::Judge,
        };
        if who == C {
            self.watcher.stdout(chunk).map_err(JudgeError::Watcher)?;
        }
        let watcher = &mut *self.watcher;
        let split = self.sides[who as usize].split(chunk, |line| watcher.line(at, speaker, line));
        split.map_err(JudgeError::Watcher)
    }

    fn read_stderr(&mut self, who: Who) -> Result<usize, JudgeError> {
        let mut chunk = std::mem::take(&mut self.chunk);
        let read = self.side(who).read_stderr(&mut chunk)?;
        if read == 0 {
            self.chunk = chunk;
            return Ok(0);
        }
        let kept = match who {
            C => {
                push_tail(&mut self.stderr_tail, &chunk);
                let at = self.now();
                self.watcher.stderr(at, &chunk)
            }
            I => {
                self.tails.stderr(&chunk);
                self.watcher.interactor_stderr(&chunk)
            }
        };
        self.chunk = chunk;
        kept.map_err(JudgeError::Watcher)?;
        Ok(read)
    }

    // ---- Ends.

    /// Hears what a program wrote before it ended, and notes how it ended.
    fn note_departure(&mut self, who: Who) -> Result<(), JudgeError> {
        let at = self.now();
        if who == C {
            self.sample()?;
            self.contestant_ended_at = Some(self.contestants_time());
        }
        self.drain(who)?;
        let side = self.side(who);
        let ending = side.process.early_ending();
        let ending = ending.map_err(|e| JudgeError::system("reap a program", e))?;
        side.departure = Some(Departure {
            at,
            ending,
            by_itself: side.told.is_none(),
        });
        side.process.stdin = None;
        side.process.stdout = None;
        side.process.stderr = None;
        side.outbox.clear();
        self.first.get_or_insert(who);
        if who == I {
            self.claim = Some((self.claims)(ending, &self.tails));
        }
        self.rest = RestWatch::new(Duration::ZERO);
        Ok(())
    }

    /// Reads what is in a program's pipes now, and no more.
    fn drain(&mut self, who: Who) -> Result<(), JudgeError> {
        let left = pending(self.side(who).process.stdout.as_ref());
        drain(left, || self.carry_from(who))?;
        let left = pending(self.side(who).process.stderr.as_ref());
        drain(left, || self.read_stderr(who))
    }

    /// Who is to be told that the other one has left, will say nothing more, or hears nothing more.
    fn has_to_tell(&self) -> Option<Who> {
        let must_hear = |who: &Who| {
            let (side, other) = (
                &self.sides[*who as usize],
                &self.sides[who.other() as usize],
            );
            side.must_be_told(*who, other)
        };
        [C, I].into_iter().find(must_hear)
    }

    fn tell_if_resting(&mut self) -> Result<(), JudgeError> {
        let Some(who) = self.has_to_tell() else {
            return Ok(());
        };
        let now = self.now();
        let left = self.side(who.other()).departure;
        let waited_enough = left.is_some_and(|left| now >= left.at + PATIENCE);
        let [side, other] = [who, who.other()].map(|who| &self.sides[who as usize]);
        // One that has closed its pipes may be about to end.
        let rests = || !(other.is_alive() && other.process.is_busy() || side.process.is_busy());
        if !waited_enough && !self.rest.has_rested(now, rests) {
            return Ok(());
        }
        self.tell(who, now)
    }

    /// Closes the pipes of a program that lead nowhere any more.
    fn tell(&mut self, who: Who, now: Duration) -> Result<(), JudgeError> {
        let other = self.side(who.other());
        let (is_silent, is_deaf) = (other.process.stdout.is_none(), other.is_deaf);
        let has_left = !other.is_alive();
        if who == C && (is_deaf || has_left) {
            self.drain(C)?;
            self.side(C).process.stdout = None;
        }
        let side = self.side(who);
        // What it has not read yet still reaches it.
        if is_silent && side.outbox.is_empty() {
            side.process.stdin = None;
        }
        side.told.get_or_insert(now);
        self.rest.restart(now);
        Ok(())
    }

    /// Kills what is left, reaps both, and gathers the facts.
    fn end(mut self) -> Result<SessionEnd, JudgeError> {
        let walls = [self.contestants_time(), self.interactors_time()];
        // Both, before one is waited for.
        self.sides.iter().for_each(|side| side.process.kill());
        for who in [C, I] {
            let left = pending(self.side(who).process.stderr.as_ref());
            drain(left, || self.read_stderr(who))?;
        }
        let ends = [self.contestant(), self.interactor()].map(|side| match side.departure {
            Some(left) if left.by_itself => Ended::ByItself,
            Some(_) => Ended::AfterOther,
            None => Ended::Killed,
        });
        // The interactor first: without a namespace, what it leaves may be counted for the one that is reaped first.
        let [contestant, interactor] = &mut self.sides;
        let failed = |e| JudgeError::system("reap a program", e);
        let interactor = interactor.reap(walls[1]).map_err(failed)?;
        let contestant = contestant.reap(walls[0]).map_err(failed)?;
        Ok(SessionEnd {
            contestant: (contestant, ends[0]),
            interactor: (interactor, ends[1]),
            lines: [self.contestant().lines, self.interactor().lines],
            limits: [self.contestant().limits, self.interactor().limits],
            first: self.first,
            claim: self.claim,
            time_up: self.time_up,
            stderr_tail: self.stderr_tail,
        })
    }
}
