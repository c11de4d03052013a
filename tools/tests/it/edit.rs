//! Runs of the history for other programs, corrected, deleted, and read on a full disk: `--json`, `tester edit`,
//! `tester delete`.

use std::fs;
use std::process::Stdio;

use crate::common::{counter, names, run_in, script, words};
use crate::history::{ALL, batch, counted_and_slow, folder, refuses, shows};
use crate::machine::with_mounts;

#[test]
fn a_comparison_can_be_had_as_json_with_the_figures_of_the_text() {
    let dir = folder();
    let at = dir.path();
    counted_and_slow(at);
    batch(at, &[&["--tag", "bad"], &ALL[..], &["./bad"]].concat());
    let json = |args: &[&str]| -> serde_json::Value {
        let text = shows(at, &[&["compare", "--json"], args].concat());
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        serde_json::from_str(&text).unwrap()
    };
    // 0 is found at once by both, everything else a turn later: mean 5.5 and 6.4.
    insta::assert_snapshot!(format!("{:#}", json(&["1", "2"])), @r#"
    {
      "a": {
        "command": "./c",
        "run": 1,
        "tag": "数え上げ"
      },
      "b": {
        "command": "./slow",
        "run": 2,
        "tag": "slow"
      },
      "better": "a",
      "cases": {
        "accepted_in_both": 10,
        "both": 10,
        "both_failed": [],
        "only_a_failed": [],
        "only_b_failed": [],
        "only_in_a": 0,
        "only_in_b": 0,
        "other_content": 0
      },
      "cautions": [],
      "conclusion": "proved",
      "figures": {
        "b_better": 0,
        "b_worse": 9,
        "difference": 0.9,
        "exact": true,
        "half_width": null,
        "mean_a": 5.5,
        "mean_b": 6.4,
        "p": null,
        "same": 1
      },
      "measure": "score",
      "needed_cases": null,
      "objective": "min",
      "problem": "hitblow 1 10"
    }
    "#);
    let failed = json(&["1", "bad", "--by", "log"]);
    assert_eq!(failed["cases"]["only_b_failed"], serde_json::json!([9]));
    assert_eq!(failed["measure"], "log");
    assert_eq!(failed["figures"]["same"], 9);
    assert_eq!(failed["better"], serde_json::Value::Null);
    assert_eq!(failed["cautions"], serde_json::json!(["failed-more"]));
}

#[test]
fn what_was_said_of_runs_can_be_corrected_and_records_stay() {
    let dir = folder();
    let at = dir.path();
    counted_and_slow(at);
    let records = shows(at, &["show", "1", "--csv"]);
    let edited = run_in(
        at,
        &words("edit 1 slow --tag both --comment 'a remark'"),
        "",
    );
    assert_eq!(
        (edited.status, edited.stderr.as_str()),
        (0, "tester: edited: run 1, 2\n")
    );
    let shown = shows(at, &["show", "1"]);
    assert!(
        shown.contains("both") && shown.contains("comment    a remark\n"),
        "{shown}"
    );
    assert_eq!(run_in(at, &["edit", "1", "--comment", ""], "").status, 0);
    assert!(!shows(at, &["show", "1"]).contains("comment"));
    assert_eq!(shows(at, &["show", "1", "--csv"]), records);
    insta::assert_snapshot!(refuses(at, &["edit", "1", "9", "--tag", "x"]), @r#"
    tester: no such run in out/history.sqlite: expected a run's number, a tag, or "last", found "9"
    hint: `tester history` lists all runs
    "#);
    insta::assert_snapshot!(refuses(at, &["edit", "1", "--objective", "max"]), @"
    tester: run 1 is of hitblow 1 10, whose objective never changes; nothing was edited
    hint: --objective is for runs of another judge
    ");
    assert!(refuses(at, &["edit", "1"]).contains("--tag"));
    assert!(shows(at, &["history"]).matches("both").count() == 2);
}

#[test]
fn deleted_runs_count_no_more_and_leave_nothing() {
    let dir = folder();
    let at = dir.path();
    counted_and_slow(at);
    // A bogus run: a program that knows the secret of the last case.
    script(
        at,
        "cheat",
        "read -r game; echo 9; read -r h b; [ \"$h\" = 1 ] && exit 0; exec ./c_after",
    );
    script(
        at,
        "c_after",
        "g=0; while :; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; g=$((g + 1)); done",
    );
    let before = [&["show", "slow"][..], &["compare", "1", "2"]].map(|args| shows(at, args));
    let best = shows(at, &["compare", "best"]);
    let program = ["./cheat"];
    for tag in ["v3", "v3"] {
        batch(at, &[&["--tag", tag], &ALL[..], &program[..]].concat());
    }
    assert_ne!(shows(at, &["show", "slow"]), before[0]);
    fs::write(at.join("out/runs/3/notes.md"), "mine").unwrap();
    let deleted = run_in(at, &["delete", "v3", "3", "last"], "");
    assert_eq!(deleted.status, 0, "{deleted:?}");
    insta::assert_snapshot!(deleted.stdout, @"
    deleted run 3 (v3), 10 cases, out/runs/3: ./cheat
    deleted run 4 (v3), 10 cases, out/runs/4: ./cheat
    ");
    insta::assert_snapshot!(deleted.stderr, @"tester: out/runs/3 stays: other files are in it, or it cannot be removed");
    assert_eq!(names(&at.join("out/runs")), ["1", "2", "3"]);
    let after = [&["show", "slow"][..], &["compare", "1", "2"]].map(|args| shows(at, args));
    assert_eq!(after, before);
    assert_eq!(shows(at, &["compare", "best"]), best);
    // Nothing is deleted where one of the words names no run.
    insta::assert_snapshot!(refuses(at, &["delete", "1", "9"]), @r#"
    tester: no such run in out/history.sqlite: expected a run's number, a tag, or "last", found "9"
    hint: `tester history` lists all runs
    "#);
    assert_eq!(refuses(at, &["delete", "v3"]), refuses(at, &["show", "v3"]));
    assert_eq!(shows(at, &["show", "slow"]), before[0]);
    shows(at, &["best", "freeze", "1"]);
    insta::assert_snapshot!(shows(at, &["delete", "slow", "1"]), @"
    deleted run 1 (数え上げ), 10 cases, out/runs/1: ./c
    deleted run 2 (slow), 10 cases, out/runs/2: ./slow
    the best scores of 10 cases of hitblow 1 10 stay frozen in out/history.best.json
    ");
    assert!(at.join("out/history.best.json").exists());
    assert_eq!(shows(at, &["history", "--json"]), "");
    // A history is not made.
    let none = ["1", "--history", "none"];
    let [deleted, shown] =
        ["delete", "show"].map(|word| refuses(at, &[&[word][..], &none].concat()));
    assert_eq!(deleted, shown);
    assert!(!at.join("none").exists());
}

#[test]
fn copies_of_a_deleted_run_are_those_of_the_newest_run_that_is_left() {
    let dir = folder();
    let at = dir.path();
    // Guesses digits from the first argument on. Where the second one is loud, its stderr is not empty.
    script(
        at,
        "from",
        "read -r game; g=$1; while :; do [ $2 = loud ] && echo $1 >&2; echo $g; read -r h b; \
         [ \"$h\" = 1 ] && exit 0; g=$(((g + 1) % 10)); done",
    );
    let run = |seeds: &str, first: &str, voice: &str| {
        let program = ["--", "./from", first, voice];
        batch(
            at,
            &[
                &["--problem", "hitblow 1 10", "--seeds", seeds],
                &program[..],
            ]
            .concat(),
        );
    };
    run("0..3", "0", "loud");
    run("0..2", "0", "quiet");
    run("0..6", "5", "loud");
    let read = |name: &str| fs::read_to_string(at.join("out").join(name)).ok();
    let [first, second] = [1, 2].map(|run| {
        move |case: usize| read(&format!("runs/{run}/000{case}.txt")).expect("it was judged")
    });
    let outputs = [second(0), second(1), first(2)];
    assert_ne!(read("0001.txt").as_ref(), Some(&outputs[1]));
    fs::write(at.join("out/0003.txt"), "mine").unwrap();
    fs::write(at.join("out/0002.err"), "mine").unwrap();
    fs::remove_file(at.join("out/0004.txt")).unwrap();
    fs::remove_file(at.join("out/0005.txt")).unwrap();
    fs::write(at.join("precious"), read("runs/3/0005.txt").unwrap()).unwrap();
    std::os::unix::fs::symlink("../precious", at.join("out/0005.txt")).unwrap();
    shows(at, &["delete", "3"]);
    for (case, output) in outputs.into_iter().enumerate() {
        assert_eq!(read(&format!("000{case}.txt")), Some(output), "{case}");
    }
    // The program was quiet.
    assert_eq!(read("0000.err").unwrap_or_default(), "");
    // What is not of the deleted run stays.
    assert_eq!(read("0002.err").as_deref(), Some("mine"));
    assert_eq!(read("0003.txt").as_deref(), Some("mine"));
    assert_eq!(read("0004.txt"), None);
    assert!(at.join("out/0005.txt").is_symlink());
    // A run that is deleted with another one is no source. A copy that no run is left for goes.
    fs::remove_file(at.join("out/0002.err")).unwrap();
    shows(at, &["delete", "1", "2"]);
    for name in ["0000.txt", "0000.err", "0001.txt", "0002.txt"] {
        assert_eq!(read(name), None, "{name}");
    }
    assert_eq!(read("0003.txt").as_deref(), Some("mine"));
}

#[test]
fn copies_of_a_deleted_side_of_a_duel_are_of_that_side() {
    let dir = folder();
    let at = dir.path();
    counted_and_slow(at);
    let duel = words("duel ./c ./slow --problem 'hitblow 1 10' --seeds 0..10");
    run_in(at, &duel, "");
    let copies = || ["duel-a", "duel-b"].map(|side| names(&at.join("out").join(side)).len());
    let batch = names(&at.join("out"));
    let [a, b] = copies();
    assert!(a > 0 && b > 0);
    shows(at, &["delete", "3"]);
    assert_eq!(copies(), [0, b]);
    shows(at, &["delete", "4"]);
    assert_eq!((copies(), names(&at.join("out"))), ([0, 0], batch));
}

#[test]
fn a_run_that_is_being_judged_is_not_deleted() {
    let dir = folder();
    let at = dir.path();
    counted_and_slow(at);
    script(
        at,
        "waits",
        "touch began; while [ ! -e end ]; do sleep 0.01; done",
    );
    let mut judging = std::process::Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(words(
            "batch --problem 'hitblow 1 10' --seeds 0 --time-limit 600",
        ))
        .args(["--", "./waits"])
        .current_dir(at)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    crate::common::wait_until_exists(&at.join("began"));
    insta::assert_snapshot!(refuses(at, &["delete", "1", "last"]), @"
    tester: another process is judging run 3; nothing was deleted
    hint: try again when it has ended
    ");
    // Another run may be deleted meanwhile, and the batch ends as usual.
    insta::assert_snapshot!(shows(at, &["delete", "1"]), @"deleted run 1 (数え上げ), 10 cases, out/runs/1: ./c");
    fs::write(at.join("end"), "").unwrap();
    assert_eq!(judging.wait().unwrap().code(), Some(1));
    assert!(shows(at, &["show"]).contains("verdicts   "));
    insta::assert_snapshot!(shows(at, &["delete", "last"]), @"deleted run 3, 1 case, out/runs/3: ./waits");
    assert_eq!(names(&at.join("out/runs")), ["2"]);
}

#[test]
fn runs_with_the_wrong_objective_are_compared_when_it_was_corrected() {
    let dir = folder();
    let at = dir.path();
    crate::external::lists(at);
    let judge = |objective: &str, program: &str| {
        let line = "{command} < {case} > {out} && echo Score = $(cat {out})";
        let options = ["--external", line, "--objective", objective];
        let program = ["--", "sh", "-c", program];
        let shown = run_in(at, &[&["batch"], &options[..], &program].concat(), "");
        let against = shown
            .stdout
            .find("against")
            .map(|from| shown.stdout[from..].to_owned());
        against.unwrap_or_default()
    };
    assert_eq!(judge("max", "echo 5"), "");
    insta::assert_snapshot!(judge("min", "echo 4"), @"
    against    run 1 is not compared: its objective is max, not min. If that was a mistake:
               tester edit 1 --objective min
    ");
    insta::assert_snapshot!(refuses(at, &["compare"]), @"
    tester: failed to compare runs 1 and 2: expected the same objective, found max and min
    hint: `tester edit RUN… --objective min` corrects runs that were judged with the wrong one
    ");
    assert_eq!(
        run_in(at, &["edit", "1", "--objective", "min"], "").status,
        0
    );
    let shown = shows(at, &["compare"]);
    assert!(
        shown.contains("B better on 3, the same on 0, worse on 0"),
        "{shown}"
    );
}

#[test]
fn runs_are_listed_as_json_too() {
    let dir = folder();
    let at = dir.path();
    counted_and_slow(at);
    let text = shows(at, &["history", "--json"]);
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<serde_json::Value> = lines.collect();
    let field =
        |name: &str| -> Vec<String> { lines.iter().map(|line| line[name].to_string()).collect() };
    assert_eq!(field("run"), ["2", "1"]);
    assert_eq!(field("tag"), [r#""slow""#, r#""数え上げ""#]);
    assert_eq!(field("mean"), ["6.4", "5.5"]);
    assert_eq!(field("state"), [r#""done""#; 2]);
    assert_eq!(field("of"), [r#""all secrets of hitblow 1 10""#; 2]);
    // All of them: another program would not notice that some are left out.
    for _ in 0..20 {
        batch(
            at,
            &["--problem", "hitblow 1 10", "--seeds", "0", "--", "./c"],
        );
    }
    let count = |args: &[&str]| {
        shows(at, &[&["history", "--json"], args].concat())
            .lines()
            .count()
    };
    assert_eq!((count(&[]), count(&["--limit", "3"])), (22, 3));
}

#[test]
fn different_limits_are_named_also_where_nothing_can_be_compared() {
    let dir = folder();
    let at = dir.path();
    let all = ["--all-secrets", "--problem", "hitblow 1 10"];
    batch(
        at,
        &[&all[..], &["--turn-limit", "20", "--", "false"]].concat(),
    );
    batch(
        at,
        &[&all[..], &["--turn-limit", "30", "--", "./c"]].concat(),
    );
    let shown = shows(at, &["compare"]);
    assert!(
        shown.contains("A and B were judged with different limits"),
        "{shown}"
    );
    let sentence = "No case was accepted in both runs: there is nothing to compare.\n";
    assert!(shown.ends_with(sentence), "{shown}");
}

#[test]
fn a_history_is_read_where_the_disk_has_no_room_for_a_byte() {
    let dir = tempfile::tempdir().unwrap();
    counter(dir.path(), "c", "");
    let tester = env!("CARGO_BIN_EXE_tester");
    let steps = format!(
        "mkdir out; mount -t tmpfs -o size=1m none out
         {tester} batch --seeds 0..9 --problem 'hitblow 1 10' -- ./c > told
         head -c 2000000 /dev/zero > out/fill 2> full || true
         {tester} history > listed
         {tester} show > shown
         {tester} batch --seeds 0..3 -- ./c 2> refused && exit 9
         rm out/fill
         {tester} show --csv > kept"
    );
    let Some(output) = with_mounts(dir.path(), &steps) else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(read("full").contains("No space left on device"));
    assert!(read("listed").contains("./c"), "{}", read("listed"));
    assert!(
        read("shown").contains("verdicts   AC 9\n"),
        "{}",
        read("shown")
    );
    let refused = read("refused");
    assert!(
        refused.contains("hint: if the disk is full, make room"),
        "{refused}"
    );
    assert_eq!(read("kept").lines().count(), 10);
}
