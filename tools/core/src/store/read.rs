//! Reads runs (by number, by tag, or the best one) and their records.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::column::Columns;
use super::error::Result;
use super::history::{History, LAST, signed};
use super::run::{self, Run, RunId, State};
use crate::case::{CaseId, CaseKey, Digest, Parameters, Seed};
use crate::judge::record::{JudgedCase, Record, Verdict};
use crate::problem::Score;
use crate::run::provenance::Provenance;
use crate::run::spec::RunSpec;
use crate::stats::paired::CaseScore;

/// How long we wait before we look again whether a run is still being judged.
const PAUSE: Duration = Duration::from_millis(10);

/// Looks until what is seen `is_settled`, or `patience` is over. Returns what was seen last.
fn look_again<T>(
    patience: Duration,
    look: impl Fn() -> Result<T>,
    is_settled: impl Fn(&T) -> bool,
) -> Result<T> {
    let begun = Instant::now();
    loop {
        let seen = look()?;
        if is_settled(&seen) || begun.elapsed() >= patience {
            return Ok(seen);
        }
        std::thread::sleep(PAUSE);
    }
}

impl History {
    pub(super) fn runs_where(
        &self,
        condition: &str,
        values: impl rusqlite::Params,
        limit: usize,
    ) -> Result<Vec<Run>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!(
            "SELECT {} FROM run WHERE {condition} ORDER BY id DESC LIMIT {limit}",
            run::COLUMNS
        );
        self.read(|db| {
            let mut statement = db.prepare(&sql)?;
            let runs = statement.query_map(values, |row| Run::from_row(row, &self.path))?;
            runs.map(|run| self.with_distances(self.with_whole_path(run?)))
                .collect()
        })
    }

    /// Looks at the scores themselves where their sums are too large to tell how far they are from their mean.
    fn with_distances(&self, run: Run) -> rusqlite::Result<Run> {
        if !run.squares_cancel() {
            return Ok(run);
        }
        // Scores of 2^63 and more are stored as negative numbers. What the mean is off by is taken away at the end.
        const DISTANCES: &str = "WITH distance AS (
                SELECT score + (score < 0) * 18446744073709551616.0 - ?2 AS far
                FROM record WHERE run = ?1 AND verdict = 'AC')
            SELECT total(far), total(far * far) FROM distance";
        let (count, mean) = (run.accepted as f64, run.sums.0 / run.accepted as f64);
        let mut statement = self.db.prepare_cached(DISTANCES)?;
        let around_mean = statement.query_row(params![run.id.0, mean], |row| {
            let (sum, squares): (f64, f64) = (row.get(0)?, row.get(1)?);
            Ok(squares - sum * sum / count)
        })?;
        Ok(Run {
            around_mean: Some(around_mean),
            ..run
        })
    }

    /// The last runs, the newest first; with `tag`, those that have it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn runs(&self, tag: Option<&str>, limit: usize) -> Result<Vec<Run>> {
        self.runs_where("?1 IS NULL OR tag = ?1", params![tag], limit)
    }

    /// How many runs are kept.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn count(&self) -> Result<usize> {
        let sql = "SELECT count(*) FROM run";
        let count: i64 = self.read(|db| db.query_row(sql, [], |row| row.get(0)))?;
        Ok(count as usize)
    }

    /// The run that a word names: its number, `last`, or the newest with that tag.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, word: &str) -> Result<Run> {
        let found = match word.parse::<i64>() {
            Ok(id) => self.runs_where("id = ?", [id], 1)?,
            Err(_) if word == LAST => self.runs(None, 1)?,
            Err(_) => self.runs(Some(word), 1)?,
        };
        found.into_iter().next().ok_or_else(|| {
            let expected = format!("a run's number, a tag, or {LAST:?}");
            self.no_run(expected, format!("{word:?}"))
        })
    }

    /// How many programs, each with its arguments, have a finished run on the same cases as `run`.
    ///
    /// # Errors
    /// If that cannot be read.
    pub(crate) fn programs_on_cases_of(&self, run: &Run) -> Result<usize> {
        let sql = "SELECT id, spec, provenance FROM run
             WHERE state = 'done' AND judged = ? AND case_set = ? AND problem = ? AND objective = ?";
        let of_run = params![
            run.judged as i64,
            run.case_set,
            run.about.problem,
            run.scoring().name()
        ];
        self.read(|db| {
            let mut statement = db.prepare(sql)?;
            let programs = statement.query_map(of_run, |row| {
                let place = || run::place(row);
                let columns = Columns::new(row, &place);
                let spec: RunSpec = columns.json(1, "the settings of a run")?;
                let provenance: Provenance = columns.json(2, "the provenance of a run")?;
                Ok(run::program_key(&spec, &provenance))
            })?;
            programs.collect::<rusqlite::Result<HashSet<_>>>()
        })
        .map(|programs| programs.len())
    }

    /// The run that a word names. If it is being judged, looks again until `patience` is over, as
    /// [`unfinished`](Self::unfinished) does.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_ended(&self, patience: Duration, word: &str) -> Result<Run> {
        let has_ended = |run: &Run| run.state != State::Running;
        look_again(patience, || self.find(word), has_ended)
    }

    /// The newest run that `fits`, of those that are unfinished. If only runs fit that are being judged, looks again until
    /// `patience` is over: the tester of one may just have been killed.
    ///
    /// # Errors
    /// If there is none.
    pub fn unfinished(&self, patience: Duration, fits: impl Fn(&Run) -> bool) -> Result<Run> {
        let look = || {
            let not_done = "state <> 'done' AND kind = 'batch'";
            let runs = self.runs_where(not_done, params![], usize::MAX)?;
            let is_open = |run: &Run| run.state == State::Unfinished;
            let (open, judged): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(is_open);
            let only_judged = judged.into_iter().find(&fits);
            Ok((only_judged.filter(|_| !open.iter().any(&fits)), open))
        };
        let (only_judged, open) = look_again(patience, look, |(run, _)| run.is_none())?;
        if let Some(run) = only_judged {
            let found = format!("only run {}, which is still being judged", run.id);
            return Err(self.no_run("an unfinished run to continue", found));
        }
        let mut open = open.into_iter();
        let Some(newest) = open.next() else {
            return Err(self.no_run("an unfinished run to continue", "none"));
        };
        let described = format!(
            "run {}: {} on {:#}",
            newest.id, newest.about.spec.command, newest.about.spec.source
        );
        let mut open = std::iter::once(newest).chain(open);
        open.find(|run| fits(run)).ok_or_else(|| {
            let expected = "an unfinished run of this command, on these cases, with these limits";
            self.no_run(expected, format!("only others, the newest is {described}"))
        })
    }

    /// Calls `each` with every record of a run, in ascending order of case.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn each_record(&self, run: RunId, each: impl FnMut(JudgedCase)) -> Result<()> {
        self.read(|db| each_record(db, run, each))
    }

    /// The same, each with the best score that any run has had on this case. Memory does not grow with the run.
    pub(super) fn each_record_beside_scores(
        &self,
        run: RunId,
        mut each: impl FnMut(JudgedCase, Option<Score>),
    ) -> Result<()> {
        let best = "(SELECT score FROM best_of AS best
            WHERE best.case_id = record.case_id AND best.digest = record.digest
                AND best.opening = record.opening AND best.objective =
                    (SELECT objective FROM run WHERE run.id = record.run))";
        self.read(|db| {
            let decimals = decimals_of(db, run)?;
            each_row(db, run, &format!("{RECORD}, {best}"), |row| {
                let place = || place_of_record(run, row);
                let best = Columns::new(row, &place).optional_integer(BEST)?;
                let best = best.map(|units| Score::new(units as u64, decimals));
                each(judged_of_row(run, decimals, row)?, best);
                Ok(())
            })
        })
    }

    /// The record of one case of a run; `None` if the run does not have the case.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record(&self, run: RunId, case: CaseId) -> Result<Option<JudgedCase>> {
        self.read(|db| record_of(db, run, case).optional())
    }

    /// The scores of a run, in ascending order of case. A case that the machine could not judge is not there: the program
    /// has not failed it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn scores(&self, run: RunId) -> Result<Vec<CaseScore>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT case_id, digest, verdict, score FROM record
                 WHERE run = ? AND verdict <> 'IE'",
            )?;
            let decimals = decimals_of(db, run)?;
            let mut rows = statement.query([run.0])?;
            let mut scores = Vec::new();
            while let Some(row) = rows.next()? {
                let place = || place_of_record(run, row);
                let columns = Columns::new(row, &place);
                let accepted = verdict_in(&columns, 2)? == Verdict::Ac;
                let score = Score::new(columns.bits(3)?, decimals);
                scores.push(CaseScore {
                    id: CaseId(columns.bits(0)?),
                    digest: Digest(columns.bits(1)?),
                    score: accepted.then_some(score),
                });
            }
            // The rows are sorted already, except numbers above 2^63.
            scores.sort_by_key(|scored| scored.id);
            Ok(scores)
        })
    }

    /// The best score that any run has had on each case of this one.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn best_scores(&self, run: RunId) -> Result<HashMap<CaseId, Score>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT best_of.case_id, best_of.score
                 FROM record JOIN run ON run.id = record.run
                    JOIN best_of USING (case_id, digest, opening, objective)
                 WHERE record.run = ?",
            )?;
            let decimals = decimals_of(db, run)?;
            let rows = statement.query_map([run.0], |row| {
                let place = || place_of_record(run, row);
                let columns = Columns::new(row, &place);
                let score = Score::new(columns.bits(1)?, decimals);
                Ok((CaseId(columns.bits(0)?), score))
            })?;
            rows.collect()
        })
    }
}

