//! The record of a judged case: pure values.

use std::fmt;

#[cfg(test)]
use crate::case::{CaseId, Digest};
use crate::case::{CaseKey, Parameters};
use crate::problem::Score;

/// The outcome of a case, in the words of the contest's judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Accepted: the right answer, within all limits, exit status 0.
    Ac,
    /// Wrong answer: the protocol was broken, or output ended before the answer was found.
    Wa,
    /// Time limit exceeded.
    Tle,
    /// Memory limit exceeded.
    Mle,
    /// Output limit exceeded.
    Ole,
    /// Runtime error: a non-zero exit status or a signal.
    Re,
    /// Internal error: the judge or the machine failed, never the contestant.
    Ie,
}

impl Verdict {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Ac,
        Self::Wa,
        Self::Tle,
        Self::Mle,
        Self::Ole,
        Self::Re,
        Self::Ie,
    ];
}

impl std::str::FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(word: &str) -> Result<Self, UnknownVerdict> {
        let known = Self::ALL.into_iter().find(|v| v.to_string() == word);
        known.ok_or_else(|| UnknownVerdict(word.to_owned()))
    }
}

/// A word that is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a verdict (AC, WA, TLE, MLE, OLE, RE or IE), found {0:?}")]
pub struct UnknownVerdict(pub String);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ac => "AC",
            Self::Wa => "WA",
            Self::Tle => "TLE",
            Self::Mle => "MLE",
            Self::Ole => "OLE",
            Self::Re => "RE",
            Self::Ie => "IE",
        })
    }
}

/// A record and the case that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedCase {
    /// The case.
    pub case: CaseKey,
    /// What is known of it.
    pub record: Record,
}

/// What is known of one judged case.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The opening line.
    pub opening: String,
    /// What the case is like, in the order of the names in the run's description; empty outside of runs.
    pub parameters: Parameters,
    /// The outcome.
    pub verdict: Verdict,
    /// The session's score; 0 unless the verdict is AC.
    pub score: Score,
    /// Turns that were answered.
    pub turns: u64,
    /// From the contestant's start to its end, milliseconds.
    pub wall_ms: f64,
    /// Processor time of the contestant and of the children it waited for, milliseconds.
    pub cpu_ms: f64,
    /// The most memory that was resident, KiB.
    pub memory_kib: u64,
    /// Where and why, in one line. With AC, what a contest may count against the contestant, if there is such a thing.
    pub reason: Option<String>,
    /// The last line that it wrote on stderr, quoted; nothing if the verdict is AC.
    pub last_stderr_line: Option<String>,
}

impl Record {
    /// The record of a case that could not be judged, through no fault of the contestant. Lines of `reason` become
    /// one.
    pub fn internal_error(opening: String, reason: String) -> Self {
        Self {
            opening,
            parameters: Parameters::default(),
            verdict: Verdict::Ie,
            score: Score::default(),
            turns: 0,
            wall_ms: 0.0,
            cpu_ms: 0.0,
            memory_kib: 0,
            reason: Some(reason.replace('\n', "; ")),
            last_stderr_line: None,
        }
    }

    /// `AC, score 5`, or the verdict with its reason.
    pub fn headline(&self) -> String {
        match &self.reason {
            None => format!("{}, score {}", self.verdict, self.score),
            Some(reason) if self.verdict == Verdict::Ac => {
                format!("{}, score {}: {reason}", self.verdict, self.score)
            }
            Some(reason) => format!("{}: {reason}", self.verdict),
        }
    }
}

impl JudgedCase {
    /// Whether it is accepted.
    pub fn accepted(&self) -> bool {
        self.record.verdict == Verdict::Ac
    }
}

#[cfg(test)]
impl JudgedCase {
    /// A case for tests. Its digest is its number; `change` sets what the test needs besides.
    pub(crate) fn sample(
        id: u64,
        verdict: Verdict,
        score: u64,
        change: impl FnOnce(&mut Record),
    ) -> Self {
        let mut record = Record {
            verdict,
            score: score.into(),
            reason: (verdict != Verdict::Ac).then(|| format!("turn {id}: late")),
            ..Record::internal_error(String::new(), String::new())
        };
        change(&mut record);
        let case = CaseKey {
            id: CaseId(id),
            digest: Digest(id),
            seed: None,
        };
        Self { case, record }
    }
}
