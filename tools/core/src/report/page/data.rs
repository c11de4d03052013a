//! What the scripts of the report read: figures of the runs and of their comparisons.

use serde::Serialize;

use super::columns::{CaseColumns, Number, ResultColumns, Rows, rounded};
use super::translations::{Translations, translations};
use crate::problem::{Objective, Scoring};
use crate::report::model::{Report, RunReport};
use crate::report::run_pair::RunPair;
use crate::report::runs;
use crate::stats::conclusion::{Caution, Conclusion};
use crate::stats::groups::{Group, ParameterGroups, groups, parameter_groups};
use crate::stats::parameter_effects::Effects;
use crate::stats::{Distribution, Failure, time_ms};
use crate::util::tester_word::tester_word;
use crate::util::wall_clock::local_time;

/// All of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportData<'a> {
    problem: &'a str,
    objective: Objective,
    #[serde(skip_serializing_if = "is_zero")]
    decimals: u8,
    tester: &'a str,
    /// What users call the tester of these problems, such as `tools/tester`.
    program: String,
    served: bool,
    runs: Vec<RunData<'a>>,
    cases: CaseColumns,
    pairs: Vec<PairData<'a>>,
    groups: Vec<Group<'a>>,
    /// The names of the parameters of any run.
    parameters: Vec<&'a str>,
    parameter_groups: Vec<ParameterGroups<'a>>,
    japanese: Translations<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunData<'a> {
    id: i64,
    tag: Option<&'a str>,
    comment: Option<&'a str>,
    command: String,
    begun: String,
    state: &'static str,
    details: String,
    planned: usize,
    judged: usize,
    accepted: usize,
    verdicts: Vec<(String, usize)>,
    scores: Option<ScoreData>,
    relative: Option<f64>,
    slowest: Option<SlowestData>,
    failures: Vec<FailureData<'a>>,
    more_failures: usize,
    results: ResultColumns<'a>,
}

#[derive(Serialize)]
struct ScoreData {
    mean: f64,
    half: Option<f64>,
    exact: bool,
    min: Number,
    median: f64,
    max: Number,
    total: String,
}

#[derive(Serialize)]
struct SlowestData {
    case: Number,
    ms: f64,
}

#[derive(Serialize)]
struct FailureData<'a> {
    verdict: String,
    reason: &'a str,
    stderr: Option<&'a str>,
    case: Number,
    count: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PairData<'a> {
    shared: usize,
    both_accepted: usize,
    only_first: usize,
    only_second: usize,
    other_content: usize,
    first_failed: usize,
    second_failed: usize,
    both_failed: usize,
    /// How many of the shared cases each failed, and which of them failed fewer.
    failed: [usize; 2],
    safer: Option<usize>,
    whole: bool,
    cautions: &'a [Caution],
    effects: &'a Effects,
    figures: Option<PairFigures<'a>>,
}

#[derive(Serialize)]
struct PairFigures<'a> {
    /// What of a score was averaged.
    measure: &'static str,
    means: &'a (f64, f64),
    difference: f64,
    half: Option<f64>,
    p: Option<f64>,
    tally: (usize, usize, usize),
    conclusion: Option<Conclusion>,
}

impl<'a> ReportData<'a> {
    /// That of a report.
    pub(crate) fn new(report: &'a Report<'_>) -> Self {
        let first = report.runs.first().map(|run| run.run);
        let scoring = first.map_or_else(Scoring::default, |run| run.scoring());
        let judged = |run: &'a RunReport<'_>| run.cases.iter().map(|case| &case.judged).collect();
        let cases: Vec<Vec<_>> = report.runs.iter().map(judged).collect();
        let groups = groups(scoring, &cases);
        let names = parameter_names(report);
        let places = parameter_places(report, &names);
        let rows = Rows::new(&cases, &groups, &places);
        let reasons = cases
            .iter()
            .flatten()
            .filter_map(|judged| judged.record.reason.as_deref());
        let japanese = translations(reasons);
        let runs = report.runs.iter().zip(&cases).map(|(run, cases)| {
            let relative: Vec<_> = run.cases.iter().map(|case| case.relative).collect();
            let relative = (!names.is_empty()).then_some(&relative[..]);
            let results = ResultColumns::new(&rows, cases, relative, &run.summary.failures);
            RunData::new(run, results)
        });
        let by_parameter = |(place, name): (usize, &&'a str)| {
            let own = cases.iter().zip(&places);
            let own: Vec<_> = own.map(|(run, own)| (own[place], &run[..])).collect();
            parameter_groups(scoring, name, &own)
        };
        Self {
            problem: first.map_or("", |run| &run.about.problem),
            objective: scoring.objective,
            decimals: scoring.decimals,
            tester: env!("CARGO_PKG_VERSION"),
            program: tester_word(),
            served: report.served,
            runs: runs.collect(),
            pairs: report.pairs.iter().map(PairData::new).collect(),
            parameter_groups: names.iter().enumerate().map(by_parameter).collect(),
            cases: rows.into_columns(names.len()),
            parameters: names,
            groups,
            japanese,
        }
    }
}

