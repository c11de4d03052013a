//! Where a run is better or worse than another one, by the parameters of the cases: read from the history, and in
//! words.

use std::collections::HashMap;

use crate::case::{CaseId, Parameters, short_text};
use crate::problem::Score;
use crate::problem::score::units_of_one;
use crate::stats::by_parameter::Range;
use crate::stats::paired::{Measure, Pair, difference, measured};
use crate::stats::parameter_effects::{
    Change, Effect, Effects, MeasuredPair, Values, parameter_effects,
};
use crate::store::{History, HistoryError, Run};

/// At most this many effects of each kind are named, those that are surest.
const NAMED: usize = 4;

/// The effects of the second run against the first, on the cases `pairs` that both were accepted on. `best` is the
/// best score known for a case.
///
/// Cost: reads the records of both if the second has parameters.
///
/// # Errors
/// If they cannot be read.
pub fn effects_between(
    history: &History,
    [first, second]: [&Run; 2],
    pairs: &[Pair],
    measure: Measure,
    best: impl Fn(&Pair) -> Score,
) -> Result<Effects, HistoryError> {
    let names = common_names(first, second);
    // Every secret was played: nothing is left to chance.
    if names.is_empty() || (first.is_whole() && second.is_whole()) {
        return Ok(Effects::default());
    }
    let values = [first, second].map(|run| values_of(history, run, &names));
    let [before, now] = values;
    let (before, now) = (before?, now?);
    // What the program itself has told, such as a number of turns, is not what the case is like.
    let is_of_case = |place: usize| {
        pairs.iter().all(|pair| {
            let value = |all: &HashMap<CaseId, Parameters>| all.get(&pair.id)?.get(place);
            let (a, b) = (value(&before), value(&now));
            a == b || (a.is_none() && !has(first, &names[place]))
        })
    };
    let places: Vec<usize> = (0..names.len())
        .filter(|&place| is_of_case(place))
        .collect();
    let objective = second.objective();
    let one = match measure {
        Measure::Score => units_of_one(second.scoring().decimals),
        Measure::Relative | Measure::Rank | Measure::Log => 1.0,
    };
    let by_case = pairs.iter().map(|pair| {
        let both = measured(measure, pair.scores, best(pair), objective);
        let own = now.get(&pair.id);
        let value = |&place: &usize| own.and_then(|own| own.get(place));
        MeasuredPair {
            first: both.0 / one,
            difference: difference(measure, pair.scores, both) / one,
            parameters: Parameters::new(places.iter().map(value)),
        }
    });
    let names: Vec<String> = places.iter().map(|&place| names[place].clone()).collect();
    let by_case: Vec<MeasuredPair> = by_case.collect();
    Ok(parameter_effects(&names, &by_case, measure, objective))
}

fn has(run: &Run, name: &String) -> bool {
    run.about.spec.parameters.contains(name)
}

/// The names of the second run that the first has too, or may be older than: those that a case's file has, and all if
/// the first has none. What only the second program has told is not among the rest.
fn common_names(first: &Run, second: &Run) -> Vec<String> {
    let spec = &second.about.spec;
    let external = spec.external.as_ref();
    let rule = external.and_then(|external| external.parameter_rule().ok().flatten());
    let is_of_file = |name: &String| {
        rule.as_ref()
            .is_some_and(|rule| rule.names().contains(name))
    };
    let is_older = first.about.spec.parameters.is_empty();
    let names = spec.parameters.iter();
    let names = names.filter(|name| is_older || has(first, name) || is_of_file(name));
    names.cloned().collect()
}

/// The values of a run's cases, in the order of `names`.
fn values_of(
    history: &History,
    run: &Run,
    names: &[String],
) -> Result<HashMap<CaseId, Parameters>, HistoryError> {
    let own = &run.about.spec.parameters;
    let places: Vec<Option<usize>> = names
        .iter()
        .map(|name| own.iter().position(|own| own == name))
        .collect();
    let mut values = HashMap::new();
    history.each_record(run.id, |judged| {
        let value = |place: &Option<usize>| judged.record.parameters.get((*place)?);
        values.insert(judged.case.id, Parameters::new(places.iter().map(value)));
    })?;
    Ok(values)
}

