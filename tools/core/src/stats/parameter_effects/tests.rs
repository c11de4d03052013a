//! Where the second of two runs is better, found and not found.

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
    assert!(told[0].starts_with("N Highest(Range { from: 20.0, to: 29.0 }) worse Percent(10.0"));
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
    // Five that differ by the same have one sign in 2 of 32 rows.
    let five: Vec<_> = (0..10).map(|i| pair(&[(i % 2) as f64], 1.0, 2.0)).collect();
    let effects = parameter_effects(&names(&["N"]), &five, Measure::Score, Objective::Min);
    assert_eq!((effects.groups, effects.found.len()), (2, 0));
    // Twice the score, as logarithms.
    let log = |i: usize| {
        pair(
            &[(i / 6) as f64],
            1.0,
            1.0 + (libm::log(2.0) + [1.0, -1.0, 2.0, -2.0][i % 4] / 1024.0) * (i / 6) as f64,
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
            difference: differences[i % 2] * (1.0 + [1.0, -1.0, 2.0, -2.0, 0.0][i / 2] / 64.0),
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

/// Cases with these differences, alternating: 12 with the value 0, and some with the value 1.
fn alternating(zero: [f64; 2], one: [f64; 2], ones: usize) -> Vec<MeasuredPair> {
    let case = |value: f64, difference: f64| MeasuredPair {
        first: 100.0,
        difference,
        parameters: Parameters::new([Some(value)]),
    };
    let zeros = (0..12).map(|i| case(0.0, zero[i % 2]));
    zeros
        .chain((0..ones).map(|i| case(1.0, one[i % 2])))
        .collect()
}

#[test]
fn one_group_is_not_every_value() {
    let found = |zero, one, ones| {
        let pairs = alternating(zero, one, ones);
        let names = names(&["N"]);
        parameter_effects(&names, &pairs, Measure::Score, Objective::Min)
    };
    let zero = Values::Within(Range { from: 0.0, to: 0.0 });
    // Four cases with the value 1 are too few for a group, whatever they show.
    let few = found([4.0, 6.0], [4.0, 6.0], 4);
    assert_eq!(
        (few.groups, few.found.len(), few.found[0].values),
        (1, 1, zero)
    );
    // The mean of all, 2.5, may be that of the first group: 5 ± 2.65 (t = 2.201 for 11 degrees of freedom, s² = 192 / 11).
    // The second group shows nothing.
    let first = found([1.0, 9.0], [0.5, -0.5], 12);
    assert_eq!(
        (first.groups, first.found.len(), first.found[0].values),
        (2, 1, zero)
    );
    // 5 ± 0.66 and 5.5 ± 0.66 have the mean 5.25 in common, on both sides of it. The larger p-value is that of both.
    let both = found([4.0, 6.0], [4.5, 6.5], 12);
    assert_eq!((both.found.len(), both.found[0].values), (1, Values::Every));
    assert_eq!(both.found[0].change, Change::Percent(5.25));
    assert!(both.found[0].p > 0.0 && both.found[0].p < 1e-6, "{both:?}");
    // 5 ± 0.66 and 6.6 ± 0.66 have not: the mean is 5.8.
    let apart = found([4.0, 6.0], [5.6, 7.6], 12);
    assert_eq!(apart.found.len(), 2);
}

#[test]
fn a_corrected_p_value_is_a_probability() {
    let mut pairs = alternating([1.0, -0.9], [1.0, -0.9], 12);
    pairs.extend(alternating([1.0, -0.9], [1.0, -0.9], 12));
    let mut tested = groups_of(0, &pairs);
    let uncorrected = tested[0].p;
    assert!(uncorrected > 0.5 && uncorrected < 1.0);
    correct(&mut tested);
    assert!(tested.iter().all(|group| group.p == 1.0));
}
