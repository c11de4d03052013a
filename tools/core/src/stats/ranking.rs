//! How good each of many runs is by a measure, to list them and to choose the best.

use std::collections::HashMap;

use super::paired::{CaseScore, Measure, relative};
use super::student;
use crate::case::CaseId;
use crate::problem::{Objective, Score};

/// The mean measure of the accepted cases of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredMean {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval; `None` for one case.
    pub half_width: Option<f64>,
}

impl MeasuredMean {
    /// Of these values. `None` if there is none, or one is not finite: 0 has no logarithm.
    pub(crate) fn new(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self {
            mean,
            half_width: student::half_width(count, squares),
        })
    }
}

/// The mean measure of one run, whatever the others are: of its scores, their logarithms or relative scores. `best` has
/// the best score known for each case. `None` as for [`MeasuredMean::new`], and for ranks.
pub(crate) fn mean_of(
    scores: &[CaseScore],
    measure: Measure,
    objective: Objective,
    best: &HashMap<CaseId, Score>,
) -> Option<MeasuredMean> {
    let measured = |case: &CaseScore| {
        let score = case.score?;
        let best = best.get(&case.id).copied().unwrap_or(score);
        Some(match measure {
            Measure::Score => score.value(),
            Measure::Log => libm::log(score.value()),
            Measure::Relative => relative(score, best, objective),
            Measure::Rank => f64::NAN,
        })
    };
    let values: Vec<f64> = scores.iter().filter_map(measured).collect();
    MeasuredMean::new(&values)
}

/// The mean rank of each of these runs among them, over the cases that it solved. Equal scores share the mean of their
/// ranks.
pub(crate) fn mean_ranks(
    runs: &[Vec<CaseScore>],
    objective: Objective,
) -> Vec<Option<MeasuredMean>> {
    let mut by_case: HashMap<CaseId, Vec<Score>> = HashMap::new();
    for case in runs.iter().flatten() {
        by_case.entry(case.id).or_default().extend(case.score);
    }
    for scores in by_case.values_mut() {
        scores.sort_by(|a, b| objective.compare(*a, *b));
    }
    let rank = |case: &CaseScore| {
        let score = case.score?;
        let sorted = &by_case[&case.id];
        let better = sorted.partition_point(|other| objective.compare(*other, score).is_lt());
        let as_good = sorted.partition_point(|other| objective.compare(*other, score).is_le());
        Some((better + 1 + as_good) as f64 / 2.0)
    };
    let mean = |run: &Vec<CaseScore>| {
        let ranks: Vec<f64> = run.iter().filter_map(rank).collect();
        MeasuredMean::new(&ranks)
    };
    runs.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Digest;

    fn run(scores: &[Option<u64>]) -> Vec<CaseScore> {
        let case = |(id, score): (u64, &Option<u64>)| CaseScore {
            id: CaseId(id),
            digest: Digest(id),
            score: score.map(Score::from),
        };
        (0..).zip(scores).map(case).collect()
    }

    #[test]
    fn ranks_are_those_of_a_table_by_hand() {
        let runs = [
            run(&[Some(1), Some(7), None]),
            run(&[Some(2), Some(7), Some(3)]),
            run(&[Some(9), Some(8), Some(4)]),
            run(&[None, None, None]),
        ];
        let means = |objective| {
            let ranks = mean_ranks(&runs, objective).into_iter();
            ranks
                .map(|rank| rank.map(|rank| rank.mean))
                .collect::<Vec<_>>()
        };
        // 1, 1.5; 2, 1.5, 1; 3, 3, 2.
        let min = [Some(1.25), Some(1.5), Some(8.0 / 3.0), None];
        assert_eq!(means(Objective::Min), min);
        // 3, 2.5; 2, 2.5, 2; 1, 1, 1.
        let max = [Some(2.75), Some(6.5 / 3.0), Some(1.0), None];
        assert_eq!(means(Objective::Max), max);
    }

    #[test]
    fn means_are_of_solved_cases_and_0_has_no_logarithm() {
        let scores = run(&[Some(10), None, Some(1000)]);
        let best = [(CaseId(0), Score::from(5)), (CaseId(2), Score::from(1000))];
        let mean = |measure| {
            let found = mean_of(
                &scores,
                measure,
                Objective::Min,
                &best.into_iter().collect(),
            );
            found.map(|found| found.mean)
        };
        assert_eq!(mean(Measure::Score), Some(505.0));
        assert_eq!(mean(Measure::Relative), Some(75.0));
        // The geometric mean of 10 and 1000 is 100.
        assert!((mean(Measure::Log).unwrap() - 100_f64.ln()).abs() < 1e-12);
        assert_eq!(mean(Measure::Rank), None);
        let with_zero = run(&[Some(0), Some(1)]);
        let none = HashMap::new();
        let log = mean_of(&with_zero, Measure::Log, Objective::Max, &none);
        assert_eq!(log, None);
        assert_eq!(MeasuredMean::new(&[]), None);
        // Two values 1 and 2: half their difference is the standard error; t(0.975, 1) = 12.7062.
        let half = MeasuredMean::new(&[1.0, 2.0]).unwrap().half_width;
        assert!((half.unwrap() - 12.7062 / 2.0).abs() < 1e-4);
        assert_eq!(MeasuredMean::new(&[1.0]).unwrap().half_width, None);
    }
}
