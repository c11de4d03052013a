//! A contest's own local tester at work: how it judges a case.

use std::cell::Cell;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use regex::bytes::Regex;

use super::deadline::{Deadline, TESTER_TIME, is_within, time_of_others};
use super::error::ExternalError;
use super::evidence::Evidence;
use super::spec::ExternalSpec;
use super::tails::OrderedTails;
use super::tap::Tap;
use super::whole_lines::WholeLines;
use crate::judge::ended::EndedCase;
use crate::judge::error::JudgeError;
use crate::judge::live::run_unattended;
use crate::judge::record::{Record, Verdict};
use crate::judge::verdict::{Limits, ProcessFacts, ScoreFacts, external_verdict};
use crate::judge::watcher::Watcher;
use crate::process::{Contestant, Meter, Metered};

/// A contest's own local tester, ready to judge.
#[derive(Clone, Debug)]
pub struct External {
    spec: ExternalSpec,
    score: Regex,
}

impl External {
    /// Compiles what is written down.
    ///
    /// # Errors
    /// If the expression is none.
    pub fn new(spec: ExternalSpec) -> Result<Self, ExternalError> {
        Ok(Self {
            score: Regex::new(&spec.score)?,
            spec,
        })
    }

    /// As it is written down.
    pub fn spec(&self) -> &ExternalSpec {
        &self.spec
    }

    /// Judges one case with a shell that was started with [`ExternalSpec::filled`]. If a `meter` was named to that, time
    /// and memory of the record are those of the contestant alone. `title` is what is known of the problem.
    ///
    /// # Errors
    /// As [`crate::judge::judge`].
    pub fn judge(
        &self,
        title: &str,
        shell: Contestant,
        meter: Option<&Meter>,
        limits: &Limits,
        interrupt: Option<BorrowedFd<'_>>,
        watcher: &mut dyn Watcher,
    ) -> Result<Record, JudgeError> {
        let held_back = Cell::new(0);
        let mut ordered = OrderedTails::new(meter, &held_back);
        let deadline = Deadline::new(meter, limits);
        let time = (limits, &deadline);
        let mut ended = run_line((shell, meter), time, interrupt, &mut ordered, watcher)?;
        let mut evidence = Evidence::new(
            (&self.spec, &self.score),
            meter,
            ended.process.ending,
            &ordered,
        )?;
        let messages = evidence.explain(watcher);
        let timeout = evidence.line_timeout();
        let likely = evidence.likely_score();
        ended.process.timeout.is_spoken_to = self.spec.talks();
        let is_killed = deadline.is_passed();
        let hung = figures_alone(&mut ended.process, evidence.program, is_killed, limits);
        let score = ScoreFacts {
            expression: self.score.as_str(),
            found: evidence.score.map(|score| score.number),
            likely: (likely.as_ref()).map(|likely| (&*likely.line, &*likely.expression)),
            rule: self.spec.score_rule(),
            stdout: evidence.stdout,
            stderr: evidence.stderr.all,
            contestant: evidence.ending,
            never_started: evidence.never_started(),
            timeout: timeout.as_ref().map(|timeout| &*timeout.words),
            hung,
            message: messages.reason.as_deref(),
            message_after_crash: messages.after_crash.as_deref(),
        };
        let outcome = external_verdict(&ended.process, &score, limits);
        let record = ended.record(title.to_owned(), outcome);
        let is_in_reason = match record.verdict {
            // It ended well. What its judge printed is in the reason, or is a score.
            Verdict::Wa | Verdict::Ie => true,
            // The reason ends with it.
            Verdict::Re => messages.reason.is_some(),
            _ => false,
        };
        Ok(Record {
            last_stderr_line: record.last_stderr_line.filter(|_| !is_in_reason),
            ..record
        })
    }
}

/// Runs a line to its end, or to a limit. `ordered` hears its streams, and the stderr that a program has of its own.
fn run_line(
    (line, meter): (Contestant, Option<&Meter>),
    (limits, deadline): (&Limits, &Deadline<'_>),
    interrupt: Option<BorrowedFd<'_>>,
    ordered: &mut OrderedTails<'_>,
    watcher: &mut dyn Watcher,
) -> Result<EndedCase, JudgeError> {
    let extension = || deadline.more_time();
    let held_back = ordered.held_back();
    let mut tap = Tap::new(watcher, ordered);
    let mut lines = WholeLines::new(&mut tap, meter, held_back);
    let mut ended = run_unattended(line, limits, &extension, interrupt, &mut lines)?;
    lines.finish().map_err(JudgeError::Watcher)?;
    ended.stderr_tail = ordered.stderr_end().to_owned();
    Ok(ended)
}

/// Replaces the figures of the whole line by those of the contestant, where these are known. Returns how long after the
/// limit the tester was still running, if that is known to be its own affair.
///
/// A contestant that had not ended in time `is_killed` with the line. Its stage may die after it, and then tell of a time
/// within the limit, because the contestant started later than the line. That time does not count.
fn figures_alone(
    process: &mut ProcessFacts,
    contestant: Option<Metered>,
    is_killed: bool,
    limits: &Limits,
) -> Option<Duration> {
    // Its tester has more time than the contestant, and may have started it several times.
    let others = contestant.map_or(Duration::ZERO, |read| time_of_others(&read, limits));
    let is_late = process.wall.max(process.cpu) > limits.time + TESTER_TIME + others;
    let contestant = contestant.filter(|read| match is_killed {
        true => !is_within(read, limits),
        false => !is_late || is_within(read, limits),
    })?;
    process.wall = contestant.wall;
    process.cpu = contestant.cpu;
    if process.memory_kib <= limits.memory_kib {
        process.memory_kib = contestant.memory_kib;
    }
    is_late.then_some(TESTER_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::verdict::TimeoutState;
    use crate::process::Ending;

    #[test]
    fn a_program_that_was_killed_with_its_tester_is_late_whatever_its_stage_says() {
        let limits = Limits::default();
        let ms = |ms| limits.time + Duration::from_millis(10) - Duration::from_millis(ms);
        let wall_of_record = |wall, is_killed| {
            let mut process = ProcessFacts {
                wall: ms(0),
                cpu: Duration::ZERO,
                memory_kib: 0,
                processes: 3,
                killed_at_kib: None,
                flood: None,
                ending: Ending::Signaled(libc::SIGKILL),
                timeout: TimeoutState::default(),
            };
            let contestant = Metered {
                ending: Ending::Signaled(libc::SIGKILL),
                is_ended_by_tester: false,
                wall,
                cpu: Duration::ZERO,
                memory_kib: 0,
                others: Duration::ZERO,
                start_error: 0,
            };
            assert_eq!(
                figures_alone(&mut process, Some(contestant), is_killed, &limits),
                None
            );
            process.wall
        };
        // It started 12 ms after its tester.
        assert_eq!(wall_of_record(ms(12), true), ms(0));
        // It started 2 ms after it, and its own figure is late too.
        assert_eq!(wall_of_record(ms(2), true), ms(2));
        // It ended in time, and its tester ended by itself 12 ms later.
        assert_eq!(wall_of_record(ms(12), false), ms(12));
    }
}
