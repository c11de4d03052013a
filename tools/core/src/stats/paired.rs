//! Two runs on the same cases: which is better, by how much, and how sure that is.
//!
//! Scores of the same case are paired, so that the difficulty of a case cancels out. A case that either run
//! failed has no difference; such cases are counted separately and never averaged.

use crate::case::{CaseId, Digest};
pub use crate::problem::Measure;
use crate::problem::score::units_of_one;
use crate::problem::{Objective, Score};
use crate::stats::student;

/// A case's score, or that it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseScore {
    /// Its number.
    pub id: CaseId,
    /// Its content.
    pub digest: Digest,
    /// Its score; `None` unless it was accepted.
    pub score: Option<Score>,
}

/// A case that both runs were accepted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number.
    pub id: CaseId,
    /// The first run's score, and the second's.
    pub scores: (Score, Score),
}

/// What two runs have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedCases {
    /// Cases accepted in both, ascending.
    pub pairs: Vec<Pair>,
    /// Cases that only the first failed.
    pub first_failed: Vec<CaseId>,
    /// Cases that only the second failed.
    pub second_failed: Vec<CaseId>,
    /// Cases that both failed.
    pub both_failed: Vec<CaseId>,
    /// How many cases only the first run has, or only the second.
    pub only: (usize, usize),
    /// How many have the same number in both but another content.
    pub other_content: usize,
}

/// Pairs the cases of two runs; both lists must ascend by number.
pub fn match_cases(first: &[CaseScore], second: &[CaseScore]) -> MatchedCases {
    let mut matched = MatchedCases::default();
    let (mut a, mut b) = (first.iter().peekable(), second.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return matched,
            (Some(x), Some(y)) if x.id == y.id => {
                if x.digest == y.digest {
                    matched.add(x, y);
                } else {
                    matched.other_content += 1;
                }
                a.next();
                b.next();
            }
            (Some(x), y) if y.is_none_or(|y| x.id < y.id) => {
                matched.only.0 += 1;
                a.next();
            }
            _ => {
                matched.only.1 += 1;
                b.next();
            }
        }
    }
}

impl MatchedCases {
    fn add(&mut self, first: &CaseScore, second: &CaseScore) {
        let id = first.id;
        match (first.score, second.score) {
            (Some(a), Some(b)) => self.pairs.push(Pair { id, scores: (a, b) }),
            (None, Some(_)) => self.first_failed.push(id),
            (Some(_), None) => self.second_failed.push(id),
            (None, None) => self.both_failed.push(id),
        }
    }

    /// How many cases only one of them solved.
    pub(crate) fn failed_apart(&self) -> usize {
        self.first_failed.len() + self.second_failed.len()
    }

    /// How many of the shared cases each run failed.
    pub(crate) fn failed(&self) -> [usize; 2] {
        [&self.first_failed, &self.second_failed].map(|alone| alone.len() + self.both_failed.len())
    }

    /// Which run failed fewer of the shared cases, 0 or 1; `None` if both failed as many.
    pub(crate) fn safer(&self) -> Option<usize> {
        failed_less(self.failed())
    }

    /// How many cases both runs have, accepted or not.
    pub(crate) fn shared(&self) -> usize {
        let failed = [&self.first_failed, &self.second_failed, &self.both_failed];
        self.pairs.len() + failed.map(Vec::len).iter().sum::<usize>()
    }
}

/// Which of two failed fewer cases, 0 or 1; `None` if both failed as many.
pub(crate) fn failed_less(failed: [usize; 2]) -> Option<usize> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match failed[0].cmp(&failed[1]) {
        Less => Some(0),
        Equal => None,
        Greater => Some(1),
    }
}

/// Both measures of a pair; of the score itself, its units. `best` is the best score known for the case.
pub fn measured(
    measure: Measure,
    scores: (Score, Score),
    best: Score,
    objective: Objective,
) -> (f64, f64) {
    let (a, b) = scores;
    let each = |score: Score| match measure {
        Measure::Score => score.units() as f64,
        Measure::Relative => relative(score, best, objective),
        Measure::Rank if a == b => 1.5,
        Measure::Rank if score == objective.better_of(a, b) => 1.0,
        Measure::Rank => 2.0,
        Measure::Log => libm::log(score.value()),
    };
    (each(a), each(b))
}

