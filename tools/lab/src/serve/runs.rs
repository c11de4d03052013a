//! The list of runs, and several of them as a report.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tester::problem::{Measure, Objective};
use tester::report::ReportError;
use tester::report::figures::MeanFormat;
use tester::report::model::Report;
use tester::report::page::report as report_page;
use tester::stats::ranking::MeasuredMean;
use tester::store::{History, HistoryError, Kind, Run, State as RunState};

use super::answer::{Failure, away, far_away, page, with_hint};
use super::pages;
use super::shared::Shared;

/// How many runs are listed.
const LISTED: usize = 1000;

/// A row of the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunRow {
    id: i64,
    tag: Option<String>,
    comment: Option<String>,
    command: String,
    problem: String,
    /// Where its cases come from.
    cases: String,
    begun_ms: i64,
    duel: bool,
    running: bool,
    done: bool,
    planned: usize,
    judged: usize,
    accepted: usize,
    /// What the mean is of, as it is typed.
    measure: &'static str,
    mean: Option<f64>,
    half: Option<f64>,
    /// How many decimals mean and half are shown with.
    digits: usize,
    exact: bool,
    max: bool,
}

impl RunRow {
    fn new(run: &Run, (measure, measured): (Measure, Option<MeasuredMean>)) -> Self {
        let about = &run.about;
        let mean = measured.map(|measured| measured.mean);
        let half = measured.and_then(|measured| measured.half_width);
        let decimals = match measure {
            Measure::Score => run.scoring().decimals,
            _ => 0,
        };
        Self {
            id: run.id.0,
            tag: about.tag.clone(),
            comment: about.comment.clone(),
            command: about.spec.command.to_string(),
            problem: about.problem.clone(),
            cases: about.spec.source.to_string(),
            begun_ms: run.begun_ms,
            duel: about.kind == Kind::Duel,
            running: run.state == RunState::Running,
            done: run.state == RunState::Done,
            // A duel ends when it has seen enough.
            planned: match (about.kind, run.state) {
                (Kind::Duel, RunState::Done) => run.judged,
                _ => about.planned,
            },
            judged: run.judged,
            accepted: run.accepted,
            measure: measure.name(),
            mean,
            half,
            digits: MeanFormat::new(mean.unwrap_or_default(), half, decimals).places(),
            exact: run.is_whole(),
            max: run.objective() == Objective::Max,
        }
    }
}

/// The list, or why there is none.
#[derive(Serialize)]
pub(super) struct RunList {
    runs: Vec<RunRow>,
    /// How many there are in all.
    count: usize,
    /// The history's file.
    history: String,
    /// No run was kept there yet.
    absent: bool,
}

/// How good a run is, and by which measure.
type Measured = (Measure, Option<MeasuredMean>);

/// The mean of each run by its own measure. Where it is not the score, the scores are read: of the newest runs only, the
/// others have their mean score.
fn measured(history: &History, runs: &[Run]) -> Result<Vec<Measured>, HistoryError> {
    const MOST_SCORES: usize = 200_000;
    let mut read = 0;
    let own_measure = |run: &Run| match run.about.spec.measure {
        Measure::Score => Measure::Score,
        measure => {
            read += run.judged;
            if read > MOST_SCORES {
                Measure::Score
            } else {
                measure
            }
        }
    };
    let measures: Vec<Measure> = runs.iter().map(own_measure).collect();
    let mut means: Vec<Measured> = measures.iter().map(|&measure| (measure, None)).collect();
    for measure in Measure::ALL {
        let chosen = |&at: &usize| measures[at] == measure;
        let places: Vec<usize> = (0..runs.len()).filter(chosen).collect();
        let of_measure: Vec<Run> = places.iter().map(|&at| runs[at].clone()).collect();
        let found = history.measured_means(&of_measure, measure)?;
        for (at, mean) in places.into_iter().zip(found) {
            means[at].1 = mean;
        }
    }
    Ok(means)
}

fn run_list(shared: &Shared) -> Result<(RunList, Vec<(Run, Measured)>), Failure> {
    let history = match History::open_existing(&shared.history) {
        Ok(history) => Some(history),
        // Nothing is wrong: the first batch makes it.
        Err(HistoryError::Absent(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let runs = history.as_ref().map(|history| history.runs(None, LISTED));
    let runs = runs.transpose()?.unwrap_or_default();
    let means = history.as_ref().map(|history| measured(history, &runs));
    let means = means.transpose()?.unwrap_or_default();
    let runs: Vec<(Run, Measured)> = runs.into_iter().zip(means).collect();
    let count = history.as_ref().map(History::count).transpose()?;
    let list = RunList {
        runs: runs
            .iter()
            .map(|(run, mean)| RunRow::new(run, *mean))
            .collect(),
        count: count.unwrap_or(0),
        history: shared.history.display().to_string(),
        absent: history.is_none(),
    };
    Ok((list, runs))
}

pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<RunList>, Failure> {
    away(move || Ok(run_list(&shared)?.0)).await.map(Json)
}

pub(super) async fn home(State(shared): State<Arc<Shared>>) -> Response {
    let made = away(move || {
        let (list, runs) = run_list(&shared)?;
        // A table of text has one heading: where runs differ, it is the score.
        let first = runs
            .first()
            .map_or(Measure::Score, |(_, (measure, _))| *measure);
        let is_same = runs.iter().all(|(_, (measure, _))| *measure == first);
        let with_mean = |(run, (_, mean)): (Run, Measured)| {
            let mean = if is_same { mean } else { run.measured_mean() };
            (run, mean)
        };
        let runs: Vec<_> = runs.into_iter().map(with_mean).collect();
        let measure = if is_same { first } else { Measure::Score };
        let text = tester::report::runs::list(&runs, measure, None);
        Ok(pages::html(&pages::RUNS, &list, text))
    });
    page(made.await)
}

#[derive(Deserialize)]
pub(super) struct ReportQuery {
    /// Numbers or tags, separated by commas.
    runs: Option<String>,
}

pub(super) async fn report(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<ReportQuery>,
) -> Response {
    let made = far_away(move || {
        let history = History::open_existing(&shared.history)?;
        history.with_snapshot(|history| {
            let words = query.runs.as_deref().unwrap_or(tester::store::LAST);
            let found = history.find_all(&words.split(',').collect::<Vec<_>>())?;
            let report =
                Report::from_history(history, &found, &shared.tester, true).map_err(|error| {
                    match error {
                        ReportError::History(error) => Failure::from(error),
                        other => Failure::wrong(with_hint(&other, other.hint())),
                    }
                })?;
            let mut html = Vec::new();
            report_page::write(&report, &mut html).map_err(Failure::wrong)?;
            Ok(html)
        })
    });
    page(made.await)
}
