//! From records to figures. Pure: it reads no clock and prints nothing.

use std::collections::BTreeMap;

use crate::case::CaseId;
use crate::judge::record::{JudgedCase, Record, Verdict};

use super::by_parameter::ByParameter;
use super::failures::Failures;
use super::student;
use super::worst::WorstCases;
use crate::problem::score::{decimal_text, units_of_one};
use crate::problem::{Measure, Score, Scoring};

/// Scores above this are costs or points, and no numbers of turns: cases then differ by factors.
const MOST_TURNS: f64 = 1000.0;

/// How many of the worst cases are remembered.
const WORST: usize = 5;

/// The figures of a batch, gathered one case at a time. Memory grows with the number of different scores and values of
/// parameters, not with the number of cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How many cases were judged.
    pub cases: usize,
    /// How many of each opening: scores of different games do not belong in one mean.
    pub openings: BTreeMap<String, usize>,
    /// How many of each verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [(Verdict, usize); Verdict::ALL.len()],
    /// How many accepted cases have each score, in units.
    counts: BTreeMap<u64, usize>,
    /// What scores mean.
    pub scoring: Scoring,
    /// Scores by the parameters of cases.
    pub by_parameter: ByParameter,
    /// The worst accepted cases.
    pub worst: WorstCases,
    /// What failed, and how.
    pub failures: Failures,
    /// The case that took longest, whatever its verdict.
    pub slowest: Option<(CaseId, Record)>,
}

/// How scores are distributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// How many there are.
    pub count: usize,
    /// How many decimals they have.
    pub decimals: u8,
    /// Their sum, in units.
    pub total: u128,
    /// The smallest and the largest.
    pub range: (Score, Score),
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean, by Student's t, taking the
    /// cases as a random sample; `None` for a single case.
    pub half_width: Option<f64>,
    /// How many cases have each score, in units.
    pub counts: BTreeMap<u64, usize>,
}

/// The time that counts against the limit.
pub(crate) fn time_ms(record: &Record) -> f64 {
    record.wall_ms.max(record.cpu_ms)
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            cases: 0,
            openings: BTreeMap::new(),
            verdicts: Verdict::ALL.map(|verdict| (verdict, 0)),
            counts: BTreeMap::new(),
            scoring: Scoring::default(),
            by_parameter: ByParameter::default(),
            worst: WorstCases::new(WORST, Scoring::default(), Measure::default()),
            failures: Failures::default(),
            slowest: None,
        }
    }
}

impl Summary {
    /// No case yet. `measure` says what of a score counts, for the worst cases.
    pub(crate) fn new(scoring: Scoring, measure: Measure) -> Self {
        Self {
            scoring,
            worst: WorstCases::new(WORST, scoring, measure),
            ..Self::default()
        }
    }

    /// Adds a case for which no best score is known.
    pub(crate) fn add(&mut self, judged: &JudgedCase) {
        self.add_beside(judged, None);
    }

    /// Adds a case; `best` is the best score known for it. The order matters only for which of several equal cases is
    /// named.
    pub(crate) fn add_beside(&mut self, judged: &JudgedCase, best: Option<Score>) {
        let record = &judged.record;
        self.cases += 1;
        match self.openings.get_mut(&record.opening) {
            Some(count) => *count += 1,
            None => _ = self.openings.insert(record.opening.clone(), 1),
        }
        self.by_parameter.add(judged);
        for (verdict, count) in &mut self.verdicts {
            *count += usize::from(*verdict == record.verdict);
        }
        let slowest = self.slowest.as_ref().map(|(_, record)| time_ms(record));
        if slowest.is_none_or(|slowest| time_ms(record) > slowest) {
            self.slowest = Some((judged.case.id, record.clone()));
        }
        if judged.accepted() {
            *self.counts.entry(record.score.units()).or_default() += 1;
            self.worst.add(judged, best);
        } else {
            self.failures.add(judged);
        }
    }

    /// The scores of accepted cases; `None` if there is none. Failures are never averaged in.
    pub fn scores(&self) -> Option<Distribution> {
        Distribution::new(&self.counts, self.scoring.decimals)
    }
}

