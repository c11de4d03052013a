//! What is known of a case whose line has ended, and what that says of the program in it.

use regex::bytes::Regex;

use super::likely_score::LikelyScore;
use super::message::{
    Said, is_about_end, is_about_form, is_about_missing_words, is_about_nothing, is_about_number,
};
use super::programs::LineTimeout;
use super::score::{FoundScore, Stream};
use super::speakers::{Speakers, is_reason_of_its_own};
use super::spec::ExternalSpec;
use super::tails::{OrderedTails, Stderr};
use crate::judge::error::JudgeError;
use crate::judge::reasons as say;
use crate::judge::watcher::Watcher;
use crate::process::{Ending, Meter, Metered};
use crate::util::quote::quote;

/// What is known of a case whose line has ended, before anything is decided.
pub(super) struct Evidence<'a> {
    spec: &'a ExternalSpec,
    /// What finds the score.
    expression: &'a Regex,
    meter: Option<&'a Meter>,
    /// How the line ended.
    line: Ending,
    /// The figures of the program alone, if they are known.
    pub(super) program: Option<Metered>,
    /// How the program ended, if that is known: well if its tester had left it before.
    pub(super) ending: Option<Ending>,
    pub(super) stdout: &'a [u8],
    pub(super) stderr: Stderr<'a>,
    pub(super) score: Option<FoundScore<'a>>,
}

/// Why a case failed, in words of the program and of its tester.
#[derive(Default)]
pub(super) struct Messages {
    /// What the program said last, if it crashed, else what its tester said.
    pub(super) reason: Option<String>,
    /// What was printed after the report of a program that crashed.
    pub(super) after_crash: Option<String>,
}

impl<'a> Evidence<'a> {
    /// Reads what the meter and both streams tell of a line that ended so.
    ///
    /// # Errors
    /// If the machine did not start the program, or had no room for its stderr: then there is nothing to judge by.
    pub(super) fn new(
        (spec, expression): (&'a ExternalSpec, &'a Regex),
        meter: Option<&'a Meter>,
        line: Ending,
        streams: &'a OrderedTails<'_>,
    ) -> Result<Self, JudgeError> {
        let program = meter.and_then(Meter::read);
        if let Some(error) = program.and_then(|read| read.start_failure()) {
            return Err(JudgeError::system("start the program", error));
        }
        if let Some(error) = meter.and_then(Meter::stderr_failure) {
            return Err(JudgeError::system("read the program's stderr", error));
        }
        let (stdout, stderr) = (streams.stdout(), streams.stderr());
        let ended = program.or_else(|| meter.and_then(Meter::failed));
        let mut evidence = Self {
            spec,
            expression,
            meter,
            line,
            program,
            ending: ended.map(|ended| ended.ending),
            stdout,
            stderr,
            score: score_in((spec, expression), stdout, stderr),
        };
        if evidence.is_left(streams) {
            evidence.ending = Some(Ending::Exited(0));
        }
        Ok(evidence)
    }

    /// Whether the program had not ended when its tester left it or refused it: what became of it then is no crash.
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
    fn is_left(&self, streams: &OrderedTails<'_>) -> bool {
        let came_first = |score| streams.came_before_end(score);
        self.meter.is_some_and(Meter::is_undecided)
            || (self.program.is_some_and(|read| read.is_ended_by_tester) && self.talks())
            || (self.refuses() && self.score.as_ref().is_some_and(came_first))
    }

    /// How the program crashed, if it did.
    fn crash(&self) -> Option<Ending> {
        self.ending.filter(|ending| *ending != Ending::Exited(0))
    }

    fn talks(&self) -> bool {
        self.spec.talks()
    }

    /// Whether the score means a refusal.
    fn is_refusal(&self, score: &FoundScore<'_>) -> bool {
        let rule = self.spec.score_rule();
        rule.read(score.number).is_refusal()
    }

    /// Whether the score means that a program was refused which the line talks to.
    fn refuses(&self) -> bool {
        self.talks() && (self.score.as_ref()).is_some_and(|score| self.is_refusal(score))
    }

    fn has_not_started(&self) -> bool {
        self.meter.is_some_and(|meter| !meter.has_started())
    }

    /// Whether it is known that the tester never started the program.
    pub(super) fn never_started(&self) -> bool {
        self.spec.shows_start() && self.has_not_started()
    }

    /// Why the case failed, if it did. Where the tester's words are all that there is, they are taken as a sign that the
    /// program ended well. `out` has heard what came to `{out}`.
    pub(super) fn explain(&mut self, out: &dyn Watcher) -> Messages {
        let is_accepted = (self.score.as_ref()).is_some_and(|score| !self.is_refusal(score));
        if self.line == Ending::Exited(0) && is_accepted {
            return Messages::default();
        }
        let mut messages = self.messages();
        let crashed = self.crash().is_some();
        // Where nothing is known of the program alone, its tester's words are all that there is.
        let is_unknown = self.ending.is_none() && (self.meter.is_none() || self.has_not_started());
        let is_reason = |message: &String| !is_about_end(message);
        if is_unknown && messages.reason.as_ref().is_some_and(is_reason) && self.refuses() {
            self.ending = Some(Ending::Exited(0));
        }
        // A program that was not started has printed nothing.
        if !crashed && !self.never_started() {
            let reason = messages.reason.take();
            messages.reason = reason.map(|message| self.with_hint_on_form(message, out));
        }
        messages
    }

