//! Runs that other machines have judged are entered whole, or not at all.

use super::error::Result;
use super::tests::{empty, judged, keep, new_run, records};
use super::*;
use crate::case::CaseId;
use crate::run::provenance::tests::host;

fn ended(state: State) -> RunSummary {
    RunSummary {
        state,
        begun_ms: 77,
        took_ms: 7,
        machine: "2 hosts".to_owned(),
        sandbox: Some("bubblewrap".to_owned()),
        hosts: vec![host("a", 10.123), host("b", 9.5)],
    }
}

#[test]
fn a_run_of_several_hosts_is_entered_whole() {
    let (_dir, mut history) = empty();
    let cases = [judged(0, Some(5)), judged(1, None), judged(2, Some(6))];
    let run = history.enter(|entry| -> Result<RunId> {
        let run = entry.begin(&new_run(Some("merged")))?;
        for (host, case) in [0, 1, 1].into_iter().zip(&cases) {
            assert_eq!(entry.add(run, host, case)?, None);
        }
        // The record that exists is returned, and stays.
        let mut again = judged(0, Some(9));
        again.record.wall_ms = 77.0;
        assert_eq!(entry.add(run, 1, &again)?.as_ref(), Some(&cases[0]));
        entry.end(run, &ended(State::Done))?;
        Ok(run)
    });
    let found = history.find("merged").unwrap();
    assert_eq!(
        (found.id, found.state, found.merged),
        (run.unwrap(), State::Done, true)
    );
    assert_eq!(
        (found.judged, found.accepted, found.mean()),
        (3, 2, Some(5.5))
    );
    assert_eq!((found.begun_ms, found.took_ms), (77, 7));
    assert_eq!(found.about.provenance.machine, "2 hosts");
    assert_eq!(found.about.spec.sandbox.as_deref(), Some("bubblewrap"));
    assert_eq!(records(&history, found.id), cases);
    assert_eq!(
        history.hosts(found.id).unwrap(),
        [host("a", 10.123), host("b", 9.5)]
    );
    let mut timings = Vec::new();
    history
        .each_timing(found.id, |timing| {
            timings.push((timing.id.0, timing.host, timing.time_ms))
        })
        .unwrap();
    assert_eq!(timings, [(0, 0, 1.234), (1, 1, 1.234), (2, 1, 1.234)]);
    assert_eq!(history.best_scores(found.id).unwrap()[&CaseId(0)], 5.into());
    // It is the same run as one that was judged here.
    let here = keep(&mut history, None, &[Some(5), None, Some(6)]);
    let here = history.find(&here.to_string()).unwrap();
    let cases = |run: &Run| (run.judged, run.case_set);
    assert!(cases(&here) == cases(&found) && !here.merged);
    assert!(history.hosts(here.id).unwrap().is_empty());
    history
        .each_timing(here.id, |timing| panic!("{timing:?}"))
        .unwrap();
}

#[test]
fn what_cannot_be_entered_leaves_nothing() {
    let (_dir, mut history) = empty();
    let refused = history.enter(|entry| -> Result<()> {
        let run = entry.begin(&new_run(None))?;
        let mut odd = judged(0, Some(5));
        odd.record.opening = "a new one".to_owned();
        entry.add(run, 0, &odd)?;
        entry.end(run, &ended(State::Done))?;
        Err(HistoryError::Absent("nowhere".into()))
    });
    assert!(refused.is_err());
    assert_eq!(history.count().unwrap(), 0);
    // Nor does the history remember anything that is not there.
    let run = history.begin(&new_run(None)).unwrap();
    let mut odd = judged(0, Some(5));
    odd.record.opening = "a new one".to_owned();
    history.add(run, std::slice::from_ref(&odd)).unwrap();
    assert_eq!(records(&history, run), [odd]);
}