/// How much more the second score measures than the first; `both` are their [measures](measured). Of scores, units: exact,
/// where their measures have lost the last digits. Equal ratios have equal differences of logarithms: those of two
/// logarithms would differ by rounding.
pub(crate) fn difference(measure: Measure, scores: (Score, Score), both: (f64, f64)) -> f64 {
    match measure {
        Measure::Score => scores.1.minus_in_units(scores.0),
        Measure::Log => libm::log(scores.1.units() as f64 / scores.0.units() as f64),
        Measure::Relative | Measure::Rank => both.1 - both.0,
    }
}

/// 100 for the best score, less for a worse one; more for one that is better than the best that was frozen.
pub(crate) fn relative(score: Score, best: Score, objective: Objective) -> f64 {
    let (above, below) = match objective {
        Objective::Min => (best, score),
        Objective::Max => (score, best),
    };
    match below.units() {
        // Nothing is a multiple of 0.
        0 => 100.0,
        // Of whole numbers, so that equal ratios are equal.
        units => 100.0 * above.units() as f64 / units as f64,
    }
}

/// The figures of a comparison. Differences are the second less the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How many pairs there are.
    pub pairs: usize,
    /// The mean measure of both.
    pub means: (f64, f64),
    /// The mean difference.
    pub difference: f64,
    /// Half the width of its 95 % confidence interval, by Student's t; `None` for one pair, or if all differ by the same.
    pub half_width: Option<f64>,
    /// The p-value of the paired t-test: the probability of a difference at least this large if the true
    /// mean difference is 0; if all differ by the same, that of the sign test. `None` for one pair.
    pub p_value: Option<f64>,
    /// On how many cases the second has the better score, the same, and the worse.
    pub wins_ties_losses: (usize, usize, usize),
    /// The pairs whose scores differ most, of equals the first.
    pub changed: Vec<Pair>,
}

/// How many changed cases are remembered.
const CHANGED: usize = 10;

/// Compares pairs; `None` if there is none. `best` gives the best score known for a case.
pub(crate) fn compare(
    pairs: &[Pair],
    measure: Measure,
    objective: Objective,
    best: impl Fn(&Pair) -> Score,
) -> Option<Comparison> {
    let count = pairs.len() as f64;
    if pairs.is_empty() {
        return None;
    }
    let measured: Vec<(f64, f64)> = pairs
        .iter()
        .map(|p| measured(measure, p.scores, best(p), objective))
        .collect();
    let sums = (measured.iter()).fold((0.0, 0.0), |sum, m| (sum.0 + m.0, sum.1 + m.1));
    let both = pairs.iter().zip(&measured);
    let differences = both.map(|(p, both)| difference(measure, p.scores, *both));
    let differences: Vec<f64> = differences.collect();
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    // Sums of units are exact, sums of numbers with decimals are not.
    let one = match measure {
        Measure::Score => units_of_one(pairs[0].scores.0.decimals()),
        _ => 1.0,
    };
    let tally = |order| {
        let alike = |p: &&Pair| objective.compare(p.scores.1, p.scores.0) == order;
        pairs.iter().filter(alike).count()
    };
    use std::cmp::Ordering::{Equal, Greater, Less};
    let changed = changed_most(pairs, &differences, measure);
    let half_width = student::half_width(pairs.len(), squares);
    let is_constant = student::is_constant(pairs.len(), mean, squares);
    Some(Comparison {
        pairs: pairs.len(),
        means: (sums.0 / count / one, sums.1 / count / one),
        difference: mean / one,
        half_width: half_width.filter(|_| !is_constant).map(|half| half / one),
        p_value: student::p_value(pairs.len(), mean, squares),
        wins_ties_losses: (tally(Less), tally(Equal), tally(Greater)),
        changed,
    })
}

