//! `tester batch` through the real binary: what it judges, prints and leaves.

use std::fs;
use std::process::Command;

use crate::common::{CASE, counter, names, run_in, script};
use tempfile::tempdir;

#[test]
fn batch_judges_a_folder_and_keeps_outputs() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for (name, secret) in [("0000", "8 2 5"), ("0003", "0 1 2"), ("0007", "9 8 7")] {
        fs::write(
            dir.path().join(format!("in/{name}.txt")),
            format!("hitblow 3 10\n{secret}\n"),
        )
        .unwrap();
    }
    fs::write(dir.path().join("in/notes.txt"), "not a case").unwrap();
    script(
        dir.path(),
        "c",
        "echo '0 1 2'; read -r game; read -r reply; [ \"$reply\" = '3 0' ] && exit; echo note >&2; echo '8 2 5'; read -r reply; [ \"$reply\" = '3 0' ]",
    );
    let shown = run_in(dir.path(), &["batch", "--jobs", "2", "--", "./c"], "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let stable: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|l| !l.starts_with("slowest"))
        .collect();
    // The command to rerun a case names the binary as it was called.
    let stable = stable
        .join("\n")
        .replace(env!("CARGO_BIN_EXE_tester"), "tester");
    insta::assert_snapshot!(stable, @r#"
    cases      3
    verdicts   AC 2  RE 1
    mean       1.5000 ± 6.3531 (95 % confidence)
    min        1
    median     1.5
    max        2
    total      3 over 2 accepted
    score      cases
             1      1 ████████████████████████████████████████
             2      1 ████████████████████████████████████████
    worst      0000  2  tester -- ./c < in/0000.txt
               0003  1  tester -- ./c < in/0003.txt
    0007  RE: turn 3: exit status 1, expected 0
          its stderr ended with "note"
          tester -- ./c < in/0007.txt
    output files: out/runs/1/NNNN.txt and out/runs/1/NNNN.err
    run        1 in out/history.sqlite
    "#);
    assert_eq!(
        names(&dir.path().join("out")),
        [
            "0000.err",
            "0000.txt",
            "0003.txt",
            "0007.err",
            "0007.txt",
            "history.sqlite",
            "runs"
        ]
    );
    // What was empty has left no file.
    let own = names(&dir.path().join("out/runs/1"));
    assert_eq!(
        own,
        ["0000.err", "0000.txt", "0003.txt", "0007.err", "0007.txt"]
    );
    let read = |name: &str| fs::read_to_string(dir.path().join("out").join(name)).unwrap();
    assert_eq!(
        (read("0000.txt"), read("0000.err")),
        ("0 1 2\n8 2 5\n".into(), "note\n".into())
    );
    assert_eq!(read("0003.txt"), "0 1 2\n");
    for name in own {
        assert_eq!(read(&name), read(&format!("runs/1/{name}")));
    }
}

#[test]
fn batch_tells_how_to_rerun_a_failed_case_with_its_limits() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("my cases")).unwrap();
    fs::write(dir.path().join("my cases/0003.txt"), CASE).unwrap();
    let args = [
        "batch",
        "--cases",
        "my cases",
        "--turn-limit",
        "1",
        "--",
        "echo",
        "7 7 1",
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1);
    let rerun = "tester --turn-limit 1 -- echo '7 7 1' < 'my cases/0003.txt'\n";
    assert!(shown.stdout.contains(rerun), "{}", shown.stdout);
    let wrote = "output files: out/runs/1/NNNN.txt and out/runs/1/NNNN.err\n";
    assert!(shown.stdout.contains(wrote), "{}", shown.stdout);
}

#[test]
fn table_that_cannot_be_written_is_an_error() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("in/0000.txt"), CASE).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch", "--", "echo", "8 2 5"])
        .current_dir(dir.path())
        .stdout(fs::File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("failed to write the table"));
}

/// The fields of `--json` that do not depend on the machine.
fn outcomes(lines: &str) -> Vec<(u64, String, Option<u64>)> {
    let parse = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let verdict = line["verdict"].as_str().unwrap().to_owned();
        (
            line["case"].as_u64().unwrap(),
            verdict,
            line["score"].as_u64(),
        )
    };
    lines.lines().map(parse).collect()
}

