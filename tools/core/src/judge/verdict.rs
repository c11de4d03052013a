//! The verdict: the one place where it is decided. Facts in, verdict, score and reason out. (A case that the
//! machine could not judge has no facts: `Record::internal_error` makes its IE.)
//!
//! A function for each situation:
//!
//! - `builtin_verdict`: a program against a case of a built-in problem;
//! - `external_verdict`: another judge's line, and the score that it printed;
//! - `interactor::blame`: two programs that speak with each other, in a file of its own;
//! - [`dialogue_verdict`]: `tester judge`, which hears lines and starts no program;
//! - [`replay_verdict`]: a session that is replayed from its output or transcript.
//!
//! All are pure and total: they know no process and no clock, and every combination of facts has a verdict.
//! The order of the checks is that of the table of verdicts in the documentation. What was seen first to be the
//! contestant's own mistake is named before what followed from it. That a program exited without an answer comes
//! last: what passes a limit may be killed or may just have exited by itself, and the verdict must not depend on
//! that.

mod endings;
mod score_facts;

use std::time::Duration;

pub use super::limits::Limits;
use super::printed_score::PrintedScore;
use super::reasons as say;
use super::record::Verdict;
use super::referee::SessionFacts;
use crate::problem::{Score, TurnError};
use crate::process::Ending;
use crate::util::template::Template;
pub(super) use endings::ending_sentence;
pub(crate) use score_facts::ScoreFacts;

// ---- Facts.

/// What is known of a program that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProcessFacts {
    /// From its start to its end.
    pub wall: Duration,
    /// Its processor time.
    pub cpu: Duration,
    /// The most memory that was resident, of all its processes.
    pub memory_kib: u64,
    /// The most processes that were seen alive at once.
    pub processes: u64,
    /// How much memory it had, files in memory among it, when the kernel killed it because it wanted more.
    pub killed_at_kib: Option<u64>,
    /// Whether it wrote too much.
    pub flood: Option<Flood>,
    /// Its reaped status.
    pub ending: Ending,
    /// What it was doing when its time was up.
    pub timeout: TimeoutState,
}

/// Where too much was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flood {
    /// On stdout altogether.
    Stdout,
    /// On stderr altogether.
    Stderr,
    /// In one line of stdout.
    Line,
}

/// What the contestant was doing when its time was up, as far as can be seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeoutState {
    /// Whether it had already exited by itself.
    pub exited: bool,
    /// The beginning of a line that it has not ended, quoted.
    pub unended_line: Option<String>,
    /// Whether it was running, and not waiting for anything.
    pub running: bool,
    /// Whether it has closed its stdin, or we have.
    pub stdin_closed: bool,
    /// Bytes that we sent and it has not read.
    pub unread_bytes: u64,
    /// Bytes that it wrote on stdout and we have not read, although we waited for no room to write. A line that came
    /// just now does not count.
    pub unheard_bytes: u64,
    /// Whether it has closed its stdout.
    pub stdout_closed: bool,
    /// Whether another judge talks to it, as far as is known: it may wait for a reply to what it has not flushed.
    pub is_spoken_to: bool,
}

// ---- Decisions.

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The score; 0 unless the verdict is AC.
    pub score: Score,
    /// Why, in one line. `None` for AC, unless a contest may count something against the contestant.
    pub reason: Option<String>,
}

impl Outcome {
    pub(super) fn accepted(score: Score) -> Self {
        Self {
            verdict: Verdict::Ac,
            score,
            reason: None,
        }
    }

    /// The same, with what a contest may count against the contestant.
    fn but(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }

    pub(super) fn refused(verdict: Verdict, reason: String) -> Self {
        Self {
            verdict,
            score: Score::default(),
            reason: Some(reason),
        }
    }
}

/// Decides for a program that played a case of a built-in problem.
pub(crate) fn builtin_verdict(
    session: &SessionFacts,
    process: &ProcessFacts,
    limits: &Limits,
) -> Outcome {
    if let Some(outcome) = broken_protocol(session) {
        return outcome;
    }
    if let Some((verdict, what)) = process.failure(Some(session), limits) {
        return Outcome::refused(verdict, at(session, &what));
    }
    let unfinished = match session.silent {
        true => &say::EXITED_SILENTLY,
        false => &say::GAVE_UP,
    };
    score_or(session, unfinished)
}

/// Why a tool that is no judge did not end well, or passed a limit; `None` if it ended well.
pub(crate) fn tool_failure(process: &ProcessFacts, limits: &Limits) -> Option<(Verdict, String)> {
    process.failure(None, limits)
}

