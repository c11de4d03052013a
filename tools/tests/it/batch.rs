//! `tester batch` through the real binary: what it judges, prints and leaves.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{CASE, Shown, counter, names, run_in, script, words, write_cases};
use tempfile::tempdir;

/// `tester batch` on cases of `hitblow 1 10`, with words that hold no blank.
pub(crate) fn batch(dir: &Path, words: &str) -> Shown {
    let words: Vec<&str> = words.split(' ').collect();
    let usual = ["batch", "--problem", "hitblow 1 10"];
    run_in(dir, &[&usual, &words[..]].concat(), "")
}

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
    let shown = run_in(dir.path(), &["batch", "-j", "2", "--", "./c"], "");
    assert_eq!(shown.status, 1, "{shown:?}");
    let stable: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|l| !l.starts_with("slowest"))
        .collect();
    let stable = stable.join("\n");
    insta::assert_snapshot!(stable, @r#"
    cases      3
    verdicts   AC 2  RE 1
    mean       1.5000 ± 6.3531 (95 % confidence)
    min        1
    median     1.5
    max        2
    total      3 over 2 accepted
         score  cases
             1      1 ████████████████████████████████████████
             2      1 ████████████████████████████████████████
    worst      0000  2
               0003  1
    rerun      tester -- ./c < in/0000.txt
    0007  RE: turn 3: exit status 1, expected 0
          its stderr ended with "note"
          tester -- ./c < in/0007.txt
          out/runs/1/0007.txt out/runs/1/0007.err
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
    let args = words("batch --cases 'my cases' --turn-limit 1 -- echo '7 7 1'");
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
    write_cases(dir.path(), [CASE]);
    let output = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch", "--", "echo", "8 2 5"])
        .current_dir(dir.path())
        .stdout(fs::File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("failed to write to standard output"));
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
fn transcripts_hold_both_sides() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "echo hello >&2");
    assert_eq!(
        batch(dir.path(), "--seeds 0..2 --transcripts -- ./c").status,
        0
    );
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
fn what_a_sanitizer_found_is_told_and_not_its_last_line() {
    let dir = tempdir().unwrap();
    let report = "==7==ERROR: AddressSanitizer: SEGV on unknown address\nSUMMARY: AddressSanitizer: SEGV /a/b/main.cpp:4 in \
                  main\nShadow bytes around the buggy address:\n  0x0c08: fa fa\n==7==ABORTING";
    script(dir.path(), "c", &format!("echo '{report}' >&2; exit 1"));
    let found = "its stderr ended with \"AddressSanitizer: SEGV main.cpp:4 in main\"\n";
    let args = ["batch", "--seeds", "0", "--", "./c"];
    let shown = run_in(dir.path(), &args, "");
    assert!(shown.stdout.contains(found), "{shown:?}");
    // Another judge's line has its last message from there, too.
    std::fs::create_dir(dir.path().join("in")).unwrap();
    std::fs::write(dir.path().join("in/0000.txt"), "3\n").unwrap();
    let line = "{command} < {case} > {out} && echo Score = 3 >&2";
    let args = ["batch", "--external", line, "--", "./c"];
    let shown = run_in(dir.path(), &args, "");
    let found = "RE: exit status 1, expected 0; the last message: AddressSanitizer: SEGV main.cpp:4 in main\n";
    assert!(shown.stdout.contains(found), "{shown:?}");
}

#[test]
fn failures_of_a_kind_stand_together_with_their_last_words() {
    let dir = tempdir().unwrap();
    script(dir.path(), "c", "echo 'thread main panicked' >&2; exit 3");
    let args = ["batch", "--seeds", "0..12", "--jobs", "1", "--", "./c"];
    let shown = run_in(dir.path(), &args, "");
    let stable: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|l| !l.starts_with("slowest"))
        .collect();
    insta::assert_snapshot!(stable.join("\n"), @r#"
    cases      12
    verdicts   RE 12
    0000  RE: turn 1: exit status 3, expected 0
          its stderr ended with "thread main panicked"
          tester --seed 0 -- ./c
          out/runs/1/0000.err
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
    let stopped = batch(dir.path(), "--seeds 0..40 --jobs 2 --fail-fast -- ./flaky");
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
    let whole = batch(dir.path(), "--seeds 0..40 --jobs 2 --json -- ./flaky");
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
    let shuffled = batch(dir.path(), "--seeds 0..30 --json --shuffle -- ./c");
    let in_order = batch(dir.path(), "--seeds 0..30 --json -- ./c");
    assert_eq!(outcomes(&shuffled.stdout), outcomes(&in_order.stdout));
}

