//! The cases of some runs by their opening, which names problem and parameters.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::paired::{Measure, Pair, compare};
use super::summary::Summary;
use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::{Score, Scoring};

/// The cases with one opening.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group<'a> {
    /// The opening.
    pub opening: &'a str,
    /// Each run on its cases; `None` where it has none of them.
    pub runs: Vec<Option<GroupFigures>>,
}

/// How a run did on the cases of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupFigures {
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
pub struct Estimate {
    /// Its value.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` for a single case.
    pub half: Option<f64>,
}

/// The groups, in the order of their openings; none where all cases have the same. `runs` are the cases of each run.
///
/// Cost: one look at every record, and a second one where there are several groups.
pub fn groups<'a>(scoring: Scoring, runs: &[Vec<&'a JudgedCase>]) -> Vec<Group<'a>> {
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
    let group = |(opening, runs): (&'a str, Vec<GroupCases>)| {
        let figures = |(i, own): (usize, &GroupCases)| own.figures((i > 0).then_some(&runs[0]));
        Group {
            opening,
            runs: runs.iter().enumerate().map(figures).collect(),
        }
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
            summary: Summary::new(scoring),
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
