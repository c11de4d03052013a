//! Scores with decimals in a history.

use std::time::Duration;

use tempfile::tempdir;

use super::tests::{best_of, empty, judged, keep, new_run};
use super::*;
use crate::case::{CaseId, Digest};
use crate::judge::record::{JudgedCase, Record};
use crate::problem::{Measure, Objective, Score, Scoring};

/// A run of these scores.
fn keep_scores(history: &mut History, objective: Objective, scores: &[u64]) -> RunId {
    let mut about = new_run(None);
    about.spec.scoring = Scoring {
        objective,
        decimals: 0,
    };
    let run = history.begin(&about).unwrap();
    for (id, &score) in scores.iter().enumerate() {
        let case = judged(id as u64, Some(0));
        let record = Record {
            score: Score::new(score, 0),
            ..case.record
        };
        history.add(run, &[JudgedCase { record, ..case }]).unwrap();
    }
    history.end(run, State::Done, Duration::ZERO).unwrap();
    run
}

#[test]
fn the_interval_of_a_mean_does_not_depend_on_how_large_the_scores_are() {
    let (_dir, mut history) = empty();
    for (base, step) in [
        (0, 10),
        (1_000_000_000, 10),
        (1_000_000_000_000, 1000),
        (1_000_000_000_000_000, 100_000),
        (1 << 63, 1 << 20),
    ] {
        let scores: Vec<u64> = (0..8).map(|i| base + i * step).collect();
        let run = keep_scores(&mut history, Objective::Max, &scores);
        let half = history
            .find(&run.to_string())
            .unwrap()
            .half_width()
            .unwrap();
        // 0 to 7: squared distances of 42 in all; t(0.975, 7) = 2.364624.
        let expected = 2.364_624 * (42.0 / 7.0 / 8.0_f64).sqrt() * step as f64;
        assert!((half / expected - 1.0).abs() < 1e-4, "{base}: {half}");
    }
}

#[test]
fn best_scores_are_compared_as_the_large_numbers_that_they_are() {
    let large = (1 << 63) + 5;
    for (objective, best) in [(Objective::Min, 5), (Objective::Max, large)] {
        let (_dir, mut history) = empty();
        let mut run = RunId(0);
        for score in [5, large, 7] {
            run = keep_scores(&mut history, objective, &[score]);
        }
        let kept = history.best_scores(run).unwrap();
        assert_eq!(kept[&CaseId(0)].units(), best);
    }
}

#[test]
fn scores_with_decimals_are_kept_as_units_and_compared_with_their_like_only() {
    let (_dir, mut history) = empty();
    let mut keep = |objective, decimals, units: [u64; 2]| {
        let mut about = new_run(None);
        about.spec.scoring = Scoring {
            objective,
            decimals,
        };
        let run = history.begin(&about).unwrap();
        let cases = [0, 1].map(|id| JudgedCase {
            record: Record {
                score: Score::new(units[id as usize], decimals),
                ..judged(id, Some(0)).record
            },
            ..judged(id, Some(0))
        });
        history.add(run, &cases).unwrap();
        history.end(run, State::Done, Duration::ZERO).unwrap();
        run
    };
    let whole = keep(Objective::Min, 0, [3, 4]);
    let first = keep(Objective::Min, 2, [271, 502]);
    let most = keep(Objective::Max, 2, [271, 502]);
    let second = keep(Objective::Min, 2, [280, 401]);
    let more = keep(Objective::Max, 2, [280, 401]);
    let find = |run: RunId| history.find(&run.to_string()).unwrap();
    let found = find(first);
    assert_eq!(found.mean(), Some(3.865));
    // Two values 2.71 and 5.02: half their difference is the standard error; t(0.975, 1) = 12.7062.
    assert!((found.half_width().unwrap() - 12.7062 * 2.31 / 2.0).abs() < 1e-3);
    let best = |run| {
        let best = history.best_scores(run).unwrap();
        [0, 1].map(|id| best[&CaseId(id)].to_string())
    };
    assert_eq!(best(whole), ["3", "4"]);
    assert_eq!(
        (best(first), best(second)),
        (best(second), ["2.71".to_owned(), "4.01".to_owned()])
    );
    assert_eq!(
        (best(most), best(more)),
        (best(more), ["2.80".to_owned(), "5.02".to_owned()])
    );
    assert_eq!(history.before(&find(second)).unwrap().unwrap().id, first);
    assert_eq!(history.before(&find(more)).unwrap().unwrap().id, most);
    assert_eq!(history.before(&found).unwrap().map(|run| run.id), None);
    assert_eq!(best_of(&history, &found), second);
    assert_eq!(best_of(&history, &find(more)), most);
    assert!(
        history
            .best_on_cases_of(&find(whole), Measure::Score)
            .is_err()
    );
}