#[test]
fn seeds_need_no_files_and_are_printed_for_other_programs() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let args = [
        "batch",
        "--seeds",
        "3..9",
        "--problem",
        "hitblow 1 10",
        "--json",
        "--",
        "./c",
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(
        shown.stderr.contains("verdicts   AC 6"),
        "the table is on stderr"
    );
    let lines: Vec<serde_json::Value> = shown
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 6);
    for (line, seed) in lines.iter().zip(3..) {
        let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
        let expected = [
            "case",
            "cpu_ms",
            "memory_kib",
            "reason",
            "score",
            "seed",
            "verdict",
            "wall_ms",
        ];
        let mut sorted = keys.clone();
        sorted.sort();
        assert_eq!(sorted, expected);
        assert_eq!(
            (line["case"].as_u64(), line["seed"].as_u64()),
            (Some(seed), Some(seed))
        );
        // The score is the secret plus one, which `gen` tells.
        let seed = seed.to_string();
        let gen_args = [
            "gen",
            "--seeds",
            &seed,
            "--problem",
            "hitblow 1 10",
            "--dir",
            "g",
        ];
        assert_eq!(run_in(dir.path(), &gen_args, "").status, 0);
        let case = fs::read_to_string(dir.path().join(format!("g/{seed:0>4}.txt"))).unwrap();
        let secret: u64 = case.lines().nth(1).unwrap().parse().unwrap();
        assert_eq!(line["score"].as_u64(), Some(secret + 1));
    }
    let args = [
        "batch",
        "--seeds",
        "3..9",
        "--problem",
        "hitblow 1 10",
        "--csv",
        "--",
        "./c",
    ];
    let csv = run_in(dir.path(), &args, "").stdout;
    assert!(
        csv.starts_with("case,seed,verdict,score,wall_ms,cpu_ms,memory_kib,reason\n3,3,AC,"),
        "{csv}"
    );
    assert!(!dir.path().join("in").exists());
}

#[test]
fn all_secrets_give_the_mean_itself() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let args = [
        "batch",
        "--all-secrets",
        "--problem",
        "hitblow 1 4",
        "--",
        "./c",
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(
        shown
            .stdout
            .contains("mean       2.5000 (of every secret: exact)\n"),
        "{}",
        shown.stdout
    );
    let tester = env!("CARGO_BIN_EXE_tester");
    let rerun = format!("worst      0003  4  printf '%s\\n' 'hitblow 1 4' 3 | {tester} -- ./c\n");
    assert!(shown.stdout.contains(&rerun), "{}", shown.stdout);
    // What is printed to be pasted works.
    let line = shown
        .stdout
        .lines()
        .find(|l| l.starts_with("worst"))
        .unwrap();
    let command = &line[line.find("printf").unwrap()..];
    let again = Command::new("sh")
        .args(["-c", command])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stderr), "Score = 4\n");
}

#[test]
fn rerun_commands_of_seeds_work() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let args = [
        "batch",
        "--seeds",
        "0..5",
        "--problem",
        "hitblow 1 10",
        "--turn-limit",
        "1",
        "--",
        "./c",
    ];
    let shown = run_in(dir.path(), &args, "");
    assert_eq!(shown.status, 1);
    let command = shown
        .stdout
        .lines()
        .find(|l| l.contains(" --seed ") && l.starts_with("  "))
        .unwrap();
    let again = Command::new("sh")
        .args(["-c", command])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert!(
        stderr.starts_with("WA: turn 2: \"1\" is past the limit of 1 turns"),
        "{command}: {stderr}"
    );
}

