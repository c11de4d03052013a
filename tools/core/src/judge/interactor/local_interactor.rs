//! An interactor at work: how it judges a case.

use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::Duration;

use regex::bytes::Regex;

use super::feedback::Feedback;
use super::session::Session;
use crate::judge::ended::EndedCase;
use crate::judge::error::JudgeError;
use crate::judge::external::{Claim, Contract, ExternalError, ExternalSpec, Findings, Said, Tails};
use crate::judge::record::Record;
use crate::judge::verdict::Limits;
use crate::judge::watcher::Watcher;
use crate::process::sandbox::Sandbox;
use crate::process::{Command, Confinement, Contestant, Ending};

/// How long an interactor may compute in a case, and how long it may go on after the contestant has ended.
const INTERACTOR_TIME: Duration = Duration::from_secs(10);

/// A case, as an interactor has it.
#[derive(Clone, Copy, Debug)]
pub struct InteractorCase<'a> {
    /// What is known of the problem, for the record.
    pub title: &'a str,
    /// The file that the interactor reads: `{case}` in its line.
    pub path: &'a Path,
    /// `{number}` in its line.
    pub number: u64,
}

/// An interactor, ready to judge.
#[derive(Clone, Debug)]
pub struct Interactor {
    spec: ExternalSpec,
    contract: Contract,
    score: Regex,
    time: Duration,
    output_bytes: Option<u64>,
    keeps_decimals: bool,
}

impl Interactor {
    /// Checks and compiles what is written down; `None` if it describes no interactor.
    ///
    /// # Errors
    /// If a placeholder in the line is misspelt or missing, or the expression is none.
    pub fn new(spec: &ExternalSpec) -> Result<Option<Self>, ExternalError> {
        let Some(contract) = spec.contract else {
            return Ok(None);
        };
        spec.check_interactor()?;
        Ok(Some(Self {
            contract,
            score: Regex::new(&spec.score)?,
            spec: spec.clone(),
            time: INTERACTOR_TIME,
            output_bytes: None,
            keeps_decimals: false,
        }))
    }

    /// The same with another time limit of its own; the usual one is 10 s.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// The same with a limit of its own for what it writes; the usual one is that of the contestant.
    #[must_use]
    pub(crate) fn with_output(self, bytes: u64) -> Self {
        let output_bytes = Some(bytes);
        Self {
            output_bytes,
            ..self
        }
    }

    /// The same with scores that may have decimals: millionths are kept.
    #[must_use]
    pub(crate) fn with_decimals(self) -> Self {
        Self {
            keeps_decimals: true,
            ..self
        }
    }

    /// Starts the interactor for `case`, then the contestant `command`, and carries their lines until both have ended.
    /// `confinement` is that of the contestant, and so are `limits`.
    ///
    /// Memory is bounded by the limit for one line, whatever the two write.
    ///
    /// # Errors
    /// As [`crate::judge::judge`].
    pub fn judge(
        &self,
        case: InteractorCase<'_>,
        command: &Command,
        confinement: &Confinement<'_>,
        limits: &Limits,
        interrupt: Option<BorrowedFd<'_>>,
        watcher: &mut dyn Watcher,
    ) -> Result<Record, JudgeError> {
        // What the interactor writes may tell the secret.
        let feedback = Feedback::new(confinement.sandbox.and_then(Sandbox::private));
        let feedback = feedback.map_err(|e| JudgeError::system("make the feedback folder", e))?;
        let line = self
            .spec
            .filled_interactor(case.path, case.number, feedback.path());
        let shell = Command {
            program: "sh".into(),
            args: vec!["-c".into(), line],
        };
        // It is the user's own, and may have to read the case.
        let its_confinement = Confinement {
            sandbox: None,
            nests: true,
            ..*confinement
        };
        let its_limits = Limits {
            time: self.time.max(limits.time),
            output_bytes: self.output_bytes.unwrap_or(limits.output_bytes),
            ..*limits
        };
        let interactor = Contestant::start(&shell, &its_confinement)?;
        let contestant = Contestant::start(command, confinement)?;
        let claims = |ending, tails: &Tails| self.claim(ending, tails, &feedback);
        let session = Session::new(
            (contestant, limits),
            (interactor, &its_limits),
            &claims,
            watcher,
        );
        let end = session.run(interrupt)?;
        let outcome = end.outcome();
        let ended = EndedCase {
            process: end.contestant.0,
            turns: end.lines[0],
            stderr_tail: end.stderr_tail,
        };
        Ok(ended.record(case.title.to_owned(), outcome))
    }

    /// What it means that the interactor ended like this.
    fn claim(&self, ending: Ending, tails: &Tails, feedback: &Feedback) -> Claim {
        let stderr = &tails.stderr;
        let found = self.spec.stream.last_score(&self.score, &[], stderr);
        let said = Said {
            expression: &self.score,
            score: found.as_ref(),
            skips_crashes: false,
            stdout: &[],
            stderr,
        };
        let message_file = feedback.read("judgemessage.txt");
        let score_file = feedback.read("score.txt");
        self.contract.claim(&Findings {
            ending,
            printed_score: found.map(|found| found.number),
            stderr,
            last_words: said.message().as_deref(),
            message_file: message_file.as_deref(),
            score_file: score_file.as_deref(),
            rule: self.spec.score_rule(),
            keeps_decimals: self.keeps_decimals,
        })
    }
}
