//! A history: runs and records come back as they were, whatever other processes do with it.

use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use rusqlite::{Connection, OpenFlags};
use tempfile::{TempDir, tempdir};

use super::history::escaped;
use super::*;
use crate::case::{CaseId, CaseKey, Digest, Parameters, Seed};
use crate::judge::external::{ExternalSpec, Stream, USUAL_SCORE};
use crate::judge::record::{JudgedCase, Record, Verdict};
use crate::problem::score::MAX_DECIMALS;
use crate::problem::{Measure, Objective, Score};
use crate::run::provenance::Provenance;
use crate::run::spec::tests::spec;

pub(crate) fn new_run(tag: Option<&str>) -> NewRun {
    NewRun {
        kind: Kind::Batch,
        spec: spec(),
        planned: 3,
        problem: "hitblow 3 10".to_owned(),
        provenance: Provenance {
            fingerprint: "f".to_owned(),
            git_dirty: Some(true),
            machine: "m".to_owned(),
            tester: "0".to_owned(),
            ..Provenance::default()
        },
        tag: tag.map(str::to_owned),
        comment: Some("あ".to_owned()),
    }
}

/// The best other run on the cases of `run`, by score.
pub(super) fn best_of(history: &History, run: &Run) -> RunId {
    let best = history.best_on_cases_of(run, Measure::Score);
    best.unwrap().run.id
}

pub(super) fn judged(id: u64, score: Option<u64>) -> JudgedCase {
    let verdict = score.map_or(Verdict::Wa, |_| Verdict::Ac);
    let mut judged = JudgedCase::sample(id, verdict, score.unwrap_or(0), |record| {
        record.opening = "hitblow 3 10".to_owned();
        record.wall_ms = 1.234;
        record.reason = score.is_none().then(|| "turn 1: late".to_owned());
    });
    judged.case.digest = Digest(id.wrapping_mul(3));
    judged.case.seed = Some(Seed(id));
    judged
}

pub(super) fn empty() -> (TempDir, History) {
    let dir = tempdir().unwrap();
    let history = History::open(&dir.path().join("h.sqlite")).unwrap();
    (dir, history)
}

/// A finished run with these scores of cases 0, 1, 2, …
pub(super) fn keep(history: &mut History, tag: Option<&str>, scores: &[Option<u64>]) -> RunId {
    let run = history.begin(&new_run(tag)).unwrap();
    let cases = scores.iter().zip(0..);
    let cases: Vec<JudgedCase> = cases.map(|(&score, id)| judged(id, score)).collect();
    history.add(run, &cases).unwrap();
    history
        .end(run, State::Done, Duration::from_millis(7))
        .unwrap();
    run
}

pub(super) fn records(history: &History, run: RunId) -> Vec<JudgedCase> {
    let mut all = Vec::new();
    history.each_record(run, |judged| all.push(judged)).unwrap();
    all
}

proptest! {
    #[test]
    fn records_come_back_as_they_were(
        ids in proptest::collection::btree_set(any::<u64>(), 1..20),
        units in any::<u64>(), decimals in 0..=MAX_DECIMALS, digest in any::<u64>(), seed in any::<Option<u64>>(),
        turns in any::<u64>(), us in 0_u32.., reason in any::<Option<String>>(),
        opening in any::<String>(), eps in proptest::option::of(-1e9_f64..1e9), verdict in proptest::sample::select(Verdict::ALL.to_vec()),
    ) {
        let (_dir, mut history) = empty();
        let expected: Vec<JudgedCase> = ids.into_iter().map(|id| JudgedCase {
            case: CaseKey { id: CaseId(id), digest: Digest(digest), seed: seed.map(Seed) },
            record: Record {
                opening: opening.clone(), parameters: Parameters::new([eps, None]), verdict, turns, reason: reason.clone(),
                wall_ms: f64::from(us) / 1e3, last_stderr_line: reason.clone(), cpu_ms: f64::from(us / 2) / 1e3,
                score: Score::new(units, decimals),
                // A negative number in the column is damage.
                memory_kib: digest >> 1,
            },
        }).collect();
        let mut about = new_run(None);
        about.spec.scoring.decimals = decimals;
        let run = history.begin(&about).unwrap();
        let mut mixed = expected.clone();
        mixed.reverse();
        history.add(run, &mixed).unwrap();
        prop_assert_eq!(&records(&history, run), &expected);
        let ids: Vec<CaseId> = history.scores(run).unwrap().iter().map(|s| s.id).collect();
        prop_assert!(ids.is_sorted());
    }
}

