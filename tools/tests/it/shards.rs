//! `tester batch --shard` and `tester merge` through the real binary: a run in parts is the run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::shards::{GAME, folder, merge, outcomes, rewritten, shard, shards};
use crate::common::{CASE, counter, names, run_in, script, write_cases};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::tempdir;

/// Holds the shards of a batch, merged, to the batch on one machine: records, figures, and what is known of the run.
fn merged_is_the_batch(dir: &Path, of: usize, cases: &[&str], program: &[&str]) {
    let alone = run_in(
        dir,
        &[&["batch", "--json"], cases, &["--"], program].concat(),
        "",
    );
    assert!(alone.status < 2, "{alone:?}");
    let files = shards(dir, of, cases, program);
    let together = merge(dir, &files, &["--json"]);
    assert_eq!(together.status, alone.status, "{together:?}");
    assert_eq!(outcomes(&together.stdout), outcomes(&alone.stdout));
    let history = rusqlite::Connection::open(dir.join("out/history.sqlite")).unwrap();
    let same = |sql: &str| {
        let rows = |run: i64| -> Vec<Vec<rusqlite::types::Value>> {
            let mut statement = history.prepare(sql).unwrap();
            let columns = statement.column_count();
            let row = |row: &rusqlite::Row<'_>| (0..columns).map(|i| row.get(i)).collect();
            statement
                .query_map([run], row)
                .unwrap()
                .map(Result::unwrap)
                .collect()
        };
        assert_eq!(rows(1), rows(2), "{sql}");
        assert!(!rows(1).is_empty(), "{sql}");
    };
    same(
        "SELECT case_id, digest, seed, opening, verdict, score, turns, reason, last_words
         FROM record WHERE run = ? ORDER BY case_id",
    );
    same(
        "SELECT kind, state, spec, provenance, problem, objective, planned, judged, accepted, score_sum,
            score_squares, case_set
         FROM run WHERE id = ?",
    );
    for (run, merged) in [(1, 0), (2, 1)] {
        let hosts = "SELECT count(*) FROM host WHERE run = ?";
        let hosts: i64 = history.query_row(hosts, [run], |row| row.get(0)).unwrap();
        let known = "SELECT count(*) FROM record WHERE run = ? AND host = 0";
        let known: i64 = history.query_row(known, [run], |row| row.get(0)).unwrap();
        assert_eq!((hosts, known > 0), (merged, merged > 0));
    }
}

#[test]
fn seeds_in_shards_are_the_batch() {
    let dir = folder();
    merged_is_the_batch(dir.path(), 3, &GAME, &["./c"]);
}

#[test]
fn failures_and_their_last_words_come_along() {
    let dir = tempdir().unwrap();
    script(
        dir.path(),
        "bad",
        "read -r game; echo 0; read -r h b; [ \"$h\" = 1 ] && exit 0; echo 'lost \"it\"' >&2; echo あ; read -r x; exit 3",
    );
    merged_is_the_batch(dir.path(), 4, &GAME, &["./bad"]);
}

#[test]
fn all_secrets_in_shards_are_exact() {
    let dir = folder();
    let cases = ["--all-secrets", "--problem", "hitblow 1 10"];
    // More shards than secrets: some are empty.
    merged_is_the_batch(dir.path(), 13, &cases, &["./c"]);
    let shown = run_in(dir.path(), &["show", "2"], "").stdout;
    assert!(
        shown.contains("mean       5.5000 (of every secret: exact)\n"),
        "{shown}"
    );
}

