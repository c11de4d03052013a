//! `tester merge --against`, a duel of shards, through the real binary.

use std::path::Path;

use crate::common::shards::{outcomes, shard};
use crate::common::{Shown, counter, late, run_in, script};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// `./up` guesses 0, 1, 2 …; `./late N` wastes its first N turns.
fn duelists() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "up", "");
    late(dir.path());
    script(dir.path(), "bad", "exit 1");
    dir
}

/// The shards `which` of six of a program, in files of its own.
fn side(dir: &Path, name: &str, which: &[u64], program: &[&str]) -> Vec<String> {
    let cases = ["--seeds", "0..60", "--problem", "hitblow 1 10"];
    let parts = which.iter().map(|index| {
        let (part, file) = (format!("{index}/6"), format!("{name}{index}.jsonl"));
        let words = ["batch", "--shard", &part, "--to", &file];
        let shown = run_in(dir, &[&words, &cases[..], &["--"], program].concat(), "");
        assert!(shown.status < 2, "{shown:?}");
        file
    });
    parts.collect()
}

fn against(dir: &Path, first: &[String], second: &[String], more: &[&str]) -> Shown {
    let words = |files: &[String]| files.iter().map(String::clone).collect::<Vec<_>>();
    let all = [
        vec!["merge".to_owned()],
        words(first),
        vec!["--against".to_owned()],
        words(second),
    ]
    .concat();
    let all: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    run_in(dir, &all, "")
}

#[test]
fn a_duel_of_shards_ends_as_the_duel_does() {
    let dir = duelists();
    let at = dir.path();
    let words = [
        "duel",
        "./late 1",
        "./up",
        "--seeds",
        "0..60",
        "--problem",
        "hitblow 1 10",
    ];
    let alone = run_in(at, &words, "");
    assert_eq!(alone.status, 0, "{alone:?}");
    let all = [1, 2, 3, 4, 5, 6];
    let (late, up) = (
        side(at, "a", &all, &["./late", "1"]),
        side(at, "b", &all, &["./up"]),
    );
    let together = against(at, &late, &up, &["--", "./late 1", "./up"]);
    assert_eq!(
        together.stdout,
        alone
            .stdout
            .replace("runs       1 and 2", "runs       3 and 4")
    );
    assert_eq!((together.status, together.stderr.as_str()), (0, ""));
    // What is kept are the pairs that it took, as a duel keeps them; one that was on its way there is not among them.
    let kept = |run: &str| outcomes(&run_in(at, &["show", run, "--json"], "").stdout);
    let played = kept("3").len();
    assert_eq!(played, 31);
    assert_eq!(
        (&kept("1")[..31], &kept("2")[..31]),
        (&kept("3")[..], &kept("4")[..])
    );
    let shown = run_in(at, &["show", "4"], "").stdout;
    assert!(
        shown.starts_with("run        4, done, 31 cases\n"),
        "{shown}"
    );
    assert!(
        shown.contains("command    ./up\n") && shown.contains("hosts      1\n"),
        "{shown}"
    );
}

#[test]
fn a_duel_takes_pairs_in_order_and_nothing_behind_a_gap() {
    let dir = duelists();
    let at = dir.path();
    let late = side(at, "a", &[1, 2, 3, 4, 6], &["./late", "1"]);
    let up = side(at, "b", &[1, 2, 4, 5, 6], &["./up"]);
    let look = |first: &[String], second: &[String]| -> (i32, Value) {
        let shown = against(at, first, second, &["--dry-run", "--json"]);
        (shown.status, serde_json::from_str(&shown.stdout).unwrap())
    };
    let (status, stands) = look(&late, &up);
    assert_eq!((status, &stands["outcome"]), (1, &"undecided".into()));
    assert_eq!(
        [&stands["ready"], &stands["played"], &stands["planned"]],
        [20, 20, 60]
    );
    // Shards that came in another order change nothing; the missing one does.
    let reversed: Vec<String> = up.iter().rev().cloned().collect();
    assert_eq!(look(&late, &reversed).1, stands);
    let whole = [up, side(at, "b", &[3], &["./up"])].concat();
    let (status, stands) = look(&late, &whole);
    insta::assert_snapshot!(serde_json::to_string_pretty(&stands).unwrap(), @r#"
    {
      "alpha": 0.05,
      "better": "B",
      "difference": -0.967741935483871,
      "failed": [
        0,
        0
      ],
      "half_width": 0.6811291558707622,
      "means": [
        7.225806451612903,
        6.258064516129032
      ],
      "outcome": "decided",
      "pairs": 31,
      "planned": 60,
      "played": 31,
      "ready": 40,
      "runs": null
    }
    "#);
    assert_eq!(status, 0);
    assert!(!at.join("out/history.sqlite").exists(), "nothing is kept");
    let (_, nothing) = look(&late, &whole[1..]);
    assert_eq!(
        [&nothing["ready"], &nothing["played"], &nothing["means"]],
        [&0.into(), &0.into(), &Value::Null]
    );
    // A program that fails every case has no pair.
    let bad = side(at, "c", &[1, 2, 3, 4], &["./bad"]);
    let (status, stands) = look(&bad, &whole);
    assert_eq!(
        (status, &stands["outcome"], &stands["failed"][0]),
        (1, &"hopeless".into(), &30.into())
    );
}

#[test]
fn what_is_no_duel_is_refused() {
    let dir = duelists();
    let at = dir.path();
    let up = side(at, "a", &[1], &["./up"]);
    let refused = |second: &[String], more: &[&str]| {
        let shown = against(at, &up, second, more);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    let cases = [
        "--seeds",
        "0..61",
        "--problem",
        "hitblow 1 10",
        "--turn-limit",
        "9",
    ];
    let other = vec![shard(at, "1/6", &cases, &["./up"]).0];
    insta::assert_snapshot!(refused(&other, &[]), @"tester: the two programs were not judged alike on the same cases: cases: 60 of seeds 0..60 of hitblow 1 10 and 61 of seeds 0..61 of hitblow 1 10; limits: 2 s, 1048576 KiB, 1000 turns, 128 processes and 2 s, 1048576 KiB, 9 turns, 128 processes");
    insta::assert_snapshot!(refused(&up, &["--", "./up"]), @"
    tester: expected two programs after --, found 1
    hint: each program is one word, its arguments included: './a -x' ./b
    ");
    insta::assert_snapshot!(refused(&up, &["--", "./up", "./late 1"]).replace(char::is_numeric, "0").split("SHA").next().unwrap(), @"
    tester: failed to merge; nothing was written:
    - expected ./late 0,
    ");
    assert!(!at.join("out/history.sqlite").exists());
}