#[test]
fn a_run_comes_back_as_it_was() {
    let (dir, mut history) = empty();
    let run = keep(&mut history, Some("貪欲"), &[Some(5), None, Some(6)]);
    drop(history);
    let history = History::open_existing(&dir.path().join("h.sqlite")).unwrap();
    let found = history.find("貪欲").unwrap();
    assert_eq!((found.id, found.state), (run, State::Done));
    assert_eq!((found.judged, found.accepted), (3, 2));
    assert_eq!(found.mean(), Some(5.5));
    // Two values 5 and 6: standard deviation √½, standard error ½, t(0.975, 1) = 12.7062.
    assert!((found.half_width().unwrap() - 12.7062 / 2.0).abs() < 1e-3);
    let expected = new_run(Some("貪欲"));
    let mut about = found.about;
    // Where it was, whatever the current folder is then.
    assert_eq!(about.spec.out, std::path::absolute("out").unwrap());
    about.spec.out = "out".into();
    assert_eq!(about, expected);
    assert_eq!((found.folder, found.ended_ns), (None, None));
}

#[test]
fn one_record_is_that_of_all_of_them() {
    let (_dir, mut history) = empty();
    let run = keep(&mut history, None, &[Some(3), None, Some(5)]);
    keep(&mut history, None, &[Some(1), Some(1)]);
    let large = judged(u64::MAX, Some(7));
    history.add(run, std::slice::from_ref(&large)).unwrap();
    let all = records(&history, run);
    assert_eq!(all.len(), 4);
    for record in all {
        let id = record.case.id;
        assert_eq!(history.record(run, id).unwrap(), Some(record));
    }
    assert_eq!(history.record(run, CaseId(99)).unwrap(), None);
}

#[test]
fn runs_are_found_by_number_tag_and_worth() {
    let (_dir, mut history) = empty();
    let bad = keep(&mut history, Some("a"), &[Some(9), Some(9)]);
    let good = keep(&mut history, Some("a"), &[Some(4), Some(5)]);
    let fails = keep(&mut history, Some("b"), &[Some(1), None]);
    let other = keep(&mut history, None, &[Some(1), Some(1), Some(1)]);
    let last = keep(&mut history, None, &[Some(6), Some(6)]);
    let id = |word: &str| history.find(word).unwrap().id;
    assert_eq!(
        (id("1"), id("a"), id("b"), id("last")),
        (bad, good, fails, last)
    );
    assert!(history.find("c").is_err() && history.find("99").is_err());
    // Neither the run that fails a case, nor one on other cases, is the best.
    let run = history.find("last").unwrap();
    assert_eq!(best_of(&history, &run), good);
    assert_eq!(history.before(&run).unwrap().unwrap().id, fails);
    let solved_before = |run| history.solved_before(run).unwrap().map(|run| run.id);
    assert_eq!(solved_before(&run), Some(fails));
    assert_eq!(solved_before(&history.find("1").unwrap()), None);
    let alone = history.find(&other.to_string()).unwrap();
    let error = history
        .best_on_cases_of(&alone, Measure::Score)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("expected another run on the 3 cases of run 4, found none"),
        "{error}"
    );
}

#[test]
fn best_scores_are_of_all_runs_and_of_the_same_content() {
    let (_dir, mut history) = empty();
    let first = keep(&mut history, None, &[Some(5), None, Some(7)]);
    keep(&mut history, None, &[Some(6), Some(8), Some(4)]);
    let run = history.begin(&new_run(None)).unwrap();
    let mut changed = judged(0, Some(1));
    changed.case.digest = Digest(77);
    history.add(run, &[changed]).unwrap();
    let best = history.best_scores(first).unwrap();
    let best: Vec<u64> = (0..3).map(|id| best[&CaseId(id)].units()).collect();
    assert_eq!(best, [5, 8, 4]);
}

#[test]
fn what_the_machine_could_not_judge_is_judged_again() {
    let (_dir, mut history) = empty();
    let run = history.begin(&new_run(None)).unwrap();
    let mut failed = judged(1, None);
    failed.record.verdict = Verdict::Ie;
    history.add(run, &[judged(0, Some(5)), failed]).unwrap();
    history.end(run, State::Unfinished, Duration::ZERO).unwrap();
    let done = history.resume(run).unwrap().unwrap();
    assert_eq!(done.into_keys().collect::<Vec<_>>(), [CaseId(0)]);
    let found = history.find("last").unwrap();
    assert_eq!(
        (found.state, found.judged, found.accepted),
        (State::Running, 1, 1)
    );
    assert_eq!(found.mean(), Some(5.0));
    // This process owns the run and is alive: no other process may own it.
    assert_eq!(history.resume(run).unwrap(), None);
}

