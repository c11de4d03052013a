//! Corrects what a user has said of runs. Records never change.

use rusqlite::params;

use super::error::Result;
use super::history::History;
use super::run::{Run, to_json};
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
                db.execute(
                    "UPDATE run SET tag = ?, comment = ?, spec = ? WHERE id = ?",
                    params![
                        edit.tag.as_ref().or(about.tag.as_ref()),
                        comment.filter(|comment| !comment.is_empty()),
                        to_json(&edit.spec(&about.spec))?,
                        run.id.0
                    ],
                )?;
            }
            Ok(())
        })
    }
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
