//! A contest's own local tester at work: how it judges a case.

use std::os::fd::BorrowedFd;

use regex::bytes::Regex;

use super::error::ExternalError;
use super::listener::Listener;
use super::spec::ExternalSpec;
use crate::judge::error::JudgeError;
use crate::judge::live::run_unattended;
use crate::judge::record::{Record, Verdict};
use crate::judge::verdict::{Limits, ScoreFacts, external_verdict};
use crate::judge::watcher::Watcher;
use crate::process::Contestant;

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

    /// Judges one case with a shell that was started with [`ExternalSpec::filled`]. `title` is what is known
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
            found: self.spec.stream.last_score(&self.score, stdout, stderr),
            zero_counts: self.spec.zero_counts,
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