impl Distribution {
    /// The distribution of scores with this many decimals, from the number of cases with each score, in units; `None` if
    /// there is none.
    pub fn new(counts: &BTreeMap<u64, usize>, decimals: u8) -> Option<Self> {
        let (&min, &max) = (counts.keys().next()?, counts.keys().next_back()?);
        let count: usize = counts.values().sum();
        let total: u128 = counts
            .iter()
            .map(|(&s, &n)| u128::from(s) * n as u128)
            .sum();
        let mean = total as f64 / count as f64;
        let square = |(&s, &n): (&u64, &usize)| n as f64 * (s as f64 - mean).powi(2);
        let squares: f64 = counts.iter().map(square).sum();
        // The score of the case at this place, were they sorted.
        let at = |place: usize| {
            let mut passed = 0;
            let found = counts.iter().find(|&(_, &n)| {
                passed += n;
                passed > place
            });
            found.map_or(max, |(&score, _)| score) as f64
        };
        let (score, one) = (|units| Score::new(units, decimals), units_of_one(decimals));
        Some(Self {
            count,
            decimals,
            total,
            range: (score(min), score(max)),
            median: (at((count - 1) / 2) + at(count / 2)) / 2.0 / one,
            mean: mean / one,
            half_width: student::half_width(count, squares).map(|half| half / one),
            counts: counts.clone(),
        })
    }

    /// Whether cases may differ by factors, so that a mean of scores says little about those with small ones.
    pub fn is_wide(&self) -> bool {
        self.range.1.value() > MOST_TURNS
    }

    /// The score whose logarithm is the mean of all logarithms: each case counts by its ratio to others. `None` if a
    /// score is 0.
    pub(crate) fn geometric_mean(&self) -> Option<f64> {
        let logarithm = |(&units, &count): (&u64, &usize)| count as f64 * libm::log(units as f64);
        let sum: f64 = self.counts.iter().map(logarithm).sum();
        let units = libm::exp(sum / self.count as f64);
        (self.range.0.units() > 0).then(|| units / units_of_one(self.decimals))
    }

    /// The sum as text, with all decimals.
    pub(crate) fn total_text(&self) -> String {
        decimal_text(self.total, self.decimals)
    }
}

