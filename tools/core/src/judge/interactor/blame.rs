//! Whose fault it was: from what is known of both programs to a verdict. Pure and total.
//!
//! In this order, so that the verdict does not depend on which of two processes the kernel ran first:
//!
//! 1. An interactor that refused or failed by itself, before it knew that the contestant had ended, or while the
//!    contestant still ran: its verdict.
//! 2. A limit that the contestant passed. When its time was up while it only waited, and the interactor did not do its
//!    part, that is the interactor's failure.
//! 3. A contestant that crashed by itself: RE.
//! 4. A limit that the interactor passed: IE.
//! 5. What the interactor says. A contestant that died after the interactor had left is judged by this too.

use super::side::Who;
use crate::judge::external::Claim;
use crate::judge::reasons as say;
use crate::judge::record::Verdict;
use crate::judge::verdict::{Limits, Outcome, ProcessFacts, TimeoutState, ending_sentence};
use crate::problem::Score;
use crate::process::Ending;

/// How one of the two came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Before it was told that the other one had left.
    ByItself,
    /// After it was told so.
    AfterOther,
    /// We have killed it.
    Killed,
}

/// What both were doing when the contestant's time was up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeUp {
    pub(super) contestant: TimeoutState,
    pub(super) interactor: TimeoutState,
}

/// What is known of a session when both have ended.
#[derive(Debug)]
pub(super) struct SessionEnd {
    pub(super) contestant: (ProcessFacts, Ended),
    /// Its wall time is how long it went on after the contestant.
    pub(super) interactor: (ProcessFacts, Ended),
    /// How many lines the contestant and the interactor have written.
    pub(super) lines: [u64; 2],
    /// The limits of the contestant and of the interactor.
    pub(super) limits: [Limits; 2],
    /// Who ended first, unless we killed both.
    pub(super) first: Option<Who>,
    /// What the interactor says, if it ended.
    pub(super) claim: Option<Claim>,
    /// Set if the contestant's time was up while it ran.
    pub(super) time_up: Option<TimeUp>,
    /// The end of what the contestant wrote on stderr.
    pub(super) stderr_tail: Vec<u8>,
}

type Refusal = (Verdict, String);

impl SessionEnd {
    /// The verdict, with who ended first in its reason.
    pub(super) fn outcome(&self) -> Outcome {
        match self.decide() {
            Ok(score) => Outcome::accepted(score),
            Err((verdict, what)) => Outcome::refused(verdict, self.with_order(&what)),
        }
    }

    fn decide(&self) -> Result<Score, Refusal> {
        let ((contestant, its_end), (interactor, end)) = (&self.contestant, &self.interactor);
        let refuses = !matches!(self.claim, Some(Claim::Accepted(_)));
        let was_first = self.first == Some(Who::Interactor);
        if self.claim.is_some() && refuses && (*end == Ended::ByItself || was_first) {
            return self.claimed();
        }
        if let Some(refusal) = self.contestants_limit() {
            return Err(refusal);
        }
        if *its_end == Ended::ByItself && contestant.ending != Ending::Exited(0) {
            return Err((Verdict::Re, ending_sentence(contestant.ending)));
        }
        if let Some(what) = self.interactors_limit(interactor) {
            return Err(failed(&what));
        }
        self.claimed()
    }

    /// What the interactor says.
    fn claimed(&self) -> Result<Score, Refusal> {
        match &self.claim {
            Some(Claim::Accepted(score)) => Ok(score.unwrap_or(self.lines[0].into())),
            Some(Claim::Wrong(why)) => {
                let why = why.clone();
                let why = why.unwrap_or_else(|| say::INTERACTOR_GAVE_NO_REASON.fill(&[]));
                Err((Verdict::Wa, say::INTERACTOR_REFUSED.fill(&[&why])))
            }
            Some(Claim::Failed(why)) => Err(failed(why)),
            None => Err(failed(&ending_sentence(self.interactor.0.ending))),
        }
    }

