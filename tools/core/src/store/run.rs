//! A run in the history.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rusqlite::Row;
use serde::Serialize;

use crate::case::Source;
use crate::problem::score::units_of_one;
use crate::problem::{Objective, Scoring};
use crate::run::config::MAX_JOBS;
use crate::run::executor::RUNS;
use crate::run::provenance::Provenance;
use crate::run::spec::RunSpec;
use crate::stats::ranking::MeasuredMean;
use crate::stats::student;
use crate::util::quote::quote;

use super::column::Columns;
use super::lock;

/// A run's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub i64);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The kind of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A batch; if it is interrupted, the remaining cases can be judged later.
    Batch,
    /// One side of a duel, which ends as soon as it is decided.
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
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// Its kind.
    pub kind: Kind,
    /// How cases are judged.
    pub spec: RunSpec,
    /// How many cases it has.
    pub planned: usize,
    /// The different opening lines, separated by semicolons.
    pub problem: String,
    /// What was judged, and where.
    pub provenance: Provenance,
    /// A short name that the user gave it.
    pub tag: Option<String>,
    /// The user's remark.
    pub comment: Option<String>,
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being judged now.
    Running,
    /// Judged to its end: every case, or as many pairs as the duel was to have.
    Done,
    /// It was interrupted, killed, or stopped at a failure; `tester batch --resume` continues it.
    Unfinished,
}

impl State {
    /// Of a run that has ended, whole or not.
    pub fn from_end(is_whole: bool) -> Self {
        match is_whole {
            true => Self::Done,
            false => Self::Unfinished,
        }
    }

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

/// A run in the history.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// What was known before its first case.
    pub about: NewRun,
    /// When it began, in milliseconds since 1970.
    pub begun_ms: i64,
    /// How long it was being judged, in milliseconds, without the pauses before it was resumed. The time of a
    /// killed process is not counted.
    pub took_ms: i64,
    /// How far it came.
    pub state: State,
    /// Whether it was merged from shards, so that its outputs are on other machines.
    pub merged: bool,
    /// The folder with its own outputs, as long as they are kept.
    pub folder: Option<PathBuf>,
    /// When it was ended, by the clock of the file system with its folder, in nanoseconds since 1970.
    pub ended_ns: Option<i64>,
    /// How many cases were judged.
    pub judged: usize,
    /// How many were accepted.
    pub accepted: usize,
    /// The sum of the accepted scores, and of their squares, in units.
    pub(super) sums: (f64, f64),
    /// The sum of the squared distances from their mean, where the sums do not tell it.
    pub(super) around_mean: Option<f64>,
    /// The sum of its cases' identities: equal for two runs on the same cases.
    pub(super) case_set: i64,
}

/// The suffix of a folder whose outputs are being removed.
pub(super) const EXPIRED: &str = ".expired";

