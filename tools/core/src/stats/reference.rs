//! Relative scores of the cases judged until now; beside an earlier run, both on the cases that both solved.

use std::collections::HashMap;

use super::paired::{CaseScore, relative};
use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::{Objective, Score};

/// Running means, which need of the history only the best score known for each case. Without an earlier run, the figure
/// at the end is the one of the run's table.
#[derive(Clone, Debug)]
pub struct Reference {
    objective: Objective,
    /// Over all accepted cases.
    own: RunningMean,
    earlier: Option<EarlierRun>,
    /// Whether a best score was not the run's own.
    has_others: bool,
}

#[derive(Clone, Debug)]
struct EarlierRun {
    name: String,
    scores: HashMap<CaseId, (Digest, Score)>,
    /// Over the cases that both solved.
    mean: RunningMean,
    /// Of the run that is judged, over the same cases.
    own: RunningMean,
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
            own: RunningMean::default(),
        };
        Self {
            earlier: Some(earlier),
            ..self
        }
    }

    /// Another case, with the best score known for it. It counts if it was accepted; beside an earlier run, if both were.
    pub fn add(&mut self, judged: &JudgedCase, best: Option<Score>) {
        let Some(best) = best.filter(|_| judged.accepted()) else {
            return;
        };
        let score = judged.record.score;
        let own = relative(score, best, self.objective);
        self.own.add(own);
        self.has_others |= score != best;
        let Some(earlier) = &mut self.earlier else {
            return;
        };
        let before = earlier.scores.get(&judged.case.id);
        if let Some((_, before)) = before.filter(|(digest, _)| *digest == judged.case.digest) {
            earlier.own.add(own);
            earlier.mean.add(relative(*before, best, self.objective));
        }
    }

    /// The mean relative score, over the cases of [`earlier_mean`](Self::earlier_mean) if there is one; `None` if nothing
    /// but the run itself is known of the cases.
    pub fn mean(&self) -> Option<f64> {
        let beside = self.earlier.as_ref().and_then(|both| both.own.value());
        beside.or_else(|| self.own.value().filter(|_| self.has_others))
    }

    /// The earlier run with its mean relative score on the cases that both solved.
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
        // By hand, on cases 0 and 1: (20/40 + 60/60) / 2 and (10/40 + 40/60) / 2; the other way round where less is better.
        for (objective, own, earlier) in [
            (Objective::Max, 75.0, 275.0 / 6.0),
            (Objective::Min, 150.0, 275.0),
        ] {
            let mut reference =
                Reference::new(objective).beside("run 1".to_owned(), scores.clone());
            assert_eq!((reference.mean(), reference.earlier_mean()), (None, None));
            // Case 2 failed before, and case 3 was another one.
            for (id, score, best) in [(0, 20, 40), (1, 60, 60), (2, 10, 90), (3, 5, 90)] {
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
    fn until_both_have_solved_a_case_the_run_stands_alone() {
        let before = CaseScore {
            id: CaseId(7),
            digest: Digest(7),
            score: Some(10.into()),
        };
        let mut reference = Reference::new(Objective::Max).beside("run 1".to_owned(), vec![before]);
        reference.add(&judged(0, Verdict::Ac, 20), Some(40.into()));
        assert_eq!(
            (reference.mean(), reference.earlier_mean()),
            (Some(50.0), None)
        );
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
