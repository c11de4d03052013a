//! `tester merge --against`, a duel of shards, through the real binary.

use std::fs;
use std::path::Path;

use crate::common::shards::{outcomes, shard};
use crate::common::{Shown, counter, late, run_in, script, words};
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
    let words =
        words("duel './late 1' ./up --seeds 0..60 --problem 'hitblow 1 10' --max-difference 5");
    let alone = run_in(at, &words, "");
    assert_eq!(alone.status, 0, "{alone:?}");
    let all = [1, 2, 3, 4, 5, 6];
    let (late, up) = (
        side(at, "a", &all, &["./late", "1"]),
        side(at, "b", &all, &["./up"]),
    );
    let together = against(
        at,
        &late,
        &up,
        &["--max-difference", "5", "--", "./late 1", "./up"],
    );
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
    assert_eq!(played, 30);
    assert_eq!(
        (&kept("1")[..30], &kept("2")[..30]),
        (&kept("3")[..], &kept("4")[..])
    );
    let cautions = |first, second| {
        let compared = run_in(at, &["compare", first, second, "--json"], "").stdout;
        let compared: Value = serde_json::from_str(&compared).unwrap();
        compared["cautions"].clone()
    };
    assert_eq!(cautions("3", "4"), serde_json::json!(["duel-decided"]));
    assert_eq!(cautions("1", "4"), serde_json::json!([]));
    let shown = run_in(at, &["show", "4"], "").stdout;
    assert!(
        shown.starts_with("run        4, done, 30 cases\n"),
        "{shown}"
    );
    assert!(
        shown.contains("command    ./up\n") && shown.contains("hosts      1\n"),
        "{shown}"
    );
}

#[test]
fn relative_scores_of_shards_are_those_of_the_duel_where_best_scores_are_frozen() {
    let dir = duelists();
    let at = dir.path();
    let cases = ["--seeds", "0..60", "--problem", "hitblow 1 10"];
    let run = |words: &[&str]| {
        let shown = run_in(at, words, "");
        assert!(shown.status < 2, "{shown:?}");
        shown.stdout
    };
    // Better than any of both programs' own.
    let ones: Vec<String> = (0..60).map(|id| format!("\"{id:04}\":1")).collect();
    fs::write(at.join("ones.json"), format!("{{{}}}", ones.join(","))).unwrap();
    run(&[&["batch"], &cases[..], &["--", "./up"]].concat());
    run(&["best", "import", "ones.json"]);
    let words = ["duel", "--by", "relative", "./late 1", "./up"];
    let alone = run(&[&words, &cases[..]].concat());
    let all = [1, 2, 3, 4, 5, 6];
    let (late, up) = (
        side(at, "a", &all, &["./late", "1"]),
        side(at, "b", &all, &["./up"]),
    );
    let words = ["--by", "relative", "--", "./late 1", "./up"];
    let together = against(at, &late, &up, &words).stdout;
    assert_eq!(
        together,
        alone.replace("runs       2 and 3", "runs       4 and 5")
    );
    let words = ["--by", "relative", "--dry-run", "--", "./late 1", "./up"];
    let dry = against(at, &late, &up, &words).stdout;
    assert!(alone.starts_with(&dry), "{dry}");
}

#[test]
fn a_duel_takes_pairs_in_order_and_nothing_behind_a_gap() {
    let dir = duelists();
    let at = dir.path();
    let late = side(at, "a", &[1, 2, 3, 4, 6], &["./late", "1"]);
    let up = side(at, "b", &[1, 2, 4, 5, 6], &["./up"]);
    let look = |first: &[String], second: &[String]| -> (i32, Value) {
        let words = ["--max-difference", "5", "--dry-run", "--json"];
        let shown = against(at, first, second, &words);
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
      "better_on_pairs": "B",
      "bound": 5.0,
      "caution": null,
      "difference": -0.9666666666666668,
      "failed": [
        0,
        0
      ],
      "interval": [
        -1.8946670630207032,
        -0.03579325182299727
      ],
      "largest": 1.0,
      "means": [
        7.2,
        6.233333333333333
      ],
      "measure": "score",
      "outcome": "decided",
      "pairs": 30,
      "planned": 60,
      "played": 30,
      "ready": 40,
      "runs": null,
      "safer": null
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
fn a_program_that_fails_more_is_not_the_better_one_by_its_scores() {
    let dir = duelists();
    let at = dir.path();
    // As `./up`, but it fails if the digit is 8 or 9.
    let play =
        "while [ $g -lt 8 ]; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; g=$((g + 1)); done";
    script(at, "weak", &format!("read -r game; g=0; {play}; exit 1"));
    let all = [1, 2, 3, 4, 5, 6];
    let weak = side(at, "a", &all, &["./weak"]);
    let late = side(at, "b", &all, &["./late", "1"]);
    let up = side(at, "c", &all, &["./up"]);
    let held = |first: &[String], second: &[String]| {
        let words = ["--max-difference", "4", "--dry-run", "--json"];
        let shown = against(at, first, second, &words);
        let held: Value = serde_json::from_str(&shown.stdout).unwrap();
        let names = ["outcome", "better", "better_on_pairs", "safer"];
        (names.map(|name| held[name].clone()), held["failed"].clone())
    };
    let (said, failed) = held(&weak, &late);
    assert_eq!(
        said,
        ["decided".into(), Value::Null, "A".into(), "B".into()]
    );
    assert!(failed[0].as_u64() > Some(0) && failed[1] == 0, "{failed}");
    // One that is better and fails less is better.
    let (said, _) = held(&up, &late);
    assert_eq!(
        said,
        ["decided".into(), "A".into(), "A".into(), Value::Null]
    );
    let (said, _) = held(&weak, &up);
    assert_eq!(
        said,
        ["undecided".into(), Value::Null, Value::Null, "B".into()]
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
    let cases = words("--seeds 0..61 --problem 'hitblow 1 10' --turn-limit 9");
    let other = vec![shard(at, "1/6", &cases, &["./up"]).0];
    insta::assert_snapshot!(refused(&other, &[]), @"tester: the two programs were not judged alike on the same cases: cases: 60 of seeds 0..60 of hitblow 1 10 and 61 of seeds 0..61 of hitblow 1 10; turn limit: 1000 and 9");
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