#[test]
fn an_option_behind_the_program_is_pointed_out() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), [CASE]);
    let stderr = |args: &[&str]| run_in(dir.path(), &[&["batch"], args].concat(), "").stderr;
    let note = "tester: note: --seeds comes after the program, so the program gets it\n";
    // The case fails then.
    let failed = "0000  WA: turn 1: \"--seeds\" is not an integer in \"--seeds 0..3\"; if it is debug output, print \
                  it to stderr or after #\n";
    let noted = format!("{note}{failed}");
    assert_eq!(stderr(&["echo", "--seeds", "0..3"]), noted);
    assert_eq!(stderr(&["--", "echo", "--seeds", "0..3"]), failed);
    for word in ["-t", "--tag=v2", "--time-limit=5", "--comment"] {
        let note =
            format!("tester: note: {word} comes after the program, so the program gets it\n");
        assert!(stderr(&["echo", word, "x"]).starts_with(&note), "{word}");
    }
    // The program of an interpreter.
    let said = stderr(&["sh", "-c", "echo 8 2 5"]);
    assert!(!said.contains("comes after the program"), "{said}");
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

#[test]
fn many_numbers_of_cases_are_one_short_row() {
    let dir = tempdir().unwrap();
    write_cases(dir.path(), (0..19).map(|_| "hitblow 1 10\n7\n".to_owned()));
    counter(dir.path(), "c", "");
    let even: String = (0..19).step_by(2).map(|id| format!("{id}\n")).collect();
    fs::write(dir.path().join("even"), even).unwrap();
    run_in(dir.path(), &["batch", "--cases", "even", "./c"], "");
    let shown = run_in(dir.path(), &["show"], "").stdout;
    let short = "\nof         cases 0,2,4,6,8,10,12,14,… (10 cases) of folder in\n";
    assert!(shown.contains(short), "{shown}");
    let listed = run_in(dir.path(), &["history", "--json"], "").stdout;
    let whole = r#""of":"cases 0,2,4,6,8,10,12,14,16,18 of folder in""#;
    assert!(listed.contains(whole), "{listed}");
}

#[test]
fn a_run_is_compared_with_the_last_one_that_solved_something() {
    let dir = tempfile::tempdir().unwrap();
    counter(dir.path(), "counts", "");
    script(dir.path(), "fails", "exit 1");
    let against = |program: &str, cases: &str| {
        let args = [
            "batch",
            "--seeds",
            cases,
            "--problem",
            "hitblow 1 10",
            "--",
            program,
        ];
        let stdout = run_in(dir.path(), &args, "").stdout;
        let line = stdout.lines().find(|line| line.starts_with("against"));
        line.map(|line| line["against".len()..].trim_start().to_owned())
    };
    assert_eq!(against("./fails", "0..4"), None);
    assert_eq!(against("./fails", "0..4"), None);
    // Nothing else is there yet.
    assert_eq!(
        against("./counts", "0..4"),
        Some("run 2: no case is accepted in both".to_owned())
    );
    against("./fails", "0..4");
    let run_3 = |line: Option<String>| line.unwrap().starts_with("run 3: +0.0000");
    assert!(run_3(against("./counts", "0..4")));
    // Of these alone, only a run that fails is known.
    against("./fails", "0..2");
    let run_5 = against("./counts", "0..2").unwrap();
    assert!(run_5.starts_with("run 5: +0.0000"), "{run_5}");
}
