//! The cases of a report, column by column: a row is a case of any run.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::case::{CaseId, Digest};
use crate::judge::record::JudgedCase;
use crate::problem::Score;
use crate::report::export::PlainNumber;
use crate::stats::groups::Group;
use crate::stats::{Failures, time_ms};

/// Numbers beyond this are no longer exact where a script reads them, and are given as text.
const EXACT: u64 = 1 << 53;

/// A number of which no digit is lost in a script.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Number {
    /// As it is.
    Exact(u64),
    /// With all its digits.
    Text(String),
}

impl Number {
    pub(crate) fn new(n: u64) -> Self {
        match n {
            ..=EXACT => Self::Exact(n),
            _ => Self::Text(n.to_string()),
        }
    }
}

/// With decimals it is given as text, for a script would leave out zeros at the end.
impl From<Score> for Number {
    fn from(score: Score) -> Self {
        match score.decimals() {
            0 => Self::new(score.units()),
            _ => Self::Text(score.to_string()),
        }
    }
}

/// Every case of any run, in ascending order.
pub(crate) struct Rows {
    rows: BTreeMap<(CaseId, Digest), Row>,
}

/// What is known of a case whatever became of it.
#[derive(Default)]
struct Row {
    seed: Option<u64>,
    group: Option<usize>,
    parameters: Vec<Option<f64>>,
}

impl Rows {
    /// Those of `runs`, the cases of each run.
    /// `places` says for each run where it has the values of the report's parameters.
    pub(crate) fn new(
        runs: &[Vec<&JudgedCase>],
        groups: &[Group<'_>],
        places: &[Vec<Option<usize>>],
    ) -> Self {
        let openings = groups.iter().map(|group| group.opening);
        let groups: HashMap<&str, usize> = openings.zip(0..).collect();
        let mut rows: BTreeMap<_, Row> = BTreeMap::new();
        let placed = runs.iter().zip(places);
        for (judged, places) in placed.flat_map(|(run, own)| run.iter().map(move |j| (j, own))) {
            let case = judged.case;
            let row = rows.entry((case.id, case.digest)).or_default();
            row.seed = row.seed.or(case.seed.map(|seed| seed.0));
            let value = |place: &Option<usize>| judged.record.parameters.get((*place)?);
            let values: Vec<_> = places.iter().map(value).collect();
            match row.parameters.is_empty() {
                true => row.parameters = values,
                // A run of an older tester may lack some.
                false => (row.parameters.iter_mut().zip(values))
                    .for_each(|(known, value)| *known = known.or(value)),
            }
            row.group = groups.get(judged.record.opening.as_str()).copied();
        }
        Self { rows }
    }

    /// The columns; `parameters` is how many parameters there are.
    pub(crate) fn into_columns(self, parameters: usize) -> CaseColumns {
        let rows = || self.rows.values();
        let value = |row: &Row, place: usize| row.parameters[place].map(PlainNumber);
        let column = |place| rows().map(|row| value(row, place)).collect();
        CaseColumns {
            id: self.rows.keys().map(|(id, _)| Number::new(id.0)).collect(),
            seed: rows().map(|row| row.seed.map(Number::new)).collect(),
            parameters: (0..parameters).map(column).collect(),
            group: rows().filter_map(|row| row.group).collect(),
        }
    }
}

/// The cases.
#[derive(Serialize)]
pub(crate) struct CaseColumns {
    id: Vec<Number>,
    seed: Vec<Option<Number>>,
    /// Which of the groups each is of; empty where there are none.
    group: Vec<usize>,
    /// A column for each parameter of the report.
    parameters: Vec<Vec<Option<PlainNumber>>>,
}

/// What became of each row; nothing where the run does not have the case.
#[derive(Default, Serialize)]
pub(crate) struct ResultColumns<'a> {
    verdict: Vec<Option<String>>,
    score: Vec<Option<Number>>,
    /// Empty in a report without parameters.
    relative: Vec<Option<f64>>,
    ms: Vec<Option<f64>>,
    mib: Vec<Option<f64>>,
    /// By row: why it failed.
    reason: BTreeMap<usize, &'a str>,
    /// By row: which of the kinds of failure it is of.
    kind: BTreeMap<usize, usize>,
    /// By row: the last line that it wrote on stderr.
    stderr: BTreeMap<usize, &'a str>,
    /// The place of each row in the run's own list.
    index: Vec<Option<usize>>,
}

impl<'a> ResultColumns<'a> {
    /// Those of one run, by its own cases, in ascending order.
    /// `relative` are its relative scores, if they are to be a column.
    pub(crate) fn new(
        rows: &Rows,
        cases: &[&'a JudgedCase],
        relative: Option<&[Option<f64>]>,
        failures: &Failures,
    ) -> Self {
        let mut own = cases.iter().enumerate().peekable();
        let mut columns = Self::default();
        let kind_of = failures.kind_index();
        for (row, key) in rows.rows.keys().enumerate() {
            // A run has a number once.
            let found = own.next_if(|(_, judged)| (judged.case.id, judged.case.digest) == *key);
            let record = found.map(|(_, judged)| &judged.record);
            let accepted = found.is_some_and(|(_, judged)| judged.accepted());
            columns.index.push(found.map(|(index, _)| index));
            columns.verdict.push(record.map(|r| r.verdict.to_string()));
            let score = record.filter(|_| accepted).map(|r| Number::from(r.score));
            columns.score.push(score);
            if let Some(relative) = relative {
                let own = found.and_then(|(index, _)| relative[index]);
                columns.relative.push(own.map(rounded));
            }
            columns.ms.push(record.map(|r| rounded(time_ms(r))));
            let mib = record.map(|r| rounded(r.memory_kib as f64 / 1024.0));
            columns.mib.push(mib);
            if let Some(record) = record.filter(|_| !accepted) {
                columns.kind.extend(kind_of(record).map(|kind| (row, kind)));
                let reason = record.reason.as_deref().map(|text| (row, text));
                columns.reason.extend(reason);
                let stderr = record.last_stderr_line.as_deref().map(|text| (row, text));
                columns.stderr.extend(stderr);
            }
        }
        columns
    }
}

/// To hundredths, which is all that a table shows.
pub(crate) fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}