#[test]
fn a_folder_and_transcripts_in_shards_are_the_batch() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for (number, secret) in [(3, "8 2 5"), (7, "0 1 2"), (12, "9 8 7"), (4000, "1 2 3")] {
        let text = format!("hitblow 3 10\n{secret}\n");
        fs::write(dir.path().join(format!("in/{number:04}.txt")), text).unwrap();
    }
    let words = ["--transcripts", "--turn-limit", "9", "--time-limit", "3"];
    // Transcripts hold times, so that their sums differ: what else there is, is the same.
    merged_is_the_batch(dir.path(), 3, &words[1..], &["echo", "8 2 5"]);
    let files = shards(&dir.path().join("."), 1, &words, &["echo", "8 2 5"]);
    let shown = merge(dir.path(), &files, &["--tag", "told", "--comment", "c"]);
    assert_eq!(shown.status, 1, "{shown:?}");
    let shown = run_in(dir.path(), &["show", "told"], "").stdout;
    assert!(shown.contains("comment    c\n"), "{shown}");
    assert!(
        shown.contains("limits     3 s, 1024 MiB, 9 turns, 128 processes\n"),
        "{shown}"
    );
}

#[test]
fn another_judge_in_shards_is_the_batch() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), ["3 1 4", "2 7", "10 20 30 40", "5", ""]);
    script(dir.path(), "mine", "cat");
    // As many points as there are words; none is a wrong answer.
    script(dir.path(), "scorer", "echo \"Score = $(wc -w < \"$2\")\"");
    let line = "{command} < {case} > {out} && ./scorer {case} {out}";
    let cases = ["--external", line, "--objective", "max", "--name", "words"];
    merged_is_the_batch(dir.path(), 2, &cases, &["./mine"]);
    // The contest's tester is a part of the key.
    let first = shard(dir.path(), "1/3", &cases, &["./mine"]).0;
    script(dir.path(), "scorer", "echo \"Score = 1\"");
    let rest = ["2/3", "3/3"].map(|part| shard(dir.path(), part, &cases, &["./mine"]).0);
    let refused = merge(dir.path(), &[&[first], &rest[..]].concat(), &[]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.contains(
            "shard 2/3 in 2-of-3.jsonl is of another run than what is in 1-of-3.jsonl: judge: "
        ),
        "{refused:?}"
    );
}

