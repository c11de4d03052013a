//! A duel from the shards of two programs on the same cases.
//!
//! A duel takes pairs in the order of the cases and ends with the deciding pair. This module does the same, up to the
//! first case that one of them lacks. It ignores pairs after a gap or after the deciding pair. With them, the guarantee
//! of the test would not hold ([`crate::stats::sequential`]), and the result would depend on the order of the shards.

use super::merge::{InMemory, Merged};
use crate::judge::record::JudgedCase;
use crate::problem::{Measure, Scoring};
use crate::stats::duel_state::DuelState;
use crate::stats::sequential::Rule;
use crate::store::FrozenBest;

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
    pub state: DuelState,
    /// How many cases both have without a gap, from the first case on. The duel may end before the last of them.
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

    fn scoring(&self) -> Scoring {
        self.merged.about.spec.scoring()
    }
}

impl Duel {
    /// Plays the pairs until the duel is decided or no pair is left. The measure is that of the first run unless
    /// another one is asked for. Relative scores are relative to the frozen best scores, where there are some.
    ///
    /// # Errors
    /// If the two are of other cases, or were judged by other rules.
    pub fn hold(
        sides: &[Side; 2],
        rule: Rule,
        measure: Option<Measure>,
        frozen: &FrozenBest,
    ) -> Result<Self, NotAlike> {
        let [first, second] = sides;
        let (a, b) = (&first.merged, &second.merged);
        let differences = a.about.differences_but_program(&b.about);
        if !differences.is_empty() {
            return Err(NotAlike(differences.join("; ")));
        }
        let mut duel = Self {
            state: DuelState::new(
                rule,
                first.scoring(),
                measure.unwrap_or(a.about.spec.measure),
            ),
            ready: a.prefix.min(b.prefix),
        };
        // Numbers ascend with places, so that these are the ones without a gap.
        for ((_, a), (_, b)) in first.records.iter().zip(&second.records).take(duel.ready) {
            if duel.state.is_over() {
                break;
            }
            if a.case != b.case {
                let (a, b) = (a.case, b.case);
                return Err(NotAlike(format!(
                    "case {} with content {:016x} and case {} with content {:016x}",
                    a.id, a.digest.0, b.id, b.digest.0
                )));
            }
            duel.state.add([a, b], frozen.of(&a.case));
        }
        Ok(duel)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{about, header, judged, merged, text};
    use super::*;

    /// A program's shard with these records, read.
    fn side(records: &[JudgedCase]) -> Side {
        let shard = text(&header("1/1", about()), records);
        let (merged, kept) = merged(&[("a", shard)], false);
        Side::new(merged.unwrap(), kept)
    }

    #[test]
    fn cases_with_other_contents_are_no_pair() {
        let cases: Vec<JudgedCase> = (100..108).map(judged).collect();
        let mut other = cases.clone();
        other[3].case.digest.0 ^= 1;
        let rule = Rule {
            alpha: 0.05,
            max_difference: None,
        };
        let hold = |second: &[JudgedCase]| {
            let sides = [side(&cases), side(second)];
            Duel::hold(&sides, rule, Some(Measure::Score), &FrozenBest::default())
        };
        assert_eq!(hold(&cases).unwrap().state.played, 8);
        let NotAlike(what) = hold(&other).unwrap_err();
        assert!(what.starts_with("case 0103 with content "), "{what}");
    }
}
