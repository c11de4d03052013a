//! The cases of some runs apart by what the judge told the contestant first: problem and parameters.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::page::runs::ShownRun;
use crate::case::{CaseId, Digest};
use crate::problem::Objective;
use crate::stats::Summary;
use crate::stats::paired::{Measure, Pair, compare};

/// The cases with one opening.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group<'a> {
    /// The opening.
    #[serde(rename = "name")]
    pub opening: &'a str,
    /// Each run on its cases; `None` where it has none of them.
    pub runs: Vec<Option<OfRun>>,
}

/// How a run did on the cases of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfRun {
    /// How many it has.
    pub judged: usize,
    /// How many of them were accepted.
    pub accepted: usize,
    /// The mean score of those, and half the width of its 95 % interval where there are two.
    pub mean: Option<(f64, Option<f64>)>,
    /// Its scores less the first run's, on the cases that both were accepted on: how many, the mean, and half the width of
    /// its 95 % interval. Nothing for the first run itself.
    pub difference: Option<(usize, f64, Option<f64>)>,
}

/// The groups, in the order of their openings; none where all cases have the same.
///
/// Cost: one look at every record, where there are several.
pub fn groups<'a>(runs: &'a [ShownRun<'_>]) -> Vec<Group<'a>> {
    let all = runs.iter().flat_map(|run| run.summary.openings.keys());
    if all.collect::<BTreeSet<_>>().len() < 2 {
        return Vec::new();
    }
    let mut openings: BTreeMap<&str, Vec<Gathered>> = BTreeMap::new();
    let new = |objective| Gathered {
        summary: Summary::new(objective),
        scores: HashMap::new(),
    };
    for (i, run) in runs.iter().enumerate() {
        for case in &run.cases {
            let opening = case.judged.record.opening.as_str();
            let gathered = openings
                .entry(opening)
                .or_insert_with(|| runs.iter().map(|r| new(r.run.objective())).collect());
            gathered[i].add(&case.judged);
        }
    }
    let objective = runs.first().map_or(Objective::Min, |r| r.run.objective());
    let group = |(opening, gathered): (&'a str, Vec<Gathered>)| Group {
        opening,
        runs: gathered
            .iter()
            .enumerate()
            .map(|(i, own)| own.figures((i > 0).then_some(&gathered[0]), objective))
            .collect(),
    };
    openings.into_iter().map(group).collect()
}

/// What one run has of one group.
struct Gathered {
    summary: Summary,
    scores: HashMap<(CaseId, Digest), u64>,
}

impl Gathered {
    fn add(&mut self, judged: &crate::judge::record::JudgedCase) {
        self.summary.add(judged);
        if judged.accepted() {
            let key = (judged.case.id, judged.case.digest);
            self.scores.insert(key, judged.record.score);
        }
    }

    fn figures(&self, first: Option<&Self>, objective: Objective) -> Option<OfRun> {
        let judged = self.summary.cases;
        let both = |first: &Self| {
            let pair = |(key, &score): (&(CaseId, Digest), &u64)| {
                let id = key.0;
                let scores = (*first.scores.get(key)?, score);
                Some(Pair { id, scores })
            };
            let mut pairs: Vec<Pair> = self.scores.iter().filter_map(pair).collect();
            // Sums of floating point numbers shall be the same each time.
            pairs.sort_by_key(|pair| pair.id);
            compare(&pairs, Measure::Score, objective, |_| 1)
        };
        (judged > 0).then(|| OfRun {
            judged,
            accepted: self.scores.len(),
            mean: self.summary.scores().map(|s| (s.mean, s.half_width)),
            difference: first
                .and_then(both)
                .map(|c| (c.pairs, c.difference, c.half_width)),
        })
    }
}
