//! A contest's own local tester at work: how it judges a case.

use std::cell::Cell;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use regex::bytes::Regex;

use super::deadline::{Deadline, TESTER_TIME, is_within, time_of_others};
use super::error::ExternalError;
use super::likely_score::LikelyScore;
use super::message::{
    Said, is_about_end, is_about_form, is_about_missing_words, is_about_nothing, is_about_number,
    shortened,
};
use super::score::{FoundScore, Stream};
use super::speakers::{Speakers, is_reason_of_its_own};
use super::spec::ExternalSpec;
use super::tails::{OrderedTails, Stderr};
use super::tap::Tap;
use super::whole_lines::WholeLines;
use crate::judge::ended::EndedCase;
use crate::judge::error::JudgeError;
use crate::judge::live::run_unattended;
use crate::judge::reasons as say;
use crate::judge::record::{Record, Verdict};
use crate::judge::verdict::{Limits, ProcessFacts, ScoreFacts, external_verdict};
use crate::judge::watcher::Watcher;
use crate::process::{Contestant, Ending, Meter, Metered};
use crate::util::quote::quote;

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

    /// The score. Where the contestant's stdout goes to a file, the line's own is the tester's: what the contestant prints on
    /// stderr is not taken for a score that stands there. Nor is it elsewhere, where it can be told from what the tester
    /// prints. But a line that hands the contestant's output to no tester has only the score that the contestant says.
    fn found<'a>(&self, stdout: &'a [u8], stderr: Stderr<'a>) -> Option<FoundScore<'a>> {
        let stream = self.spec.stream;
        let testers_own = match (stream, self.spec.redirects_out()) {
            (Stream::Any, true) => Stream::Stdout.last_score(&self.score, stdout, stderr.all),
            _ => None,
        };
        let has_tester = self.spec.talks() || self.spec.reads_out();
        testers_own.or_else(|| {
            stderr.last_score(!has_tester, |stderr| {
                stream.last_score(&self.score, stdout, stderr)
            })
        })
    }

    /// A line that is most likely the score, where none was found. A number alone may also be what the contestant printed,
    /// unless that goes to a file.
    fn likely_score(&self, stdout: &[u8], stderr: &[u8]) -> Option<LikelyScore> {
        let bare = || LikelyScore::bare(stdout).filter(|_| self.spec.writes_out());
        LikelyScore::named(stdout)
            .or_else(|| LikelyScore::named(stderr))
            .or_else(bare)
    }

    /// Whether a score means that a program was refused which the line talks to.
    fn refuses(&self, score: Option<&FoundScore<'_>>) -> bool {
        let rule = self.spec.score_rule();
        self.spec.talks() && score.is_some_and(|score| rule.read(score.number).is_refusal())
    }

    /// Whether the contestant had not ended when its tester left it or refused it: what became of it then is no crash.
    ///
    /// A tester that refuses a line does not kill its program, which then dies of a broken pipe, or reads the end of its
    /// input and fails. Or it is killed, because the line has ended. Which of these happens is a race; so only the order
    /// of causes counts, which never changes:
    ///
    /// - The stage in front of the program tells the meter of an end before anyone else can notice it. If the meter has
    ///   heard of none when the line has ended, the program did not crash.
    /// - If the score of 0 had come while the meter had heard of no end, the tester did not refuse because of that end.
    ///   An answer to a crash always comes after it.
    /// - The stage knows which signals it passed on: a program that its tester has asked to end did not crash.
    /// - The stage itself calls a program well whose output is not read any more, and waits before it tells of one that
    ///   failed after its input was closed.
    ///
    /// Only a score of a tester that talks to the program says when it refused: elsewhere the program may have printed it,
    /// and signals may be those of a time limit.
    fn is_left(
        &self,
        (meter, contestant): (Option<&Meter>, Option<Metered>),
        score: Option<&FoundScore<'_>>,
        ordered: &OrderedTails<'_>,
    ) -> bool {
        let came_first = |score| ordered.came_before_end(score);
        meter.is_some_and(Meter::is_undecided)
            || (contestant.is_some_and(|read| read.is_ended_by_tester) && self.spec.talks())
            || (self.refuses(score) && score.is_some_and(came_first))
    }

    /// Why the case failed: what its program said last, if it crashed, else what its tester said. And what was
    /// printed after the report of a program that crashed.
    fn message(
        &self,
        found: Option<&FoundScore<'_>>,
        (crash, line): (Option<Ending>, Ending),
        (stdout, on_stderr): (&[u8], Stderr<'_>),
    ) -> (Option<String>, Option<String>) {
        // Elsewhere it is what the contestant printed, or a copy of that.
        let testers_stdout = match self.spec.writes_out() {
            true => stdout,
            false => &[],
        };
        let (crashed, stderr) = (crash.is_some(), on_stderr.all);
        let speakers = Speakers::new(stderr, &self.spec.line, line, crash);
        if crashed && let Some((crash, end)) = speakers.programs_crash() {
            // A line that talks to no program has no words of its own.
            if !self.spec.talks() {
                return (Some(shortened(&crash)), None);
            }
            // It has said why before its tester noticed. What comes then is mostly the tester's.
            let rest = on_stderr.after(end + indented(&stderr[end..]));
            let score = self.found(testers_stdout, rest);
            let said = Said {
                expression: &self.score,
                score: score.as_ref(),
                skips_crashes: true,
                stdout: testers_stdout,
                stderr: rest.all,
            };
            let testers = (speakers.testers_crash())
                .map(|crash| shortened(&crash))
                .or_else(|| said.message_beside_crashes())
                .filter(|message| is_reason_of_its_own(message));
            return (Some(shortened(&crash)), testers);
        }
        // A line that ended well has not crashed.
        let are_programs = line == Ending::Exited(0) || speakers.are_programs();
        let said = Said {
            expression: &self.score,
            score: found,
            // What crashes after the tester has left it is no reason.
            skips_crashes: !crashed && (found.is_some() || are_programs),
            stdout: testers_stdout,
            stderr,
        };
        // A tester that crashes after its program does not speak for that.
        if crashed && let Some(crash) = speakers.testers_crash() {
            let after = Some(shortened(&crash)).filter(|crash| is_reason_of_its_own(crash));
            return (said.message_beside_crashes(), after);
        }
        let is_testers = !crashed && found.is_none();
        let crash = is_testers.then(|| speakers.testers_crash()).flatten();
        let crash = crash.map(|crash| shortened(&crash));
        let message = crash.or_else(|| said.message());
        // It has crashed without a report. That its tester noticed is no news.
        if crashed && self.spec.talks() && message.as_deref().is_some_and(is_about_end) {
            let own = said.message_before_end(is_reason_of_its_own);
            return (own.or(message), None);
        }
        (message, None)
    }

    /// What was said, and what it may come from if it is about the form of the output, `{out}`.
    ///
    /// A tester that talks to the program writes the file itself, and may leave out what it cannot read.
    fn with_hint_on_form(
        &self,
        message: String,
        ending: Option<Ending>,
        out: &dyn Watcher,
    ) -> String {
        let ended_well = ending == Some(Ending::Exited(0));
        let lacks_words = ended_well && is_about_missing_words(&message);
        if !lacks_words && !is_about_form(&message) {
            return message;
        }
        let is_programs = self.spec.redirects_out() && !self.spec.talks();
        if is_programs && out.written() == Some(0) {
            say::PRINTED_NOTHING.fill(&[&message])
        } else if lacks_words {
            match out.last_line_written() {
                Some(line) => say::TOO_FEW_WORDS_AT.fill(&[&message, &quote(&line)]),
                None => say::TOO_FEW_WORDS.fill(&[&message]),
            }
        } else if is_about_nothing(&message) || is_about_number(&message) {
            message
        } else {
            say::DEBUG_ON_STDOUT.fill(&[&message])
        }
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
        let contestant = figures_of(meter)?;
        let (stdout, on_stderr) = (ordered.stdout(), ordered.stderr());
        let stderr = on_stderr.all;
        let found = self.found(stdout, on_stderr);
        let number = found.map(|found| found.number);
        let rule = self.spec.score_rule();
        let ending = ending_of(contestant, meter);
        let ending = match self.is_left((meter, contestant), found.as_ref(), &ordered) {
            true => Some(Ending::Exited(0)),
            false => ending,
        };
        let crash = ending.filter(|ending| *ending != Ending::Exited(0));
        let is_refused = ended.process.ending != Ending::Exited(0)
            || number.is_none_or(|number| rule.read(number).is_refusal());
        let ends = (crash, ended.process.ending);
        let messages = || self.message(found.as_ref(), ends, (stdout, on_stderr));
        let (message, message_after_crash) = is_refused.then(messages).unwrap_or_default();
        // Where nothing is known of the program alone, its tester's words are all that there is.
        let is_reason = |message: &String| !is_about_end(message);
        let is_told = message.as_ref().is_some_and(is_reason) && self.refuses(found.as_ref());
        let is_unknown = ending.is_none() && meter.is_none_or(|meter| !meter.has_started());
        let ending = ending.or((is_unknown && is_told).then_some(Ending::Exited(0)));
        let never_started =
            self.spec.shows_start() && meter.is_some_and(|meter| !meter.has_started());
        let message = message.map(|message| match crash {
            // A program that was not started has printed nothing.
            None if !never_started => self.with_hint_on_form(message, ending, watcher),
            _ => message,
        });
        ended.process.timeout.is_spoken_to = self.spec.talks();
        let timeout = self.spec.line_timeout().filter(|timeout| {
            // A program that had ended by itself was within this limit.
            let was_running = contestant.is_none_or(|read| read.is_ended_by_tester);
            was_running && !never_started && timeout.is_reason_of(ended.process.ending)
        });
        let hung = figures_alone(&mut ended.process, contestant, deadline.is_passed(), limits);
        let likely = number.is_none().then(|| self.likely_score(stdout, stderr));
        let likely = likely.flatten();
        let score = ScoreFacts {
            expression: self.score.as_str(),
            found: number,
            likely: (likely.as_ref()).map(|likely| (&*likely.line, &*likely.expression)),
            rule,
            stdout,
            stderr,
            contestant: ending,
            never_started,
            timeout: timeout.as_ref().map(|timeout| &*timeout.words),
            hung,
            message: message.as_deref(),
            message_after_crash: message_after_crash.as_deref(),
        };
        let outcome = external_verdict(&ended.process, &score, limits);
        let record = ended.record(title.to_owned(), outcome);
        let is_in_reason = match record.verdict {
            // It ended well. What its judge printed is in the reason, or is a score.
            Verdict::Wa | Verdict::Ie => true,
            // The reason ends with it.
            Verdict::Re => message.is_some(),
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

/// How the program ended, as far as that is known.
fn ending_of(contestant: Option<Metered>, meter: Option<&Meter>) -> Option<Ending> {
    let ended = contestant.or_else(|| meter.and_then(Meter::failed));
    ended.map(|ended| ended.ending)
}

/// The figures of the program. There are none to judge by if the machine did not start it, or had no room for its stderr.
fn figures_of(meter: Option<&Meter>) -> Result<Option<Metered>, JudgeError> {
    let contestant = meter.and_then(Meter::read);
    if let Some(error) = contestant.and_then(|read| read.start_failure()) {
        return Err(JudgeError::system("start the program", error));
    }
    match meter.and_then(Meter::stderr_failure) {
        Some(error) => Err(JudgeError::system("read the program's stderr", error)),
        None => Ok(contestant),
    }
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

/// How long the rest of the first line and the indented lines below are: what belongs to the report of a crash that ends
/// before this text, such as both sides of an assertion.
fn indented(text: &[u8]) -> usize {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().map_or(0, <[u8]>::len);
    let is_indented = |line: &&[u8]| line.starts_with(b" ") || line.starts_with(b"\t");
    let below: usize = lines.take_while(is_indented).map(<[u8]>::len).sum();
    first + below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::verdict::TimeoutState;

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