#[test]
fn the_dead_are_buried_and_the_living_left_alone() {
    let (dir, mut history) = empty();
    let mine = history.begin(&new_run(None)).unwrap();
    let dead = history.begin(&new_run(None)).unwrap();
    let kill = |run: RunId| {
        let db = Connection::open(dir.path().join("h.sqlite")).unwrap();
        db.execute("UPDATE run SET owner = 'boot 1 1' WHERE id = ?", [run.0])
            .unwrap();
    };
    kill(dead);
    history.mark_crashed().unwrap();
    let state = |run: RunId| history.find(&run.to_string()).unwrap().state;
    assert_eq!(
        (state(mine), state(dead)),
        (State::Running, State::Unfinished)
    );
    let unfinished = |fits: &dyn Fn(&Run) -> bool| history.unfinished(Duration::ZERO, fits);
    assert_eq!(unfinished(&|_| true).unwrap().id, dead);
    let found = |fits: &dyn Fn(&Run) -> bool| match unfinished(fits) {
        Err(HistoryError::NoRun { found, .. }) => found,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        found(&|run| run.id == mine),
        "only run 1, which is still being judged"
    );
    let others = found(&|_| false);
    assert!(others.starts_with("only others"), "{others}");
}

#[test]
fn writers_at_the_same_time_all_keep_what_they_have() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("h.sqlite");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut history = History::open(&path).unwrap();
                let run = history.begin(&new_run(None)).unwrap();
                for id in 0..100 {
                    history.add(run, &[judged(id, Some(id))]).unwrap();
                }
            });
        }
    });
    let history = History::open_existing(&path).unwrap();
    for run in history.runs(None, 9).unwrap() {
        assert_eq!((run.judged, records(&history, run.id).len()), (100, 100));
    }
    assert_eq!(history.count().unwrap(), 4);
}

#[test]
fn another_judge_is_kept_with_its_run_and_best_is_what_it_means() {
    let (_dir, mut history) = empty();
    let external = |objective| ExternalSpec {
        line: "./t {command} < {case}".to_owned(),
        contract: None,
        score: USUAL_SCORE.to_owned(),
        objective,
        scale: crate::judge::ScoreScale::ONE,
        zero_counts: true,
        stream: Stream::Stderr,
        files: Some("f00d".to_owned()),
        parameters: None,
        vis: None,
    };
    let keep = |history: &mut History, objective, score| {
        let mut about = new_run(None);
        about.spec.external = Some(external(objective));
        let run = history.begin(&about).unwrap();
        history.add(run, &[judged(0, Some(score))]).unwrap();
        let done = State::Done;
        history.end(run, done, Duration::ZERO).unwrap();
        run
    };
    let runs = [5, 9, 7].map(|score| keep(&mut history, Objective::Max, score));
    let found = history.find(&runs[2].to_string()).unwrap();
    assert_eq!(found.objective(), Objective::Max);
    let stored = found.about.spec.external.clone();
    assert_eq!(stored, Some(external(Objective::Max)));
    assert_eq!(history.best_scores(runs[0]).unwrap()[&CaseId(0)], 9.into());
    assert_eq!(best_of(&history, &found), runs[1]);
    // One that was judged for less by mistake: it counts among the others when it is corrected.
    let wrong = keep(&mut history, Objective::Min, 20);
    let wrong = history.find(&wrong.to_string()).unwrap();
    assert_eq!(
        history.best_scores(wrong.id).unwrap()[&CaseId(0)],
        20.into()
    );
    let edit = Edit {
        objective: Some(Objective::Max),
        ..Edit::default()
    };
    history.edit(std::slice::from_ref(&wrong), &edit).unwrap();
    assert_eq!(history.best_scores(runs[0]).unwrap()[&CaseId(0)], 20.into());
    assert_eq!(best_of(&history, &found), wrong.id);
    // And back: nothing of it is left among them.
    let wrong = history.find(&wrong.id.to_string()).unwrap();
    let edit = Edit {
        objective: Some(Objective::Min),
        ..Edit::default()
    };
    history.edit(std::slice::from_ref(&wrong), &edit).unwrap();
    assert_eq!(history.best_scores(runs[0]).unwrap()[&CaseId(0)], 9.into());
    assert_eq!(best_of(&history, &found), runs[1]);
}

