//! What every answer may need: the history, and the games that were asked for.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::answer::Failure;
use crate::analysis::{self, Analyst};

/// What every answer may need.
pub struct Shared {
    /// Where runs are kept.
    pub(super) history: PathBuf,
    /// How `tester` is called in commands that are shown.
    pub(super) tester: String,
    /// Games that were asked for, by name: their tables take a while to make.
    games: Mutex<HashMap<String, Arc<dyn Analyst>>>,
}

impl Shared {
    /// Over this history.
    pub fn new(history: PathBuf, tester: String) -> Self {
        Self {
            history,
            tester,
            games: Mutex::new(HashMap::new()),
        }
    }

    /// Who looks into a game.
    pub(super) fn analyst(&self, problem: &str) -> Result<Arc<dyn Analyst>, Failure> {
        let mut games = self
            .games
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = games.get(problem) {
            return Ok(Arc::clone(known));
        }
        let analyst: Arc<dyn Analyst> = analysis::analyst(problem).map_err(Failure::wrong)?.into();
        // Usually a few are used. A client that asks for all of them must not fill the memory.
        if games.len() >= 8 {
            games.clear();
        }
        games.insert(problem.to_owned(), Arc::clone(&analyst));
        Ok(analyst)
    }
}
