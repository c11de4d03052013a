//! The best score of each case, frozen in a file beside the history, so that relative scores of different days mean the
//! same. Without that file, the best scores are those of all runs of the history.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::error::{HistoryError, Result};
use super::history::{History, signed};
use super::lock;
use super::run::Run;
use crate::case::{CaseId, CaseKey, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::{Score, Scoring};
use crate::util::byte_lock::ByteLock;
use crate::util::{atomic_file, bounded_read};

/// The format of the file.
const VERSION: u32 = 1;

/// A longer file is none of best scores.
const MAX_BYTES: u64 = 1 << 30;

/// How long another process may take to write it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The whole file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BestFile {
    version: u32,
    problems: Vec<ProblemBest>,
}

/// The best scores of the cases of one problem.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProblemBest {
    problem: String,
    /// As [`Scoring::name`] writes it.
    scoring: String,
    cases: BTreeMap<u64, BestCase>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BestCase {
    /// In units.
    score: u64,
    /// What is in the case; missing where only its number is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<Digest>,
}

/// The frozen best scores of one problem; none if nothing is frozen.
#[derive(Default)]
pub struct FrozenBest {
    decimals: u8,
    cases: BTreeMap<u64, BestCase>,
}

impl FrozenBest {
    /// The frozen best scores of a problem, beside a history that need not exist.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub fn read(history: &Path, problem: &str, scoring: Scoring) -> Result<Self> {
        let name = scoring.name();
        let mut found = read_best(file_in_use(history))?.problems.into_iter();
        let found = found.find(|best| best.problem == problem && best.scoring == name);
        Ok(Self {
            decimals: scoring.decimals,
            cases: found.map_or_else(BTreeMap::new, |best| best.cases),
        })
    }

    /// The best score of a case.
    pub fn of(&self, case: &CaseKey) -> Option<Score> {
        self.of_digest(case.id, case.digest)
    }

    pub(super) fn of_digest(&self, id: CaseId, digest: Digest) -> Option<Score> {
        let best = self.cases.get(&id.0)?;
        let same = best.digest.is_none_or(|known| known == digest);
        same.then(|| Score::new(best.score, self.decimals))
    }

    /// How many cases have one.
    pub fn count(&self) -> usize {
        self.cases.len()
    }

    /// The best score of each case, by its number.
    pub fn scores(&self) -> impl Iterator<Item = (CaseId, Score)> {
        let score =
            |(&id, best): (&u64, &BestCase)| (CaseId(id), Score::new(best.score, self.decimals));
        self.cases.iter().map(score)
    }
}

impl History {
    /// The file to which frozen best scores are written, which need not exist.
    pub fn best_file(&self) -> PathBuf {
        best_file(self.path())
    }

    /// The file from which they are read: that of an older tester, as long as there is no other.
    pub fn best_file_in_use(&self) -> PathBuf {
        file_in_use(self.path())
    }

