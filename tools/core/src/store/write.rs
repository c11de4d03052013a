//! Writes the beginnings and ends of runs, and their records.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::clock::clock_of;
use super::error::{Abort, Result};
use super::history::{History, signed};
use super::lock;
use super::read::each_record;
use super::run::{self, NewRun, Run, RunId, State};
use crate::case::{CaseId, CaseKey, Digest};
use crate::judge::record::JudgedCase;
use crate::run::spec::RunSpec;
use crate::util::wall_clock::now_ms;

impl History {
    /// Runs `work` in one transaction.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &mut HashMap<String, i64>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        self.write_and(|db, openings| Ok(work(db, openings)?))
    }

    /// The same for work that also changes folders; if that fails, the transaction is undone. What it has changed by then is
    /// the caller's to take back.
    pub(super) fn write_and<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>, &mut HashMap<String, i64>) -> std::result::Result<T, Abort>,
    ) -> Result<T> {
        let transaction = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let done = transaction.map_err(Abort::from).and_then(|transaction| {
            let done = work(&transaction, &mut self.openings)?;
            transaction.commit()?;
            Ok(done)
        });
        if done.is_err() {
            self.openings.clear(); // the openings of this transaction were not stored
        }
        done.map_err(|abort| match abort {
            Abort::Database(error) => self.failed("write", error),
            Abort::Refused(error) => error,
        })
    }

    /// Begins a run without its own folder; this process is its owner.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, new: &NewRun) -> Result<RunId> {
        let owner = self.owner();
        self.write(|db, _| insert_run(db, new, &owner))
    }

    /// Stores records of a run. When this returns, the transaction is complete.
    ///
    /// Cost: about 10 µs a record, and 20 µs for the call.
    ///
    /// # Errors
    /// If they cannot be written, for example because the disk is full. Then none of these records is stored; earlier
    /// records stay.
    pub fn add(&mut self, run: RunId, judged: &[JudgedCase]) -> Result<()> {
        self.write(|db, openings| insert_all(db, openings, run, judged))
    }

    /// Stores the names of a run's parameters, where more of them were found than it began with. Records that have their
    /// values come later.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn set_parameters(&mut self, run: RunId, names: Option<Vec<String>>) -> Result<()> {
        names.map_or(Ok(()), |names| {
            self.change_spec(run, |spec| spec.parameters = names)
        })
    }

    /// Stores that the duel was decided of which this is the second run.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn set_decided(&mut self, run: RunId) -> Result<()> {
        self.change_spec(run, |spec| {
            spec.duel.iter_mut().for_each(|duel| duel.decided = true);
        })
    }

    fn change_spec(&mut self, run: RunId, change: impl FnOnce(&mut RunSpec)) -> Result<()> {
        let mut spec = self.find(&run.to_string())?.about.spec;
        change(&mut spec);
        self.write(|db, _| {
            let spec = run::to_json(&spec)?;
            db.execute("UPDATE run SET spec = ? WHERE id = ?", params![spec, run.0])
        })
        .map(drop)
    }

    /// Stores a record of each of two runs, or of neither.
    ///
    /// # Errors
    /// As [`History::add`].
    pub fn add_pair(&mut self, runs: [RunId; 2], pair: &[JudgedCase; 2]) -> Result<()> {
        self.write(|db, openings| {
            for (run, judged) in runs.into_iter().zip(pair) {
                insert_all(db, openings, run, std::slice::from_ref(judged))?;
            }
            Ok(())
        })
    }

    /// Marks a run as ended or interrupted, after it was judged for `took`. Files that change in its folder afterwards
    /// were not written by the run.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn end(&mut self, run: RunId, state: State, took: Duration) -> Result<()> {
        let ended_ns = self.folder(run)?.and_then(|folder| clock_of(&folder));
        self.write(|db, _| {
            db.execute(
                "UPDATE run SET state = ?, took_ms = took_ms + ?, ended_ns = ? WHERE id = ?",
                params![state.as_str(), took.as_millis() as i64, ended_ns, run.0],
            )
        })
        .map(drop)
    }

    /// Makes this process the owner of an unfinished run, and removes the records of cases that the machine could
    /// not judge. Returns the done cases; `None` if another process has just become the owner.
    ///
    /// # Errors
    /// If that cannot be read or written.
    pub fn resume(&mut self, run: RunId) -> Result<Option<BTreeMap<CaseId, Digest>>> {
        let (owner, path) = (self.owner(), self.path.clone());
        let resumed = self.write(|db, _| {
            let sql = format!("SELECT {} FROM run WHERE id = ?", run::COLUMNS);
            let found = db.query_row(&sql, [run.0], |row| Run::from_row(row, &path))?;
            if found.state != State::Unfinished {
                return Ok(false);
            }
            db.execute(
                "UPDATE run SET state = ?, owner = ?, ended_ns = NULL WHERE id = ?",
                params![State::Running.as_str(), owner, run.0],
            )?;
            db.execute(
                "DELETE FROM record WHERE run = ? AND verdict = 'IE'",
                [run.0],
            )?;
            db.execute(
                "UPDATE run SET judged = 0, accepted = 0, score_sum = 0, score_squares = 0,
                    case_set = 0 WHERE id = ?",
                [run.0],
            )?;
            let mut sums = Sums::default();
            each_record(db, run, |case| sums.add(&case))?;
            sums.add_to(db, run)?;
            Ok(true)
        })?;
        if !resumed {
            return Ok(None);
        }
        let done = self.scores(run)?.into_iter().map(|s| (s.id, s.digest));
        Ok(Some(done.collect()))
    }

    /// Marks runs as unfinished if their process has died.
    ///
    /// # Errors
    /// If that cannot be read or written.
    pub fn mark_crashed(&mut self) -> Result<()> {
        let path = self.path.clone();
        self.write(|db, _| {
            let mut running = db.prepare("SELECT id, owner FROM run WHERE state = 'running'")?;
            let running = running.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            for run in running {
                let (id, owner): (i64, String) = run?;
                if !lock::lives(&path, &owner) {
                    let state = State::Unfinished.as_str();
                    db.execute("UPDATE run SET state = ? WHERE id = ?", params![state, id])?;
                }
            }
            Ok(())
        })
    }
}