    /// The limit that the contestant passed, if it did.
    fn contestants_limit(&self) -> Option<Refusal> {
        let (contestant, limits) = (&self.contestant.0, &self.limits[0]);
        if contestant.wall.max(contestant.cpu) <= limits.time {
            return contestant.passed_limit(None, limits);
        }
        let slow = |what: String| (Verdict::Tle, contestant.too_slow_because(&what, limits));
        let Some(time_up) = &self.time_up else {
            return Some(slow(say::EXITED_LATE.fill(&[])));
        };
        let interactors = self.interactors_part(time_up).map(|what| failed(&what));
        Some(interactors.unwrap_or_else(|| slow(self.contestants_part(time_up))))
    }

    /// Why it is the interactor's failure that the contestant's time was up.
    fn interactors_part(
        &self,
        TimeUp {
            contestant,
            interactor,
        }: &TimeUp,
    ) -> Option<String> {
        let (used, limits) = (&self.contestant.0, &self.limits[0]);
        let is_contestants = contestant.running
            || contestant.unread_bytes > 0
            || used.cpu > limits.time
            || used.cpu * 2 > used.wall;
        if is_contestants || interactor.exited {
            return None;
        }
        if interactor.unread_bytes > 0 {
            return Some(say::INTERACTOR_UNREAD.fill(&[&interactor.unread_bytes]));
        }
        let line = interactor.unended_line.as_ref();
        let line = line.filter(|_| contestant.unended_line.is_none());
        line.map(|line| say::INTERACTOR_LINE_NOT_ENDED.fill(&[line]))
    }

    /// What the contestant was doing when its time was up.
    fn contestants_part(
        &self,
        TimeUp {
            contestant,
            interactor,
        }: &TimeUp,
    ) -> String {
        let used = &self.contestant.0;
        if used.computes_to_the_end(contestant) {
            return say::STILL_COMPUTING.fill(&[]);
        }
        if interactor.exited {
            return say::NOT_EXITED_AFTER_INTERACTOR.fill(&[]);
        }
        if contestant.unread_bytes > 0 {
            return say::REPLIES_UNREAD.fill(&[&contestant.unread_bytes]);
        }
        if let Some(line) = &contestant.unended_line {
            return say::INPUT_LINE_NOT_ENDED.fill(&[line]);
        }
        if contestant.stdout_closed {
            return say::OUTPUT_CLOSED.fill(&[]);
        }
        if contestant.stdin_closed {
            return say::INPUT_CLOSED.fill(&[]);
        }
        if used.computes_mostly() {
            return say::COMPUTED_THEN_SLEPT.fill(&[]);
        }
        let [contestants, interactors] = self.lines;
        say::BOTH_WAITED_FOR_LINES.fill(&[&contestants, &interactors])
    }

    /// The limit that the interactor passed, if it did.
    fn interactors_limit(&self, used: &ProcessFacts) -> Option<String> {
        let limits = &self.limits[1];
        if used.wall.max(used.cpu) <= limits.time {
            let passed = used.passed_limit(None, limits);
            return passed.map(|(_, what)| what);
        }
        let seconds = |time: std::time::Duration| format!("{:.2}", time.as_secs_f64());
        let limit = limits.time.as_secs_f64();
        let times = [&seconds(used.cpu), &seconds(used.wall)];
        Some(say::INTERACTOR_TOO_SLOW.fill(&[times[0], times[1], &limit]))
    }

    fn with_order(&self, what: &str) -> String {
        let order = match (self.contestant.1, self.interactor.1, self.first) {
            (Ended::ByItself, Ended::ByItself, _) => say::BOTH_ENDED,
            (_, _, Some(Who::Contestant)) => say::PROGRAM_ENDED_FIRST,
            (_, _, Some(Who::Interactor)) => say::INTERACTOR_ENDED_FIRST,
            (_, _, None) => say::NEITHER_ENDED,
        };
        order.fill(&[&what])
    }
}

fn failed(what: &str) -> Refusal {
    (Verdict::Ie, say::INTERACTOR_FAILED.fill(&[&what]))
}

#[cfg(test)]
mod tests;