#[test]
fn transcripts_hold_both_sides() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "echo hello >&2");
    let args = [
        "batch",
        "--seeds",
        "0..2",
        "--problem",
        "hitblow 1 10",
        "--transcripts",
        "--",
        "./c",
    ];
    assert_eq!(run_in(dir.path(), &args, "").status, 0);
    let text = fs::read_to_string(dir.path().join("out/runs/1/0001.transcript")).unwrap();
    for part in [
        "] > hitblow 1 10\n",
        "] < 0\n",
        "] ! hello\n",
        "] = AC, score ",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn failures_of_a_kind_stand_together_with_their_last_words() {
    let dir = tempdir().unwrap();
    script(dir.path(), "c", "echo 'thread main panicked' >&2; exit 3");
    let args = ["batch", "--seeds", "0..12", "--jobs", "1", "--", "./c"];
    let shown = run_in(dir.path(), &args, "");
    let stable = shown.stdout.replace(env!("CARGO_BIN_EXE_tester"), "tester");
    let stable: Vec<&str> = stable
        .lines()
        .filter(|l| !l.starts_with("slowest"))
        .collect();
    insta::assert_snapshot!(stable.join("\n"), @r#"
    cases      12
    verdicts   RE 12
    0000  RE: turn 1: exit status 3, expected 0
          its stderr ended with "thread main panicked"
          tester --seed 0 -- ./c
          11 more failed likewise: 0001 0002 0003 0004 0005 0006 0007 0008 …
    output files: out/runs/1/NNNN.txt and out/runs/1/NNNN.err
    run        1 in out/history.sqlite
    "#);
}

#[test]
fn fail_fast_stops_and_resume_judges_the_rest() {
    let dir = tempdir().unwrap();
    // Every case fails until a file is there.
    counter(dir.path(), "c", "");
    let fails = "read -r game; exit 1";
    script(
        dir.path(),
        "flaky",
        &format!("[ -e ok ] || {{ {fails}; }}; exec ./c"),
    );
    let batch = |args: &[&str]| {
        let usual = [
            "batch",
            "--seeds",
            "0..40",
            "--problem",
            "hitblow 1 10",
            "--jobs",
            "2",
        ];
        run_in(dir.path(), &[&usual[..], args].concat(), "")
    };
    let stopped = batch(&["--fail-fast", "--", "./flaky"]);
    assert_eq!(stopped.status, 1, "{stopped:?}");
    assert!(
        stopped.stderr.contains("tester batch --resume=1"),
        "{stopped:?}"
    );
    assert!(stopped.stdout.starts_with("cases      "), "{stopped:?}");
    assert!(
        stopped.stdout.lines().next().unwrap().contains(" of 40: "),
        "{stopped:?}"
    );
    fs::write(dir.path().join("ok"), "").unwrap();
    let resumed = run_in(dir.path(), &["batch", "--resume", "--json"], "");
    assert_eq!(
        resumed.status, 1,
        "what failed before stays failed: {resumed:?}"
    );
    let whole = batch(&["--json", "--", "./flaky"]);
    assert_eq!(whole.status, 0);
    let (resumed, whole) = (outcomes(&resumed.stdout), outcomes(&whole.stdout));
    assert_eq!((resumed.len(), whole.len()), (40, 40));
    let failed = resumed
        .iter()
        .filter(|(_, verdict, _)| verdict == "RE")
        .count();
    // Two are judged at once; on a busy machine some more, until the first failure has been received.
    assert!((1..20).contains(&failed), "{failed}");
    for (resumed, whole) in resumed.iter().zip(&whole) {
        assert!(
            resumed == whole || resumed.1 == "RE",
            "{resumed:?} {whole:?}"
        );
    }
}

#[test]
fn shuffled_cases_are_the_same_cases() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let batch = |more: &[&str]| {
        let usual = [
            "batch",
            "--seeds",
            "0..30",
            "--problem",
            "hitblow 1 10",
            "--json",
        ];
        let args = [&usual[..], more, &["--", "./c"]].concat();
        outcomes(&run_in(dir.path(), &args, "").stdout)
    };
    assert_eq!(batch(&["--shuffle"]), batch(&[]));
}

#[test]
fn cases_are_a_folder_a_file_or_a_pattern() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir_all(at("in/more")).unwrap();
    for name in [
        "in/0001.txt",
        "in/0012.txt",
        "in/0013.txt",
        "in/more/0013.txt",
    ] {
        fs::write(at(name), CASE).unwrap();
    }
    let batch = |cases: &str| {
        let args = ["batch", "--cases", cases, "--", "echo", "8 2 5"];
        run_in(dir.path(), &args, "")
    };
    for (cases, count) in [
        ("in", 3),
        ("in/0012.txt", 1),
        ("in/001?.txt", 2),
        ("in/*1*.txt", 3),
    ] {
        let shown = batch(cases);
        assert_eq!(shown.status, 0, "{shown:?}");
        let expected = format!("verdicts   AC {count}\n");
        assert!(shown.stdout.contains(&expected), "{cases}: {shown:?}");
    }
    let rerun = batch("in/001?.txt").stdout;
    assert!(
        rerun.contains("tester -- echo '8 2 5' < in/0012.txt\n"),
        "{rerun}"
    );
    let refused = |cases: &str| {
        let shown = batch(cases);
        assert_eq!(shown.status, 2);
        shown.stderr
    };
    insta::assert_snapshot!(refused("in/9*.txt"), @"tester: no case matches in/9*.txt: expected files named 0000.txt, 0001.txt, …");
    insta::assert_snapshot!(refused("in/[.txt"), @"tester: failed to understand the pattern in/[.txt: Pattern syntax error near position 3: invalid range pattern");
    insta::assert_snapshot!(refused("**/0013.txt"), @"tester: two cases that match **/0013.txt have the same number: in/0013.txt and in/more/0013.txt");
    let over = run_in(
        dir.path(),
        &["batch", "--cases", "in/0*", "--out", "in", "--", "echo"],
        "",
    );
    assert!(
        over.stderr.contains("outputs and cases are in one folder"),
        "{over:?}"
    );
}

#[test]
fn an_option_behind_the_program_is_pointed_out() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("in/0000.txt"), CASE).unwrap();
    let stderr = |args: &[&str]| run_in(dir.path(), &[&["batch"], args].concat(), "").stderr;
    let note = "tester: note: --seeds comes after the program, so the program gets it\n";
    assert_eq!(stderr(&["echo", "--seeds", "0..3"]), note);
    assert_eq!(stderr(&["--", "echo", "--seeds", "0..3"]), "");
}

#[test]
fn what_a_program_said_is_shown_with_its_run() {
    let dir = tempdir().unwrap();
    for (name, words) in [("a", "from a"), ("b", "from b")] {
        script(dir.path(), name, &format!("echo {words} >&2; exit 1"));
        let program = format!("./{name}");
        let args = ["batch", "--seeds", "0..2", "--", &program];
        assert_eq!(run_in(dir.path(), &args, "").status, 1);
    }
    let shown = run_in(dir.path(), &["show", "1"], "").stdout;
    assert!(
        shown.contains("its stderr ended with \"from a\""),
        "{shown}"
    );
}
