//! One case of a run: its session; the page asks for the analysis of each turn.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde_json::json;
use tester::case::CaseId;
use tester::judge::session::SessionView;
use tester::report::model::{CaseDetails, one_case};
use tester::report::page::Number;
use tester::report::page::session::SessionPage;
use tester::report::page::translations::translations;
use tester::store::repro::ReproCommand;
use tester::store::{History, Run};

use super::answer::{Failure, away, page};
use super::messages;
use super::pages;
use super::pictures;
use super::shared::Shared;

pub(super) async fn case(
    State(shared): State<Arc<Shared>>,
    Path((run, case)): Path<(String, String)>,
) -> Response {
    page(away(move || case_page(&shared, &run, number(&case)?)).await)
}

/// The session of a case, for the report's window.
pub(super) async fn session(
    State(shared): State<Arc<Shared>>,
    Path((run, case)): Path<(String, String)>,
) -> Result<Json<CaseDetails>, Failure> {
    away(move || {
        let history = History::open_existing(&shared.history)?;
        let run = history.find(&run)?;
        let id = number(&case)?;
        let found = one_case(&history, &run, id)?;
        let (_, mut artifacts, _) = found.ok_or_else(|| no_case(&run, id))?;
        pictures::address(&mut artifacts, &run, id);
        Ok(CaseDetails::new(
            &run,
            id,
            artifacts,
            &ReproCommand::new(&run.about, &shared.tester).with_history(&shared.history),
        ))
    })
    .await
    .map(Json)
}

pub(super) fn number(case: &str) -> Result<CaseId, Failure> {
    let read = case.parse().map(CaseId);
    read.map_err(|_| Failure::wrong(format!("expected the number of a case, found {case:?}")))
}

pub(super) fn no_case(run: &Run, id: CaseId) -> Failure {
    let run = run.id;
    Failure::absent(format!(
        "expected a case of run {run}, found none with number {id}"
    ))
}

fn case_page(shared: &Shared, run: &str, id: CaseId) -> Result<Vec<u8>, Failure> {
    let history = History::open_existing(&shared.history)?;
    let run = history.find(run)?;
    let found = one_case(&history, &run, id)?;
    let (judged, mut artifacts, case) = found.ok_or_else(|| no_case(&run, id))?;
    pictures::address(&mut artifacts, &run, id);
    let name = format!("{id}");
    let record = &judged.record;
    let told = artifacts.session.take();
    let details = CaseDetails::new(
        &run,
        id,
        artifacts,
        &ReproCommand::new(&run.about, &shared.tester).with_history(&shared.history),
    );
    let unknown = shared
        .analyst(&record.opening)
        .err()
        .map(|failure| failure.why);
    let about = json!({
        "run": run.id.0,
        "title": run.title(),
        "case": id.0.to_string(),
        "name": name,
        "problem": record.opening,
        // Whether the lab knows this game.
        "studied": unknown.is_none(),
        "notStudied": unknown,
        "details": details,
        "verdict": record.verdict.to_string(),
        "score": Number::from(record.score),
        "reason": record.reason,
    });
    let text = told.as_ref().map_or_else(String::new, SessionView::text);
    let text = format!(
        "case {name} of run {}: {}\n{text}",
        run.title(),
        record.headline()
    );
    let instance = case
        .as_ref()
        .and_then(|case| case.instance_of(&judged.case));
    let session = told.as_ref().map(|turns| SessionPage {
        name: &name,
        instance,
        turns,
        verdict: record.verdict,
        score: record.score,
        reason: record.reason.as_deref(),
    });
    let session = session.map(|session| session.data());
    let mut japanese = translations(record.reason.as_deref().into_iter());
    japanese.extend(messages::translations(
        unknown.as_deref().unwrap_or_default(),
    ));
    Ok(pages::html(
        &pages::CASE,
        &json!({ "about": about, "session": session, "japanese": japanese }),
        text,
    ))
}