/// Calls `each` with every record of a run, in ascending order of case.
pub(super) fn each_record(
    db: &Connection,
    run: RunId,
    mut each: impl FnMut(JudgedCase),
) -> rusqlite::Result<()> {
    let decimals = decimals_of(db, run)?;
    each_row(db, run, RECORD, |row| {
        each(judged_of_row(run, decimals, row)?);
        Ok(())
    })
}

/// Calls `each` with these columns of every record of a run, in ascending order of case.
fn each_row(
    db: &Connection,
    run: RunId,
    columns: &str,
    mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    // Numbers above 2^63 are stored as negative ones, and come last.
    for part in ["case_id >= 0", "case_id < 0"] {
        let mut statement = db.prepare_cached(&format!(
            "SELECT {columns} {RECORDS} WHERE run = ? AND {part} ORDER BY case_id"
        ))?;
        let mut rows = statement.query([run.0])?;
        while let Some(row) = rows.next()? {
            each(row)?;
        }
    }
    Ok(())
}

/// The record of one case of a run.
pub(super) fn record_of(db: &Connection, run: RunId, id: CaseId) -> rusqlite::Result<JudgedCase> {
    let sql = format!("SELECT {RECORD} {RECORDS} WHERE run = ? AND case_id = ?");
    let mut statement = db.prepare_cached(&sql)?;
    let decimals = decimals_of(db, run)?;
    statement.query_row(params![run.0, signed(id.0)], |row| {
        judged_of_row(run, decimals, row)
    })
}

