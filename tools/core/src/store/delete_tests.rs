//! Deleted runs leave a history as if they had never been.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;

use super::error::Result;
use super::tests::{empty, judged, keep, new_run, records};
use super::*;
use crate::judge::record::JudgedCase;
use crate::problem::{Measure, Objective};
use crate::run::provenance::tests::host;

/// A run of a made-up history.
#[derive(Clone, Debug)]
struct Made {
    objective: Objective,
    opening: &'static str,
    merged: bool,
    scores: Vec<Option<u64>>,
    deleted: bool,
}

fn made() -> impl Strategy<Value = Made> {
    let objective = prop_oneof![Just(Objective::Min), Just(Objective::Max)];
    let opening = prop_oneof![Just("hitblow 3 10"), Just("hitblow 4 10")];
    // Few scores, so that many are equal.
    let scores = prop::collection::vec(prop::option::of(0..4_u64), 0..5);
    let made = (objective, opening, any::<bool>(), scores, any::<bool>());
    made.prop_map(|(objective, opening, merged, scores, deleted)| Made {
        objective,
        opening,
        merged,
        scores,
        deleted,
    })
}

fn enter(history: &mut History, made: &Made) -> RunId {
    let mut about = new_run(None);
    about.problem = made.opening.to_owned();
    about.spec.scoring.objective = made.objective;
    let cases = (0..).zip(&made.scores).map(|(id, &score)| {
        let mut case = judged(id, score);
        case.record.opening = made.opening.to_owned();
        case
    });
    let cases: Vec<JudgedCase> = cases.collect();
    if made.merged {
        let run = history.enter(|entry| -> Result<RunId> {
            let run = entry.begin(&about)?;
            for case in &cases {
                entry.add(run, 0, case)?;
            }
            let ended = RunSummary {
                state: State::Done,
                begun_ms: 1,
                took_ms: 7,
                machine: "1 host".to_owned(),
                sandbox: None,
                hosts: vec![host("a", 9.5)],
            };
            entry.end(run, &ended)?;
            Ok(run)
        });
        return run.unwrap();
    }
    let run = history.begin(&about).unwrap();
    history.add(run, &cases).unwrap();
    let took = Duration::from_millis(7);
    history.end(run, State::Done, took).unwrap();
    run
}

/// Everything that is told of these runs and by the whole history, with places in the list instead of numbers.
fn told(history: &History, runs: &[RunId]) -> Vec<String> {
    let place: BTreeMap<RunId, usize> = runs.iter().copied().zip(0..).collect();
    let mut told = vec![format!("{} runs", history.count().unwrap())];
    for &id in runs {
        let run = history.find(&id.to_string()).unwrap();
        let sums = (run.judged, run.accepted, run.sums, run.case_set, run.merged);
        let before = history.before(&run).unwrap().map(|run| place[&run.id]);
        let best = history.best_on_cases_of(&run, Measure::Score).ok();
        let best = best.map(|best| place[&best.run.id]);
        let scores: BTreeMap<_, _> = history.best_scores(id).unwrap().into_iter().collect();
        let programs = history.programs_on_cases_of(&run).unwrap();
        told.push(format!(
            "{sums:?} {before:?} {best:?} {programs} {scores:?}"
        ));
        told.push(format!(
            "{:?} {:?}",
            history.hosts(id).unwrap(),
            records(history, id)
        ));
    }
    let mut best = history
        .db
        .prepare("SELECT case_id, digest, text, objective, score, run FROM best_of JOIN opening ON opening.id = opening")
        .unwrap();
    let rows = best.query_map([], |row| {
        let case: (i64, i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let score: i64 = row.get(4)?;
        Ok(format!("{case:?} {score} {}", place[&RunId(row.get(5)?)]))
    });
    let mut rows: Vec<String> = rows.unwrap().map(|row| row.unwrap()).collect();
    rows.sort();
    told.extend(rows);
    for (table, column) in [("record", "run"), ("host", "run"), ("run", "id")] {
        let sql = format!("SELECT DISTINCT {column} FROM {table}");
        let mut rows = history.db.prepare(&sql).unwrap();
        let rows = rows.query_map([], |row| Ok(RunId(row.get(0)?))).unwrap();
        assert!(
            rows.map(|run| run.unwrap())
                .all(|run| place.contains_key(&run)),
            "{table}"
        );
    }
    told
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_history_is_as_if_the_deleted_runs_had_never_been(all in prop::collection::vec(made(), 1..7)) {
        let ((_dir, mut history), (_other, mut never)) = (empty(), empty());
        let (mut kept, mut expected, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
        for one in &all {
            let run = enter(&mut history, one);
            match one.deleted {
                true => deleted.push(history.find(&run.to_string()).unwrap()),
                false => {
                    kept.push(run);
                    expected.push(enter(&mut never, one));
                }
            }
        }
        prop_assert!(history.delete(&deleted, &mut || ()).unwrap().is_empty());
        prop_assert_eq!(told(&history, &kept), told(&never, &expected));
        // And it goes on: no number is given twice.
        let one = &all[0];
        kept.push(enter(&mut history, one));
        expected.push(enter(&mut never, one));
        prop_assert_eq!(kept.last().unwrap().0, all.len() as i64 + 1);
        prop_assert_eq!(told(&history, &kept), told(&never, &expected));
    }
}

#[test]
fn either_all_runs_are_deleted_or_none() {
    let (_dir, mut history) = empty();
    let first = keep(&mut history, None, &[Some(3), None]);
    let live = history.begin(&new_run(None)).unwrap();
    history.add(live, &[judged(0, Some(2))]).unwrap();
    let find = |history: &History, run: RunId| history.find(&run.to_string()).unwrap();
    let both = [find(&history, first), find(&history, live)];
    let before = told(&history, &[first, live]);
    let refused = history.delete(&both, &mut || ()).unwrap_err();
    insta::assert_snapshot!(refused, @"another process is judging run 2; nothing was deleted");
    assert_eq!(
        refused.hint().as_deref(),
        Some("try again when it has ended")
    );
    assert_eq!(told(&history, &[first, live]), before);
    // Its last statement fails, as on a full disk.
    history
        .end(live, State::Unfinished, Duration::ZERO)
        .unwrap();
    let before = told(&history, &[first, live]);
    let fail = "CREATE TEMP TRIGGER fail BEFORE DELETE ON run WHEN old.id = 2
        BEGIN SELECT RAISE(ABORT, 'no room'); END";
    history.db.execute_batch(fail).unwrap();
    assert!(history.delete(&both, &mut || ()).is_err());
    assert_eq!(told(&history, &[first, live]), before);
    history.db.execute_batch("DROP TRIGGER fail").unwrap();
    // Another process was faster with one of them.
    history.delete(&both[1..], &mut || ()).unwrap();
    let before = told(&history, &[first]);
    let refused = history.delete(&both, &mut || ()).unwrap_err().to_string();
    assert!(refused.ends_with("expected a run, found 2"), "{refused}");
    assert_eq!(told(&history, &[first]), before);
}