#[test]
fn what_is_not_a_history_is_left_alone() {
    let (dir, history) = empty();
    drop(history);
    let path = dir.path().join("h.sqlite");
    let refused = |path: &Path| {
        let before = std::fs::read(path).unwrap();
        let error = History::open(path).err().unwrap().to_string();
        assert_eq!(
            History::open_existing(path).err().unwrap().to_string(),
            error
        );
        assert_eq!(std::fs::read(path).unwrap(), before, "it was changed");
        error.replace(path.to_str().unwrap(), "FILE")
    };
    let db = Connection::open(&path).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    insta::assert_snapshot!(refused(&path), @"history FILE is of a newer tester: expected format 8 or older, found 99");
    let other = dir.path().join("other.sqlite");
    Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE run (id)")
        .unwrap();
    insta::assert_snapshot!(refused(&other), @"FILE is not a history, but another kind of file");
    let text = dir.path().join("notes.txt");
    std::fs::write(
        &text,
        "buy milk, and a line that is longer than the head of a database".repeat(9),
    )
    .unwrap();
    insta::assert_snapshot!(refused(&text), @"FILE is not a history, but another kind of file");
    let absent = History::open_existing(&dir.path().join("none"))
        .err()
        .unwrap();
    assert!(matches!(absent, HistoryError::Absent(_)));
}

#[test]
fn of_two_that_resume_a_run_one_gets_it() {
    let (dir, mut history) = empty();
    let run = history.begin(&new_run(None)).unwrap();
    history.end(run, State::Unfinished, Duration::ZERO).unwrap();
    let resumed = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut history = History::open(&dir.path().join("h.sqlite")).unwrap();
                    history.mark_crashed().unwrap();
                    history.resume(run).unwrap().is_some()
                })
            })
            .collect();
        let all = threads.into_iter().map(|thread| thread.join().unwrap());
        all.filter(|&got| got).count()
    });
    assert_eq!(resumed, 1);
}

#[test]
fn a_pair_is_kept_whole_or_not_at_all() {
    let (_dir, mut history) = empty();
    let runs = [0, 1].map(|_| history.begin(&new_run(None)).unwrap());
    history.add(runs[1], &[judged(3, Some(4))]).unwrap();
    // The second run has case 3 already.
    let pair = [judged(3, Some(5)), judged(3, Some(6))];
    assert!(history.add_pair(runs, &pair).is_err());
    assert!(records(&history, runs[0]).is_empty());
    assert_eq!(history.find("1").unwrap().judged, 0);
}

#[test]
fn reading_makes_no_file_and_needs_no_writing() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("empty");
    std::fs::write(&path, "").unwrap();
    assert!(matches!(
        History::open_existing(&path),
        Err(HistoryError::Absent(_))
    ));
    assert_eq!(std::fs::read(&path).unwrap(), b"");
    // As where neither file nor folder may be written, which root could write all the same.
    let (kept, mut history) = empty();
    let run = keep(&mut history, None, &[Some(5)]);
    drop(history);
    let path = kept.path().join("h.sqlite");
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let uri = format!("file:{}?immutable=1", escaped(&path));
    let history = History::connect(&path, &uri, read).unwrap();
    assert_eq!(records(&history, run).len(), 1);
    assert_eq!(escaped(Path::new("/a b?c#d%")), "/a%20b%3Fc%23d%25");
}

#[test]
fn a_file_that_was_removed_is_missed() {
    let (dir, history) = empty();
    history.check_is_there().unwrap();
    std::fs::remove_file(dir.path().join("h.sqlite")).unwrap();
    assert!(matches!(
        history.check_is_there(),
        Err(HistoryError::Gone(_))
    ));
}

#[test]
fn a_program_is_known_by_its_content_and_arguments_wherever_its_file_is() {
    let (_dir, mut history) = empty();
    let mut begin = |program: &str, args: &[&str]| {
        let mut about = new_run(None);
        about.spec.command.program = program.into();
        about.spec.command.args = args.iter().map(Into::into).collect();
        let run = history.begin(&about).unwrap();
        history.add(run, &[judged(0, Some(3))]).unwrap();
        history.end(run, State::Done, Duration::ZERO).unwrap();
        history.find(&run.to_string()).unwrap()
    };
    let [first, copy, other] = [("./a", ["1"]), ("./copy", ["1"]), ("./a", ["2"])]
        .map(|(program, args)| begin(program, &args));
    assert!(first.same_program(&copy) && !first.same_program(&other));
    assert_eq!(history.programs_on_cases_of(&first).unwrap(), 2);
}