/// The pairs that differ most: by their ratio where ratios count, else by their scores.
fn changed_most(pairs: &[Pair], differences: &[f64], measure: Measure) -> Vec<Pair> {
    let apart = |p: &Pair| p.scores.0.distance(p.scores.1).units();
    let size = |(pair, difference): (&Pair, &f64)| match measure {
        Measure::Score | Measure::Rank => apart(pair) as f64,
        Measure::Log | Measure::Relative => difference.abs(),
    };
    let both = pairs.iter().zip(differences);
    let sized = both.map(|both| (size(both), *both.0));
    let mut changed: Vec<(f64, Pair)> = sized.filter(|(_, pair)| apart(pair) > 0).collect();
    changed.sort_by(|(a, p), (b, q)| b.total_cmp(a).then(p.id.cmp(&q.id)));
    changed.truncate(CHANGED);
    changed.into_iter().map(|(_, pair)| pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(id: u64, digest: u64, score: Option<u64>) -> CaseScore {
        CaseScore {
            id: CaseId(id),
            digest: Digest(digest),
            score: score.map(Score::from),
        }
    }

    fn pairs(scores: &[(u64, u64)]) -> Vec<Pair> {
        pairs_with_decimals(scores, 0)
    }

    fn pairs_with_decimals(units: &[(u64, u64)], decimals: u8) -> Vec<Pair> {
        let pair = |(&(a, b), id)| Pair {
            id: CaseId(id),
            scores: (Score::new(a, decimals), Score::new(b, decimals)),
        };
        units.iter().zip(0..).map(pair).collect()
    }

    /// Where no score is best known.
    fn first(pair: &Pair) -> Score {
        pair.scores.0
    }

    #[test]
    fn only_the_same_case_makes_a_pair() {
        let one = [
            scored(1, 1, Some(5)),
            scored(2, 2, Some(4)),
            scored(3, 3, None),
            scored(4, 4, Some(6)),
            scored(5, 5, None),
        ];
        let other = [
            scored(0, 0, Some(9)),
            scored(2, 2, Some(3)),
            scored(3, 3, Some(7)),
            scored(4, 40, Some(6)),
            scored(5, 5, None),
            scored(6, 6, Some(6)),
        ];
        let matched = match_cases(&one, &other);
        assert_eq!(
            matched,
            MatchedCases {
                pairs: vec![Pair {
                    id: CaseId(2),
                    scores: (4.into(), 3.into())
                }],
                first_failed: vec![CaseId(3)],
                second_failed: vec![],
                both_failed: vec![CaseId(5)],
                only: (1, 2),
                other_content: 1,
            }
        );
        let counts = (matched.shared(), matched.failed(), matched.failed_apart());
        assert_eq!(counts, (3, [2, 1], 1));
        assert_eq!([[2, 1], [1, 2]].map(failed_less), [Some(1), Some(0)]);
    }

    #[test]
    fn figures_are_those_of_a_published_example() {
        // Student's own sleep data (Biometrika 1908; R's data set `sleep`), in tenths of an hour and
        // 10 hours added: the mean difference is 1.58 h, t = 4.0621 with 9 degrees of freedom,
        // p = 0.002833, and the interval is 0.7001 to 2.4599 (R: t.test(..., paired = TRUE)).
        let tenths = [
            (107, 119),
            (84, 108),
            (98, 111),
            (88, 101),
            (99, 99),
            (134, 144),
            (137, 155),
            (108, 116),
            (100, 146),
            (120, 134),
        ];
        for (decimals, unit) in [(0, 1.0), (1, 0.1)] {
            let pairs = pairs_with_decimals(&tenths, decimals);
            let c = compare(&pairs, Measure::Score, Objective::Min, first).unwrap();
            let expected = [107.5, 123.3, 15.8].map(|tenths| tenths * unit);
            let found = [c.means.0, c.means.1, c.difference];
            assert!((0..3).all(|i| (found[i] - expected[i]).abs() < 1e-9));
            assert!((c.p_value.unwrap() - 0.002_833).abs() < 1e-6);
            assert!((c.difference - c.half_width.unwrap() - 7.001 * unit).abs() < 1e-3);
            assert_eq!(c.wins_ties_losses, (0, 1, 9));
            let (most, least) = (Score::new(146, decimals), Score::new(100, decimals));
            assert_eq!(c.changed[0].scores, (least, most));
        }
        // The differences are equal, although those of the numbers are not.
        let pairs = pairs_with_decimals(&[(10, 30), (20, 40), (70, 90)], 2);
        let c = compare(&pairs, Measure::Score, Objective::Min, first).unwrap();
        assert_eq!(c.difference, 0.2);
        assert_eq!((c.half_width, c.p_value), (None, Some(0.25)));
    }

    #[test]
    fn differences_of_large_scores_are_exact() {
        const LARGE: u64 = 1_000_000_000_000_000_000;
        // Numbers of this size are 128 apart.
        let pairs = pairs(&[50, 51, 52].map(|more| (LARGE, LARGE + more)));
        let c = compare(&pairs, Measure::Score, Objective::Max, first).unwrap();
        // Student's t for two degrees of freedom is 4.303: 51 ± 4.303 · 1 / √3.
        assert_eq!(c.difference, 51.0);
        assert!((c.half_width.unwrap() - 2.484).abs() < 1e-3);
    }

    #[test]
    fn equal_ratios_are_equal_differences() {
        let ratio = [(100, 101), (300, 303), (700, 707), (900, 909)];
        for (decimals, measure) in [(0, Measure::Log), (3, Measure::Log), (3, Measure::Relative)] {
            let pairs = pairs_with_decimals(&ratio, decimals);
            let c = compare(&pairs, measure, Objective::Min, first).unwrap();
            // 2 of 2⁴ rows have one sign only.
            assert_eq!((c.half_width, c.p_value), (None, Some(0.125)), "{c:?}");
        }
    }

    #[test]
    fn relative_scores_pass_100_where_the_best_was_frozen() {
        let of = |score: u64, best: u64, objective| relative(score.into(), best.into(), objective);
        assert_eq!(of(4, 5, Objective::Min), 125.0);
        assert_eq!(of(5, 4, Objective::Max), 125.0);
        assert_eq!(
            [of(0, 5, Objective::Min), of(5, 0, Objective::Max)],
            [100.0; 2]
        );
        assert_eq!(
            [of(5, 0, Objective::Min), of(0, 5, Objective::Max)],
            [0.0; 2]
        );
    }

    #[test]
    fn measures_are_worked_by_hand() {
        let pair = &pairs(&[(4, 5)])[0];
        let by = |measure, best: u64| measured(measure, pair.scores, best.into(), Objective::Min);
        assert_eq!(by(Measure::Relative, 3), (75.0, 60.0));
        assert_eq!(by(Measure::Relative, 4), (100.0, 80.0));
        assert_eq!(by(Measure::Rank, 3), (1.0, 2.0));
        let equal = pairs(&[(4, 4)])[0].scores;
        let equal = measured(Measure::Rank, equal, 3.into(), Objective::Min);
        assert_eq!(equal, (1.5, 1.5));
        let (a, b) = by(Measure::Log, 3);
        assert!((b - a - 1.25_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn cases_that_changed_most_are_those_that_count_most() {
        let scores = [(1000, 900), (10, 20), (50, 50)];
        let changed = |measure| {
            let compared = compare(&pairs(&scores), measure, Objective::Min, |pair| {
                Objective::Min.better_of(pair.scores.0, pair.scores.1)
            });
            let changed = compared.unwrap().changed;
            changed.iter().map(|pair| pair.id.0).collect::<Vec<_>>()
        };
        assert_eq!(changed(Measure::Score), [0, 1]);
        assert_eq!(changed(Measure::Log), [1, 0]);
        assert_eq!(changed(Measure::Relative), [1, 0]);
    }

    #[test]
    fn equal_runs_and_single_pairs_claim_nothing() {
        // Where more is better, everything is turned round.
        let max = Objective::Max;
        let pair = &pairs(&[(4, 5)])[0];
        assert_eq!(
            measured(Measure::Relative, pair.scores, 8.into(), max),
            (50.0, 62.5)
        );
        assert_eq!(
            measured(Measure::Rank, pair.scores, 8.into(), max),
            (2.0, 1.0)
        );
        let c = compare(
            &pairs(&[(4, 5), (4, 4), (9, 1)]),
            Measure::Score,
            max,
            first,
        )
        .unwrap();
        assert_eq!(c.wins_ties_losses, (1, 1, 1));
        assert_eq!(c.difference, (1.0 - 8.0) / 3.0);
        let same = compare(
            &pairs(&[(4, 4), (5, 5)]),
            Measure::Score,
            Objective::Min,
            first,
        )
        .unwrap();
        assert_eq!((same.difference, same.p_value), (0.0, Some(1.0)));
        assert!(same.changed.is_empty());
        let one = compare(&pairs(&[(4, 5)]), Measure::Score, Objective::Min, first).unwrap();
        assert_eq!((one.half_width, one.p_value), (None, None));
        assert_eq!(compare(&[], Measure::Score, Objective::Min, first), None);
    }
}
