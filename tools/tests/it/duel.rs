//! `tester duel` through the real binary.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{counter, late, names, run_in, script};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

const GAME: [&str; 2] = ["--problem", "hitblow 1 10"];

/// `./up` guesses 0, 1, 2 …; `./late` wastes its first turns, as many as its argument says.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "up", "");
    late(dir.path());
    dir
}

#[test]
fn the_better_one_is_found_and_the_pairs_needed_do_not_depend_on_the_jobs() {
    let dir = folder();
    let duel = |jobs: &str| {
        let args = [&["duel", "./late 1", "./up", "--jobs", jobs], &GAME[..]].concat();
        let shown = run_in(dir.path(), &args, "");
        assert_eq!(shown.status, 0, "{shown:?}");
        let lines = shown.stdout.lines().filter(|l| !l.starts_with("runs"));
        lines.map(|l| format!("{l}\n")).collect::<String>()
    };
    let alone = duel("1");
    insta::assert_snapshot!(alone, @"
    A          7.2258  ./late 1
    B          6.2581  ./up
    pairs      31 accepted from both, of 31 played
    B - A      -0.9677 (-1.6489 to -0.2866 with 95 % confidence, whenever you stop)
    by case    A better on 0, the same on 1, B better on 30
    test       Robbins' method of mixtures, self-normalised; alpha 0.05
    B is better, after 31 pairs. If both were equally good, one would be declared better with
    probability 0.05 at most, however often you look.
    ");
    assert_eq!(duel("3"), alone);
    // Both runs are kept, and can be compared as others are.
    let compared = run_in(dir.path(), &["compare"], "").stdout;
    assert!(
        compared.starts_with("A          run 3  ./late 1\nB          run 4  ./up\n"),
        "{compared}"
    );
    let folders = names(&dir.path().join("out"));
    assert_eq!(folders, ["duel-a", "duel-b", "history.sqlite", "runs"]);
}

#[test]
fn equals_are_not_told_apart() {
    let dir = folder();
    let args = [&["duel", "./up", "./up", "--seeds", "5..45"], &GAME[..]].concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let lines: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|l| !l.starts_with("runs"))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    A          6.1000  ./up
    B          6.1000  ./up
    pairs      40 accepted from both, of 40 played
    B - A      +0.0000
    by case    A better on 0, the same on 40, B better on 0
    test       Robbins' method of mixtures, self-normalised; alpha 0.05
    Not decided. Both had the same score on every pair: more such pairs would decide nothing.
    ");
}

#[test]
fn undecided_it_says_how_many_pairs_more_it_would_take() {
    let dir = folder();
    let args = [
        &[
            "duel",
            "./late 1",
            "./up",
            "--max-cases",
            "34",
            "--alpha",
            "1e-6",
        ],
        &GAME[..],
    ]
    .concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let told = shown.stdout.split("about ").nth(1).unwrap();
    let told: u64 = told.split(' ').next().unwrap().parse().unwrap();
    // That many and a few more, for the rest is like the beginning only on average.
    let enough = (34 + told + 10).to_string();
    let args = [
        &[
            "duel",
            "./late 1",
            "./up",
            "--max-cases",
            &enough,
            "--alpha",
            "1e-6",
        ],
        &GAME[..],
    ]
    .concat();
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
}

#[test]
fn failures_are_in_no_mean_and_a_hopeless_duel_stops() {
    let dir = folder();
    script(dir.path(), "bad", "exit 1");
    let args = [&["duel", "./bad", "./up"], &GAME[..]].concat();
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1);
    assert!(
        shown.stdout.contains("(30 of 30 cases failed, in no mean)"),
        "{}",
        shown.stdout
    );
    assert!(
        shown
            .stdout
            .contains("Stopped: of 30 cases A failed 30 and B 0"),
        "{}",
        shown.stdout
    );
}

#[test]
fn interrupted_it_tells_how_it_stands_and_keeps_both_runs() {
    let dir = folder();
    counter(dir.path(), "slow", "sleep 0.02");
    let duel = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["duel", "./slow", "./slow"])
        .args(GAME)
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let judged = || {
        run_in(dir.path(), &["show", "--json"], "")
            .stdout
            .lines()
            .count()
    };
    while judged() < 3 {
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(Pid::from_child(&duel), Signal::INT).unwrap();
    let ended = duel.wait_with_output().unwrap();
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(ended.status.signal(), Some(Signal::INT.as_raw()));
    let stdout = String::from_utf8_lossy(&ended.stdout);
    assert!(
        stdout.contains("Interrupted before it was decided."),
        "{stdout}"
    );
    let resumed = run_in(dir.path(), &["batch", "--resume"], "");
    assert_eq!(resumed.status, 2, "a duel is no batch: {resumed:?}");
}

#[test]
fn bad_words_are_refused_before_anything_runs() {
    let dir = folder();
    let refused = |args: &[&str]| {
        let shown = run_in(dir.path(), &[&["duel"], args].concat(), "");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(!dir.path().join("out/history.sqlite").exists());
        shown.stderr
    };
    insta::assert_snapshot!(refused(&["./up", "./none"]), @"
    tester: failed to start ./none: no such file
    hint: check the path, or build it first: cargo build --release
    ");
    insta::assert_snapshot!(refused(&["./up", "./late 'x"]), @r#"tester: a quote is open in "./late 'x""#);
    insta::assert_snapshot!(refused(&["./up", ""]), @"tester: expected a program, found an empty word");
    assert!(refused(&["./up"]).contains("<B>"));
    assert!(refused(&["./up", "./late", "--alpha", "1.5"]).contains("expected a probability"));
    assert!(refused(&["./up", "./late", "--seeds", "5..5"]).contains("expected at least one seed"));
    assert!(refused(&["./up", "./late", "--problem", "chess"]).contains("expected a problem"));
}
