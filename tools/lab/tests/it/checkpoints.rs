//! Searches that are stopped and go on, and searches in parts: they find what one search finds.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lab::game::rules;
use lab::optimal::{Checkpoint, Keep, Objective, Optimum, Options, Part, find};
use lab::strategy::verify;

use crate::cli::run_in;
use crate::words::words;

/// Searches with what is known. Stopped at the first save, if that is wanted.
fn search(
    game: &str,
    known: &[Checkpoint],
    part: Option<Part>,
    stop_after: Option<Duration>,
) -> (Optimum, Checkpoint) {
    search_within(game, known, (part, None), stop_after)
}

/// The same, of a part or within a width.
fn search_within(
    game: &str,
    known: &[Checkpoint],
    (part, width): (Option<Part>, Option<usize>),
    stop_after: Option<Duration>,
) -> (Optimum, Checkpoint) {
    let rules = rules(game).unwrap();
    let is_stopped = stop_after == Some(Duration::ZERO);
    let (stop, saved) = (AtomicBool::new(is_stopped), Mutex::new(Vec::new()));
    let save = |checkpoint: &Checkpoint| {
        *saved.lock().unwrap() = checkpoint.to_bytes();
        stop.store(stop_after.is_some(), Ordering::Relaxed);
    };
    let keep = Keep {
        game: &rules.title,
        known,
        every: stop_after.unwrap_or(Duration::from_secs(3600)),
        save: &save,
    };
    let options = Options {
        secrets: Some(&rules.secrets),
        stop: Some(&stop),
        keep: Some(&keep),
        part,
        width,
        ..Options::default()
    };
    let found = find(&rules.codes, Objective::MeanThenWorst, &options).unwrap();
    let saved = saved.into_inner().unwrap();
    (found, Checkpoint::from_bytes(&saved, &rules.title).unwrap())
}

#[test]
fn a_search_that_is_stopped_again_and_again_finds_the_same() {
    let (game, total, worst) = ("hitblow 4 7", 3639, 6);
    let (mut known, mut stops) = (Vec::new(), 0);
    let (mut least, mut best) = (0, u64::MAX);
    let found = loop {
        // The first is stopped before it begins, so that one is, however fast the machine is. Then longer
        // each time: what takes less than this is not kept, and would be begun anew without end.
        let pause = Duration::from_millis(5 * stops);
        let (found, saved) = search(game, &known, None, Some(pause));
        assert_eq!(verify(&found.strategy).unwrap().total, found.total);
        // Bounds hold, and get no worse.
        assert!((least..=total).contains(&found.least_total), "{found:?}");
        assert!((total..=best).contains(&found.total), "{found:?}");
        (least, best) = (found.least_total, found.total);
        assert_eq!(saved.least_total(), least);
        assert_eq!(verify(saved.best().unwrap()).unwrap().total, best);
        known = vec![saved];
        if found.proved {
            break found;
        }
        stops += 1;
    };
    assert!(stops > 0);
    assert_eq!(
        (found.total, found.least_total, found.worst),
        (total, total, worst)
    );
}

#[test]
fn a_narrow_search_leaves_its_strategy_to_the_proof_and_nothing_else() {
    let (game, total) = ("hitblow 4 7", 3639);
    let (narrow, saved) = search_within(game, &[], (None, Some(1)), None);
    assert!(narrow.total > total, "{}", narrow.total);
    assert_eq!(verify(saved.best().unwrap()).unwrap().total, narrow.total);
    // Stopped before it begins, the search has this strategy; then it finds the least all the same.
    let (so_far, _) = search(
        game,
        std::slice::from_ref(&saved),
        None,
        Some(Duration::ZERO),
    );
    assert_eq!(so_far.total, narrow.total);
    let (found, proved) = search(game, &[saved], None, None);
    assert_eq!((found.total, found.proved), (total, true));
    // The other way round, what was proved before stays.
    let (narrow, saved) = search_within(game, std::slice::from_ref(&proved), (None, Some(1)), None);
    assert_eq!((narrow.total, narrow.least_total), (total, total));
    let again = |known| search(game, &[known], None, None).0.nodes;
    assert_eq!(again(saved), again(proved));
}

#[test]
fn parts_of_a_search_put_together_are_the_search() {
    for (game, total) in [
        ("hitblow 4 8", 7817),
        ("mastermind 4 4", 905),
        ("number 3 4", search("number 3 4", &[], None, None).0.total),
    ] {
        let parts = (1..=3).map(|number| Part { number, of: 3 });
        let parts = parts.map(|part| search(game, &[], Some(part), None));
        let mut known = Vec::new();
        for (found, saved) in parts {
            assert!(found.finished && !found.proved && found.total >= total);
            known.push(saved);
        }
        let (found, _) = search(game, &known, None, None);
        assert_eq!((found.total, found.proved), (total, true), "{game}");
        let (alone, _) = search(game, &[], None, None);
        assert_eq!((alone.total, alone.worst), (found.total, found.worst));
        if game == "hitblow 4 8" {
            // Sets that took little work are not kept: it does not hold for small games.
            assert!(found.nodes < alone.nodes, "{} {}", found.nodes, alone.nodes);
        }
    }
}

