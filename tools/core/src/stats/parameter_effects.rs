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
pub struct MeasuredPair {
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
pub fn parameter_effects(
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
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn pair(parameters: &[f64], first: f64, second: f64) -> MeasuredPair {
        MeasuredPair {
            first,
            difference: second - first,
            parameters: Parameters::new(parameters.iter().copied().map(Some)),
        }
    }

    fn found(effects: &Effects) -> Vec<String> {
        let text = |e: &Effect| {
            let direction = if e.better { "better" } else { "worse" };
            format!(
                "{} {:?} {direction} {:.2?} {:.4}",
                e.name, e.values, e.change, e.p
            )
        };
        effects.found.iter().map(text).collect()
    }

    #[test]
    fn an_effect_is_found_where_it_is() {
        // N from 0 to 29; from 20 on, the second run needs about 10 % more. M says nothing.
        let noise = |i: usize| [0.5, -0.5, 0.2, -0.2][i % 4];
        let case = |i: usize| {
            let more = if i >= 20 { 10.0 } else { 0.0 };
            pair(&[i as f64, (i % 3) as f64], 100.0, 100.0 + more + noise(i))
        };
        let pairs: Vec<_> = (0..30).map(case).collect();
        let names = names(&["N", "M"]);
        let effects = parameter_effects(&names, &pairs, Measure::Score, Objective::Min);
        assert_eq!(effects.groups, 6);
        let told = found(&effects);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with("N Highest(Range { from: 20.0, to: 29.0 }) worse Percent(10.0")
        );
        let effects = parameter_effects(&names, &pairs, Measure::Score, Objective::Max);
        assert!(found(&effects)[0].contains(" better "));
    }