/// The folder of a history, which relative folders of runs begin with.
pub(super) fn base_of(history: &Path) -> PathBuf {
    let path = std::path::absolute(history).unwrap_or_else(|_| history.to_owned());
    path.parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Whether a tester can have made this folder for the run: `runs/7`, `runs/7-…`, or the first of these that is being
/// removed. In any other folder, files with names of outputs could be cases.
fn is_of_run(folder: &Path, run: RunId, history: &Path) -> bool {
    let folder = base_of(history).join(folder);
    let name = |path: &Path| path.file_name().map(OsStr::to_owned).unwrap_or_default();
    let own = name(&folder).into_string().unwrap_or_default();
    let rest = own.strip_prefix(&run.to_string());
    let is_of_run = rest.is_some_and(|rest| ["", EXPIRED].contains(&rest) || rest.starts_with('-'));
    is_of_run && folder.parent().is_some_and(|runs| name(runs) == RUNS)
}

/// The columns that [`Run::from_row`] reads, in its order.
pub(super) const COLUMNS: &str = "id, begun_ms, took_ms, ended_ns, kind, state, owner, tag, comment, problem, planned, \
     spec, provenance, folder, judged, accepted, score_sum, score_squares, case_set, \
     EXISTS (SELECT 1 FROM host WHERE host.run = run.id) AS merged";

impl Run {
    /// A relative folder is relative to the folder of the history.
    pub(super) fn from_row(row: &Row<'_>, history: &Path) -> rusqlite::Result<Self> {
        let place = || place(row);
        let columns = Columns::new(row, &place);
        let kind = match columns.text(4)? {
            "duel" => Kind::Duel,
            _ => Kind::Batch,
        };
        let (judged, accepted) = (columns.count(14)?, columns.count(15)?);
        if accepted > judged {
            return Err(columns.damage(
                15,
                &format!("at most the {judged} cases judged"),
                accepted,
            ));
        }
        let spec: RunSpec = columns.json(11, "the settings of a run")?;
        if spec.jobs.get() as u64 > MAX_JOBS {
            return Err(columns.damage(11, &format!("at most {MAX_JOBS} jobs"), spec.jobs));
        }
        let id = RunId(columns.integer(0)?);
        let folder = columns.optional_bytes(13)?.map(OsString::from_vec);
        let folder = folder.map(PathBuf::from);
        if let Some(folder) = folder.as_deref().filter(|it| !is_of_run(it, id, history)) {
            let found = quote(folder.as_os_str().as_bytes());
            return Err(columns.damage(13, &format!("a folder {RUNS}/{id}"), found));
        }
        Ok(Self {
            id,
            begun_ms: columns.integer(1)?,
            took_ms: columns.size(2)? as i64,
            ended_ns: columns.optional_integer(3)?,
            state: match columns.text(5)? {
                "done" => State::Done,
                "running" if lock::lives(history, columns.text(6)?) => State::Running,
                _ => State::Unfinished,
            },
            merged: row.get(19)?,
            folder,
            judged: judged as usize,
            accepted: accepted as usize,
            sums: (columns.finite(16)?, columns.finite(17)?),
            around_mean: None,
            case_set: columns.integer(18)?,
            about: NewRun {
                kind,
                spec,
                // A duel may be planned on all seeds, which are more than fit.
                planned: match kind {
                    Kind::Duel => columns.bits(10)? as usize,
                    Kind::Batch => columns.count(10)? as usize,
                },
                problem: columns.text(9)?.to_owned(),
                provenance: columns.json(12, "the provenance of a run")?,
                tag: columns.optional_text(7)?,
                comment: columns.optional_text(8)?,
            },
        })
    }

    /// The mean score of its accepted cases; `None` if there is none.
    pub(crate) fn mean(&self) -> Option<f64> {
        let one = units_of_one(self.scoring().decimals);
        (self.accepted > 0).then(|| self.sums.0 / self.accepted as f64 / one)
    }

    /// Half the width of the 95 % interval of that mean; `None` for fewer than two cases.
    pub(crate) fn half_width(&self) -> Option<f64> {
        let around_mean = self.around_mean.unwrap_or_else(|| self.by_squares());
        let half = student::half_width(self.accepted, around_mean.max(0.0));
        half.map(|half| half / units_of_one(self.scoring().decimals))
    }

    /// The sum of the squared distances from the mean, in units, by the sums.
    fn by_squares(&self) -> f64 {
        let (sum, squares) = self.sums;
        squares - sum * sum / self.accepted.max(1) as f64
    }

    /// Whether that is the small difference of two large numbers, of which only some digits are known.
    pub(super) fn squares_cancel(&self) -> bool {
        self.accepted > 1 && self.by_squares() < 1e-7 * self.sums.1
    }

    /// Both of them.
    pub fn measured_mean(&self) -> Option<MeasuredMean> {
        self.mean().map(|mean| MeasuredMean {
            mean,
            half_width: self.half_width(),
        })
    }

    /// Its number, with its tag: `3 (v2)`.
    pub fn title(&self) -> String {
        match &self.about.tag {
            Some(tag) => format!("{} ({tag})", self.id),
            None => self.id.to_string(),
        }
    }

    /// What its scores mean.
    pub fn scoring(&self) -> Scoring {
        self.about.spec.scoring()
    }

    /// Whether less is better, or more.
    pub fn objective(&self) -> Objective {
        self.scoring().objective
    }

    /// Whether every secret was accepted, so that its mean is exact.
    pub fn is_whole(&self) -> bool {
        let all = matches!(self.about.spec.source, Source::AllSecrets { .. });
        all && self.accepted == self.about.planned
    }

    /// Whether the files of the two programs are the same, to the byte.
    pub fn same_files(&self, other: &Self) -> bool {
        let of = |run: &Self| run.about.provenance.fingerprint.clone();
        of(self) == of(other)
    }

    /// Whether the two are of the same program, to the byte, with the same arguments.
    pub(crate) fn same_program(&self, other: &Self) -> bool {
        let of = |run: &Self| program_key(&run.about.spec, &run.about.provenance);
        of(self) == of(other)
    }
}

/// Equal for two runs of the same program, to the byte, with the same arguments, wherever its file is.
pub(super) fn program_key(spec: &RunSpec, provenance: &Provenance) -> (String, Vec<OsString>) {
    let fingerprint = provenance.fingerprint.clone();
    (fingerprint, spec.command.args.clone())
}

/// What messages call the row of a run, whose first column is its number.
pub(super) fn place(row: &Row<'_>) -> String {
    match row.get::<_, i64>(0) {
        Ok(id) => format!("run {id}"),
        Err(_) => "a run".to_owned(),
    }
}

/// A value as the JSON of a column.
pub(super) fn to_json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|e| rusqlite::Error::ToSqlConversionFailure(e.into()))
}
