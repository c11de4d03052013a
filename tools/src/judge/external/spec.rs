//! The description of another judge, and how a case is judged by it.

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::path::Path;

use regex::bytes::Regex;

use super::error::ExternalError;
use super::line;
use super::listener::Listener;
use super::score::Stream;
use crate::judge::error::JudgeError;
use crate::judge::live::run_unattended;
use crate::judge::record::{Record, Verdict};
use crate::judge::verdict::{Limits, ScoreFacts, external_verdict};
use crate::judge::watcher::Watcher;
use crate::problem::Objective;
use crate::process::fingerprint::fingerprint_of_line;
use crate::process::{Command, Contestant};

/// A contest's own local tester. Its form in files is that which a history stores.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct External {
    line: String,
    score: Regex,
    objective: Objective,
    zero_counts: bool,
    stream: Stream,
    /// Of the files that the line names, as they were when the run began.
    files: Option<String>,
}

/// The form in which it is stored with a run.
#[derive(PartialEq, serde::Serialize, serde::Deserialize)]
struct Stored {
    line: String,
    score: String,
    objective: Objective,
    zero_counts: bool,
    #[serde(default)]
    stream: Stream,
    #[serde(default)]
    files: Option<String>,
}

impl From<External> for Stored {
    fn from(external: External) -> Self {
        Self {
            line: external.line,
            score: external.score.as_str().to_owned(),
            objective: external.objective,
            zero_counts: external.zero_counts,
            stream: external.stream,
            files: external.files,
        }
    }
}

impl TryFrom<Stored> for External {
    type Error = regex::Error;

    fn try_from(stored: Stored) -> Result<Self, regex::Error> {
        Ok(Self {
            score: Regex::new(&stored.score)?,
            line: stored.line,
            objective: stored.objective,
            zero_counts: stored.zero_counts,
            stream: stored.stream,
            files: stored.files,
        })
    }
}

impl External {
    /// Describes a tester; `command` is the contestant, if there is one beside the line.
    ///
    /// # Errors
    /// If a placeholder is misspelt or missing, `score` is no expression, or has no group `score`.
    pub fn new(
        line: &str,
        command: Option<&Command>,
        score: &str,
        objective: Objective,
        zero_counts: bool,
    ) -> Result<Self, ExternalError> {
        line::check(line, command)?;
        let score_regex = Regex::new(score)?;
        let mut groups = score_regex.capture_names().flatten();
        if !groups.any(|name| name == "score") {
            return Err(ExternalError::NoGroup(score.to_owned()));
        }
        Ok(Self {
            line: line.to_owned(),
            score: score_regex,
            objective,
            zero_counts,
            stream: Stream::default(),
            files: None,
        })
    }

    /// The same, knowing the files that its line names as they are now: the contest's tester is one of them.
    #[must_use]
    pub fn as_it_is_now(self) -> Self {
        let files = Some(fingerprint_of_line(&self.line));
        Self { files, ..self }
    }

    /// Whether these files are as they were when the run began, as far as that is known.
    pub fn is_unchanged(&self) -> bool {
        let then = self.files.as_ref();
        then.is_none_or(|then| *then == fingerprint_of_line(&self.line))
    }

    /// Whether the other judges in the same way, if the files of both are the same.
    pub fn is_like(&self, other: &Self) -> bool {
        let rules = |external: &Self| Stored {
            files: None,
            ..external.clone().into()
        };
        rules(self) == rules(other)
    }

    /// The same, with the score on one stream only.
    #[must_use]
    pub fn on(self, stream: Stream) -> Self {
        Self { stream, ..self }
    }

    /// Whether less is better, or more.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// Whether the line itself writes the contestant's output to `{out}`.
    pub fn writes_out(&self) -> bool {
        line::has(&self.line, "out")
    }

    /// As it was typed.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// As it is stored in a history.
    pub fn to_stored(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// What [`External::to_stored`] wrote.
    ///
    /// # Errors
    /// If it did not write that.
    pub fn from_stored(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// The line for one case, to be pasted into a shell.
    ///
    /// Bytes, for paths and arguments need not be text.
    pub fn filled(&self, case: &Path, number: u64, out: &Path, command: &Command) -> OsString {
        line::fill(&self.line, case, number, out, command)
    }

    /// Judges one case with a shell that was started with [`External::filled`]. `title` is what is known
    /// of the problem.
    ///
    /// # Errors
    /// As [`crate::judge::judge`].
    pub fn judge(
        &self,
        title: &str,
        shell: Contestant,
        limits: &Limits,
        interrupt: Option<BorrowedFd<'_>>,
        watcher: &mut dyn Watcher,
    ) -> Result<Record, JudgeError> {
        let mut listener = Listener::new(watcher);
        let ended = run_unattended(shell, limits, interrupt, &mut listener)?;
        let (stdout, stderr) = (&listener.stdout, &listener.stderr);
        let score = ScoreFacts {
            expression: self.score.as_str(),
            found: self.stream.last_score(&self.score, stdout, stderr),
            zero_counts: self.zero_counts,
            stdout,
            stderr,
        };
        let outcome = external_verdict(&ended.process, &score, limits);
        let record = ended.record(title.to_owned(), outcome);
        Ok(match record.verdict {
            // It ended well. What its judge printed is in the reason, or is a score.
            Verdict::Wa | Verdict::Ie => Record {
                last_stderr_line: None,
                ..record
            },
            _ => record,
        })
    }
}
