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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::record::Verdict;
    use crate::problem::Objective;

    const RULE: Rule = Rule {
        alpha: 0.05,
        max_difference: None,
    };

    /// A duel on cases 0, 1, … with these scores of both; `None` for a case that one failed.
    fn duel(
        (objective, decimals): (Objective, u8),
        measure: Measure,
        pairs: &[[Option<u64>; 2]],
    ) -> DuelState {
        let scoring = Scoring {
            objective,
            decimals,
        };
        let mut state = DuelState::new(RULE, scoring, measure);
        for (id, pair) in (0..).zip(pairs) {
            let [a, b] = pair.map(|units| {
                let verdict = units.map_or(Verdict::Wa, |_| Verdict::Ac);
                JudgedCase::sample(id, verdict, 0, |record| {
                    record.score = Score::new(units.unwrap_or(0), decimals);
                })
            });
            state.add([&a, &b], None);
        }
        state
    }

    /// Three cases that both solved, and three that one or both failed.
    const PAIRS: [[Option<u64>; 2]; 6] = [
        [Some(40), Some(50)],
        [None, Some(10)],
        [Some(60), Some(60)],
        [Some(30), Some(70)],
        [None, Some(10)],
        [None, None],
    ];

    #[test]
    fn figures_are_worked_by_hand() {
        // Tenths: 4 + 6 + 3 and 5 + 6 + 7 over three cases.
        let min = duel((Objective::Min, 1), Measure::Score, &PAIRS);
        let [a, b] = min.means().unwrap();
        assert!((a - 13.0 / 3.0).abs() < 1e-12 && (b - 6.0).abs() < 1e-12);
        assert_eq!((min.played, min.test.pairs()), (6, 3));
        assert_eq!((min.tally, min.failed), ([2, 1, 0], [3, 1]));
        assert_eq!((min.better(), min.safer()), ("A", Some("B")));
        assert!(min.is_split() && !min.is_over());
        // Where more is better, the second is better and safer.
        let max = duel((Objective::Max, 1), Measure::Score, &PAIRS);
        assert_eq!((max.tally, max.better()), ([0, 1, 2], "B"));
        assert!(!max.is_split());
        let [near, alike] = [[Some(4), Some(5)], [Some(4), Some(4)]];
        let near = duel((Objective::Min, 0), Measure::Score, &[near, alike, alike]);
        assert_eq!(near.better(), "A", "by a third of a turn");
        // Who failed as many is as safe.
        let both = duel((Objective::Max, 1), Measure::Score, &PAIRS[2..4]);
        assert_eq!((both.safer(), both.is_split()), (None, false));
    }

    #[test]
    fn differences_are_the_seconds_less_the_firsts_by_each_measure() {
        let pairs = [[Some(40), Some(50)]];
        let mean = |measure, best: Option<u64>| {
            let mut state = duel((Objective::Min, 0), measure, &[]);
            let [a, b] = [40, 50].map(|score| JudgedCase::sample(0, Verdict::Ac, score, |_| ()));
            state.add([&a, &b], best.map(Score::from));
            (state.test.mean(), state.means().unwrap(), state.better())
        };
        assert_eq!(mean(Measure::Score, None), (10.0, [40.0, 50.0], "A"));
        assert_eq!(mean(Measure::Rank, None), (1.0, [1.0, 2.0], "A"));
        // Without a best known score, the better of both is the best: 100 · 40 / 50.
        assert_eq!(mean(Measure::Relative, None), (-20.0, [100.0, 80.0], "A"));
        assert_eq!(
            mean(Measure::Relative, Some(20)),
            (-10.0, [50.0, 40.0], "A")
        );
        let log = duel((Objective::Min, 0), Measure::Log, &pairs);
        assert!((log.test.mean() - 1.25_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn large_scores_have_exact_differences() {
        const LARGE: u64 = 1_000_000_000_000_000_000;
        // Numbers of this size are 128 apart.
        let pairs = [[Some(LARGE), Some(LARGE + 50)]];
        let state = duel((Objective::Min, 0), Measure::Score, &pairs);
        assert_eq!(state.test.mean(), 50.0);
    }

    #[test]
    fn a_score_of_0_has_no_logarithm_and_ends_a_duel_by_log() {
        let pairs = [
            [Some(4), Some(5)],
            [None, Some(0)],
            [Some(4), Some(0)],
            [Some(0), Some(4)],
        ];
        let log = duel((Objective::Min, 0), Measure::Log, &pairs);
        assert_eq!(
            (log.without_logarithm, log.test.pairs()),
            (Some(CaseId(2)), 1)
        );
        assert!(log.is_over());
        let before = duel((Objective::Min, 0), Measure::Log, &pairs[..2]);
        assert!(before.without_logarithm.is_none() && !before.is_over());
        let score = duel((Objective::Min, 0), Measure::Score, &pairs);
        assert_eq!((score.without_logarithm, score.test.pairs()), (None, 3));
    }

    #[test]
    fn thirty_cases_that_not_both_solved_are_hopeless() {
        let over = |pairs: &[[Option<u64>; 2]]| {
            let state = duel((Objective::Min, 0), Measure::Score, pairs);
            assert_eq!(state.is_over(), state.hopeless());
            state.is_over()
        };
        let failed = [[None, Some(4)]; 30];
        assert!(over(&failed));
        assert!(!over(&failed[1..]));
        assert!(!over(&[&failed[..], &[[Some(4), Some(4)]]].concat()));
        let none = duel((Objective::Min, 0), Measure::Score, &failed);
        assert_eq!(none.means(), None);
    }

    #[test]
    fn a_duel_is_over_when_its_test_decides() {
        // One is better on every case: some 400 pairs are enough, and 300 are not.
        let pairs = [[Some(5), Some(4)]; 450];
        let decided = duel((Objective::Min, 0), Measure::Score, &pairs);
        assert!(decided.is_over() && !decided.hopeless());
        assert_eq!(decided.better(), "B");
        assert!(!duel((Objective::Min, 0), Measure::Score, &pairs[..300]).is_over());
    }
}