/// The row of a run that begins, with its owner.
pub(super) fn insert_run(db: &Connection, new: &NewRun, owner: &str) -> rusqlite::Result<RunId> {
    let out = &new.spec.out;
    let spec = RunSpec {
        out: std::path::absolute(out).unwrap_or_else(|_| out.clone()),
        ..new.spec.clone()
    };
    db.execute(
        "INSERT INTO run (begun_ms, kind, state, owner, tag, comment, problem, planned, objective, spec, provenance)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            now_ms(),
            new.kind.as_str(),
            State::Running.as_str(),
            owner,
            new.tag,
            new.comment,
            new.problem,
            new.planned as i64,
            spec.scoring().name(),
            run::to_json(&spec)?,
            run::to_json(&new.provenance)?,
        ],
    )?;
    Ok(RunId(db.last_insert_rowid()))
}

/// The sums over its records in the row of a run.
#[derive(Default)]
pub(super) struct Sums {
    judged: i64,
    accepted: i64,
    score: f64,
    squares: f64,
    case_set: i64,
}

impl Sums {
    pub(super) fn add(&mut self, judged: &JudgedCase) {
        let score = judged.record.score.units() as f64;
        self.judged += 1;
        self.case_set = self.case_set.wrapping_add(identity(&judged.case));
        if judged.accepted() {
            self.accepted += 1;
            self.score += score;
            self.squares += score * score;
        }
    }

    pub(super) fn add_to(&self, db: &Connection, run: RunId) -> rusqlite::Result<()> {
        // SQLite's sum of integers does not wrap around; ours of identities must.
        let mut before = db.prepare_cached("SELECT case_set FROM run WHERE id = ?")?;
        let before: i64 = before.query_row([run.0], |row| row.get(0))?;
        let mut update = db.prepare_cached(
            "UPDATE run SET judged = judged + ?, accepted = accepted + ?, score_sum = score_sum + ?,
                score_squares = score_squares + ?, case_set = ? WHERE id = ?",
        )?;
        update.execute(params![
            self.judged,
            self.accepted,
            self.score,
            self.squares,
            before.wrapping_add(self.case_set),
            run.0
        ])?;
        Ok(())
    }
}

