//! The rows of a histogram: few for few cases, round numbers, and steps by factors where scores differ by factors.

use std::collections::BTreeMap;

/// The most rows; with more different scores, a row is a range.
const MOST: u64 = 20;
/// Scores that differ by this factor or more are shown by their order of magnitude.
const STEEP: u64 = 1000;

/// A row: scores in units, both ends included, and how many cases have one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bin {
    /// The smallest.
    pub low: u64,
    /// The largest.
    pub high: u64,
    /// How many cases.
    pub cases: usize,
}

/// The rows for these numbers of cases by score, from the smallest score to the largest; none for no case.
pub(crate) fn bins(counts: &BTreeMap<u64, usize>) -> Vec<Bin> {
    let (Some((&min, _)), Some((&max, _))) = (counts.first_key_value(), counts.last_key_value())
    else {
        return Vec::new();
    };
    let cases: usize = counts.values().sum();
    let positive = counts.range(1..).next().map_or(max, |(&score, _)| score);
    let starts = match max - min {
        range if range < MOST => (min..=max).collect(),
        _ if positive > 0 && max / positive >= STEEP => steep(min, positive, max, rows(cases)),
        _ => level(min, max, rows(cases)),
    };
    let ends = starts.iter().skip(1).map(|next| next - 1);
    let ranges = starts.iter().copied().zip(ends.chain([max]));
    let bin = |(low, high): (u64, u64)| {
        let cases = counts.range(low..=high).map(|(_, n)| n).sum();
        Bin { low, high, cases }
    };
    ranges.map(bin).collect()
}

/// How many rows this many cases deserve.
fn rows(cases: usize) -> u64 {
    ((2.0 * (cases as f64).sqrt()).ceil() as u64).clamp(3, MOST)
}

/// Where rows of one width begin. The width is 1, 2 or 5 times a power of ten.
fn level(min: u64, max: u64, rows: u64) -> Vec<u64> {
    let least = ((max - min) / rows + 1).into();
    let powers = (0..=19).map(|zeros| 10_u128.pow(zeros));
    let mut widths = powers.flat_map(|power| [1, 2, 5].map(|digit| digit * power));
    let width = widths.find(|&width| width >= least).unwrap_or(least);
    let first = u128::from(min) / width * width;
    let starts = (0..).map(|i| first + i * width);
    let starts = starts.take_while(|&start| start <= max.into());
    starts.map(|start| start as u64).collect()
}

/// Where rows begin that double, or have ten, a hundred … times the scores of the row before.
fn steep(min: u64, positive: u64, max: u64, rows: u64) -> Vec<u64> {
    let (first, last) = (positive.ilog10(), max.ilog10());
    let decades = u64::from(last - first + 1);
    let digits: &[u64] = if 3 * decades <= rows {
        &[1, 2, 5]
    } else {
        &[1]
    };
    let stride = decades.div_ceil(rows).max(1) as usize;
    let powers = (first..=last)
        .step_by(stride)
        .map(|zeros| 10_u64.pow(zeros));
    let starts = powers.flat_map(|power| digits.iter().map(move |digit| power.checked_mul(*digit)));
    let starts: Vec<u64> = starts.flatten().filter(|&start| start <= max).collect();
    // Nothing is smaller than the smallest score.
    let empty = starts.iter().filter(|&&start| start <= positive).count() - 1;
    let zero = (min == 0).then_some(0);
    zero.into_iter()
        .chain(starts.into_iter().skip(empty))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(scores: impl IntoIterator<Item = u64>) -> BTreeMap<u64, usize> {
        let mut counts = BTreeMap::new();
        scores
            .into_iter()
            .for_each(|score| *counts.entry(score).or_default() += 1);
        counts
    }

    fn starts(scores: impl IntoIterator<Item = u64>) -> Vec<u64> {
        bins(&counts(scores)).iter().map(|bin| bin.low).collect()
    }

    #[test]
    fn each_score_has_a_row_where_they_are_few() {
        assert_eq!(starts([3, 5, 5]), [3, 4, 5]);
        assert_eq!(starts(0..20).len(), 20);
        assert!(starts([]).is_empty());
    }

    #[test]
    fn few_cases_have_few_rows_that_begin_at_round_numbers() {
        assert_eq!(starts([55_000_000, 399_000_000]), [0, 200_000_000]);
        // 100 cases from 0 to 990 deserve 20 rows: 50 is the first round width of at least 49.5.
        assert_eq!(starts((0..100).map(|i| 10 * i)).len(), 20);
        assert_eq!(starts((0..9).map(|i| 107 + 20 * i)), [100, 150, 200, 250]);
    }

    #[test]
    fn scores_that_differ_by_factors_have_rows_that_do() {
        assert_eq!(starts([7, 70, 700, 7000]), [1, 10, 100, 1000]);
        assert_eq!(starts([0, 7, 70, 700, 7000]), [0, 1, 10, 100, 1000]);
        // 25 cases deserve 10 rows: 3 for each of 3 decades and the start of the fourth would be too many.
        let many = (0..25).map(|i| 2000 + 200_000 * i);
        assert_eq!(starts(many), [1000, 10_000, 100_000, 1_000_000]);
        let many = (0..100).map(|i| 2000 + 40_000 * i);
        assert_eq!(
            starts(many),
            [
                2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000
            ]
        );
        assert_eq!(starts([0, u64::MAX]), [0, 10_000_000_000_000_000_000]);
    }

    #[test]
    fn every_case_is_in_one_row() {
        let all = [
            counts((1..400).map(|i| i * i * i)),
            counts((0..400).map(|i| i * i)),
            counts((0..64).map(|i| u64::MAX >> i)),
            counts([0, u64::MAX - 1]),
            counts([u64::MAX - 50, u64::MAX]),
        ];
        for counts in all {
            let bins = bins(&counts);
            let cases: usize = bins.iter().map(|bin| bin.cases).sum();
            assert_eq!(cases, counts.values().sum::<usize>());
            assert!(bins.len() <= 21, "{bins:?}");
            assert!(bins.iter().all(|bin| bin.low <= bin.high), "{bins:?}");
            assert!(
                bins.windows(2).all(|pair| pair[0].high + 1 == pair[1].low),
                "{bins:?}"
            );
        }
    }
}