    fn messages(&self) -> Messages {
        let (line, crash) = (&self.spec.line, self.crash());
        let speakers = Speakers::new(self.stderr.all, line, self.line, crash);
        if crash.is_some() {
            return match speakers.programs_crash() {
                Some(report) => self.messages_with_report(&speakers, report),
                None => self.messages_without_report(&speakers),
            };
        }
        let has_score = self.score.is_some();
        let testers_crash = || speakers.testers_crash().filter(|_| !has_score);
        // A line that ended well has not crashed.
        let are_programs = self.line == Ending::Exited(0) || speakers.are_programs();
        let said = Said {
            // What crashes after the tester has left it is no reason.
            skips_crashes: has_score || are_programs,
            ..self.said()
        };
        Messages {
            reason: testers_crash().or_else(|| said.message()),
            after_crash: None,
        }
    }

    /// What is said of a program that crashed with a report, which ends at a place of stderr.
    fn messages_with_report(
        &self,
        speakers: &Speakers<'_>,
        (crash, end): (String, usize),
    ) -> Messages {
        // It has said why before its tester noticed. What comes then is mostly the tester's.
        let testers = || {
            let rest = self.stderr.after(end + indented(&self.stderr.all[end..]));
            let score = score_in((self.spec, self.expression), self.testers_stdout(), rest);
            let said = Said {
                score: score.as_ref(),
                stderr: rest.all,
                ..self.said()
            };
            let message = (speakers.testers_crash()).or_else(|| said.message_beside_crashes());
            message.filter(|message| is_reason_of_its_own(message))
        };
        Messages {
            reason: Some(crash),
            // A line that talks to no program has no words of its own.
            after_crash: self.talks().then(testers).flatten(),
        }
    }

    /// What is said of a program that crashed without a report.
    fn messages_without_report(&self, speakers: &Speakers<'_>) -> Messages {
        let said = self.said();
        // A tester that crashes after its program does not speak for that.
        if let Some(crash) = speakers.testers_crash() {
            return Messages {
                reason: said.message_beside_crashes(),
                after_crash: Some(crash).filter(|crash| is_reason_of_its_own(crash)),
            };
        }
        let mut reason = said.message();
        // That its tester noticed the crash is no news.
        if self.talks() && reason.as_deref().is_some_and(is_about_end) {
            reason = said.message_before_end(is_reason_of_its_own).or(reason);
        }
        Messages {
            reason,
            after_crash: None,
        }
    }

    /// Where the tester's words are looked for, reports of crashes among them.
    fn said(&self) -> Said<'_> {
        Said {
            expression: self.expression,
            score: self.score.as_ref(),
            skips_crashes: false,
            stdout: self.testers_stdout(),
            stderr: self.stderr.all,
        }
    }

    /// What is the tester's of stdout: elsewhere it is what the contestant printed, or a copy of that.
    fn testers_stdout(&self) -> &'a [u8] {
        match self.spec.writes_out() {
            true => self.stdout,
            false => &[],
        }
    }

    /// What was said, and what it may come from if it is about the form of the output, `{out}`.
    ///
    /// A tester that talks to the program writes the file itself, and may leave out what it cannot read.
    fn with_hint_on_form(&self, message: String, out: &dyn Watcher) -> String {
        let ended_well = self.ending == Some(Ending::Exited(0));
        let lacks_words = ended_well && is_about_missing_words(&message);
        if !lacks_words && !is_about_form(&message) {
            return message;
        }
        let is_programs = self.spec.redirects_out() && !self.talks();
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

    /// The `timeout` of the line, if it ended the line while the program was running.
    pub(super) fn line_timeout(&self) -> Option<LineTimeout> {
        // A program that had ended by itself was within this limit.
        let was_running = self.program.is_none_or(|read| read.is_ended_by_tester);
        let timeout = self.spec.line_timeout()?;
        (was_running && !self.never_started() && timeout.is_reason_of(self.line)).then_some(timeout)
    }

    /// A line that is most likely the score, where none was found. A number alone may also be what the contestant printed,
    /// unless that goes to a file.
    pub(super) fn likely_score(&self) -> Option<LikelyScore> {
        if self.score.is_some() {
            return None;
        }
        let bare = || LikelyScore::bare(self.stdout).filter(|_| self.spec.writes_out());
        LikelyScore::named(self.stdout)
            .or_else(|| LikelyScore::named(self.stderr.all))
            .or_else(bare)
    }
}

/// The score. Where the contestant's stdout goes to a file, the line's own is the tester's: what the contestant prints on
/// stderr is not taken for a score that stands there. Nor is it elsewhere, where it can be told from what the tester
/// prints. But a line that hands the contestant's output to no tester has only the score that the contestant says.
fn score_in<'a>(
    (spec, expression): (&ExternalSpec, &Regex),
    stdout: &'a [u8],
    stderr: Stderr<'a>,
) -> Option<FoundScore<'a>> {
    let testers_own = match (spec.stream, spec.redirects_out()) {
        (Stream::Any, true) => Stream::Stdout.last_score(expression, stdout, stderr.all),
        _ => None,
    };
    let has_tester = spec.talks() || spec.reads_out();
    testers_own.or_else(|| {
        stderr.last_score(!has_tester, |stderr| {
            spec.stream.last_score(expression, stdout, stderr)
        })
    })
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