#[test]
fn the_best_run_goes_by_score_where_one_score_has_no_logarithm() {
    let (_dir, mut history) = empty();
    let low_sum = keep(&mut history, None, &[Some(10), Some(100)]);
    let low_product = keep(&mut history, None, &[Some(1), Some(200)]);
    let last = keep(&mut history, None, &[Some(50), Some(500)]);
    let chosen = |history: &History| {
        let last = history.find(&last.to_string()).unwrap();
        let best = history.best_on_cases_of(&last, Measure::Log).unwrap();
        (best.run.id, best.measure)
    };
    assert_eq!(chosen(&history), (low_product, Measure::Log));
    keep(&mut history, None, &[Some(0), Some(300)]);
    assert_eq!(chosen(&history), (low_sum, Measure::Score));
}

#[test]
fn the_best_run_of_a_few_cases_may_have_more_cases() {
    let (_dir, mut history) = empty();
    // On cases 0 and 2 the sums are 9, 8 and 12, the products 14, 16 and 20. Then one that fails case 2.
    let low_product = keep(&mut history, None, &[Some(2), Some(9), Some(7)]);
    let low_sum = keep(&mut history, None, &[Some(4), Some(90), Some(4)]);
    keep(&mut history, None, &[Some(2), Some(1), Some(10)]);
    keep(&mut history, None, &[Some(1), Some(1), None]);
    keep(&mut history, None, &[Some(1), Some(1)]);
    let few = history.begin(&new_run(None)).unwrap();
    let cases = [judged(0, Some(6)), judged(2, Some(6))];
    history.add(few, &cases).unwrap();
    let done = |history: &mut History, run| history.end(run, State::Done, Duration::ZERO);
    done(&mut history, few).unwrap();
    let best = |history: &History, measure| {
        let few = history.find(&few.to_string()).unwrap();
        history.best_on_cases_of(&few, measure).unwrap().run.id
    };
    assert_eq!(best(&history, Measure::Score), low_sum);
    assert_eq!(best(&history, Measure::Log), low_product);
    // Of the three, the ranks on case 0 are 1.5, 3 and 1.5, those on case 2 are 2, 1 and 3.
    assert_eq!(best(&history, Measure::Rank), low_product);
    // A run on exactly these cases is chosen, however bad it is.
    let same = history.begin(&new_run(None)).unwrap();
    history
        .add(same, &[judged(0, Some(99)), judged(2, None)])
        .unwrap();
    done(&mut history, same).unwrap();
    assert_eq!(best(&history, Measure::Score), same);
    // A case of another content is not the same.
    let other = history.begin(&new_run(None)).unwrap();
    let mut changed = judged(0, Some(6));
    changed.case.digest = Digest(77);
    history.add(other, &[changed]).unwrap();
    done(&mut history, other).unwrap();
    let other = history.find(&other.to_string()).unwrap();
    assert!(history.best_on_cases_of(&other, Measure::Score).is_err());
}

#[test]
fn a_running_batch_stands_beside_the_best_run_by_its_measure() {
    let (_dir, mut history) = empty();
    let low_sum = keep(&mut history, None, &[Some(10), Some(100)]);
    let low_product = keep(&mut history, None, &[Some(1), Some(200)]);
    // One that failed in a case, however good otherwise, and one with another number of cases.
    keep(&mut history, None, &[Some(1), None]);
    keep(&mut history, None, &[Some(1)]);
    for (measure, expected) in [
        (Measure::Score, low_sum),
        (Measure::Log, low_product),
        // By hand: 100 * 1 / 10 and 100 on average against 100 and 50.
        (Measure::Relative, low_product),
    ] {
        let mut about = new_run(None);
        about.spec.measure = measure;
        about.planned = 2;
        let mut reference = history.reference(&about).unwrap().unwrap();
        reference.add(&judged(0, Some(7)), Some(Score::from(1)));
        let (name, _) = reference.earlier_mean().unwrap();
        assert_eq!(name, format!("run {expected}"), "{measure:?}");
    }
}

