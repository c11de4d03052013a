//! Where the second of two runs is better or worse than the first, by the parameters of the cases.
//!
//! Every group of every parameter is a test of its own. So that one in twenty does not look different by chance alone,
//! p-values are corrected by Holm's method (S. Holm, A simple sequentially rejective multiple test procedure, 1979),
//! which needs no independence.

use std::collections::BTreeMap;

use serde::Serialize;

use super::by_parameter::{Range, Value, ranges_of};
use super::paired::Measure;
use super::student;
use crate::case::Parameters;
use crate::problem::Objective;

/// A group of fewer cases is not looked at: the interval of so few is rough.
const LEAST: usize = 5;

/// An effect is shown if its corrected p-value is below this.
const SHOWN: f64 = 0.05;

/// A case that both runs were accepted on, as this module needs it.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredPair {
    /// What is averaged, of the first run.
    pub first: f64,
    /// How much more that is of the second.
    pub difference: f64,
    /// The parameters of the case.
    pub parameters: Parameters,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Effects {
    /// In the order of the parameters and their values.
    pub found: Vec<Effect>,
    /// How many groups were looked at.
    pub groups: usize,
}

/// The second run is better or worse on the cases with some values of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The parameter.
    pub name: String,
    /// Its values.
    #[serde(flatten)]
    pub values: Values,
    /// Whether the second run is the better one there.
    pub better: bool,
    /// By how much.
    pub change: Change,
    /// The corrected p-value; of all values together, the largest of their groups.
    pub p: f64,
}

/// Values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "values", rename_all = "kebab-case")]
pub enum Values {
    /// All that there are: the difference is clear in each group, and about the same.
    Every,
    /// The smallest ones, up to this.
    Lowest(Range),
    /// The largest ones.
    Highest(Range),
    /// One value, or a range that has values on both sides.
    Within(Range),
}

/// A difference of means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// In percent of the first run's mean.
    Percent(f64),
    /// In the unit of the measure.
    Points(f64),
}

/// One group.
struct Tested {
    parameter: usize,
    range: Range,
    /// Whether it has the smallest values, and the largest.
    ends: (bool, bool),
    sums: Sums,
    p: f64,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    count: usize,
    first: f64,
    difference: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, pair: &MeasuredPair) {
        self.count += 1;
        self.first += pair.first;
        self.difference += pair.difference;
        self.squares += pair.difference.powi(2);
    }

    fn mean(&self) -> f64 {
        self.difference / self.count as f64
    }

    /// The sum of the squared distances from the mean.
    fn spread(&self) -> f64 {
        let spread = self.squares - self.mean() * self.difference;
        // Of equal differences, rounding leaves a little.
        match spread < 1e-12 * self.squares {
            true => 0.0,
            false => spread,
        }
    }

    fn p_value(&self) -> Option<f64> {
        student::p_value(self.count, self.mean(), self.spread())
    }

    /// Whether a mean lies in the 95 % interval of this one.
    fn may_be(&self, mean: f64) -> bool {
        let half = student::half_width(self.count, self.spread());
        half.is_some_and(|half| (self.mean() - mean).abs() <= half + 1e-9 * mean.abs())
    }

    fn change(&self, measure: Measure) -> Change {
        match measure {
            Measure::Log => Change::Percent(100.0 * libm::expm1(self.mean())),
            Measure::Score if self.first > 0.0 => {
                Change::Percent(100.0 * self.difference / self.first)
            }
            Measure::Score | Measure::Relative | Measure::Rank => Change::Points(self.mean()),
        }
    }
}

/// The effects that are significant. `names` are those of the parameters.
///
/// Cost: sorts the values of each parameter.
pub(crate) fn parameter_effects(
    names: &[String],
    pairs: &[MeasuredPair],
    measure: Measure,
    objective: Objective,
) -> Effects {
    let mut tested: Vec<Tested> = (0..names.len())
        .flat_map(|place| groups_of(place, pairs))
        .collect();
    let groups = tested.len();
    correct(&mut tested);
    let more_is_better = measure.more_is_better(objective);
    let is_better = |sums: &Sums| (sums.difference > 0.0) == more_is_better;
    let mut found = Vec::new();
    for own in tested.chunk_by(|a, b| a.parameter == b.parameter) {
        let name = &names[own[0].parameter];
        let effect = |values, sums: &Sums, p| Effect {
            name: name.clone(),
            values,
            better: is_better(sums),
            change: sums.change(measure),
            p,
        };
        let mut all = Sums::default();
        for Tested { sums, .. } in own {
            all.count += sums.count;
            all.first += sums.first;
            all.difference += sums.difference;
        }
        // Where the difference depends on the values, each group is shown for itself.
        let alike = |group: &Tested| group.p < SHOWN && group.sums.may_be(all.mean());
        if own.len() > 1 && own.iter().all(alike) {
            let p = own.iter().map(|group| group.p).fold(0.0, f64::max);
            found.push(effect(Values::Every, &all, p));
            continue;
        }
        for group in own.iter().filter(|group| group.p < SHOWN) {
            let values = match group.ends {
                (true, false) if group.range.from < group.range.to => Values::Lowest(group.range),
                (false, true) if group.range.from < group.range.to => Values::Highest(group.range),
                _ => Values::Within(group.range),
            };
            found.push(effect(values, &group.sums, group.p));
        }
    }
    Effects { found, groups }
}

/// The groups of the parameter at a place that have enough cases, each with its p-value.
fn groups_of(place: usize, pairs: &[MeasuredPair]) -> Vec<Tested> {
    let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
    for value in pairs.iter().filter_map(|pair| pair.parameters.get(place)) {
        *counts.entry(Value(value)).or_default() += 1;
    }
    let counts: Vec<_> = counts
        .iter()
        .map(|(value, count)| (value.0, *count))
        .collect();
    let ranges = ranges_of(&counts);
    let mut sums = vec![Sums::default(); ranges.len()];
    for pair in pairs {
        let within = |value: f64| ranges.partition_point(|range| range.to < value);
        let group = pair.parameters.get(place).map(within);
        if let Some(sums) = group.and_then(|group| sums.get_mut(group)) {
            sums.add(pair);
        }
    }
    let last = ranges.len().saturating_sub(1);
    let group = |(at, (range, sums)): (usize, (Range, Sums))| {
        let ends = (at == 0, at == last);
        let p = sums.p_value().filter(|_| sums.count >= LEAST)?;
        Some(Tested {
            parameter: place,
            range,
            ends,
            sums,
            p,
        })
    };
    let all = ranges.into_iter().zip(sums).enumerate();
    all.filter_map(group).collect()
}

/// Corrects the p-values: the smallest counts as many times as there are groups, the next once less, and so on; none
/// becomes smaller than the one before it.
fn correct(tested: &mut [Tested]) {
    let mut order: Vec<usize> = (0..tested.len()).collect();
    order.sort_by(|&a, &b| tested[a].p.total_cmp(&tested[b].p).then(a.cmp(&b)));
    let mut least: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        let corrected = tested[at].p * (order.len() - rank) as f64;
        least = least.max(corrected).min(1.0);
        tested[at].p = least;
    }
}

#[cfg(test)]
mod tests;
