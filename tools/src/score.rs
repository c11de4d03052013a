//! From records to figures. Pure: it reads no clock and prints nothing.

use std::collections::BTreeMap;

use crate::record::{Record, Verdict};

/// The figures of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How many cases were judged.
    pub cases: usize,
    /// How many of each opening: scores of different games do not belong in one mean.
    pub openings: BTreeMap<String, usize>,
    /// How many of each verdict, in the order of [`Verdict::ALL`].
    pub verdicts: Vec<(Verdict, usize)>,
    /// The scores of accepted cases; `None` if there is none. Failures are never averaged in.
    pub scores: Option<Distribution>,
    /// The case that took longest, whatever its verdict.
    pub slowest: Option<Record>,
}

/// How scores are distributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// How many there are.
    pub count: usize,
    /// Their sum.
    pub total: u64,
    /// The smallest and the largest.
    pub range: (u64, u64),
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// Their mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval of the mean, by Student's t, taking the
    /// cases as a random sample; `None` for a single case.
    pub half_width: Option<f64>,
    /// How many cases have each score.
    pub counts: BTreeMap<u64, usize>,
}

/// The time that counts against the limit.
pub fn time_ms(record: &Record) -> f64 {
    record.wall_ms.max(record.cpu_ms)
}

impl Summary {
    /// The figures of `records`, in any order.
    pub fn new(records: &[Record]) -> Self {
        let count = |verdict| records.iter().filter(|r| r.verdict == verdict).count();
        let scores = records.iter().filter(|r| r.verdict == Verdict::Ac);
        Self {
            cases: records.len(),
            openings: records
                .iter()
                .fold(BTreeMap::new(), |mut openings, record| {
                    *openings.entry(record.opening.clone()).or_default() += 1;
                    openings
                }),
            verdicts: Verdict::ALL.iter().map(|&v| (v, count(v))).collect(),
            scores: Distribution::new(scores.map(|r| r.score)),
            slowest: records
                .iter()
                .max_by(|a, b| time_ms(a).total_cmp(&time_ms(b)))
                .cloned(),
        }
    }
}

impl Distribution {
    /// The distribution of `scores`; `None` if there is none.
    pub fn new(scores: impl Iterator<Item = u64>) -> Option<Self> {
        let mut sorted: Vec<u64> = scores.collect();
        sorted.sort_unstable();
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let count = sorted.len();
        let total = sorted.iter().sum::<u64>();
        let mean = total as f64 / count as f64;
        let middle = (sorted[(count - 1) / 2], sorted[count / 2]);
        let squares: f64 = sorted.iter().map(|&s| (s as f64 - mean).powi(2)).sum();
        let mut counts = BTreeMap::new();
        for score in sorted {
            *counts.entry(score).or_default() += 1;
        }
        Some(Self {
            count,
            total,
            range: (min, max),
            median: (middle.0 as f64 + middle.1 as f64) / 2.0,
            mean,
            half_width: (count > 1).then(|| {
                let freedom = count - 1;
                student_975(freedom) * (squares / freedom as f64 / count as f64).sqrt()
            }),
            counts,
        })
    }
}

/// The 0.975 quantile of Student's t for 1 to 20 degrees of freedom, as in printed tables.
const STUDENT_975: [f64; 20] = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010,
    2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
];

/// The 0.975 quantile of Student's t, to within 0.0001: from the table, and beyond it by the expansion
/// around the normal quantile (Abramowitz and Stegun, 26.7.5).
///
/// # Panics
/// If there is no degree of freedom.
fn student_975(freedom: usize) -> f64 {
    assert!(freedom > 0, "a single value has no degree of freedom");
    if let Some(&quantile) = STUDENT_975.get(freedom - 1) {
        return quantile;
    }
    let z = 1.959_963_985_f64;
    let n = freedom as f64;
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_quantile_is_that_of_a_statistics_library() {
        use statrs::distribution::{ContinuousCDF, StudentsT};
        for freedom in (1..200).chain([1_000, 99_999]) {
            let exact = StudentsT::new(0.0, 1.0, freedom as f64)
                .unwrap()
                .inverse_cdf(0.975);
            let ours = student_975(freedom);
            assert!((ours - exact).abs() < 1e-4, "{freedom}: {ours} {exact}");
        }
    }

    #[test]
    fn figures_are_those_of_a_worked_example() {
        // 2, 4, 4, 5, 5, 7, 9: mean 36/7, sample variance 216/42 - worked by hand; t(0.975, 6) = 2.4469
        // from printed tables.
        let d = Distribution::new([9, 4, 5, 2, 5, 4, 7].into_iter()).unwrap();
        assert_eq!((d.count, d.total, d.range, d.median), (7, 36, (2, 9), 5.0));
        let variance = (4.0 + 16.0 * 2.0 + 25.0 * 2.0 + 49.0 + 81.0 - 36.0 * 36.0 / 7.0) / 6.0;
        let expected = 2.4469 * f64::sqrt(variance / 7.0);
        assert!((d.half_width.unwrap() - expected).abs() < 1e-3, "{d:?}");
        assert_eq!(
            d.counts,
            BTreeMap::from([(2, 1), (4, 2), (5, 2), (7, 1), (9, 1)])
        );
        let even = Distribution::new([1, 2, 5, 9].into_iter()).unwrap();
        assert_eq!(even.median, 3.5);
    }

    #[test]
    fn one_case_has_no_interval_and_none_has_no_figures() {
        assert_eq!(Distribution::new([4].into_iter()).unwrap().half_width, None);
        assert_eq!(Distribution::new(std::iter::empty()), None);
        assert_eq!(
            Distribution::new([4, 4].into_iter()).unwrap().half_width,
            Some(0.0)
        );
    }

    #[test]
    fn failures_are_counted_apart() {
        let record = |verdict, score, wall_ms| Record {
            verdict,
            score,
            wall_ms,
            reason: None,
            ..Record::internal_error(String::new(), String::new())
        };
        let summary = Summary::new(&[
            record(Verdict::Ac, 4, 1.0),
            record(Verdict::Tle, 0, 2000.0),
            record(Verdict::Ac, 6, 3.0),
        ]);
        assert_eq!(summary.scores.unwrap().mean, 5.0);
        assert_eq!(summary.slowest.unwrap().wall_ms, 2000.0);
        assert_eq!(summary.verdicts[0], (Verdict::Ac, 2));
        assert_eq!(summary.verdicts[2], (Verdict::Tle, 1));
    }
}
