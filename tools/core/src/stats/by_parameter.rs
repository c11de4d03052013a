//! The cases of runs by their parameters: by each value of a parameter that has few, else in thirds.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::judge::record::JudgedCase;
use crate::problem::score::units_of_one;

/// A parameter with at most this many different values is shown value by value.
const VALUES: usize = 8;

/// Ranges of a parameter that has more values.
const THIRDS: usize = 3;

/// A value, in ascending order. It is finite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value(pub(super) f64);

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Values of a parameter: the first and the last of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The smallest.
    pub from: f64,
    /// The largest.
    pub to: f64,
}

/// The cases of one run by their parameters, gathered one at a time. Memory grows with the number of different values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByParameter {
    /// For each parameter, what the cases with each value came to.
    values: Vec<BTreeMap<Value, Tally>>,
}

/// Some cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many.
    pub judged: usize,
    /// How many of them were accepted.
    pub accepted: usize,
    /// The sum of their scores, in units.
    pub total: u128,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.judged += other.judged;
        self.accepted += other.accepted;
        self.total += other.total;
    }

    /// The mean score of those accepted, where scores have this many decimals; `None` if there is none.
    pub(crate) fn mean(&self, decimals: u8) -> Option<f64> {
        let one = units_of_one(decimals);
        (self.accepted > 0).then(|| self.total as f64 / self.accepted as f64 / one)
    }
}

impl ByParameter {
    /// One more case.
    pub(crate) fn add(&mut self, judged: &JudgedCase) {
        let parameters = &judged.record.parameters;
        if self.values.len() < parameters.len() {
            self.values.resize_with(parameters.len(), BTreeMap::new);
        }
        let accepted = judged.accepted();
        let tally = Tally {
            judged: 1,
            accepted: usize::from(accepted),
            total: if accepted {
                judged.record.score.units().into()
            } else {
                0
            },
        };
        for (place, values) in self.values.iter_mut().enumerate() {
            if let Some(value) = parameters.get(place) {
                values.entry(Value(value)).or_default().add(&tally);
            }
        }
    }

    /// What the parameter at a place does to the cases: one entry for each of its values if there are few, else for
    /// each third of the cases. Empty if all cases have the same value.
    pub(crate) fn ranges(&self, place: usize) -> Vec<(Range, Tally)> {
        let Some(values) = self.values.get(place) else {
            return Vec::new();
        };
        let counts = values.iter().map(|(value, tally)| (value.0, tally.judged));
        let within = |range: Range| {
            let mut all = Tally::default();
            let values = values.range(Value(range.from)..=Value(range.to));
            values.for_each(|(_, tally)| all.add(tally));
            (range, all)
        };
        ranges_of(&counts.collect::<Vec<_>>())
            .into_iter()
            .map(within)
            .collect()
    }
}

/// The ranges of ascending values, each with the number of its cases; none for a single value.
///
/// Cases with one value stay together, so that thirds of few values differ in size.
pub(super) fn ranges_of(counts: &[(f64, usize)]) -> Vec<Range> {
    if counts.len() < 2 {
        return Vec::new();
    }
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let (mut before, mut last) = (0, None);
    let mut ranges: Vec<Range> = Vec::new();
    for (place, &(value, count)) in counts.iter().enumerate() {
        // Where the middle one of its cases stands among all.
        let third = (2 * before + count) * THIRDS / (2 * all);
        before += count;
        let group = if counts.len() <= VALUES { place } else { third };
        match ranges.last_mut().filter(|_| last == Some(group)) {
            Some(range) => range.to = value,
            None => ranges.push(Range {
                from: value,
                to: value,
            }),
        }
        last = Some(group);
    }
    ranges
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::case::Parameters;
    use crate::judge::record::Verdict;

    /// A case with one parameter; a failed one has no score.
    pub(in crate::stats) fn judged(id: u64, value: f64, score: Option<u64>) -> JudgedCase {
        let verdict = score.map_or(Verdict::Wa, |_| Verdict::Ac);
        JudgedCase::sample(id, verdict, score.unwrap_or(0), |record| {
            record.parameters = Parameters::new([Some(value)]);
        })
    }

    fn ranges(cases: &[JudgedCase]) -> Vec<(f64, f64, usize, Option<f64>)> {
        let mut all = ByParameter::default();
        cases.iter().for_each(|case| all.add(case));
        let told =
            |(range, tally): (Range, Tally)| (range.from, range.to, tally.judged, tally.mean(0));
        all.ranges(0).into_iter().map(told).collect()
    }

    #[test]
    fn few_values_stand_alone_and_failures_are_in_no_mean() {
        let cases = [
            judged(0, 0.02, Some(4)),
            judged(1, -1.0, None),
            judged(2, 0.02, Some(7)),
            judged(3, 0.02, None),
        ];
        assert_eq!(
            ranges(&cases),
            [(-1.0, -1.0, 1, None), (0.02, 0.02, 3, Some(5.5))]
        );
        // One value alone says nothing.
        assert_eq!(ranges(&cases[2..]), []);
        assert_eq!(ByParameter::default().ranges(0), []);
    }

    #[test]
    fn many_values_are_thirds_of_the_cases() {
        // 10 to 18, each once; score: the value.
        let cases: Vec<_> = (10..19).map(|v| judged(v, v as f64, Some(v))).collect();
        assert_eq!(
            ranges(&cases),
            [
                (10.0, 12.0, 3, Some(11.0)),
                (13.0, 15.0, 3, Some(14.0)),
                (16.0, 18.0, 3, Some(17.0))
            ]
        );
        // Half of all cases have one value: they are not torn apart.
        let mut uneven = cases;
        uneven.extend((0..9).map(|id| judged(20 + id, 10.0, Some(2))));
        let sizes: Vec<_> = ranges(&uneven).iter().map(|r| (r.0, r.1, r.2)).collect();
        assert_eq!(sizes, [(10.0, 10.0, 10), (11.0, 12.0, 2), (13.0, 18.0, 6)]);
    }

    #[test]
    fn up_to_eight_values_stand_alone_and_nine_are_thirds() {
        let rows = |values: u64| {
            let cases = (0..values).map(|v| judged(v, v as f64, Some(v)));
            ranges(&cases.collect::<Vec<_>>()).len()
        };
        assert_eq!([rows(2), rows(8), rows(9)], [2, 8, 3]);
        let one = Tally {
            judged: 2,
            accepted: 1,
            total: 35,
        };
        assert_eq!((one.mean(0), one.mean(1)), (Some(35.0), Some(3.5)));
        // The first case may be one that has no parameters.
        let mut all = ByParameter::default();
        all.add(&JudgedCase::sample(0, Verdict::Ac, 4, |_| ()));
        for id in [1, 2] {
            all.add(&judged(id, id as f64, Some(9)));
        }
        all.add(&JudgedCase::sample(3, Verdict::Ac, 4, |_| ()));
        assert_eq!(all.ranges(0).len(), 2);
    }
}
