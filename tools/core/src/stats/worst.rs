//! The worst cases of a run: where it lost most against the best score known, and not simply the largest cases.

use std::cmp::Ordering;

use crate::judge::record::JudgedCase;
use crate::problem::{Measure, Score, Scoring};

/// A case with what it lost.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstCase {
    /// The case.
    pub judged: JudgedCase,
    /// The best score known for it, if that is better than its own.
    pub best: Option<Score>,
    /// How far its score is from the best one: in units, or where ratios count, the logarithm of their ratio.
    loss: f64,
}

/// The worst accepted cases of those that were added, worst first.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstCases {
    most: usize,
    scoring: Scoring,
    measure: Measure,
    cases: Vec<WorstCase>,
    /// Whether any other run could have been better.
    has_rivals: bool,
}

impl WorstCases {
    /// At most this many; none yet.
    pub fn new(most: usize, scoring: Scoring, measure: Measure) -> Self {
        Self {
            most,
            scoring,
            measure,
            cases: Vec::new(),
            has_rivals: true,
        }
    }

    /// The same of a run beside which no best score can be known: it is the only one.
    pub(crate) fn set_without_rivals(&mut self) {
        self.has_rivals = false;
    }

    /// Whether a better score than that of the run could be known.
    pub(crate) fn has_rivals(&self) -> bool {
        self.has_rivals
    }

    /// Adds a case, if it was accepted; `best` is the best score known for it.
    pub fn add(&mut self, judged: &JudgedCase, best: Option<Score>) {
        if !judged.accepted() {
            return;
        }
        let score = judged.record.score;
        let better = |best: &Score| self.scoring.objective.compare(*best, score).is_lt();
        let best = best.filter(better);
        let loss = best.map_or(0.0, |best| self.loss(score, best));
        let as_bad = |known: &WorstCase| self.order(known, loss, judged).is_le();
        let at = self.cases.partition_point(as_bad);
        if at < self.most {
            let judged = judged.clone();
            self.cases.insert(at, WorstCase { judged, best, loss });
            self.cases.truncate(self.most);
        }
    }

    fn loss(&self, score: Score, best: Score) -> f64 {
        match self.measure {
            Measure::Score => score.distance(best).units() as f64,
            // A score of 0 beside another one is worse by any factor.
            _ => (libm::log(score.value()) - libm::log(best.value())).abs(),
        }
    }

    /// Less: `known` is worse than the case with this loss; of equals, the first.
    fn order(&self, known: &WorstCase, loss: f64, judged: &JudgedCase) -> Ordering {
        let score = |judged: &JudgedCase| judged.record.score;
        let by_score = || {
            let objective = self.scoring.objective;
            objective.compare(score(judged), score(&known.judged))
        };
        loss.total_cmp(&known.loss)
            .then_with(by_score)
            .then_with(|| known.judged.case.id.cmp(&judged.case.id))
    }

    /// The cases, worst first.
    pub fn cases(&self) -> &[WorstCase] {
        &self.cases
    }

    /// What of a score counts.
    pub(crate) fn measure(&self) -> Measure {
        self.measure
    }

    /// Whether no better score is known for any case, so that the scores alone give the order.
    pub(crate) fn is_by_score(&self) -> bool {
        self.cases.iter().all(|case| case.best.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_parameter::tests::judged;
    use super::*;
    use crate::problem::Objective;

    /// The numbers of the worst two cases of these scores and best scores.
    fn worst(objective: Objective, measure: Measure, scores: &[(u64, Option<u64>)]) -> Vec<u64> {
        let scoring = Scoring {
            objective,
            decimals: 0,
        };
        let mut worst = WorstCases::new(2, scoring, measure);
        for (id, &(score, best)) in (0..).zip(scores) {
            worst.add(&judged(id, 0.0, Some(score)), best.map(Score::from));
        }
        worst.add(&judged(9, 0.0, None), None);
        worst
            .cases()
            .iter()
            .map(|case| case.judged.case.id.0)
            .collect()
    }

    #[test]
    fn worst_is_what_lost_most_against_the_best_known_score() {
        let scores = [
            (1000, Some(990)),
            (30, Some(10)),
            (500, Some(450)),
            (5000, Some(5000)),
        ];
        assert_eq!(worst(Objective::Min, Measure::Score, &scores), [2, 1]);
        assert_eq!(worst(Objective::Min, Measure::Log, &scores), [1, 2]);
        assert_eq!(worst(Objective::Min, Measure::Relative, &scores), [1, 2]);
        let more = [(90, Some(100)), (0, Some(3)), (40, Some(70))];
        assert_eq!(worst(Objective::Max, Measure::Score, &more), [2, 0]);
        assert_eq!(worst(Objective::Max, Measure::Rank, &more), [1, 2]);
    }

    #[test]
    fn where_no_other_run_was_better_the_scores_decide_and_of_equals_the_first() {
        let scores = [(7, None), (9, None), (9, Some(9)), (8, Some(10))];
        assert_eq!(worst(Objective::Min, Measure::Log, &scores), [1, 2]);
        assert_eq!(worst(Objective::Max, Measure::Score, &scores[..3]), [0, 1]);
    }

    #[test]
    fn the_order_is_that_of_the_scores_only_where_no_better_one_is_known() {
        let mut worst = WorstCases::new(2, Scoring::default(), Measure::Score);
        assert!(worst.is_by_score() && worst.has_rivals());
        worst.add(&judged(0, 0.0, Some(7)), None);
        assert!(worst.is_by_score());
        worst.add(&judged(1, 0.0, Some(7)), Some(5.into()));
        assert!(!worst.is_by_score());
        worst.set_without_rivals();
        assert!(!worst.has_rivals());
    }
}
