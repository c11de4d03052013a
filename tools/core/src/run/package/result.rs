//! What became of a submission. Pure.

use std::collections::BTreeMap;
use std::time::Duration;

use super::expectation::Expectation;
use super::submissions::Submission;
use crate::judge::record::{Record, Verdict};

/// What became of a submission.
#[derive(Clone, Debug)]
pub struct SubmissionResult {
    /// Which.
    pub submission: Submission,
    /// Its language, if it was built.
    pub language: Option<&'static str>,
    /// How far it came.
    pub outcome: SubmissionOutcome,
}

/// How far a submission came.
#[derive(Clone, Debug)]
pub enum SubmissionOutcome {
    /// Nothing is known of it, and why.
    NotJudged(String),
    /// It cannot be built, and why.
    NotBuilt(String),
    /// The records of all cases, in their order.
    Judged(Vec<Record>),
}

/// Whether a submission got what it was expected to get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It did.
    Met,
    /// It did not.
    Missed,
    /// Nothing is known of it.
    NotJudged,
    /// Nothing was expected.
    NothingExpected,
}

impl SubmissionResult {
    /// The records, if it was judged.
    pub(crate) fn records(&self) -> &[Record] {
        match &self.outcome {
            SubmissionOutcome::Judged(records) => records,
            _ => &[],
        }
    }

    /// Whether it got what it was expected to get.
    pub(crate) fn standing(&self) -> Standing {
        let expectation = &self.submission.expectation;
        let met = match &self.outcome {
            SubmissionOutcome::NotJudged(_) => return Standing::NotJudged,
            SubmissionOutcome::NotBuilt(_) => Some(*expectation == Expectation::NotBuilt),
            SubmissionOutcome::Judged(records) => {
                let verdicts: Vec<Verdict> = records.iter().map(|record| record.verdict).collect();
                expectation.is_met(&verdicts)
            }
        };
        match met {
            Some(true) => Standing::Met,
            Some(false) => Standing::Missed,
            None => Standing::NothingExpected,
        }
    }

    /// How many cases got each verdict.
    pub(crate) fn verdicts(&self) -> BTreeMap<Verdict, usize> {
        let mut counts = BTreeMap::new();
        for record in self.records() {
            *counts.entry(record.verdict).or_default() += 1;
        }
        counts
    }

    /// The longest time of a case, if it was judged.
    pub fn slowest(&self) -> Option<Duration> {
        let times = self
            .records()
            .iter()
            .map(|record| record.wall_ms.max(record.cpu_ms));
        let longest = times.reduce(f64::max)?;
        Some(Duration::from_secs_f64(longest / 1e3))
    }
}