/// Whether scores are whole numbers, as nearly all are.
fn is_zero(decimals: &u8) -> bool {
    *decimals == 0
}

/// The names of the parameters of any run, each once.
fn parameter_names<'a>(report: &'a Report<'_>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in report.runs.iter().flat_map(|run| run.names()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// For each run, where its cases have the value of each name.
fn parameter_places(report: &Report<'_>, names: &[&str]) -> Vec<Vec<Option<usize>>> {
    let places = |run: &RunReport<'_>| {
        let place = |name: &&str| run.names().iter().position(|own| own == name);
        names.iter().map(place).collect()
    };
    report.runs.iter().map(places).collect()
}

impl<'a> RunData<'a> {
    fn new(own: &'a RunReport<'_>, results: ResultColumns<'a>) -> Self {
        let (run, summary) = (own.run, &own.summary);
        let seen = summary.verdicts.iter().filter(|(_, count)| *count > 0);
        let kinds = summary.failures.kinds().into_iter();
        Self {
            id: run.id.0,
            tag: run.about.tag.as_deref(),
            comment: run.about.comment.as_deref(),
            command: run.about.spec.command.to_string(),
            begun: local_time(run.begun_ms),
            state: run.state.as_str(),
            details: runs::details(run),
            planned: run.about.planned,
            judged: run.judged,
            accepted: run.accepted,
            verdicts: seen.map(|(v, count)| (v.to_string(), *count)).collect(),
            scores: summary.scores().map(|d| ScoreData::new(&d, run.is_whole())),
            relative: own.relative,
            slowest: summary.slowest.as_ref().map(|(id, record)| SlowestData {
                case: Number::new(id.0),
                ms: rounded(time_ms(record)),
            }),
            failures: kinds.map(FailureData::new).collect(),
            more_failures: summary.failures.others,
            results,
        }
    }
}

impl ScoreData {
    fn new(d: &Distribution, exact: bool) -> Self {
        Self {
            mean: d.mean,
            half: d.half_width,
            exact,
            min: d.range.0.into(),
            median: d.median,
            max: d.range.1.into(),
            total: d.total_text(),
        }
    }
}

impl<'a> FailureData<'a> {
    fn new(failure: &'a Failure) -> Self {
        let record = &failure.first.record;
        Self {
            verdict: record.verdict.to_string(),
            reason: record.reason.as_deref().unwrap_or_default(),
            stderr: record.last_stderr_line.as_deref(),
            case: Number::new(failure.first.case.id.0),
            count: failure.count,
        }
    }
}

impl<'a> PairData<'a> {
    fn new(pair: &'a RunPair<'_>) -> Self {
        let matched = &pair.matched;
        Self {
            shared: matched.shared(),
            both_accepted: matched.pairs.len(),
            only_first: matched.only.0,
            only_second: matched.only.1,
            other_content: matched.other_content,
            first_failed: matched.first_failed.len(),
            second_failed: matched.second_failed.len(),
            both_failed: matched.both_failed.len(),
            failed: matched.failed(),
            safer: matched.safer(),
            whole: pair.is_whole(),
            cautions: &pair.cautions,
            effects: &pair.effects,
            figures: pair.figures.as_ref().map(|c| PairFigures {
                measure: pair.measure.name(),
                means: &c.means,
                difference: c.difference,
                half: c.half_width,
                p: c.p_value,
                tally: c.wins_ties_losses,
                conclusion: pair.conclusion,
            }),
        }
    }
}