#[test]
fn a_killed_search_leaves_a_whole_checkpoint_with_which_another_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("search.checkpoint");
    // It takes so long that neither is done before it is stopped, on a busy machine either.
    let args = words("optimal 'hitblow 5 8' --checkpoint search.checkpoint --checkpoint-seconds 1");
    let start = || {
        let lab = Command::new(env!("CARGO_BIN_EXE_lab"))
            .args(&args)
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        lab.unwrap()
    };
    let mut child = start();
    // A line each second or so; the checkpoint is there after the first, or after one more.
    let stderr = child.stderr.take().unwrap();
    for line in std::io::BufRead::lines(std::io::BufReader::new(stderr)) {
        assert!(line.unwrap().starts_with("least total between "));
        if file.exists() {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let read = || Checkpoint::from_bytes(&std::fs::read(&file).unwrap(), "hitblow 5 8").unwrap();
    let first = read();
    assert!(verify(first.best().unwrap()).unwrap().total >= 34444);
    // The second one is asked to stop, and keeps at least as much.
    let mut child = start();
    let mut said = String::new();
    let stderr = child.stderr.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stderr), &mut said).unwrap();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let second = read();
    assert!(second.results() >= first.results() && second.least_total() >= first.least_total());
    let total = |checkpoint: &Checkpoint| verify(checkpoint.best().unwrap()).unwrap().total;
    assert!(total(&second) <= total(&first));
}

#[test]
fn wrong_checkpoints_are_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let said = |args: &[&str]| {
        let shown = run_in(dir.path(), &[&["optimal"], args].concat(), "");
        format!("{}: {}{}", shown.status, shown.stdout, shown.stderr)
    };
    let path = |name: &str| dir.path().join(name);
    let done = run_in(
        dir.path(),
        &["optimal", "hitblow 3 6", "--checkpoint", "a"],
        "",
    );
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    let whole = std::fs::read(path("a")).unwrap();
    insta::assert_snapshot!(said(&["hitblow 3 7", "--checkpoint", "a"]), @"
    2: lab: failed to read the checkpoint a: expected a checkpoint of hitblow 3 7, found one of hitblow 3 6
    hint: the file was left as it is: name another one, or move it away to begin anew
    ");
    assert_eq!(std::fs::read(path("a")).unwrap(), whole);
    std::fs::write(path("cut"), &whole[..whole.len() - 9]).unwrap();
    insta::assert_snapshot!(said(&["hitblow 3 6", "--checkpoint", "cut"]).replace(&(whole.len() - 9).to_string(), "SIZE"), @"
    2: lab: failed to read the checkpoint cut: expected the checksum of SIZE bytes in the last 32, found another one: the file is damaged or cut
    hint: the file was left as it is: name another one, or move it away to begin anew
    ");
    assert_eq!(
        std::fs::read(path("cut")).unwrap(),
        whole[..whole.len() - 9]
    );
    std::fs::write(path("notes"), "today\n").unwrap();
    insta::assert_snapshot!(said(&["hitblow 3 6", "--checkpoint", "notes"]), @r#"
    2: lab: failed to read the checkpoint notes: expected a file that begins with "saguri checkpoint ", found "today"
    hint: the file was left as it is: name another one, or move it away to begin anew
    "#);
    assert_eq!(std::fs::read(path("notes")).unwrap(), b"today\n");
    insta::assert_snapshot!(said(&["hitblow 3 6", "--also", "none"]), @"2: lab: failed to read the checkpoint none: No such file or directory (os error 2)");
    insta::assert_snapshot!(said(&["hitblow 3 6", "--checkpoint", "a", "--without", "memo"]), @"2: lab: --without memo cannot be used with checkpoints: it remembers nothing");
    insta::assert_snapshot!(said(&["hitblow 3 6", "--checkpoint", "a", "--part", "4/3"]), @"
    2: error: invalid value '4/3' for '--part <K/N>': expected K/N with K from 1 to N, such as 2/3

    For more information, try '--help'.
    ");
    let unwritable = said(&["hitblow 3 6", "--checkpoint", "none/a"]);
    let expected = "2: lab: failed to write the checkpoint none/a: No such file or directory";
    assert!(unwritable.starts_with(expected), "{unwritable}");
}

#[test]
fn parts_are_put_together_by_the_command() {
    let dir = tempfile::tempdir().unwrap();
    let lab = |args: &[&str]| {
        let shown = run_in(
            dir.path(),
            &[&["optimal", "hitblow 3 7"], args].concat(),
            "",
        );
        assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
        shown.stdout
    };
    for (part, file) in [("1/3", "1"), ("2/3", "2"), ("3/3", "3")] {
        let shown = lab(&["--part", part, "--checkpoint", file]);
        assert!(shown.contains("part       searched; "), "{shown}");
    }
    let report = lab(&["--checkpoint", "1", "--also", "2", "3", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["total"], 836);
    assert_eq!(
        (&report["proved"], &report["finished"]),
        (&true.into(), &true.into())
    );
}
