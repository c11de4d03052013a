//! The cases of some runs by their opening, which names problem and parameters, and by the parameters of each case.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::by_parameter::{Range, Value, ranges_of};
use super::paired::{Measure, Pair, compare};
use super::summary::Summary;
use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::{Score, Scoring};

/// The cases with one opening.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Group<'a> {
    /// The opening.
    pub opening: &'a str,
    /// Each run on its cases; `None` where it has none of them.
    pub runs: Vec<Option<GroupFigures>>,
}

/// How a run did on the cases of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct GroupFigures {
    /// How many it has.
    pub judged: usize,
    /// How many of them were accepted.
    pub accepted: usize,
    /// The mean score of the accepted ones.
    pub mean: Option<Estimate>,
    /// The mean of its scores less the first run's, on the cases that both were accepted on; `None` for the first
    /// run itself.
    pub difference: Option<Estimate>,
}

/// A mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Estimate {
    /// Its value.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` for a single case.
    pub half: Option<f64>,
}

/// The groups, in the order of their openings; none where all cases have the same. `runs` are the cases of each run.
///
/// Cost: one look at every record, and a second one where there are several groups.
pub(crate) fn groups<'a>(scoring: Scoring, runs: &[Vec<&'a JudgedCase>]) -> Vec<Group<'a>> {
    let mut openings = runs.iter().flatten().map(|case| &case.record.opening);
    let first = openings.next();
    if openings.all(|opening| Some(opening) == first) {
        return Vec::new();
    }
    let mut members: BTreeMap<&str, Vec<GroupCases>> = BTreeMap::new();
    for (i, run) in runs.iter().enumerate() {
        for judged in run {
            let group = members.entry(judged.record.opening.as_str());
            let none = || runs.iter().map(|_| GroupCases::new(scoring)).collect();
            group.or_insert_with(none)[i].add(judged);
        }
    }
    let group = |(opening, runs): (&'a str, Vec<GroupCases>)| Group {
        opening,
        runs: GroupCases::figures_of_all(&runs),
    };
    members.into_iter().map(group).collect()
}

/// The cases that one run has of one group.
struct GroupCases {
    summary: Summary,
    scores: HashMap<(CaseId, Digest), Score>,
}

impl GroupCases {
    fn new(scoring: Scoring) -> Self {
        Self {
            summary: Summary::new(scoring, Measure::Score),
            scores: HashMap::new(),
        }
    }

    fn add(&mut self, judged: &JudgedCase) {
        self.summary.add(judged);
        if judged.accepted() {
            let key = (judged.case.id, judged.case.digest);
            self.scores.insert(key, judged.record.score);
        }
    }

    /// The figures of each run, the first of which the others are compared with.
    fn figures_of_all(runs: &[Self]) -> Vec<Option<GroupFigures>> {
        let figures = |(i, own): (usize, &Self)| own.figures((i > 0).then_some(&runs[0]));
        runs.iter().enumerate().map(figures).collect()
    }

    fn figures(&self, first: Option<&Self>) -> Option<GroupFigures> {
        let scores = self.summary.scores();
        (self.summary.cases > 0).then(|| GroupFigures {
            judged: self.summary.cases,
            accepted: self.scores.len(),
            mean: scores.map(|d| Estimate {
                mean: d.mean,
                half: d.half_width,
            }),
            difference: first.and_then(|first| self.difference_from(first)),
        })
    }

    fn difference_from(&self, first: &Self) -> Option<Estimate> {
        let pair = |(key, &score): (&(CaseId, Digest), &Score)| {
            let scores = (*first.scores.get(key)?, score);
            Some(Pair { id: key.0, scores })
        };
        let mut pairs: Vec<Pair> = self.scores.iter().filter_map(pair).collect();
        // Sums of floating point numbers shall be the same each time.
        pairs.sort_by_key(|pair| pair.id);
        let objective = self.summary.scoring.objective;
        let figures = compare(&pairs, Measure::Score, objective, |pair| pair.scores.0)?;
        Some(Estimate {
            mean: figures.difference,
            half: figures.half_width,
        })
    }
}

/// A parameter, and the cases of some runs by it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ParameterGroups<'a> {
    /// Its name.
    pub name: &'a str,
    /// In ascending order of the values; none where all cases have the same.
    pub groups: Vec<ParameterGroup>,
}

/// The cases with some values of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ParameterGroup {
    /// The values.
    #[serde(flatten)]
    pub range: Range,
    /// Each run on these cases; `None` where it has none of them.
    pub runs: Vec<Option<GroupFigures>>,
}

