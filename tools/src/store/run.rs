//! A run as the history knows it.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use rusqlite::Row;

use crate::case::Source;
use crate::judge::external::External;
use crate::judge::verdict::Limits;
use crate::problem::Objective;
use crate::process::Command;
use crate::run::batch::Plan;
use crate::run::provenance::Provenance;
use crate::stats::student;

use super::lock;

/// A run's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub i64);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What a run is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Itself: cases were to be judged, and what is left of them can be judged later.
    Batch,
    /// A comparison that ends when it has seen enough.
    Duel,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::Duel => "duel",
        }
    }
}

/// What is known of a run before its first case.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// What it is part of.
    pub kind: Kind,
    /// How cases are judged.
    pub plan: Plan,
    /// Which cases.
    pub source: Source,
    /// How many they are.
    pub planned: usize,
    /// The opening lines that occur, separated by semicolons.
    pub problem: String,
    /// The [name](crate::process::sandbox::Sandbox::name) of the sandbox, if there was one. (That of a stored plan
    /// cannot be kept: it is made anew where the run is resumed.)
    pub sandbox: Option<String>,
    /// What was judged, and where.
    pub provenance: Provenance,
    /// A short name that the user gave it.
    pub tag: Option<String>,
    /// What the user wanted to remember.
    pub comment: Option<String>,
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being judged now.
    Running,
    /// Every case was judged.
    Done,
    /// It was interrupted, killed, or stopped at a failure; `tester batch --resume` goes on with it.
    Unfinished,
}

impl State {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Unfinished => "unfinished",
        }
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A run that is kept.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// What was known before its first case.
    pub about: NewRun,
    /// When it began, in milliseconds since 1970.
    pub begun_ms: i64,
    /// How long it was being judged, in milliseconds, the pauses before a resumption left out; of what was
    /// killed, nothing is known.
    pub took_ms: i64,
    /// How far it came.
    pub state: State,
    /// Whether it was merged from shards, so that what it wrote is elsewhere.
    pub merged: bool,
    /// How many cases were judged.
    pub judged: usize,
    /// How many were accepted.
    pub accepted: usize,
    /// The sum of the accepted scores, and of their squares.
    pub(super) sums: (f64, f64),
    /// The sum of what identifies its cases: equal for two runs on the same cases.
    pub(super) case_set: i64,
}

/// The columns that [`Run::from_row`] reads.
pub(super) const COLUMNS: &str = "id, begun_ms, took_ms, kind, state, owner, tag, comment, words, \
     fingerprint, git_commit, git_dirty, problem, source, time_limit_us, memory_limit_kib, \
     turn_limit, process_limit, out, jobs, transcripts, sandbox, external, machine, tester, planned, judged, accepted, score_sum, \
     score_squares, case_set, EXISTS (SELECT 1 FROM host WHERE host.run = run.id) AS merged";

