//! The cases judged until now against the same cases of an earlier run.

use std::collections::HashMap;

use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::{Objective, Score};
use crate::stats::paired::CaseScore;

/// A running mean of ratios, which needs no look at the history while cases are judged.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What the earlier run is called.
    pub name: String,
    objective: Objective,
    scores: HashMap<CaseId, (Digest, Score)>,
    sum: f64,
    pairs: u64,
}

impl Reference {
    /// Nothing is compared yet.
    pub fn new(name: String, objective: Objective, scores: Vec<CaseScore>) -> Self {
        let accepted = |case: CaseScore| Some((case.id, (case.digest, case.score?)));
        Self {
            name,
            objective,
            scores: scores.into_iter().filter_map(accepted).collect(),
            sum: 0.0,
            pairs: 0,
        }
    }

    /// Another case; it counts if both runs have a score above 0 for it.
    pub fn add(&mut self, judged: &JudgedCase) {
        let Some((digest, before)) = self.scores.get(&judged.case.id) else {
            return;
        };
        let (before, now) = (before.value(), judged.record.score.value());
        let is_pair = *digest == judged.case.digest && judged.accepted();
        if is_pair && before > 0.0 && now > 0.0 {
            self.sum += match self.objective {
                Objective::Min => before / now,
                Objective::Max => now / before,
            };
            self.pairs += 1;
        }
    }

    /// 100 times the mean ratio: above 100 if this run is better. `None` before the first pair.
    pub fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then(|| 100.0 * self.sum / self.pairs as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{CaseKey, Parameters};
    use crate::judge::record::{Record, Verdict};

    fn judged(id: u64, verdict: Verdict, score: u64) -> JudgedCase {
        JudgedCase {
            case: CaseKey {
                id: CaseId(id),
                digest: Digest(id),
                seed: None,
            },
            record: Record {
                verdict,
                score: score.into(),
                parameters: Parameters::default(),
                ..Record::internal_error(String::new(), String::new())
            },
        }
    }

    #[test]
    fn ratios_above_100_are_better_whatever_the_objective_is() {
        let before = |id: u64, digest: u64, score: Option<u64>| CaseScore {
            id: CaseId(id),
            digest: Digest(digest),
            score: score.map(Score::from),
        };
        let scores = vec![
            before(0, 0, Some(10)),
            before(1, 1, Some(40)),
            before(2, 2, None),
            before(3, 99, Some(1)),
            before(4, 4, Some(0)),
        ];
        // By hand: 20/10 and 60/40; 10/20 and 40/60.
        for (objective, expected) in [(Objective::Max, 175.0), (Objective::Min, 350.0 / 6.0)] {
            let mut reference = Reference::new("run 1".to_owned(), objective, scores.clone());
            assert_eq!(reference.mean(), None);
            reference.add(&judged(0, Verdict::Ac, 20));
            reference.add(&judged(1, Verdict::Ac, 60));
            // No pair: failed before, another text, no ratio, failed now, unknown.
            for id in 2..6 {
                reference.add(&judged(id, Verdict::Ac, 7));
            }
            reference.add(&judged(0, Verdict::Wa, 0));
            let error = reference.mean().unwrap() - expected;
            assert!(error.abs() < 1e-9, "{objective:?}: {error}");
        }
    }
}