/// The cases of `runs` by the parameter `name`. In each run, `place` says which of its values is that parameter's, if
/// any is.
///
/// Cost: two looks at every record.
pub(crate) fn parameter_groups<'a>(
    scoring: Scoring,
    name: &'a str,
    runs: &[(Option<usize>, &[&JudgedCase])],
) -> ParameterGroups<'a> {
    let value = |place: Option<usize>, judged: &JudgedCase| judged.record.parameters.get(place?);
    let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
    for (place, cases) in runs {
        for value in cases.iter().filter_map(|judged| value(*place, judged)) {
            *counts.entry(Value(value)).or_default() += 1;
        }
    }
    let counts: Vec<_> = counts
        .iter()
        .map(|(value, count)| (value.0, *count))
        .collect();
    let ranges = ranges_of(&counts);
    let empty = || -> Vec<GroupCases> { runs.iter().map(|_| GroupCases::new(scoring)).collect() };
    let mut members: Vec<Vec<GroupCases>> = ranges.iter().map(|_| empty()).collect();
    for (i, (place, cases)) in runs.iter().enumerate() {
        for judged in *cases {
            let within = |value: f64| ranges.partition_point(|range| range.to < value);
            let group = value(*place, judged).map(within);
            if let Some(members) = group.and_then(|group| members.get_mut(group)) {
                members[i].add(judged);
            }
        }
    }
    let group = |(range, cases): (Range, Vec<GroupCases>)| ParameterGroup {
        range,
        runs: GroupCases::figures_of_all(&cases),
    };
    ParameterGroups {
        name,
        groups: ranges.into_iter().zip(members).map(group).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_parameter::tests::judged;
    use super::*;

    #[test]
    fn two_runs_differ_where_the_parameter_says() {
        let score = |id: u64, more: u64| Some(5 + more * u64::from(id % 2 == 1));
        let run = |more| -> Vec<JudgedCase> {
            let case = |id| judged(id, (id % 2) as f64, score(id, more));
            (0..8).map(case).collect()
        };
        let (first, second) = (run(0), run(3));
        let both: [Vec<&JudgedCase>; 2] = [first.iter().collect(), second.iter().collect()];
        let runs = [(Some(0), &both[0][..]), (Some(0), &both[1][..])];
        let found = parameter_groups(Scoring::default(), "odd", &runs);
        let difference = |group: &ParameterGroup| {
            let second = group.runs[1].as_ref().unwrap();
            (
                group.range.from,
                second.judged,
                second.difference.unwrap().mean,
            )
        };
        let told: Vec<_> = found.groups.iter().map(difference).collect();
        assert_eq!(told, [(0.0, 4, 0.0), (1.0, 4, 3.0)]);
        // A run whose cases do not have the parameter.
        let runs = [(Some(0), &both[0][..]), (None, &both[1][..])];
        let found = parameter_groups(Scoring::default(), "odd", &runs);
        assert!(found.groups.iter().all(|group| group.runs[1].is_none()));
    }

    #[test]
    fn figures_of_each_opening_are_worked_by_hand() {
        let case = |id, opening: &str, score: Option<u64>| {
            let mut judged = judged(id, 0.0, score);
            judged.record.opening = opening.to_owned();
            judged
        };
        let first = [
            case(0, "a", Some(4)),
            case(1, "a", Some(8)),
            case(2, "b", Some(5)),
            case(3, "a", None),
        ];
        let second = [
            case(0, "a", Some(5)),
            case(1, "a", None),
            case(3, "a", Some(9)),
        ];
        let runs = [&first[..], &second].map(|run| run.iter().collect::<Vec<_>>());
        let found = groups(Scoring::default(), &runs);
        let openings: Vec<&str> = found.iter().map(|group| group.opening).collect();
        assert_eq!(openings, ["a", "b"]);
        let figures = |group: usize, run: usize| {
            let figures = found[group].runs[run].as_ref()?;
            let mean = |estimate: Option<Estimate>| estimate.map(|found| found.mean);
            let (own, difference) = (mean(figures.mean), mean(figures.difference));
            Some((figures.judged, figures.accepted, own, difference))
        };
        assert_eq!(figures(0, 0), Some((3, 2, Some(6.0), None)));
        // Both solved case 0 only.
        assert_eq!(figures(0, 1), Some((3, 2, Some(7.0), Some(1.0))));
        assert_eq!(figures(1, 0), Some((1, 1, Some(5.0), None)));
        assert_eq!(figures(1, 1), None);
        assert_eq!(groups(Scoring::default(), &runs[1..]), []);
    }
}