#[test]
fn best_score_of_a_case_is_the_same_while_its_run_is_judged_and_afterwards() {
    let (_dir, mut history) = empty();
    keep(&mut history, None, &[Some(5), Some(3), Some(9)]);
    let run = keep(&mut history, None, &[Some(4), Some(7), None, Some(6)]);
    let run = history.find(&run.to_string()).unwrap();
    let each = |history: &History| {
        let scoring = run.scoring();
        let frozen = history.frozen_best(&run.about.problem, scoring).unwrap();
        let mut scores = Vec::new();
        let all = history.best_of_run(&run).unwrap();
        history
            .each_record_beside_best(&run, |judged, beside| {
                let best = history.best_of_case(&judged, scoring, &frozen).unwrap();
                let expected = all.get(&judged.case.id).copied();
                assert_eq!(beside, expected);
                assert_eq!(best, expected.filter(|_| judged.accepted()));
                scores.push(best.map(Score::units));
            })
            .unwrap();
        scores
    };
    assert_eq!(each(&history), [Some(4), Some(3), None, Some(6)]);
    let frozen = [(0, 9), (3, 1)].into_iter().collect();
    history.import_best(&run, frozen).unwrap();
    assert_eq!(each(&history), [Some(9), Some(3), None, Some(1)]);
}

#[test]
fn histories_of_one_folder_share_no_frozen_scores() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let open = |name: &str| {
        let mut history = History::open(&at(name)).unwrap();
        let run = keep(&mut history, None, &[Some(5)]);
        let run = history.find(&run.to_string()).unwrap();
        (history, run)
    };
    let frozen = |(history, run): &(History, Run)| {
        let frozen = history.frozen_best(&run.about.problem, run.scoring());
        let frozen = frozen.unwrap();
        let scores = frozen.scores().map(|(_, score)| score.units());
        scores.collect::<Vec<_>>()
    };
    let files = [
        ("history.sqlite", "history.best.json"),
        ("history", "history.sqlite.best.json"),
        ("history.one", "history.one.best.json"),
        ("h", "h.best.json"),
        ("h.one", "h.one.best.json"),
        ("h.one.sqlite", "h.one.sqlite.best.json"),
    ];
    let histories = files.map(|(name, _)| open(name));
    for ((history, run), score) in histories.iter().zip(1..) {
        history.import_best(run, [(0, score)].into()).unwrap();
    }
    for (((_, file), found), score) in files.iter().zip(&histories).zip(1..) {
        assert_eq!(found.0.best_file(), at(file));
        assert_eq!(frozen(found), [score]);
    }
}

#[test]
fn a_file_of_frozen_scores_of_an_older_tester_is_read_where_it_is_of_one_history_only() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let mut history = History::open(&at("h.one")).unwrap();
    let run = keep(&mut history, None, &[Some(5)]);
    let run = history.find(&run.to_string()).unwrap();
    let count = |history: &History| {
        let frozen = history.frozen_best(&run.about.problem, run.scoring());
        frozen.unwrap().count()
    };
    assert_eq!(history.freeze_best(&run).unwrap(), 1);
    std::fs::rename(at("h.one.best.json"), at("h.best.json")).unwrap();
    std::fs::write(at("h.txt"), "no history").unwrap();
    assert_eq!(count(&history), 1);
    assert_eq!(history.best_file_in_use(), at("h.best.json"));
    // What is written has the new name, and is read from then on.
    history.thaw_best(&run).unwrap();
    assert_eq!(count(&history), 0);
    assert!(at("h.best.json").exists());
    std::fs::remove_file(at("h.one.best.json")).unwrap();
    let other = History::open(&at("h.two")).unwrap();
    assert_eq!((count(&history), count(&other)), (0, 0));
}

#[test]
fn processes_that_freeze_scores_at_the_same_time_keep_those_of_each_other() {
    const PROBLEMS: u64 = 8;
    let dir = tempdir().unwrap();
    let path = dir.path().join("h");
    let mut history = History::open(&path).unwrap();
    for number in 0..PROBLEMS {
        let mut about = new_run(None);
        about.problem = format!("problem {number}");
        let run = history.begin(&about).unwrap();
        history.add(run, &[judged(0, Some(number))]).unwrap();
        history.end(run, State::Done, Duration::ZERO).unwrap();
    }
    for _ in 0..10 {
        let _ = std::fs::remove_file(history.best_file());
        let start = std::sync::Barrier::new(PROBLEMS as usize);
        std::thread::scope(|scope| {
            for number in 0..PROBLEMS {
                let (path, start) = (&path, &start);
                scope.spawn(move || {
                    let history = History::open_existing(path).unwrap();
                    let run = history.find(&(number + 1).to_string()).unwrap();
                    start.wait();
                    assert_eq!(history.freeze_best(&run).unwrap(), 1);
                });
            }
        });
        let frozen = history.frozen_problems().unwrap();
        assert_eq!(frozen.len() as u64, PROBLEMS, "{frozen:?}");
    }
}
