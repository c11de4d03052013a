//! Which case each thread works on: to say after a panic, or where a signal has to end us at once, which one it was.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use super::id::CaseId;
use crate::problem::rng::Seed;
use crate::problem::{Instance, ParamError, Spec};

static IN_PROGRESS: Mutex<Vec<(ThreadId, CaseInProgress)>> = Mutex::new(Vec::new());

/// A case that is made or judged now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseInProgress {
    /// By its number.
    Numbered(CaseId),
    /// By its seed, before it has a number.
    OfSeed(Seed),
}

impl fmt::Display for CaseInProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(id) => write!(f, "case {id}"),
            Self::OfSeed(seed) => write!(f, "the case of seed {}", seed.0),
        }
    }
}

impl CaseInProgress {
    /// This thread works on it until the value is dropped.
    pub(crate) fn begin(self) -> CaseGuard {
        list().push((thread::current().id(), self));
        CaseGuard(())
    }

    /// The one of this thread, if there is any.
    pub fn of_this_thread() -> Option<Self> {
        let own = thread::current().id();
        let list = list();
        let found = list.iter().rfind(|(thread, _)| *thread == own);
        found.map(|(_, case)| *case)
    }

    /// Those of all threads.
    pub fn of_all_threads() -> Vec<Self> {
        list().iter().map(|(_, case)| *case).collect()
    }
}

/// The case of a seed, which is in progress meanwhile.
///
/// # Errors
/// As [`Spec::generate`].
pub(super) fn generate(spec: &Spec<'_>, seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
    let _working = CaseInProgress::OfSeed(seed).begin();
    spec.generate(seed)
}

/// While this lives, the thread that has made it works on a case.
#[must_use]
pub(crate) struct CaseGuard(());

impl Drop for CaseGuard {
    fn drop(&mut self) {
        let own = thread::current().id();
        let mut list = list();
        if let Some(at) = list.iter().rposition(|(thread, _)| *thread == own) {
            list.remove(at);
        }
    }
}

fn list() -> MutexGuard<'static, Vec<(ThreadId, CaseInProgress)>> {
    IN_PROGRESS.lock().unwrap_or_else(PoisonError::into_inner)
}