/// `worse where M is 10 to 19: +4.1 % (p = 0.003)`, and the same of where the run is better, a line each; nothing if
/// nothing is significant.
pub fn effect_lines(effects: &Effects) -> Vec<String> {
    let line = |better: bool| {
        let mut own: Vec<&Effect> = effects
            .found
            .iter()
            .filter(|e| e.better == better)
            .collect();
        own.sort_by(|a, b| a.p.total_cmp(&b.p));
        let hidden = own.len().saturating_sub(NAMED);
        own.truncate(NAMED);
        let (at_every, elsewhere): (Vec<_>, Vec<_>) = own
            .into_iter()
            .partition(|effect| effect.values == Values::Every);
        let named = |effects: &[&Effect], word: &str| {
            let texts: Vec<String> = effects.iter().map(|effect| effect_text(effect)).collect();
            (!texts.is_empty()).then(|| format!("{word} {}", texts.join("; ")))
        };
        let parts = [named(&at_every, "at"), named(&elsewhere, "where")];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let direction = if better { "better" } else { "worse" };
        let more = match hidden {
            0 => String::new(),
            n => format!("; and {n} more"),
        };
        (!parts.is_empty()).then(|| format!("{direction} {}{more}", parts.join("; ")))
    };
    [line(false), line(true)].into_iter().flatten().collect()
}

/// Follows the lines: what the p-values are.
pub(crate) fn correction_text(effects: &Effects) -> String {
    format!(
        "p is corrected for the {} groups that were looked at",
        effects.groups
    )
}

fn effect_text(effect: &Effect) -> String {
    let name = &effect.name;
    let text = short_text;
    let values = match effect.values {
        Values::Every => format!("every {name}"),
        Values::Lowest(range) => format!("{name} ≤ {}", text(range.to)),
        Values::Highest(range) => format!("{name} ≥ {}", text(range.from)),
        Values::Within(Range { from, to }) if from == to => format!("{name} is {}", text(from)),
        Values::Within(Range { from, to }) => format!("{name} is {} to {}", text(from), text(to)),
    };
    let change = match effect.change {
        Change::Percent(percent) if percent.abs() < 0.05 => format!("{percent:+.4} %"),
        Change::Percent(percent) => format!("{percent:+.1} %"),
        Change::Points(points) => format!("{points:+.2}"),
    };
    let p = match effect.p {
        p if p < 0.0001 => "p < 0.0001".to_owned(),
        p if p < 0.001 => format!("p = {p:.4}"),
        p => format!("p = {p:.3}"),
    };
    format!("{values}: {change} ({p})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_said_in_words() {
        let range = |from, to| Range { from, to };
        let effect = |name: &str, values, better, change, p| Effect {
            name: name.to_owned(),
            values,
            better,
            change,
            p,
        };
        let found = vec![
            effect(
                "M",
                Values::Within(range(10.0, 19.0)),
                false,
                Change::Percent(4.13),
                0.003,
            ),
            effect(
                "eps",
                Values::Lowest(range(0.01, 0.05)),
                true,
                Change::Percent(-3.2),
                1e-9,
            ),
            effect(
                "N",
                Values::Highest(range(16.0, 20.0)),
                true,
                Change::Percent(-1.0),
                0.0004,
            ),
            effect(
                "K",
                Values::Within(range(3.0, 3.0)),
                true,
                Change::Points(-0.5),
                0.04,
            ),
            effect("L", Values::Every, true, Change::Percent(-12.3), 0.01),
        ];
        let effects = Effects { found, groups: 12 };
        insta::assert_snapshot!(effect_lines(&effects).join("\n"), @"
        worse where M is 10 to 19: +4.1 % (p = 0.003)
        better at every L: -12.3 % (p = 0.010); where eps ≤ 0.05: -3.2 % (p < 0.0001); N ≥ 16: -1.0 % (p = 0.0004); K is 3: -0.50 (p = 0.040)
        ");
        insta::assert_snapshot!(correction_text(&effects), @"p is corrected for the 12 groups that were looked at");
        assert!(effect_lines(&Effects::default()).is_empty());
    }
}