/// How many decimals the scores of a run have. Columns have their units.
fn decimals_of(db: &Connection, run: RunId) -> rusqlite::Result<u8> {
    let mut statement = db.prepare_cached("SELECT spec FROM run WHERE id = ?")?;
    let spec = statement.query_row([run.0], |row| {
        let place = || format!("run {run}");
        Columns::new(row, &place).json::<RunSpec>(0, "the settings of a run")
    })?;
    Ok(spec.scoring().decimals)
}

/// What [`judged_of_row`] reads.
const RECORD: &str = "case_id, digest, seed, text, verdict, score, turns, wall_us, cpu_us, memory_kib, reason, \
     last_words, parameters";

/// The column after those.
const BEST: usize = 13;

/// From where it reads them.
const RECORDS: &str = "FROM record JOIN opening ON opening.id = opening";

fn judged_of_row(run: RunId, decimals: u8, row: &Row<'_>) -> rusqlite::Result<JudgedCase> {
    let place = || place_of_record(run, row);
    let columns = Columns::new(row, &place);
    Ok(JudgedCase {
        case: CaseKey {
            id: CaseId(columns.bits(0)?),
            digest: Digest(columns.bits(1)?),
            seed: columns.optional_integer(2)?.map(|seed| Seed(seed as u64)),
        },
        record: Record {
            opening: columns.text(3)?.to_owned(),
            parameters: parameters_in(&columns, 12)?,
            verdict: verdict_in(&columns, 4)?,
            score: Score::new(columns.bits(5)?, decimals),
            turns: columns.bits(6)?,
            wall_ms: columns.us_as_ms(7)?,
            cpu_ms: columns.us_as_ms(8)?,
            memory_kib: columns.size(9)?,
            reason: columns.optional_text(10)?,
            last_stderr_line: columns.optional_text(11)?,
        },
    })
}

/// What messages call the row of a record, whose first column is the number of its case.
pub(super) fn place_of_record(run: RunId, row: &Row<'_>) -> String {
    match row.get::<_, i64>(0) {
        Ok(id) => format!("run {run}, case {}", CaseId(id as u64)),
        Err(_) => format!("run {run}, a case"),
    }
}

/// The parameters in a column of a record.
fn parameters_in(columns: &Columns<'_>, column: usize) -> rusqlite::Result<Parameters> {
    let expected = "numbers with spaces between";
    let parse = |text: &str| text.parse().ok();
    let found = columns.optional_parsed(column, expected, parse)?;
    Ok(found.unwrap_or_default())
}

/// The verdict in a column of a record.
pub(super) fn verdict_in(columns: &Columns<'_>, column: usize) -> rusqlite::Result<Verdict> {
    columns.parsed(column, "a verdict", |text| text.parse().ok())
}