/// Decides for another judge's line: it has to end well, and to print a score.
///
/// A contestant that crashed is told apart from one whose output was refused. Its crash comes first, for a judge that
/// reads nothing more often calls that a wrong answer.
pub(crate) fn external_verdict(
    process: &ProcessFacts,
    score: &ScoreFacts<'_>,
    limits: &Limits,
) -> Outcome {
    if let Some((verdict, what)) = process.passed_limit(None, limits) {
        return Outcome::refused(verdict, what);
    }
    if let Some(timeout) = score.timeout {
        return Outcome::refused(Verdict::Tle, say::LINE_TIMEOUT.fill(&[&timeout]));
    }
    let crashed = score
        .contestant
        .filter(|ending| *ending != Ending::Exited(0));
    let crash = |ending| Outcome::refused(Verdict::Re, score.with_messages(ending));
    let refused = || Outcome::refused(Verdict::Wa, score.refusal());
    if process.ending != Ending::Exited(0) || score.hung.is_some() {
        return match (crashed, score.contestant) {
            // It gave its verdict, and says by its status too that the case failed.
            (None, Some(_)) if score.is_refusal() && score.hung.is_none() => refused(),
            (None, None) if score.never_started => {
                let what = say::TESTER_STARTED_NOTHING.fill(&[&ending_sentence(process.ending)]);
                Outcome::refused(Verdict::Wa, score.with_message(what))
            }
            (None, Some(_)) => {
                let what = match score.hung {
                    Some(time) => score.with_message(say::TESTER_HUNG.fill(&[&time.as_secs()])),
                    None => score.failed_tester(process.ending),
                };
                Outcome::refused(Verdict::Wa, what)
            }
            (crashed, _) => crash(crashed.unwrap_or(process.ending)),
        };
    }
    let Some(found) = score.found else {
        if let Some(ending) = crashed {
            return crash(ending);
        }
        return Outcome::refused(Verdict::Wa, score.no_score());
    };
    match score.rule.read(found) {
        PrintedScore::Zero | PrintedScore::Negative => match crashed {
            Some(ending) => crash(ending),
            None => refused(),
        },
        // The other judge's own score stands, however its contestant ended.
        PrintedScore::Score(score) => {
            let failed = |ending| say::FAILED_AFTER_SCORE.fill(&[&ending_sentence(ending)]);
            Outcome::accepted(score.into()).but(crashed.map(failed))
        }
        // Neither the contestant's fault nor a score that could be kept.
        PrintedScore::Other => Outcome::refused(Verdict::Ie, score.rule.not_a_score(found)),
    }
}

/// Decides for a program that we have not started, and of which we know only its lines. `long_line` is the
/// beginning of a line that was too long to be read, quoted; it was the last one.
pub fn dialogue_verdict(
    session: &SessionFacts,
    long_line: Option<&str>,
    limits: &Limits,
) -> Outcome {
    if let Some(outcome) = broken_protocol(session) {
        return outcome;
    }
    if let (Some(line), false) = (long_line, session.solved) {
        let what = say::INPUT_LINE_TOO_LONG.fill(&[&limits.line_bytes, &line]);
        return Outcome::refused(Verdict::Ole, at(session, &what));
    }
    score_or(session, &say::INPUT_ENDED)
}

/// Decides for a session that is replayed. `recorded` is the verdict that its transcript ends with: only that knows
/// limits and exit status. The rules decide whether a game is won.
pub fn replay_verdict(session: &SessionFacts, recorded: Option<(Verdict, String)>) -> Outcome {
    if let Some((verdict, reason)) = recorded.filter(|(verdict, _)| *verdict != Verdict::Ac) {
        return Outcome::refused(verdict, reason);
    }
    if let Some(outcome) = broken_protocol(session) {
        return outcome;
    }
    score_or(session, &say::OUTPUT_ENDED)
}

/// The score of a game that is over, or that may end here. Else `unfinished` says what was expected.
fn score_or(session: &SessionFacts, unfinished: &Template) -> Outcome {
    if session.solved || session.may_exit {
        return Outcome::accepted(session.score);
    }
    let what = match session.incomplete_lines {
        0 => unfinished.fill(&[]),
        lines => say::QUESTION_NOT_COMPLETE.fill(&[&lines]),
    };
    Outcome::refused(Verdict::Wa, at(session, &what))
}

// ---- Reasons.

/// The verdict on a line that broke the protocol, if there was one.
fn broken_protocol(session: &SessionFacts) -> Option<Outcome> {
    let violation = session.violation.as_ref()?;
    let error = match &violation.error {
        TurnError::Format(why) => say::DEBUG_OR_COMMENT.fill(&[why]),
        other => other.to_string(),
    };
    let reason = say::AT_TURN.fill(&[&violation.turn, &error]);
    Some(Outcome::refused(Verdict::Wa, reason))
}

/// What happened, and when: at the turn that was due, or after the last one of a game that is over.
fn at(session: &SessionFacts, what: &str) -> String {
    match session.solved {
        true => say::AFTER_END.fill(&[&session.turns, &what]),
        false => say::AT_TURN.fill(&[&(session.turns + 1), &what]),
    }
}

impl ProcessFacts {
    /// The first limit that was passed, or how it ended if not well. `session` is what it played; nothing if there was
    /// no dialogue with it.
    fn failure(
        &self,
        session: Option<&SessionFacts>,
        limits: &Limits,
    ) -> Option<(Verdict, String)> {
        let crashed = || (Verdict::Re, ending_sentence(self.ending));
        self.passed_limit(session, limits)
            .or_else(|| (self.ending != Ending::Exited(0)).then(crashed))
    }

