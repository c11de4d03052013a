//! Runs before another one that it can be compared with.

use rusqlite::params;

use super::error::Result;
use super::history::History;
use super::run::Run;

/// How many runs with more cases are looked at for one with the same, and how many cases they may have.
const WIDER: usize = 3;
const MAX_WIDER_CASES: i64 = 100_000;

impl History {
    /// The last finished run before `run` on the same cases, if there is one.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn before(&self, run: &Run) -> Result<Option<Run>> {
        self.before_with(run, 0)
    }

    /// The same, of the runs that solved a case.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn solved_before(&self, run: &Run) -> Result<Option<Run>> {
        self.before_with(run, 1)
    }

    fn before_with(&self, run: &Run, accepted: i64) -> Result<Option<Run>> {
        let found = self.runs_where(
            "id < ? AND state = 'done' AND accepted >= ? AND judged = ? AND case_set = ? AND problem = ? AND objective = ?",
            params![
                run.id.0,
                accepted,
                run.judged as i64,
                run.case_set,
                run.about.problem,
                run.scoring().name()
            ],
            1,
        )?;
        Ok(found.into_iter().next())
    }

    /// The last run before this one that began in the same millisecond, with the same program on the same cases: it was
    /// merged from the same shards.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn of_same_shards(&self, run: &Run) -> Result<Option<Run>> {
        let found = self.runs_where(
            "id < ? AND begun_ms = ? AND judged = ? AND case_set = ? AND problem = ?",
            params![
                run.id.0,
                run.begun_ms,
                run.judged as i64,
                run.case_set,
                run.about.problem
            ],
            1,
        )?;
        let program = &run.about.provenance.fingerprint;
        let is_same = |found: &Run| found.about.provenance.fingerprint == *program;
        Ok(found.into_iter().find(is_same))
    }

    /// The newest three runs before this one that have judged more cases of its problem, and solved one: its own may be
    /// among them. None with more than 100,000 cases, which take long to look at.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn wider(&self, run: &Run) -> Result<Vec<Run>> {
        self.runs_where(
            "id < ? AND state = 'done' AND accepted > 0 AND judged > ? AND judged <= ? AND problem = ? AND objective = ?",
            params![
                run.id.0,
                run.judged as i64,
                MAX_WIDER_CASES,
                run.about.problem,
                run.scoring().name()
            ],
            WIDER,
        )
    }

    /// The run before this one on the same cases, if its objective is another one: [`before`](Self::before) passes it over.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn before_by_other_objective(&self, run: &Run) -> Result<Option<Run>> {
        let found = self.runs_where(
            "id < ? AND state = 'done' AND judged = ? AND case_set = ? AND problem = ?",
            params![run.id.0, run.judged as i64, run.case_set, run.about.problem],
            1,
        )?;
        let found = found.into_iter().next();
        Ok(found.filter(|before| before.objective() != run.objective()))
    }

    /// Whether a score that is better than those of `run` can be known: of another run of its problem, or a frozen one.
    ///
    /// # Errors
    /// If that cannot be read.
    pub(crate) fn has_rivals(&self, run: &Run) -> Result<bool> {
        let others = self.runs_where(
            "id <> ? AND judged > 0 AND problem = ? AND objective = ?",
            params![run.id.0, run.about.problem, run.scoring().name()],
            1,
        )?;
        let frozen = self.frozen_best(&run.about.problem, run.scoring())?;
        Ok(!others.is_empty() || frozen.count() > 0)
    }
}
