//! Deletes runs with everything that is kept of them, as if they had never been.

use std::path::PathBuf;

use rusqlite::{Connection, params};

use super::edit::{ended_runs, find_best_again};
use super::error::Result;
use super::folders::remove_folder;
use super::history::History;
use super::run::{Run, RunId};
use super::sources::remove_unused;

impl History {
    /// Deletes all of these runs, or none: their records, hosts, source files, output files with their copies, and pictures. Best scores
    /// of cases are then those of the other runs; frozen ones stay. Numbers of runs are not used again.
    ///
    /// Returns the folders that stay, because something else is in them, or because they cannot be removed, and copies
    /// that cannot be changed. `passed` is called twice for each output: when its copy was looked at, and when it was
    /// removed.
    ///
    /// Cost: reads the records of all runs once, and the outputs of these runs.
    ///
    /// # Errors
    /// If a run is being judged, is there no more, or the history cannot be written. Then nothing was deleted.
    pub fn delete(&mut self, runs: &[Run], passed: &mut dyn FnMut()) -> Result<Vec<PathBuf>> {
        let path = self.path.clone();
        let deleted = self.write_and(|db, _| {
            let runs = ended_runs(db, &path, runs, "deleted")?;
            let ids: Vec<RunId> = runs.iter().map(|run| run.id).collect();
            delete(db, &ids)?;
            Ok(runs)
        })?;
        // Not before: what is removed here does not come back. No other run gets the name of such a folder.
        let mut stay = Vec::new();
        for run in deleted {
            let run = self.with_whole_path(run);
            stay.extend(self.renew_copies(&run, passed));
            stay.extend(run.folder.filter(|folder| !remove_folder(folder, passed)));
        }
        Ok(stay)
    }
}

/// The rows of these runs. Texts of openings stay: a process that is judging knows their numbers.
fn delete(db: &Connection, runs: &[RunId]) -> rusqlite::Result<()> {
    find_best_again(db, runs, runs)?;
    for run in runs {
        db.execute("DELETE FROM record WHERE run = ?", params![run.0])?;
        db.execute("DELETE FROM host WHERE run = ?", params![run.0])?;
        db.execute("DELETE FROM run_source WHERE run = ?", params![run.0])?;
        db.execute("DELETE FROM run WHERE id = ?", params![run.0])?;
    }
    remove_unused(db)
}