#[test]
fn done_twice_counts_once_and_part_of_a_run_can_be_entered_and_resumed() {
    let dir = folder();
    let files = shards(dir.path(), 4, &GAME, &["./c"]);
    let some = [&files[..1], &files[2..], &files[2..3]].concat();
    let shown = merge(dir.path(), &some, &["--partial", "--", "./c"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    insta::assert_snapshot!(shown.stderr, @"
    tester: note: shard 3/4 in 3-of-4.jsonl: 10 of its 10 cases were there already; counted once
    tester: note: 10 of 40 cases are missing: 0010 to 0019, those of shards 2/4
    ");
    assert!(
        shown
            .stdout
            .starts_with("cases      30 of 40: 10 are not judged yet\n"),
        "{shown:?}"
    );
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(
        shown.starts_with("run        1, unfinished, 30 of 40 cases\n"),
        "{shown}"
    );
    let shown = run_in(dir.path(), &["batch", "--resume", "--json"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let whole = run_in(
        dir.path(),
        &[&["batch", "--json"], &GAME[..], &["--", "./c"]].concat(),
        "",
    );
    assert_eq!(outcomes(&shown.stdout), outcomes(&whole.stdout));
    let shown = run_in(dir.path(), &["show", "1"], "").stdout;
    assert!(
        shown.contains("10 cases were judged later, on the machine of this history\n"),
        "{shown}"
    );
}

#[test]
fn the_same_shards_merged_again_are_said_to_be_there() {
    let dir = folder();
    let files = shards(dir.path(), 2, &GAME, &["./c"]);
    let first = merge(dir.path(), &files, &["--", "./c"]);
    assert_eq!((first.status, first.stderr.as_str()), (0, ""));
    let again = merge(dir.path(), &files, &["--", "./c"]);
    let note =
        "tester: note: run 1 has the same shards; `tester delete 2` removes the second one\n";
    assert_eq!((again.status, again.stderr.as_str()), (0, note));
    // Part of them is another run.
    let part = merge(dir.path(), &files[..1], &["--partial", "--", "./c"]);
    assert!(!part.stderr.contains("has the same shards"), "{part:?}");
}

#[test]
fn an_empty_shard_tells_what_there_would_be_to_judge() {
    let dir = folder();
    // Nothing is built for it, whatever a tester.toml says.
    let words = ["--build", "touch built; exit 1", "--no-build"];
    let (file, shown) = shard(
        dir.path(),
        "1000000000/1000000000",
        &[&words[..], &GAME[..]].concat(),
        &["./c"],
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(!dir.path().join("built").exists());
    let text = fs::read_to_string(dir.path().join(file)).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (
            lines.len(),
            &lines[0]["shard"]["run"]["planned"],
            &lines[1]["end"]["judged"]
        ),
        (2, &40.into(), &0.into())
    );
}

#[test]
fn an_interrupted_shard_leaves_no_file() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "slow", "echo x >> begun; sleep 0.2");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch", "--shard", "1/2", "--to", "s.jsonl", "--jobs", "2"])
        .args(GAME)
        .args(["--", "./slow"])
        .current_dir(dir.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    crate::common::wait_until_exists(&dir.path().join("begun"));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ended = child.wait().unwrap();
    assert!(
        !ended.success() && ended.code().is_none(),
        "by the signal: {ended:?}"
    );
    assert_eq!(names(dir.path()), ["begun", "out", "slow"]);
}

#[test]
fn a_case_that_the_machine_cannot_judge_leaves_no_file() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), ["1"]);
    script(dir.path(), "scorer", "echo 'Score = many'");
    let cases = ["--external", "./scorer {case}"];
    let words = ["batch", "--shard", "1/1", "--to", "s.jsonl"];
    let shown = run_in(dir.path(), &[&words, &cases[..]].concat(), "");
    assert_eq!(shown.status, 2, "{shown:?}");
    assert!(
        shown.stderr.contains(
            "tester: shard 1/1: the machine could not judge case 0000: IE: expected an integer"
        ),
        "{shown:?}"
    );
    assert!(!dir.path().join("s.jsonl").exists());
}

#[test]
fn hosts_are_told_with_the_verdicts_that_their_speeds_make_doubtful() {
    let dir = tempdir().unwrap();
    // Hangs where the secret is 9, and else takes some milliseconds.
    script(
        dir.path(),
        "c",
        "read -r game; g=0; while [ $g -lt 9 ]; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; \
         g=$((g + 1)); done; sleep 9",
    );
    let cases = [&["--time-limit", "1"], &GAME[..]].concat();
    let files = shards(dir.path(), 2, &cases, &["./c"]);
    let hosts = [("slow", 30.0), ("fast", 10.0)];
    for (file, (name, calibration)) in files.iter().zip(hosts) {
        let path = dir.path().join(file);
        let elsewhere = |line: &str| {
            let Ok(mut value) = serde_json::from_str::<Value>(line) else {
                return line.to_owned();
            };
            if let Some(header) = value.get_mut("shard") {
                header["host"]["name"] = name.into();
                header["host"]["machine"] = format!("{name}, a processor").into();
                header["host"]["calibration_ms"] = calibration.into();
            }
            value.to_string() + "\n"
        };
        let text = rewritten(&fs::read_to_string(&path).unwrap(), &elsewhere);
        fs::write(path, text).unwrap();
    }
    let merged = merge(dir.path(), &files, &[]);
    assert_eq!(merged.status, 1, "{merged:?}");
    let told = |shown: &str| {
        let lines = shown.lines().skip_while(|line| !line.starts_with("hosts"));
        let lines = lines.take_while(|line| {
            line.starts_with("  ") || line.starts_with("hosts") || line.starts_with("doubtful")
        });
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    // By `gen`: of seeds 0 to 39, 5, 11, 15, 26 and 31 have the secret 9; the first half was judged on the slow host.
    insta::assert_snapshot!(told(&merged.stdout), @"
    hosts      2: the same work takes 3.00 times as long on the slowest as on the fastest
               host  cases  TLE  calibration  ratio  time limit  machine
               slow     20    3    30.000 ms   3.00         1 s  slow, a processor
               fast     20    2    10.000 ms   1.00         1 s  fast, a processor
    doubtful   3 TLE on a slower host, which may be within the limit on the fastest: 0005 0011 0015
    ");
    assert_eq!(
        told(&run_in(dir.path(), &["show"], "").stdout),
        told(&merged.stdout)
    );
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("machine    2 hosts\n"), "{shown}");
}

#[test]
fn pages_and_comparisons_of_a_merged_run_say_what_is_elsewhere() {
    let dir = folder();
    let files = shards(dir.path(), 2, &GAME, &["./c"]);
    assert_eq!(merge(dir.path(), &files, &[]).status, 0);
    fs::rename(dir.path().join("out"), dir.path().join("away")).unwrap();
    let history = "away/history.sqlite";
    let page = run_in(
        dir.path(),
        &["report", "--to", "r.html", "--history", history],
        "",
    );
    assert_eq!(page.status, 0, "{page:?}");
    let page = fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(
        page.contains("\"missing\":\"other-machine\"")
            && !page.contains("\"missing\":\"not-kept\"")
    );
    assert!(page.contains("\nhosts      1\n"), "the table is in it");
    let again = [&["batch", "--history", history], &GAME[..], &["--", "./c"]].concat();
    assert_eq!(run_in(dir.path(), &again, "").status, 0);
    let compared = run_in(dir.path(), &["compare", "--history", history], "");
    assert!(
        compared
            .stdout
            .contains("A and B are the same program with the same arguments"),
        "{compared:?}"
    );
}

#[test]
fn a_case_that_fails_says_where_its_output_is_not() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    let files = shards(dir.path(), 1, &[], &["echo", "0 1 2"]);
    let shown = merge(dir.path(), &files, &[]);
    assert_eq!(shown.status, 1);
    assert!(
        shown
            .stdout
            .contains("output files stayed on the hosts that judged the cases\n"),
        "{shown:?}"
    );
}

#[test]
fn a_limit_is_scaled_where_that_is_asked_for() {
    let dir = folder();
    let (file, shown) = shard(
        dir.path(),
        "1/1",
        &[&["--scale-time-limit", "0.5"], &GAME[..]].concat(),
        &["./c"],
    );
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = fs::read_to_string(dir.path().join(&file)).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let header = &header["shard"];
    let calibration = header["host"]["calibration_ms"].as_f64().unwrap();
    let limit = header["host"]["time_limit_us"].as_f64().unwrap();
    assert!((limit - 2e6 * calibration / 0.5).abs() <= 1.0, "{header}");
    let typed = &header["run"]["spec"]["limits"]["time_us"];
    assert_eq!(*typed, 2_000_000, "as it was typed");
    assert_eq!(merge(dir.path(), &[file], &[]).status, 0);
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("limits     2 s, "), "{shown}");
}

#[test]
fn a_look_at_shards_keeps_nothing() {
    let dir = folder();
    let files = shards(dir.path(), 3, &GAME, &["./c"]);
    let shown = merge(dir.path(), &files, &["--dry-run"]);
    assert_eq!(
        (shown.status, shown.stdout.as_str()),
        (0, "40 of 40 cases, one run; nothing was kept\n")
    );
    assert_eq!(merge(dir.path(), &files[1..], &["--dry-run"]).status, 2);
    let shown = merge(dir.path(), &files[1..], &["--dry-run", "--partial"]);
    assert_eq!(shown.stdout, "26 of 40 cases, one run; nothing was kept\n");
    assert_eq!(
        merge(dir.path(), &files, &["--dry-run", "--json"]).status,
        2
    );
    assert!(!dir.path().join("out/history.sqlite").exists());
}
