//! Two programs, judged in shards on the same cases: what a duel would have said of them.
//!
//! A duel takes pairs in the order of the cases and ends with the one that decides; so does this, as far as both have
//! every case from the first on. What lies behind a gap, or behind the deciding pair, is not looked at: with it, the
//! promise of the test would not hold (`score/sequential.rs`), and which shards came first would make a difference.

use super::merge::{InMemory, Merged};
use crate::judge::record::JudgedCase;
use crate::problem::Objective;
use crate::stats::duel_state::DuelState;

/// The shards of one program.
#[derive(Debug)]
pub struct Side {
    /// What came together.
    pub merged: Merged,
    /// The records with the numbers of their hosts, in the order of the cases.
    pub records: Vec<(usize, JudgedCase)>,
}

/// How a duel stands.
#[derive(Debug)]
pub struct Duel {
    /// The test, after the pairs that it was given.
    pub standing: DuelState,
    /// So many cases both have from the first on without a gap; no more of them were played than it took.
    pub ready: usize,
}

/// Why two runs are no duel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the two programs were not judged alike on the same cases: {0}")]
pub struct NotAlike(String);

impl Side {
    /// Shards that were kept in memory.
    pub fn new(merged: Merged, kept: InMemory) -> Self {
        Self {
            merged,
            records: kept.0.into_values().collect(),
        }
    }

    fn objective(&self) -> Objective {
        self.merged.about.spec.objective()
    }
}

impl Duel {
    /// Plays as many pairs as there are, or as it takes.
    ///
    /// # Errors
    /// If the two are of other cases, or were judged by other rules.
    pub fn hold(sides: &[Side; 2], alpha: f64) -> Result<Self, NotAlike> {
        let [first, second] = sides;
        let (a, b) = (&first.merged, &second.merged);
        let differences = a.about.differences_but_program(&b.about);
        if !differences.is_empty() {
            return Err(NotAlike(differences.join("; ")));
        }
        let mut duel = Self {
            standing: DuelState::new(alpha, first.objective()),
            ready: a.prefix.min(b.prefix),
        };
        // Numbers ascend with places, so that these are the ones without a gap.
        for ((_, a), (_, b)) in first.records.iter().zip(&second.records).take(duel.ready) {
            if duel.standing.is_over() {
                break;
            }
            if a.case != b.case {
                let (a, b) = (a.case, b.case);
                return Err(NotAlike(format!(
                    "case {} with content {:016x} and case {} with content {:016x}",
                    a.id, a.digest.0, b.id, b.digest.0
                )));
            }
            duel.standing.add([a, b]);
        }
        Ok(duel)
    }
}