impl Run {
    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let kind: String = row.get("kind")?;
        let state: String = row.get("state")?;
        let owner: String = row.get("owner")?;
        let source: String = row.get("source")?;
        let words: Vec<u8> = row.get("words")?;
        let external: Option<String> = row.get("external")?;
        let not_ours = |error: serde_json::Error| {
            let kind = rusqlite::types::Type::Text;
            rusqlite::Error::FromSqlConversionFailure(0, kind, Box::new(error))
        };
        let unsigned = |name| row.get::<_, i64>(name).map(|n| n as u64);
        let usual = Limits::default();
        Ok(Self {
            id: RunId(row.get("id")?),
            begun_ms: row.get("begun_ms")?,
            took_ms: row.get("took_ms")?,
            state: match state.as_str() {
                "done" => State::Done,
                "running" if lock::lives(&owner) => State::Running,
                _ => State::Unfinished,
            },
            merged: row.get("merged")?,
            judged: unsigned("judged")? as usize,
            accepted: unsigned("accepted")? as usize,
            sums: (row.get("score_sum")?, row.get("score_squares")?),
            case_set: row.get("case_set")?,
            about: NewRun {
                kind: match kind.as_str() {
                    "duel" => Kind::Duel,
                    _ => Kind::Batch,
                },
                plan: Plan {
                    command: unpack(&words),
                    limits: Limits {
                        time: Duration::from_micros(unsigned("time_limit_us")?),
                        memory_kib: unsigned("memory_limit_kib")?,
                        turns: unsigned("turn_limit")?,
                        processes: unsigned("process_limit")?,
                        ..usual
                    },
                    jobs: NonZeroUsize::new(unsigned("jobs")? as usize)
                        .unwrap_or(NonZeroUsize::MIN),
                    out: OsString::from_vec(row.get("out")?).into(),
                    transcripts: row.get("transcripts")?,
                    sandbox: None,
                    external: external
                        .map(|text| External::from_stored(&text))
                        .transpose()
                        .map_err(not_ours)?,
                },
                source: Source::from_stored(&source).map_err(not_ours)?,
                planned: unsigned("planned")? as usize,
                problem: row.get("problem")?,
                sandbox: row.get("sandbox")?,
                provenance: Provenance {
                    fingerprint: row.get("fingerprint")?,
                    git_commit: row.get("git_commit")?,
                    git_dirty: row.get("git_dirty")?,
                    machine: row.get("machine")?,
                    tester: row.get("tester")?,
                },
                tag: row.get("tag")?,
                comment: row.get("comment")?,
            },
        })
    }

    /// The mean score of its accepted cases; `None` if there is none.
    pub fn mean(&self) -> Option<f64> {
        (self.accepted > 0).then(|| self.sums.0 / self.accepted as f64)
    }

    /// Half the width of the 95 % interval of that mean; `None` for fewer than two cases.
    pub fn half_width(&self) -> Option<f64> {
        let (sum, squares) = self.sums;
        let around_mean = squares - sum * sum / self.accepted.max(1) as f64;
        student::half_width(self.accepted, around_mean.max(0.0))
    }

    /// Its number, with its tag: `3 (v2)`.
    pub fn title(&self) -> String {
        match &self.about.tag {
            Some(tag) => format!("{} ({tag})", self.id),
            None => self.id.to_string(),
        }
    }

    /// Whether less is better, or more.
    pub fn objective(&self) -> Objective {
        self.about.plan.objective()
    }

    /// Whether every secret was accepted, so that its mean is no estimate.
    pub fn is_whole(&self) -> bool {
        let all = matches!(self.about.source, Source::AllSecrets { .. });
        all && self.accepted == self.about.planned
    }

    /// Whether the two are of the same program, to the byte, with the same arguments.
    pub fn same_program(&self, other: &Self) -> bool {
        let of = |run: &Self| {
            let about = &run.about;
            (
                about.provenance.fingerprint.clone(),
                about.plan.command.args.clone(),
            )
        };
        of(self) == of(other)
    }

    /// Whether the two are of the same cases.
    pub fn same_cases(&self, other: &Self) -> bool {
        (self.judged, self.case_set) == (other.judged, other.case_set)
    }
}

/// Words of a command as one value: no word can hold a zero byte.
pub(super) fn pack(command: &Command) -> Vec<u8> {
    let words = std::iter::once(&command.program).chain(&command.args);
    let words: Vec<&[u8]> = words.map(|word| word.as_bytes()).collect();
    words.join(&0)
}

fn unpack(words: &[u8]) -> Command {
    let mut words = words
        .split(|&byte| byte == 0)
        .map(|word| OsString::from_vec(word.to_vec()));
    Command {
        program: words.next().unwrap_or_default(),
        args: words.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_kept_to_the_byte() {
        let command = Command {
            program: "./a b".into(),
            args: vec!["".into(), "x\n".into(), OsString::from_vec(vec![0xff])],
        };
        assert_eq!(unpack(&pack(&command)), command);
    }
}
