//! Corrects what a user has said of runs. Records never change.

use rusqlite::{Connection, params};

use super::error::Result;
use super::history::History;
use super::run::{Run, RunId, to_json};
use super::write::keep_best;
use crate::judge::external::ExternalSpec;
use crate::problem::Objective;
use crate::run::spec::RunSpec;

/// What is changed; the rest stays.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// Another tag.
    pub tag: Option<String>,
    /// Another comment; an empty one removes it.
    pub comment: Option<String>,
    /// Another objective; runs of built-in problems keep theirs.
    pub objective: Option<Objective>,
}

impl History {
    /// Edits all of these runs, or none.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn edit(&mut self, runs: &[Run], edit: &Edit) -> Result<()> {
        self.write_and(|db, _| {
            for run in runs {
                let about = &run.about;
                let comment = edit.comment.as_ref().or(about.comment.as_ref());
                let spec = edit.spec(&about.spec);
                db.execute(
                    "UPDATE run SET tag = ?, comment = ?, objective = ?, spec = ? WHERE id = ?",
                    params![
                        edit.tag.as_ref().or(about.tag.as_ref()),
                        comment.filter(|comment| !comment.is_empty()),
                        spec.scoring().name(),
                        to_json(&spec)?,
                        run.id.0
                    ],
                )?;
            }
            let is_other = |run: &&Run| edit.spec(&run.about.spec).scoring() != run.scoring();
            let others: Vec<RunId> = runs.iter().filter(is_other).map(|run| run.id).collect();
            if !others.is_empty() {
                find_best_again(db, &others, &[])?;
            }
            Ok(())
        })
    }
}

/// The best scores of the cases of these runs, found again: their objective is another one now, or those in `without`
/// do not count any more.
///
/// Cost: reads the records of all runs.
pub(super) fn find_best_again(
    db: &Connection,
    runs: &[RunId],
    without: &[RunId],
) -> rusqlite::Result<()> {
    const CASES: &str = "(case_id, digest, opening) IN
        (SELECT case_id, digest, opening FROM record WHERE run IN (SELECT value FROM json_each(?1)))";
    let list = |runs: &[RunId]| to_json(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
    let (runs, without) = (list(runs)?, list(without)?);
    db.execute(&format!("DELETE FROM best_of WHERE {CASES}"), [&runs])?;
    let accepted = format!(
        "SELECT case_id, digest, opening, objective, score, run.id FROM record JOIN run ON run.id = record.run
         WHERE verdict = 'AC' AND {CASES} AND run.id NOT IN (SELECT value FROM json_each(?2))
         ORDER BY run.id"
    );
    db.execute(&keep_best(&accepted), [&runs, &without])?;
    Ok(())
}

impl Edit {
    fn spec(&self, spec: &RunSpec) -> RunSpec {
        let edited = |external: ExternalSpec| ExternalSpec {
            objective: self.objective.unwrap_or(external.objective),
            ..external
        };
        RunSpec {
            external: spec.external.clone().map(edited),
            ..spec.clone()
        }
    }
}
