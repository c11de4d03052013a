//! The state of a duel.

use crate::case::CaseId;
use crate::judge::record::JudgedCase;
use crate::problem::score::units_of_one;
use crate::problem::{Measure, Score, Scoring};
use crate::stats::paired::{failed_less, measured};
use crate::stats::sequential::{Rule, Sequential};

/// A duel is hopeless if this many cases were played and none was accepted from both.
const HOPELESS: usize = 30;

/// The state of a duel after some pairs.
#[derive(Clone, Debug)]
pub struct DuelState {
    /// What scores mean.
    pub scoring: Scoring,
    /// What of a score counts.
    pub measure: Measure,
    /// The differences, the second less the first.
    pub test: Sequential,
    /// When it decides.
    pub rule: Rule,
    /// How many cases were played, whatever came of them.
    pub played: usize,
    /// The first case with a score of 0 where logarithms count: nothing can be decided.
    pub without_logarithm: Option<CaseId>,
    /// The sums of both's measures (of scores, in units), over the cases that were accepted from both.
    sums: [f64; 2],
    /// On how many cases the first, both alike, the second had the better score.
    pub tally: [usize; 3],
    /// How many cases each failed.
    pub failed: [usize; 2],
}

impl DuelState {
    /// No pair yet.
    pub fn new(rule: Rule, scoring: Scoring, measure: Measure) -> Self {
        Self {
            scoring,
            measure,
            without_logarithm: None,
            test: Sequential::new(rule),
            rule,
            played: 0,
            sums: [0.0; 2],
            tally: [0; 3],
            failed: [0; 2],
        }
    }

    /// Adds a pair; `best` is the best score known for the case, if there is one. A case that either program failed has
    /// no difference, and is counted separately.
    pub fn add(&mut self, pair: [&JudgedCase; 2], best: Option<Score>) {
        self.played += 1;
        for (failed, judged) in self.failed.iter_mut().zip(pair) {
            *failed += usize::from(!judged.accepted());
        }
        if pair.iter().all(|judged| judged.accepted()) {
            let scores = [0, 1].map(|i: usize| pair[i].record.score);
            if self.measure == Measure::Log && scores.iter().any(|score| score.units() == 0) {
                self.without_logarithm.get_or_insert(pair[0].case.id);
                return;
            }
            let best =
                best.unwrap_or_else(|| self.scoring.objective.better_of(scores[0], scores[1]));
            let both = (scores[0], scores[1]);
            let (first, second) = measured(self.measure, both, best, self.scoring.objective);
            self.test.add(match self.measure {
                Measure::Score => scores[1].minus(scores[0]), // exact
                _ => second - first,
            });
            for (sum, value) in self.sums.iter_mut().zip([first, second]) {
                *sum += value;
            }
            let which = match self.scoring.objective.compare(scores[0], scores[1]) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
            self.tally[which] += 1;
        }
    }

    /// The mean measures of both, over the cases that were accepted from both; `None` before the first.
    pub fn means(&self) -> Option<[f64; 2]> {
        let pairs = self.test.pairs();
        let one = match self.measure {
            Measure::Score => units_of_one(self.scoring.decimals),
            _ => 1.0,
        };
        (pairs > 0).then(|| self.sums.map(|sum| sum / pairs as f64 / one))
    }

    /// The one whose mean is the better one: `A`, the first, or `B`.
    pub fn better(&self) -> &'static str {
        let less = self.test.mean() < 0.0;
        match less != self.measure.more_is_better(self.scoring.objective) {
            true => "B",
            false => "A",
        }
    }

    /// The one that failed fewer cases; `None` if both failed as many.
    pub fn safer(&self) -> Option<&'static str> {
        failed_less(self.failed).map(|which| ["A", "B"][which])
    }

    /// Whether the one with the better mean is the one that failed more cases. Its failed cases are in no mean, so the means do
    /// not say which of the two is better.
    pub fn is_split(&self) -> bool {
        self.safer().is_some_and(|safer| safer != self.better())
    }

    /// Whether many cases were played and none was accepted from both, so that nothing will be decided.
    pub fn hopeless(&self) -> bool {
        self.played >= HOPELESS && self.test.pairs() == 0
    }

    /// Whether there is no point in playing on.
    pub fn is_over(&self) -> bool {
        self.test.decided() || self.hopeless() || self.without_logarithm.is_some()
    }
}
