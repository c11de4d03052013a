//! What is known of a case that another judge decides, and how its words become a reason.

use std::time::Duration;

use super::endings::ending_sentence;
use crate::judge::crash_report::{CrashReport, crash_reports};
use crate::judge::printed_score::ScoreRule;
use crate::judge::reasons as say;
use crate::process::Ending;
use crate::util::quote::{last_line, one_line, quote};

/// Where another judge's score was looked for, and what was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreFacts<'a> {
    /// The expression that finds it.
    pub expression: &'a str,
    /// What it found.
    pub found: Option<&'a [u8]>,
    /// If it found nothing: a line that is most likely the score, and an expression for it.
    pub likely: Option<(&'a str, &'a str)>,
    /// How it is read.
    pub rule: ScoreRule,
    /// The end of stdout.
    pub stdout: &'a [u8],
    /// The end of stderr.
    pub stderr: &'a [u8],
    /// How the contestant itself ended, which the other judge may have started: well if its tester had left it before,
    /// nothing if that is not known.
    pub contestant: Option<Ending>,
    /// Whether it is known that the other judge never started it.
    pub never_started: bool,
    /// The `timeout` in the other judge's line, if it ended the line while the contestant was running.
    pub timeout: Option<&'a str>,
    /// If the contestant ended in time and the other judge did not: how long after the limit that was still running.
    pub hung: Option<Duration>,
    /// What the other judge said of the case beside the score; of a contestant that crashed, what that said.
    pub message: Option<&'a str>,
    /// What the other judge said of a contestant that crashed, beside that.
    pub message_after_crash: Option<&'a str>,
}

impl ScoreFacts<'_> {
    /// Whether the other judge gave the score that means a wrong answer.
    pub(super) fn is_refusal(&self) -> bool {
        self.found
            .is_some_and(|found| self.rule.read(found).is_refusal())
    }

    /// Why a wrong answer is one.
    pub(super) fn refusal(&self) -> String {
        self.rule
            .refusal(self.found.unwrap_or_default(), self.message)
    }

    /// Why there is no score: what the other judge said, and a line that is most likely the score, else how the streams
    /// end.
    pub(super) fn no_score(&self) -> String {
        if let Some((line, likely)) = self.likely {
            let (expression, quoted) = (&self.expression, quote(line.as_bytes()));
            return match self
                .message
                .filter(|message| !message.contains(&one_line(line)))
            {
                None => say::NO_SCORE_BUT_LIKELY.fill(&[expression, &quoted, &likely]),
                Some(message) => say::NO_SCORE_BUT_MESSAGE_AND_LIKELY
                    .fill(&[&message, expression, &quoted, &likely]),
            };
        }
        let (expression, stdout) = (&self.expression, last_line(self.stdout));
        match self.message {
            None => {
                let nothing = || say::NOTHING.fill(&[]);
                let stderr = last_line(self.stderr).unwrap_or_else(nothing);
                let stdout = stdout.unwrap_or_else(nothing);
                say::NO_SCORE.fill(&[&stderr, &stdout, expression])
            }
            Some(message) => match stdout.filter(|line| *line != quote(message.as_bytes())) {
                None => say::NO_SCORE_BUT_MESSAGE.fill(&[&message, expression]),
                Some(line) => say::NO_SCORE_BUT_LINES.fill(&[&message, &line, expression]),
            },
        }
    }

    /// Why a tester failed whose program did not, with what it said.
    pub(super) fn failed_tester(&self, ending: Ending) -> String {
        let message = self.message.unwrap_or_default();
        let is_broken_pipe = message.contains("Broken pipe");
        let is_said = !message.is_empty() && !is_broken_pipe && !self.is_of_crash(message);
        if let (Ending::Exited(status @ 1..=100), true) = (ending, is_said) {
            return say::TESTER_SAID.fill(&[&status, &message]);
        }
        let why = match is_broken_pipe {
            true => &say::TESTER_NOT_READ,
            false => &say::TESTER_FAILED,
        };
        self.with_message(why.fill(&[&self.ending_sentence(ending)]))
    }

    /// Whether a message is that of a crash which stderr reports. It may have been shortened, or have a hint at its end.
    fn is_of_crash(&self, message: &str) -> bool {
        let reports = crash_reports(self.stderr).into_iter();
        reports.filter_map(CrashReport::message).any(|said| {
            let beginning: String = said.chars().take(40).collect();
            message.starts_with(&beginning)
        })
    }

    /// How a program ended. A panic says itself that it is one.
    pub(super) fn ending_sentence(&self, ending: Ending) -> String {
        match (ending, self.message) {
            (Ending::Exited(status @ 101), Some(message)) if message.starts_with("thread '") => {
                say::STATUS.fill(&[&status])
            }
            _ => ending_sentence(ending),
        }
    }

    /// How a contestant crashed, with what it said, and with what the other judge said of it.
    pub(super) fn with_messages(&self, ending: Ending) -> String {
        let what = self.with_message(self.ending_sentence(ending));
        match self.message_after_crash {
            Some(message) => say::SAID_AFTER_CRASH.fill(&[&what, &message]),
            None => what,
        }
    }

    /// A sentence with what the other judge said, if it said something.
    pub(super) fn with_message(&self, what: String) -> String {
        match self.message {
            Some(message) => say::WITH_MESSAGE.fill(&[&what, &message]),
            None => what,
        }
    }
}