/// For tests.
#[cfg(test)]
impl Summary {
    /// The figures of `judged`.
    pub(crate) fn from_cases<'a>(judged: impl IntoIterator<Item = &'a JudgedCase>) -> Self {
        let mut summary = Self::default();
        judged.into_iter().for_each(|case| summary.add(case));
        summary
    }

    /// How many have this verdict.
    fn count(&self, verdict: Verdict) -> usize {
        let found = self.verdicts.iter().find(|(v, _)| *v == verdict);
        found.map_or(0, |(_, count)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(scores: &[u64]) -> BTreeMap<u64, usize> {
        scores.iter().fold(BTreeMap::new(), |mut counts, &score| {
            *counts.entry(score).or_default() += 1;
            counts
        })
    }

    fn distribution(scores: &[u64]) -> Option<Distribution> {
        Distribution::new(&counts(scores), 0)
    }

    #[test]
    fn figures_are_those_of_a_worked_example() {
        // 2, 4, 4, 5, 5, 7, 9: mean 36/7, sample variance 216/42 - worked by hand; t(0.975, 6) = 2.4469
        // from printed tables.
        let d = distribution(&[9, 4, 5, 2, 5, 4, 7]).unwrap();
        assert_eq!((d.count, d.total, d.median), (7, 36, 5.0));
        assert_eq!(d.range, (2.into(), 9.into()));
        let variance = (4.0 + 16.0 * 2.0 + 25.0 * 2.0 + 49.0 + 81.0 - 36.0 * 36.0 / 7.0) / 6.0;
        let expected = 2.4469 * f64::sqrt(variance / 7.0);
        assert!((d.half_width.unwrap() - expected).abs() < 1e-3, "{d:?}");
        assert_eq!(
            d.counts,
            BTreeMap::from([(2, 1), (4, 2), (5, 2), (7, 1), (9, 1)])
        );
        let even = distribution(&[1, 2, 5, 9]).unwrap();
        assert_eq!(even.median, 3.5);
        // The same numbers as hundredths: everything is a hundredth of what it was.
        let hundredths = Distribution::new(&d.counts, 2).unwrap();
        assert_eq!(hundredths.range, (Score::new(2, 2), Score::new(9, 2)));
        assert_eq!(
            (hundredths.median, hundredths.total_text()),
            (0.05, "0.36".to_owned())
        );
        assert!((hundredths.mean - 0.36 / 7.0).abs() < 1e-12);
        assert!((hundredths.half_width.unwrap() - expected / 100.0).abs() < 1e-5);
    }

    #[test]
    fn geometric_mean_is_that_of_ratios() {
        // 2 · 4 · 4 · 8 = 256 = 4⁴, worked by hand.
        let d = distribution(&[2, 4, 4, 8]).unwrap();
        assert!((d.geometric_mean().unwrap() - 4.0).abs() < 1e-12);
        assert!(!d.is_wide());
        // 10⁵ · 10⁷ · 10⁹ = (10⁷)³
        let d = distribution(&[100_000, 1_000_000_000, 10_000_000]).unwrap();
        assert!((d.geometric_mean().unwrap() - 1e7).abs() < 1e-5);
        assert!(d.is_wide());
        // As thousandths, 10² to 10⁶.
        let d = Distribution::new(&d.counts, 3).unwrap();
        assert!((d.geometric_mean().unwrap() - 1e4).abs() < 1e-8);
        assert_eq!(distribution(&[0, 5000]).unwrap().geometric_mean(), None);
    }

    #[test]
    fn one_case_has_no_interval_and_none_has_no_figures() {
        assert_eq!(distribution(&[4]).unwrap().half_width, None);
        assert_eq!(distribution(&[]), None);
        assert_eq!(distribution(&[4, 4]).unwrap().half_width, Some(0.0));
    }

    #[test]
    fn failures_are_counted_apart_and_the_worst_are_named() {
        let judged = |id, verdict, score, wall_ms| {
            JudgedCase::sample(id, verdict, score, |record| record.wall_ms = wall_ms)
        };
        let mut cases = vec![
            judged(0, Verdict::Ac, 4, 1.0),
            judged(1, Verdict::Tle, 0, 2000.0),
            judged(2, Verdict::Ac, 6, 3.0),
            judged(3, Verdict::Tle, 0, 1999.0),
        ];
        cases.extend((4..8).map(|id| judged(id, Verdict::Ac, 5, 1.0)));
        let summary = Summary::from_cases(&cases);
        assert_eq!(summary.scores().unwrap().mean, 5.0);
        assert_eq!(summary.slowest.as_ref().unwrap().1.wall_ms, 2000.0);
        assert_eq!(summary.count(Verdict::Ac), 6);
        assert_eq!(summary.count(Verdict::Tle), 2);
        let worst: Vec<u64> = summary
            .worst
            .cases()
            .iter()
            .map(|w| w.judged.case.id.0)
            .collect();
        assert_eq!(worst, [2, 4, 5, 6, 7]);
        // Two of one kind, for only the number of the turn differs.
        let kinds = summary.failures.kinds();
        assert_eq!((kinds.len(), kinds[0].count), (1, 2));
        assert_eq!(kinds[0].next, [CaseId(3)]);
    }

    #[test]
    fn the_slowest_case_is_so_by_the_larger_of_both_times_and_the_first_of_equals() {
        let judged = |id, wall_ms, cpu_ms| {
            JudgedCase::sample(id, Verdict::Ac, 4, |record| {
                (record.wall_ms, record.cpu_ms) = (wall_ms, cpu_ms);
            })
        };
        let cases = [
            judged(0, 9.0, 1.0),
            judged(1, 5.0, 20.0),
            judged(2, 20.0, 3.0),
        ];
        let summary = Summary::from_cases(&cases);
        assert_eq!(summary.slowest.unwrap().0, CaseId(1));
        assert_eq!(summary.openings.values().collect::<Vec<_>>(), [&3]);
        // A score of 1000 may be a number of turns.
        let wide = [1000, 1001].map(|most| distribution(&[4, most]).unwrap().is_wide());
        assert_eq!(wide, [false, true]);
    }
}