/// A number for a case; their sum tells whether two runs are of the same cases.
fn identity(case: &CaseKey) -> i64 {
    // Multiplying by a large odd number (2^64 / φ) keeps neighbours from cancelling out.
    let mixed = case.digest.0 ^ case.id.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    signed(mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) ^ mixed)
}

/// Records, and what the row of their run knows of them.
fn insert_all(
    db: &Connection,
    openings: &mut HashMap<String, i64>,
    run: RunId,
    judged: &[JudgedCase],
) -> rusqlite::Result<()> {
    let mut sums = Sums::default();
    for case in judged {
        if !insert(db, openings, run, None, case)? {
            return Err(rusqlite::Error::StatementChangedRows(0)); // the run has that case already
        }
        sums.add(case);
    }
    sums.add_to(db, run)
}

/// Inserts a record and the number of the host that judged it. Returns `false` and changes nothing if the run already
/// has a record of the case.
pub(super) fn insert(
    db: &Connection,
    openings: &mut HashMap<String, i64>,
    run: RunId,
    host: Option<usize>,
    judged: &JudgedCase,
) -> rusqlite::Result<bool> {
    let JudgedCase { case, record } = judged;
    let opening = match openings.get(&record.opening) {
        Some(&known) => known,
        None => {
            let id = opening_id(db, &record.opening)?;
            openings.insert(record.opening.clone(), id);
            id
        }
    };
    let us = |ms: f64| (ms * 1e3).round() as i64;
    let parameters = (!record.parameters.is_empty()).then(|| record.parameters.to_string());
    let (id, digest) = (signed(case.id.0), signed(case.digest.0));
    let mut statement = db.prepare_cached(
        "INSERT INTO record (run, case_id, digest, seed, opening, verdict, score, turns, wall_us,
            cpu_us, memory_kib, reason, last_words, host, parameters)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (run, case_id) DO NOTHING",
    )?;
    let inserted = statement.execute(params![
        run.0,
        id,
        digest,
        case.seed.map(|seed| signed(seed.0)),
        opening,
        record.verdict.to_string(),
        signed(record.score.units()),
        signed(record.turns),
        us(record.wall_ms),
        us(record.cpu_ms),
        signed(record.memory_kib),
        record.reason,
        record.last_stderr_line,
        host.map(|host| host as i64),
        parameters,
    ])?;
    if inserted > 0 && judged.accepted() {
        const THIS: &str = "SELECT ?1, ?2, ?3, objective, ?4, id FROM run WHERE id = ?5";
        let mut statement = db.prepare_cached(&keep_best(THIS))?;
        statement.execute(params![
            id,
            digest,
            opening,
            signed(record.score.units()),
            run.0
        ])?;
    }
    Ok(inserted > 0)
}

/// Keeps each selected score that is better than what is kept. Selected are the case, its content, its opening, the
/// objective, the score and the run, with a `WHERE`. Scores of 2^63 and more are stored as negative numbers.
pub(super) fn keep_best(selected: &str) -> String {
    format!(
        "INSERT INTO best_of (case_id, digest, opening, objective, score, run) {selected}
         ON CONFLICT DO UPDATE SET score = excluded.score, run = excluded.run
            WHERE CASE WHEN objective LIKE 'max%'
                THEN (excluded.score < 0, excluded.score) > (score < 0, score)
                ELSE (excluded.score < 0, excluded.score) < (score < 0, score) END"
    )
}

fn opening_id(db: &Connection, text: &str) -> rusqlite::Result<i64> {
    let known = db.query_row("SELECT id FROM opening WHERE text = ?", [text], |row| {
        row.get(0)
    });
    match known.optional()? {
        Some(id) => Ok(id),
        None => {
            db.execute("INSERT INTO opening (text) VALUES (?)", [text])?;
            Ok(db.last_insert_rowid())
        }
    }
}