    #[test]
    fn a_difference_at_every_value_is_one_effect() {
        let noise = |i: usize| [0.5, -0.5, 0.2, -0.2][i / 2 % 4];
        let pairs: Vec<_> = (0..24)
            .map(|i| pair(&[(i % 2) as f64], 100.0, 95.0 + noise(i)))
            .collect();
        let effects = parameter_effects(&names(&["N"]), &pairs, Measure::Score, Objective::Min);
        let told = found(&effects);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with("N Every better Percent(-5.00)"),
            "{told:?}"
        );
        // Where it depends on the value, both are told.
        let pairs: Vec<_> = (0..24)
            .map(|i| {
                pair(
                    &[(i % 2) as f64],
                    100.0,
                    95.0 - 4.0 * (i % 2) as f64 + noise(i),
                )
            })
            .collect();
        let effects = parameter_effects(&names(&["N"]), &pairs, Measure::Score, Objective::Min);
        assert_eq!(effects.found.len(), 2, "{effects:?}");
    }

    #[test]
    fn chance_is_not_reported() {
        // 40 parameters with two values each, all of them noise: 80 groups, of which about 4 have p < 0.05.
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        let mut shown = 0;
        let mut uncorrected = 0;
        for _ in 0..20 {
            let case = |random: &mut dyn FnMut() -> f64| {
                let parameters: Vec<f64> = (0..40).map(|_| random().round()).collect();
                pair(&parameters, 100.0, 100.0 + random() - 0.5)
            };
            let pairs: Vec<_> = (0..60).map(|_| case(&mut random)).collect();
            let all: Vec<String> = (0..40).map(|i| format!("p{i}")).collect();
            let effects = parameter_effects(&all, &pairs, Measure::Score, Objective::Min);
            shown += usize::from(!effects.found.is_empty());
            let groups = (0..40).flat_map(|place| groups_of(place, &pairs));
            uncorrected += groups.filter(|group| group.p < SHOWN).count();
        }
        // At most one comparison in twenty reports any; without a correction, nearly all would.
        assert!(uncorrected > 20 && shown <= 2, "{uncorrected} {shown}");
    }

    #[test]
    fn corrected_values_are_those_of_holm() {
        let group = |p| Tested {
            parameter: 0,
            range: Range { from: 0.0, to: 0.0 },
            ends: (true, true),
            sums: Sums::default(),
            p,
        };
        // As R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        let mut tested: Vec<_> = [0.01, 0.04, 0.03, 0.005].into_iter().map(group).collect();
        correct(&mut tested);
        let corrected: Vec<String> = tested.iter().map(|t| format!("{:.3}", t.p)).collect();
        assert_eq!(corrected, ["0.030", "0.060", "0.060", "0.020"]);
    }

    #[test]
    fn few_cases_and_measures_of_other_kinds() {
        let four: Vec<_> = (0..8).map(|i| pair(&[(i % 2) as f64], 1.0, 2.0)).collect();
        let effects = parameter_effects(&names(&["N"]), &four, Measure::Score, Objective::Min);
        assert_eq!(effects, Effects::default());
        // Twice the score, as logarithms.
        let log = |i: usize| {
            pair(
                &[(i / 6) as f64],
                1.0,
                1.0 + libm::log(2.0) * (i / 6) as f64,
            )
        };
        let pairs: Vec<_> = (0..12).map(log).collect();
        let effects = parameter_effects(&names(&["N"]), &pairs, Measure::Log, Objective::Max);
        let told = found(&effects);
        assert!(
            told[0].ends_with("better Percent(100.00) 0.0000"),
            "{told:?}"
        );
        assert!(
            told[0].starts_with("N Within(Range { from: 1.0, to: 1.0 })"),
            "{told:?}"
        );
        let effects = parameter_effects(&names(&["N"]), &pairs, Measure::Relative, Objective::Max);
        assert!(found(&effects)[0].contains("Points(0.69)"));
    }

    #[test]
    fn values_in_the_middle_and_single_ones_at_an_end_are_named_as_they_are() {
        // 30 values in thirds, or three values; the second run needs more in one of the three groups.
        let names = names(&["N"]);
        let named = |values: usize, worse: usize| {
            let noise = |i: usize| [0.5, -0.5, 0.2, -0.2][i % 4];
            let case = |i: usize| {
                let more = if i / 10 == worse { 10.0 } else { 0.0 };
                let value = if values == 3 { i / 10 } else { i };
                pair(&[value as f64], 100.0, 100.0 + more + noise(i))
            };
            let pairs: Vec<_> = (0..30).map(case).collect();
            let effects = parameter_effects(&names, &pairs, Measure::Score, Objective::Min);
            assert_eq!(effects.found.len(), 1);
            effects.found[0].values
        };
        let range = |from, to| Range { from, to };
        assert_eq!(named(30, 0), Values::Lowest(range(0.0, 9.0)));
        assert_eq!(named(30, 1), Values::Within(range(10.0, 19.0)));
        assert_eq!(named(30, 2), Values::Highest(range(20.0, 29.0)));
        for place in 0..3 {
            let one = range(place as f64, place as f64);
            assert_eq!(named(3, place), Values::Within(one));
        }
    }

    #[test]
    fn five_cases_are_a_group_and_the_change_is_in_percent_of_the_first_mean() {
        let pairs = |first: f64, differences: [f64; 2]| -> Vec<MeasuredPair> {
            let case = |i: usize| MeasuredPair {
                first,
                difference: differences[i % 2],
                parameters: Parameters::new([Some((i % 2) as f64)]),
            };
            (0..10).map(case).collect()
        };
        let names = names(&["N"]);
        let effects = |first, differences, measure| {
            let pairs = pairs(first, differences);
            parameter_effects(&names, &pairs, measure, Objective::Min)
        };
        let one = effects(50.0, [0.0, 5.0], Measure::Score);
        assert_eq!((one.groups, one.found.len()), (2, 1));
        assert_eq!(
            (one.found[0].change, one.found[0].better),
            (Change::Percent(10.0), false)
        );
        // Nothing is a part of 0.
        let zero = effects(0.0, [0.0, 5.0], Measure::Score);
        assert_eq!(zero.found[0].change, Change::Points(5.0));
        let less = effects(0.5, [0.0, 0.25], Measure::Score);
        assert_eq!(less.found[0].change, Change::Percent(50.0));
        // Half of the score: less by 50 %.
        let log = effects(3.0, [0.0, -std::f64::consts::LN_2], Measure::Log);
        let Change::Percent(percent) = log.found[0].change else {
            panic!("{log:?}");
        };
        assert!((percent + 50.0).abs() < 1e-9 && log.found[0].better);
    }
}