    /// The first limit that was passed; `session` as above.
    pub(super) fn passed_limit(
        &self,
        session: Option<&SessionFacts>,
        limits: &Limits,
    ) -> Option<(Verdict, String)> {
        if self.wall.max(self.cpu) > limits.time {
            return Some((Verdict::Tle, self.too_slow(session, limits)));
        }
        if let Some(kib) = self.killed_at_kib {
            let (used, limit) = (kib / 1024, limits.memory_kib / 1024);
            return Some((Verdict::Mle, say::KILLED_FOR_MEMORY.fill(&[&used, &limit])));
        }
        if self.memory_kib > limits.memory_kib {
            let (used, limit) = (self.memory_kib.div_ceil(1024), limits.memory_kib / 1024);
            return Some((Verdict::Mle, say::TOO_LARGE.fill(&[&used, &limit])));
        }
        if let Some(flood) = self.flood {
            return Some((Verdict::Ole, flood.sentence(limits)));
        }
        if self.processes > limits.processes {
            let what = say::TOO_MANY_PROCESSES.fill(&[&self.processes, &limits.processes]);
            return Some((Verdict::Re, what));
        }
        None
    }

    fn too_slow(&self, session: Option<&SessionFacts>, limits: &Limits) -> String {
        self.too_slow_because(&self.when_time_was_up(session), limits)
    }

    /// How much time passed; `what` it was doing then.
    pub(super) fn too_slow_because(&self, what: &str, limits: &Limits) -> String {
        let seconds = |time: Duration| format!("{:.2}", time.as_secs_f64());
        let limit = limits.time.as_secs_f64();
        say::TOO_SLOW.fill(&[&seconds(self.wall), &seconds(self.cpu), &limit, &what])
    }

    /// Whether it computed for more than half of its time.
    pub(super) fn computes_mostly(&self) -> bool {
        self.cpu * 2 > self.wall
    }

    /// Whether it still computed when its time was up, as far as `state` tells. One look may miss that it is running. If
    /// it computed for less than nine tenths of its time and has read all, it may as well have waited for a reply.
    pub(super) fn computes_to_the_end(&self, state: &TimeoutState) -> bool {
        let waits_elsewhere = match state.is_spoken_to {
            true => false,
            false => state.unread_bytes > 0 || state.stdin_closed,
        };
        let nearly_always = self.cpu * 10 > self.wall * 9;
        state.running || nearly_always || (self.computes_mostly() && waits_elsewhere)
    }

    /// What it was doing then.
    fn when_time_was_up(&self, session: Option<&SessionFacts>) -> String {
        let state = &self.timeout;
        let is_mostly_computing = self.computes_mostly();
        let computing = self.computes_to_the_end(state);
        let sentence = match session {
            _ if state.exited => say::EXITED_LATE,
            None if computing => say::STILL_COMPUTING,
            None if state.is_spoken_to && is_mostly_computing => say::COMPUTED_THEN_SLEPT,
            None if state.is_spoken_to => say::SLEPT_OR_UNHEARD,
            None => say::SLEPT,
            Some(session) if session.solved => say::NOT_EXITED,
            Some(session) => {
                if state.unheard_bytes > 0 {
                    return say::NOT_HEARD.fill(&[&state.unheard_bytes]);
                }
                if let Some(line) = &state.unended_line {
                    return say::LINE_NOT_ENDED.fill(&[line]);
                }
                if state.stdout_closed {
                    say::OUTPUT_CLOSED
                } else if computing {
                    say::COMPUTING_LINE
                } else if state.stdin_closed {
                    say::INPUT_CLOSED
                } else if state.unread_bytes > 0 {
                    return say::UNREAD.fill(&[&state.unread_bytes]);
                } else if session.incomplete_lines > 0 {
                    return say::WAITED_FOR_LINES.fill(&[&session.incomplete_lines]);
                } else if session.blank {
                    say::BOTH_WAITED_AFTER_BLANK
                } else if session.unanswered {
                    say::BOTH_WAITED_AFTER_NO_REPLY
                } else if is_mostly_computing {
                    say::COMPUTED_THEN_SLEPT
                } else if session.turns == 0 {
                    say::BOTH_WAITED_FOR_THE_FIRST
                } else {
                    say::BOTH_WAITED
                }
            }
        };
        sentence.fill(&[])
    }
}

impl Flood {
    fn sentence(self, limits: &Limits) -> String {
        match self {
            Self::Stdout => say::STDOUT_TOO_LONG.fill(&[&limits.output_bytes]),
            Self::Stderr => say::STDERR_TOO_LONG.fill(&[&limits.output_bytes]),
            Self::Line => say::LINE_TOO_LONG.fill(&[&limits.line_bytes]),
        }
    }
}

#[cfg(test)]
mod tests;
