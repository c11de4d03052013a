//! Imports runs that other machines have judged, and reads which host judged which case.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::{Transaction, TransactionBehavior, params};

use super::column::Columns;
use super::error::{HistoryError, Result};
use super::history::History;
use super::lock::this_process;
use super::read::{place_of_record, record_of, verdict_in};
use super::run::{NewRun, RunId, State};
use super::write::{Sums, insert, insert_run};
use crate::case::CaseId;
use crate::judge::record::JudgedCase;
use crate::run::provenance::Host;
use crate::stats::hosts::Timing;

/// Runs that are being imported in one transaction: other processes see all of them or none.
pub struct Import<'a> {
    db: &'a Transaction<'a>,
    openings: &'a mut HashMap<String, i64>,
    path: &'a Path,
    sums: HashMap<RunId, Sums>,
}

/// The summary of a run after all its shards have been read.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Whether every case is there.
    pub state: State,
    /// When the first shard was begun, in milliseconds since 1970.
    pub begun_ms: i64,
    /// How long at least one shard was being judged, in milliseconds.
    pub took_ms: i64,
    /// The machines, in one text.
    pub machine: String,
    /// The sandboxes of its hosts.
    pub sandbox: Option<String>,
    /// Its hosts, by the numbers that their records were entered with.
    pub hosts: Vec<Host>,
}

impl History {
    /// Imports the runs of `work`, or none if `work` fails. Other writers to this history wait meanwhile.
    ///
    /// # Errors
    /// If `work` fails, or nothing can be written.
    pub fn enter<T, E: From<HistoryError>>(
        &mut self,
        work: impl FnOnce(&mut Import<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let path = self.path.clone();
        let failed = |reason| HistoryError::from_database("write", &path, reason);
        let begun = self
            .db
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(failed)?;
        let mut entry = Import {
            db: &transaction,
            openings: &mut self.openings,
            path: &self.path,
            sums: HashMap::new(),
        };
        let done = work(&mut entry);
        let done = done.and_then(|done| {
            transaction.commit().map_err(failed)?;
            Ok(done)
        });
        if done.is_err() {
            self.openings.clear(); // the openings of this transaction were not stored
        }
        done
    }

    /// The hosts of a run, by their numbers; none if it was judged on one machine.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn hosts(&self, run: RunId) -> Result<Vec<Host>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT name, machine, cpus, calibration_us, time_limit_us FROM host
                 WHERE run = ? ORDER BY number",
            )?;
            let hosts = statement.query_map([run.0], |row| {
                let place = || format!("run {run}, a host");
                let columns = Columns::new(row, &place);
                let calibration_ms = columns.us_as_ms(3)?;
                if calibration_ms == 0.0 {
                    return Err(columns.damage(3, "more than 0", 0));
                }
                Ok(Host {
                    name: columns.text(0)?.to_owned(),
                    machine: columns.text(1)?.to_owned(),
                    cpus: columns.size(2)?,
                    calibration_ms,
                    time_limit_us: columns.size(4)?,
                })
            })?;
            hosts.collect()
        })
    }

    /// Calls `each` for every case of a run whose host is known, in any order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn each_timing(&self, run: RunId, mut each: impl FnMut(Timing)) -> Result<()> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT case_id, host, verdict, max(wall_us, cpu_us) FROM record
                 WHERE run = ? AND host IS NOT NULL",
            )?;
            let mut rows = statement.query([run.0])?;
            while let Some(row) = rows.next()? {
                let place = || place_of_record(run, row);
                let columns = Columns::new(row, &place);
                each(Timing {
                    id: CaseId(columns.bits(0)?),
                    host: columns.count(1)? as usize,
                    verdict: verdict_in(&columns, 2)?,
                    time_ms: columns.us_as_ms(3)?,
                });
            }
            Ok(())
        })
    }
}

impl Import<'_> {
    /// Begins a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, new: &NewRun) -> Result<RunId> {
        let run = insert_run(self.db, new, &this_process()).map_err(|e| self.failed(e))?;
        self.sums.insert(run, Sums::default());
        Ok(run)
    }

    /// Stores a record and the number of the host that judged it. If the run already has a record of the case, returns
    /// that record and changes nothing.
    ///
    /// Cost: about 10 µs.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(
        &mut self,
        run: RunId,
        host: usize,
        judged: &JudgedCase,
    ) -> Result<Option<JudgedCase>> {
        let done = match insert(self.db, self.openings, run, Some(host), judged) {
            Ok(false) => record_of(self.db, run, judged.case.id).map(Some),
            inserted => inserted.map(|_| None),
        };
        if let (Ok(None), Some(sums)) = (&done, self.sums.get_mut(&run)) {
            sums.add(judged);
        }
        done.map_err(|e| self.failed(e))
    }

    /// Ends a run after its last record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self, run: RunId, ended: &RunSummary) -> Result<()> {
        let sums = self.sums.remove(&run).unwrap_or_default();
        let write = || -> rusqlite::Result<()> {
            sums.add_to(self.db, run)?;
            self.db.execute(
                "UPDATE run SET state = ?, begun_ms = ?, took_ms = ?,
                    provenance = json_set(provenance, '$.machine', ?), spec = json_set(spec, '$.sandbox', ?)
                 WHERE id = ?",
                params![
                    ended.state.as_str(),
                    ended.begun_ms,
                    ended.took_ms,
                    ended.machine,
                    ended.sandbox,
                    run.0
                ],
            )?;
            let mut statement = self.db.prepare_cached(
                "INSERT INTO host (run, number, name, machine, cpus, calibration_us, time_limit_us)
                 VALUES (?, ?, ?, ?, ?, ?, ?)",
            )?;
            for (number, host) in ended.hosts.iter().enumerate() {
                statement.execute(params![
                    run.0,
                    number as i64,
                    host.name,
                    host.machine,
                    host.cpus as i64,
                    (host.calibration_ms * 1e3).round() as i64,
                    host.time_limit_us as i64,
                ])?;
            }
            Ok(())
        };
        write().map_err(|e| self.failed(e))
    }

    fn failed(&self, reason: rusqlite::Error) -> HistoryError {
        HistoryError::from_database("write", self.path, reason)
    }
}
