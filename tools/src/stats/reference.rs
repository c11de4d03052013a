//! Relative scores of the cases judged until now, beside those of an earlier run on the same cases.

use std::collections::HashMap;

use super::paired::{CaseScore, relative};
use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::{Objective, Score};

/// Running means, which need of the history only the best score known for each case: the figure at the end is the one
/// of the run's table.
#[derive(Clone, Debug)]
pub struct Reference {
    objective: Objective,
    own: RunningMean,
    earlier: Option<EarlierRun>,
    /// Whether a best score was not the run's own.
    has_others: bool,
}

#[derive(Clone, Debug)]
struct EarlierRun {
    name: String,
    scores: HashMap<CaseId, (Digest, Score)>,
    mean: RunningMean,
}

#[derive(Clone, Copy, Debug, Default)]
struct RunningMean {
    sum: f64,
    count: u64,
}

impl RunningMean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Reference {
    /// No case yet.
    pub fn new(objective: Objective) -> Self {
        Self {
            objective,
            own: RunningMean::default(),
            earlier: None,
            has_others: false,
        }
    }

    /// The same beside an earlier run.
    #[must_use]
    pub fn beside(self, name: String, scores: Vec<CaseScore>) -> Self {
        let accepted = |case: CaseScore| Some((case.id, (case.digest, case.score?)));
        let earlier = EarlierRun {
            name,
            scores: scores.into_iter().filter_map(accepted).collect(),
            mean: RunningMean::default(),
        };
        Self {
            earlier: Some(earlier),
            ..self
        }
    }

    /// Another case, with the best score known for it. It counts if it was accepted; for the earlier run, if both were.
    pub fn add(&mut self, judged: &JudgedCase, best: Option<Score>) {
        let Some(best) = best.filter(|_| judged.accepted()) else {
            return;
        };
        let score = judged.record.score;
        self.own.add(relative(score, best, self.objective));
        self.has_others |= score != best;
        let Some(earlier) = &mut self.earlier else {
            return;
        };
        let before = earlier.scores.get(&judged.case.id);
        if let Some((_, before)) = before.filter(|(digest, _)| *digest == judged.case.digest) {
            earlier.mean.add(relative(*before, best, self.objective));
        }
    }

    /// The mean relative score; `None` if nothing but the run itself is known of the cases.
    pub fn mean(&self) -> Option<f64> {
        let known = self.has_others || self.earlier_mean().is_some();
        self.own.value().filter(|_| known)
    }

    /// The earlier run with its mean relative score on the same cases.
    pub fn earlier_mean(&self) -> Option<(&str, f64)> {
        let earlier = self.earlier.as_ref()?;
        Some((&earlier.name, earlier.mean.value()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::record::Verdict;

    fn judged(id: u64, verdict: Verdict, score: u64) -> JudgedCase {
        JudgedCase::sample(id, verdict, score, |_| ())
    }

    #[test]
    fn relative_scores_are_those_of_the_best_known_ones_and_the_earlier_runs_are_of_pairs() {
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
        ];
        // By hand: (20/40 + 60/60 + 10/10 + 5/10) / 4 and (10/40 + 40/60) / 2; the other way round where less is better.
        for (objective, own, earlier) in [
            (Objective::Max, 75.0, 275.0 / 6.0),
            (Objective::Min, 150.0, 275.0),
        ] {
            let mut reference =
                Reference::new(objective).beside("run 1".to_owned(), scores.clone());
            assert_eq!((reference.mean(), reference.earlier_mean()), (None, None));
            for (id, score, best) in [(0, 20, 40), (1, 60, 60), (2, 10, 10), (3, 5, 10)] {
                reference.add(&judged(id, Verdict::Ac, score), Some(best.into()));
            }
            reference.add(&judged(0, Verdict::Wa, 0), Some(40.into()));
            assert!(
                (reference.mean().unwrap() - own).abs() < 1e-9,
                "{objective:?}"
            );
            let (name, mean) = reference.earlier_mean().unwrap();
            assert!((mean - earlier).abs() < 1e-9, "{objective:?}: {mean}");
            assert_eq!(name, "run 1");
        }
    }

    #[test]
    fn a_first_run_stands_beside_nothing() {
        let mut reference = Reference::new(Objective::Max);
        reference.add(&judged(0, Verdict::Ac, 20), Some(20.into()));
        assert_eq!(reference.mean(), None);
        // A frozen best score is known without another run, and may be worse.
        reference.add(&judged(1, Verdict::Ac, 20), Some(10.into()));
        assert_eq!(reference.mean(), Some(150.0));
    }
}
