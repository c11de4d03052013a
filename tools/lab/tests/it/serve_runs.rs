//! `lab serve`: the list of runs.

use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tester::problem::Measure;
use tester::store::{History, State};

use crate::many;
use crate::serving::Serving;

#[test]
fn runs_are_listed_by_their_own_measure() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "by-score", 3);
    let mut history = History::open(&dir.path().join("h")).unwrap();
    let first = history.find("by-score").unwrap();
    let mut judged = Vec::new();
    let each = |case| judged.push(case);
    history.each_record(first.id, each).unwrap();
    let mut about = first.about;
    about.spec.measure = Measure::Log;
    about.tag = Some("by-log".to_owned());
    let run = history.begin(&about).unwrap();
    history.add(run, &judged).unwrap();
    let second = Duration::from_secs(1);
    history.end(run, State::Done, second).unwrap();
    let server = Serving::start(dir.path());
    let list: Value = serde_json::from_str(&server.get("/api/runs").1).unwrap();
    let runs = &list["runs"];
    let found = |at: usize| {
        (
            runs[at]["measure"].clone(),
            runs[at]["mean"].as_f64().unwrap(),
        )
    };
    // The scores are 1, 2 and 3.
    let (measure, mean) = found(0);
    assert_eq!(measure, "log");
    assert!((mean - 6_f64.ln() / 3.0).abs() < 1e-9, "{mean}");
    assert_eq!(found(1), ("score".into(), 2.0));
}
