//! `tester history`, `show` and `compare` through the real binary.

use std::fs;
use std::path::Path;

use crate::common::{Shown, counter, run_in, script, words};
use tempfile::{TempDir, tempdir};

/// A folder in which `./c` needs secret + 1 turns, `./slow` one turn more, and `./bad` fails where the
/// secret is 9.
pub(crate) fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    script(
        dir.path(),
        "slow",
        "read -r game; echo 0; read -r h b; g=0; [ \"$h\" = 1 ] && exit 0; while :; do echo $g; \
         read -r h b; [ \"$h\" = 1 ] && exit 0; g=$((g + 1)); done",
    );
    script(
        dir.path(),
        "bad",
        "read -r game; g=0; while [ $g -lt 9 ]; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; \
         g=$((g + 1)); done; exit 1",
    );
    dir
}

pub(crate) fn batch(dir: &Path, args: &[&str]) -> Shown {
    let shown = run_in(dir, &[&["batch"], args].concat(), "");
    assert_ne!(shown.status, 2, "{shown:?}");
    shown
}

pub(crate) fn shows(dir: &Path, args: &[&str]) -> String {
    let shown = run_in(dir, args, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    shown.stdout
}

pub(crate) fn refuses(dir: &Path, args: &[&str]) -> String {
    let shown = run_in(dir, args, "");
    assert_eq!(shown.status, 2, "{shown:?}");
    assert_eq!(shown.stdout, "");
    shown.stderr
}

/// The list of runs with a zero for each digit of a date.
fn without_dates(history: &str) -> String {
    let line = |l: &str| -> String {
        let chars = l.chars().enumerate();
        let stable = chars.map(|(i, c)| match i {
            5..24 if c.is_ascii_digit() => '0',
            _ => c,
        });
        stable.collect()
    };
    history.lines().map(line).collect::<Vec<_>>().join("\n")
}

pub(crate) const ALL: [&str; 4] = ["--all-secrets", "--problem", "hitblow 1 10", "--"];

/// Runs `./c` and then `./slow` on all secrets.
pub(crate) fn counted_and_slow(at: &Path) -> Shown {
    batch(
        at,
        &[
            &["--tag", "数え上げ", "--comment", "from 0 up"],
            &ALL[..],
            &["./c"],
        ]
        .concat(),
    );
    batch(at, &[&["--tag", "slow"], &ALL[..], &["./slow"]].concat())
}

#[test]
fn full_width_digits_have_a_hint() {
    let dir = folder();
    batch(dir.path(), &[&ALL[..], &["./c"]].concat());
    insta::assert_snapshot!(refuses(dir.path(), &["show", "１"]), @r#"
    tester: no such run in out/history.sqlite: expected a run's number, a tag, or "last", found "１"
    hint: full-width digits were typed (１): type 1
    "#);
    insta::assert_snapshot!(refuses(dir.path(), &["batch", "--seeds", "０..３", "--", "./c"]), @r#"
    tester: invalid value '０..３' for '--seeds <A..B>': expected seeds such as 0..100, found "０" for a number
    hint: full-width digits were typed (０..３): type 0..3

    For more information, try '--help'.
    "#);
}

#[test]
fn runs_are_listed_shown_and_compared() {
    let dir = folder();
    let at = dir.path();
    let second = counted_and_slow(at);
    // 0 is found at once by both, everything else a turn later: mean 5.5 and 6.4.
    let line = second
        .stdout
        .lines()
        .find(|l| l.starts_with("against"))
        .unwrap();
    insta::assert_snapshot!(line, @"against    run 1: +0.9000; better on 0 cases, the same on 1, worse on 9");
    let other = "\n           run 1 is of another command: ./c\n";
    assert!(second.stdout.contains(other), "{second:?}");
    let third = batch(at, &[&ALL[..], &["./slow"]].concat());
    assert!(!third.stdout.contains("another command"), "{third:?}");
    assert!(third.stdout.contains("\nworst by "), "{third:?}");
    shows(at, &["delete", "3"]);
    let history = shows(at, &["history"]);
    insta::assert_snapshot!(without_dates(&history), @"
    run  begun                tag       cases  AC    mean   95 %  state  command  comment
      2  0000-00-00 00:00:00  slow         10  10  6.4000  exact  done   ./slow
      1  0000-00-00 00:00:00  数え上げ     10  10  5.5000  exact  done   ./c      from 0 up
    ");
    let shown = shows(at, &["show", "数え上げ"]);
    for line in [
        "comment    from 0 up\n",
        "of         all secrets of hitblow 1 10\n",
        "relative   100.00 (",
        "mean       5.5000 (of every secret: exact)\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    // Of the slow one: 1, 2/3, 3/4, … 10/11, each times 100.
    let relative = (100.0
        + (2..=10)
            .map(|n| 100.0 * f64::from(n) / f64::from(n + 1))
            .sum::<f64>())
        / 10.0;
    let shown = shows(at, &["show"]);
    assert!(
        shown.contains(&format!("relative   {relative:.2} (")),
        "{shown}"
    );
    insta::assert_snapshot!(shows(at, &["compare"]), @"
    A          run 1 (数え上げ)  ./c
    B          run 2 (slow)  ./slow
    source     differs: tester diff 1 2
    problem    hitblow 1 10
    cases      10 in both, 10 accepted in both
    measure    mean score
    A          5.5000
    B          6.4000
    B - A      +0.9000 (every secret was played: exact)
    by case    B better on 0, the same on 1, worse on 9
    A is better than B. Every secret was played, so this is the exact difference and not an estimate; no
    test is needed.
    cases that changed most
          case      A      B  B - A
          0001      2      3     +1
          0002      3      4     +1
          0003      4      5     +1
          0004      5      6     +1
          0005      6      7     +1
          0006      7      8     +1
          0007      8      9     +1
          0008      9     10     +1
          0009     10     11     +1
    ");
    assert_eq!(
        shows(at, &["compare"]),
        shows(at, &["compare", "数え上げ", "slow"])
    );
    assert_eq!(shows(at, &["compare"]), shows(at, &["compare", "best"]));
    assert_eq!(shows(at, &["compare"]), shows(at, &["compare", "1", "2"]));
    let ranks = shows(at, &["compare", "--by", "rank"]);
    assert!(
        ranks.contains("\nA          1.0500\nB          1.9500\n"),
        "{ranks}"
    );
}

#[test]
fn failures_are_apart_and_samples_have_intervals() {
    let dir = folder();
    let at = dir.path();
    let seeds = ["--seeds", "0..40", "--problem", "hitblow 1 10", "--"];
    batch(at, &[&seeds[..], &["./bad"]].concat());
    batch(
        at,
        &[&["--seeds", "10..50"], &seeds[2..], &["./slow"]].concat(),
    );
    insta::assert_snapshot!(shows(at, &["compare"]), @"
    A          run 1  ./bad
    B          run 2  ./slow
    source     differs: tester diff 1 2
    problem    hitblow 1 10
    cases      30 in both, 26 accepted in both; left out: 10 that only A has; left out: 10 that only B has
    only A failed: 4 (0011 0015 0026 0031); in none of the figures below
    measure    mean score
    A          5.5385
    B          6.4231
    B - A      +0.8846 (95 % confidence: +0.7530 to +1.0162)
    by case    B better on 0, the same on 3, worse on 23
    p          < 0.0001 (paired t-test, two-sided)
    A failed 4 of 30 cases and B 0: B is safer. Failed cases are in no mean. On the cases that both
    solved: A is better than B on cases like these. If both were equally good, a difference this large
    would occur in fewer than 2 of 1000 comparisons. The true advantage may be anywhere in the interval,
    and may differ on other kinds of cases. If you compare many variants, or look again after every few
    cases, one in twenty will look better by chance; `tester duel` avoids this. Which of them is better
    in all depends on what a failed case costs.
    cases that changed most
          case      A      B  B - A
          0012      2      3     +1
          0013      7      8     +1
          0014      8      9     +1
          0016      9     10     +1
          0017      9     10     +1
          0018      3      4     +1
          0019      9     10     +1
          0020      6      7     +1
          0021      5      6     +1
          0022      8      9     +1
    ");
    let log = shows(at, &["compare", "--by", "log"]);
    assert!(log.contains("as ratio   B's scores are A's +"), "{log}");
}

#[test]
fn the_same_program_twice_shows_no_difference() {
    let dir = folder();
    let at = dir.path();
    for _ in 0..2 {
        batch(
            at,
            &["--seeds", "0..10", "--problem", "hitblow 1 10", "--", "./c"],
        );
    }
    let text = shows(at, &["compare"]);
    assert!(
        text.contains("A and B have the same score on every case"),
        "{text}"
    );
    assert!(text.contains("p          1.0000"), "{text}");
    assert!(
        text.contains("A and B are the same program with the same arguments"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let dir = folder();
    let at = dir.path();
    insta::assert_snapshot!(refuses(at, &["compare"]), @"
    tester: no history at out/history.sqlite
    hint: `tester batch` makes a history; --history FILE names another
    ");
    insta::assert_snapshot!(refuses(at, &["history"]), @"
    tester: no history at out/history.sqlite
    hint: `tester batch` makes a history; --history FILE names another
    ");
    batch(at, &[&ALL[..], &["./c"]].concat());
    insta::assert_snapshot!(refuses(at, &["compare"]), @"tester: two runs are needed to compare; out/history.sqlite has 1");
    insta::assert_snapshot!(refuses(at, &["compare", "best"]), @"
    tester: no such run in out/history.sqlite: expected another run on the 10 cases of run 1, found none
    hint: `tester history` lists all runs
    ");
    insta::assert_snapshot!(refuses(at, &["compare", "1"]), @"
    tester: run 1 cannot be compared with itself
    hint: `tester history` lists all runs
    ");
    assert!(refuses(at, &["history", "--tag", "v9"]).contains("found \"v9\""));
    insta::assert_snapshot!(refuses(at, &["show", "v9"]), @r#"
    tester: no such run in out/history.sqlite: expected a run's number, a tag, or "last", found "v9"
    hint: `tester history` lists all runs
    "#);
    batch(
        at,
        &["--seeds", "0..3", "--problem", "hitblow 1 5", "--", "./c"],
    );
    insta::assert_snapshot!(refuses(at, &["compare"]), @"
    tester: failed to compare runs 1 and 2: expected the same problem, found hitblow 1 10 and hitblow 1 5
    hint: `tester history` lists all runs
    ");
    batch(
        at,
        &words("--seeds 100..103 --problem 'hitblow 1 10' -- ./c"),
    );
    insta::assert_snapshot!(refuses(at, &["compare", "1", "3"]), @"
    tester: failed to compare runs 1 and 3: expected cases that both have, found none (all secrets of hitblow 1 10 and seeds 100..103 of hitblow 1 10)
    hint: `tester history` lists all runs
    ");
    insta::assert_snapshot!(refuses(at, &["compare", "best", "best"]), @"tester: best cannot be compared with best");
    fs::write(
        at.join("notes"),
        "this is a text and no database at all, as anybody can see".repeat(20),
    )
    .unwrap();
    insta::assert_snapshot!(refuses(at, &["history", "--history", "notes"]), @"
    tester: notes is not a history, but another kind of file
    hint: name another file with --history
    ");
    insta::assert_snapshot!(refuses(at, &["batch", "--history", "notes", "--seeds", "0..2", "--", "./c"]), @"
    tester: notes is not a history, but another kind of file
    hint: name another file with --history
    ");
}

/// A history of format 5 with runs of all kinds, and what the tester that wrote it showed of it.
const FORMAT_5: [&str; 2] = [
    include_str!("../expected/history-format-5.sql"),
    include_str!("../expected/history-format-5.txt"),
];

#[test]
fn a_history_of_an_older_tester_is_shown_as_it_was() {
    let dir = tempdir().unwrap();
    let [sql, expected] = FORMAT_5;
    let db = rusqlite::Connection::open(dir.path().join("h")).unwrap();
    db.execute_batch(&format!(
        "PRAGMA foreign_keys = OFF; {sql}; PRAGMA application_id = 0x74737472; PRAGMA user_version = 5;"
    ))
    .unwrap();
    drop(db);
    let shown = |words: &[&str]| {
        let words = [words, &["--history", "h"]].concat();
        let output = crate::common::tester(&words)
            .current_dir(dir.path())
            .env("TZ", "UTC")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let mut all = String::new();
    for run in 1..=8 {
        let run = run.to_string();
        all += &shown(&["show", &run]);
        all += &shown(&["show", &run, "--csv"]);
    }
    all += &shown(&["history"]);
    assert_eq!(all, expected);
    // Outputs of these runs were not kept for each of them.
    let report = crate::common::run_in(
        dir.path(),
        &["report", "1", "--history", "h", "--to", "r.html"],
        "",
    );
    assert_eq!(report.status, 0, "{report:?}");
    let page = fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(page.contains("\"missing\":\"not-kept\""));
}

#[test]
fn there_is_one_history_wherever_outputs_go() {
    let dir = folder();
    let seeds = ["--seeds", "0..4", "--problem", "hitblow 1 10"];
    batch(
        dir.path(),
        &[&seeds[..], &["--out", "a", "--", "./c"]].concat(),
    );
    let second = batch(
        dir.path(),
        &[&seeds[..], &["--out", "b", "--", "./slow"]].concat(),
    );
    assert!(second.stdout.contains("\nagainst    run 1: "), "{second:?}");
    assert!(
        second
            .stdout
            .contains("run        2 in out/history.sqlite\n"),
        "{second:?}"
    );
    assert!(!dir.path().join("a/history.sqlite").exists());
    // One that an older tester has left beside its outputs is named.
    fs::rename(
        dir.path().join("out/history.sqlite"),
        dir.path().join("a/history.sqlite"),
    )
    .unwrap();
    let history = shows(dir.path(), &["history", "--history", "a/history.sqlite"]);
    assert_eq!(history.lines().count(), 3, "{history}");
}

/// Whether git does this in a folder.
fn git_in(dir: &Path, words: &[&str]) -> bool {
    let run = std::process::Command::new("git")
        .args(["-c", "user.name=n", "-c", "user.email=e"])
        .args(words)
        .current_dir(dir)
        // Of this folder alone, whatever surrounds the test.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .status();
    run.is_ok_and(|status| status.success())
}

#[test]
fn outputs_are_no_changes_that_are_not_committed() {
    let dir = folder();
    let git = |words: &[&str]| git_in(dir.path(), words);
    if !git(&["init", "-q"]) {
        eprintln!("not tested, for there is no git");
        return;
    }
    assert!(git(&["add", "."]) && git(&["commit", "-q", "-m", "first"]));
    let commit_of_a_run = || {
        batch(dir.path(), &["--seeds", "0..3", "--", "./c"]);
        let shown = run_in(dir.path(), &["show"], "").stdout;
        let line = shown.lines().find(|line| line.starts_with("commit "));
        line.unwrap().to_owned()
    };
    for _ in 0..2 {
        let line = commit_of_a_run();
        assert!(!line.contains("not committed"), "{line}");
    }
    // A folder that exists is left as it is.
    fs::remove_file(dir.path().join("out/.gitignore")).unwrap();
    let line = commit_of_a_run();
    assert!(line.contains("not committed"), "{line}");
}

#[test]
fn no_program_that_a_repository_names_is_run() {
    let dir = folder();
    let git = |words: &[&str]| git_in(dir.path(), words);
    if !git(&["init", "-q"]) {
        eprintln!("not tested, for there is no git");
        return;
    }
    let first = ["commit", "-q", "--allow-empty", "-m", "first"];
    let hook = script(dir.path(), "hook", "touch called");
    let monitor = ["config", "core.fsmonitor", hook.to_str().unwrap()];
    assert!(git(&first) && git(&monitor));
    batch(dir.path(), &["--seeds", "0..3", "--", "./c"]);
    assert!(!dir.path().join("called").exists());
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("\ncommit "), "{shown}");
}