    /// The frozen best scores of a problem.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub fn frozen_best(&self, problem: &str, scoring: Scoring) -> Result<FrozenBest> {
        FrozenBest::read(self.path(), problem, scoring)
    }

    /// The problems whose best scores are frozen: name and scoring, as it is written, and how many cases have one.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub fn frozen_problems(&self) -> Result<Vec<(String, String, usize)>> {
        let problems = read_best(self.best_file_in_use())?.problems.into_iter();
        let counted = |best: ProblemBest| (best.problem, best.scoring, best.cases.len());
        Ok(problems.map(counted).collect())
    }

    /// Freezes the best scores that any run has had on the cases of `run`, and returns how many there are. Frozen scores of
    /// other cases of this problem stay.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn freeze_best(&self, run: &Run) -> Result<usize> {
        // Before scores are read: of two processes, the later one then knows all that the earlier one has frozen.
        let _lock = self.lock_best()?;
        let known = self.best_scores(run.id)?;
        let mut cases = self.frozen_best(&run.about.problem, run.scoring())?.cases;
        let mut count = 0;
        for case in self.scores(run.id)? {
            if let Some(best) = known.get(&case.id) {
                let (score, digest) = (best.units(), Some(case.digest));
                cases.insert(case.id.0, BestCase { score, digest });
                count += 1;
            }
        }
        self.write_best(run, cases)?;
        Ok(count)
    }

    /// Freezes these scores, in units, instead of what was frozen for the problem of `run`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn import_best(&self, run: &Run, scores: BTreeMap<u64, u64>) -> Result<()> {
        let _lock = self.lock_best()?;
        let digest = None;
        let case = |(id, score)| (id, BestCase { score, digest });
        self.write_best(run, scores.into_iter().map(case).collect())
    }

    /// Frozen best scores of the problem of `run` are no longer used.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn thaw_best(&self, run: &Run) -> Result<()> {
        let _lock = self.lock_best()?;
        self.write_best(run, BTreeMap::new())
    }

    /// The best scores of the cases of a run: the frozen one of each case that has one, else the best of any run.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn best_of_run(&self, run: &Run) -> Result<HashMap<CaseId, Score>> {
        let mut best = self.best_scores(run.id)?;
        let frozen = self.frozen_best(&run.about.problem, run.scoring())?;
        if frozen.count() > 0 {
            for case in self.scores(run.id)? {
                if let Some(score) = frozen.of_digest(case.id, case.digest) {
                    best.insert(case.id, score);
                }
            }
        }
        Ok(best)
    }

    /// Calls `each` with every record of a run, in ascending order of case, and with the best score of its case: the
    /// frozen one if there is one, else that of any run.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_record_beside_best(
        &self,
        run: &Run,
        mut each: impl FnMut(JudgedCase, Option<Score>),
    ) -> Result<()> {
        let frozen = self.frozen_best(&run.about.problem, run.scoring())?;
        self.each_record_beside_scores(run.id, |judged, best| {
            let best = frozen.of(&judged.case).or(best);
            each(judged, best);
        })
    }

    /// The best score of a case that a run of this history has just had: the frozen one if there is one, else the best of
    /// any run, this one included. `None` for a case that was not accepted.
    ///
    /// Cost: some microseconds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn best_of_case(
        &self,
        judged: &JudgedCase,
        scoring: Scoring,
        frozen: &FrozenBest,
    ) -> Result<Option<Score>> {
        if !judged.accepted() {
            return Ok(None);
        }
        let case = &judged.case;
        if let Some(score) = frozen.of(case) {
            return Ok(Some(score));
        }
        let units: Option<i64> = self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT best_of.score FROM best_of JOIN opening ON opening.id = best_of.opening
                 WHERE case_id = ? AND digest = ? AND opening.text = ? AND objective = ?",
            )?;
            let of_case = params![
                signed(case.id.0),
                signed(case.digest.0),
                judged.record.opening,
                scoring.name()
            ];
            statement.query_row(of_case, |row| row.get(0)).optional()
        })?;
        Ok(units.map(|units| Score::new(units as u64, scoring.decimals)))
    }

    /// The file has all problems, so each change of it reads it and writes it whole.
    fn lock_best(&self) -> Result<Option<ByteLock>> {
        let lock = lock::lock_best(self.path(), PATIENCE);
        let path = self.best_file();
        Ok(lock.map_err(|source| atomic_file::WriteError { path, source })?)
    }

    /// The caller has the [lock](Self::lock_best).
    fn write_best(&self, run: &Run, cases: BTreeMap<u64, BestCase>) -> Result<()> {
        let mut file = read_best(self.best_file_in_use())?;
        let (problem, scoring) = (run.about.problem.clone(), run.scoring().name());
        let other = |best: &ProblemBest| best.problem != problem || best.scoring != scoring;
        file.problems.retain(other);
        if !cases.is_empty() {
            file.problems.push(ProblemBest {
                problem,
                scoring,
                cases,
            });
        }
        let text = serde_json::to_string(&file).expect("numbers and texts") + "\n";
        Ok(atomic_file::write_whole(
            &self.best_file(),
            text.as_bytes(),
        )?)
    }
}

/// The file beside a history. No two histories of a folder have the same.
fn best_file(history: &Path) -> PathBuf {
    let name = history.file_name().unwrap_or_default();
    let mut longer = name.to_owned();
    longer.push(".best.json");
    match name.to_str() {
        Some("history.sqlite") => history.with_file_name("history.best.json"),
        // Its longer name is that of the usual history, above.
        Some("history") => history.with_file_name("history.sqlite.best.json"),
        _ => history.with_file_name(longer),
    }
}

fn file_in_use(history: &Path) -> PathBuf {
    let file = best_file(history);
    match file.try_exists() {
        Ok(false) => older_file(history).unwrap_or(file),
        _ => file,
    }
}

/// The file as older testers called it: all histories that differ only in their extension shared it. `None` if there is
/// none, or another such history is there.
fn older_file(history: &Path) -> Option<PathBuf> {
    let older = |history: &Path| history.with_extension("best.json");
    let file = older(history);
    if !file.exists() {
        return None;
    }
    let is_other = |path: &PathBuf| {
        path.file_name() != history.file_name()
            && older(path).file_name() == file.file_name()
            && is_database(path)
    };
    let folder = std::fs::read_dir(atomic_file::folder_of(history)).ok()?;
    let mut paths = folder.flatten().map(|entry| entry.path());
    (!paths.any(|path| is_other(&path))).then_some(file)
}

fn is_database(path: &Path) -> bool {
    const BEGINNING: &[u8] = b"SQLite format 3\0";
    let mut found = [0; BEGINNING.len()];
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    let mut read = || File::open(path)?.read_exact(&mut found);
    is_file && read().is_ok() && found == BEGINNING
}

fn read_best(path: PathBuf) -> Result<BestFile> {
    match path.try_exists() {
        Ok(false) => Ok(BestFile {
            version: VERSION,
            problems: Vec::new(),
        }),
        _ => parse(&path).map_err(|reason| HistoryError::Best { path, reason }),
    }
}

fn parse(path: &Path) -> std::result::Result<BestFile, String> {
    let text = bounded_read::read_text(path, MAX_BYTES).map_err(|error| error.to_string())?;
    let file: BestFile = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    match file.version {
        VERSION => Ok(file),
        other => Err(format!("expected version {VERSION}, found {other}")),
    }
}
