//! Corrects what a user has said of runs. Records never change.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::{Abort, HistoryError, Result};
use super::history::History;
use super::run::{self, Run, RunId, State, to_json};
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
    /// If a run is being judged, is there no more, or the history cannot be written.
    pub fn edit(&mut self, runs: &[Run], edit: &Edit) -> Result<()> {
        let path = self.path.clone();
        self.write_and(|db, _| {
            let runs = ended_runs(db, &path, runs, "edited")?;
            for run in &runs {
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

/// These runs as they are now: since they were found, another process may have edited, resumed or deleted them. Their
/// folders are as they are stored. `done` is what is done only with runs that have ended: `deleted`.
///
/// # Errors
/// If a run is being judged, or is there no more.
pub(super) fn ended_runs(
    db: &Connection,
    history: &Path,
    runs: &[Run],
    done: &'static str,
) -> std::result::Result<Vec<Run>, Abort> {
    let sql = format!("SELECT {} FROM run WHERE id = ?", run::COLUMNS);
    let now = |&Run { id, .. }: &Run| {
        let found = db.query_row(&sql, [id.0], |row| Run::from_row(row, history));
        match found.optional()? {
            Some(run) if run.state == State::Running => {
                Err(HistoryError::Running { run: id, done }.into())
            }
            Some(run) => Ok(run),
            None => Err(HistoryError::NoRun {
                path: history.to_owned(),
                expected: "a run".to_owned(),
                found: id.to_string(),
            }
            .into()),
        }
    };
    runs.iter().map(now).collect()
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{empty, keep, new_run};
    use super::*;

    #[test]
    fn two_edits_at_once_keep_what_the_other_one_has_said() {
        let (_dir, mut history) = empty();
        let run = keep(&mut history, None, &[Some(3)]);
        // Both have found the run before one of them writes.
        let found = [(); 2].map(|()| history.find(&run.to_string()).unwrap());
        let tag = Edit {
            tag: Some("new".to_owned()),
            ..Edit::default()
        };
        let comment = Edit {
            comment: Some("said".to_owned()),
            ..Edit::default()
        };
        history.edit(&found[..1], &tag).unwrap();
        history.edit(&found[1..], &comment).unwrap();
        let about = history.find(&run.to_string()).unwrap().about;
        assert_eq!(about.tag.as_deref(), Some("new"));
        assert_eq!(about.comment.as_deref(), Some("said"));
    }

    #[test]
    fn all_runs_are_edited_or_none_where_one_is_judged_or_deleted_meanwhile() {
        let (_dir, mut history) = empty();
        let first = keep(&mut history, None, &[Some(3)]);
        let live = history.begin(&new_run(None)).unwrap();
        let both = [first, live].map(|run| history.find(&run.to_string()).unwrap());
        let edit = Edit {
            tag: Some("new".to_owned()),
            ..Edit::default()
        };
        let refused = history.edit(&both, &edit).unwrap_err().to_string();
        assert_eq!(
            refused,
            "another process is judging run 2; nothing was edited"
        );
        history
            .end(live, State::Unfinished, Duration::ZERO)
            .unwrap();
        history.delete(&both[1..], &mut || ()).unwrap();
        let refused = history.edit(&both, &edit).unwrap_err().to_string();
        assert!(refused.ends_with("expected a run, found 2"), "{refused}");
        assert_eq!(history.find(&first.to_string()).unwrap().about.tag, None);
    }
}
