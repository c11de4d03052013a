//! Other judges: why a case failed, and what the contestant alone has used.

use std::path::Path;

use serde_json::Value;

use crate::common::{Shown, run_in, script, words};
use crate::external::{built, external, here, lists, path, records, scored};

fn local() -> String {
    format!("{} {{command}} < {{case}} > {{out}}", built("local"))
}

/// A contestant of the local tester that answers well except in some cases of [`lists`].
fn local_contestant(dir: &Path, first: &str) -> String {
    let body = format!("read a b; case $a in {first} esac; echo sum; read sum; echo answer $sum");
    path(script(dir, "contestant", &body))
}

pub(crate) fn json(shown: &Shown) -> Vec<Value> {
    let lines = shown.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn reason_of_a_zero_is_the_testers_own_and_a_crash_is_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let body = "3) echo 'my remark' >&2; echo debug 15; exit 0 ;; 2) echo 'index 7 is too large' >&2; exit 101 ;;";
    let contestant = local_contestant(dir.path(), body);
    let shown = external(dir.path(), &local(), &["--json"], &[&contestant]);
    assert_eq!(shown.status, 1, "{shown:?}");
    let found = records(&shown);
    assert_eq!(
        found[0],
        (
            "WA".to_owned(),
            None,
            "score 0: Invalid query format: debug 15; if it is debug output, print it to stderr, or after # where the contest allows that"
                .to_owned()
        )
    );
    assert_eq!(found[1].0, "RE");
    // The tester itself says nothing if it learns of the crash in time.
    let crash = "exit status 101, as after a Rust panic; see its stderr; the last message: ";
    let message = found[1].2.strip_prefix(crash).unwrap_or_default();
    let either = [
        "index 7 is too large",
        "Your program has terminated unexpectedly",
    ];
    assert!(either.contains(&message), "{found:?}");
    assert_eq!(found[2].1, Some(99));
    let shown = run_in(dir.path(), &["show"], "").stdout;
    assert!(shown.contains("verdicts   AC 1  WA 1  RE 1\n"), "{shown}");
}

#[test]
fn what_would_find_a_score_that_is_printed_otherwise_is_said() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    for (line, likely) in [
        (
            "cat {case} > {out}; echo debug; echo Total Cost = 70 >&2",
            r"(?m)^\s*Total Cost\s*=\s*(?P<score>\d+)\s*$",
        ),
        ("cat {case} > {out}; echo 70", r"(?m)^\s*(?P<score>\d+)\s*$"),
    ] {
        let judged = |options: &[&str]| {
            let options = [&["--json", "--cases", "in/0000.txt"], options].concat();
            records(&external(dir.path(), line, &options, &[])).remove(0)
        };
        let (verdict, _, reason) = judged(&[]);
        let expected = format!("--score-regex '{likely}' (score_regex in tester.toml)");
        assert!(verdict == "WA" && reason.ends_with(&expected), "{reason}");
        assert_eq!(judged(&["--score-regex", likely]).1, Some(70));
    }
    // It may be what the program printed.
    let shown = external(dir.path(), "cat {case}; echo 70", &["--json"], &[]);
    let (_, _, reason) = records(&shown).remove(0);
    assert!(!reason.contains("--score-regex"), "{reason}");
}

#[test]
fn output_in_a_file_has_its_limit_too() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let line = "{command} < {case} > {out} && echo Score = 5";
    // One ends in time, the other would never end.
    let long = path(script(dir.path(), "long", "head -c 70000000 /dev/zero"));
    let flood = path(script(dir.path(), "flood", "exec cat /dev/zero"));
    let options = ["--json", "--cases", "0..1", "--time-limit", "20"];
    for (run, program) in (1..).zip([long, flood]) {
        let shown = external(dir.path(), line, &options, &[&program]);
        let found = records(&shown);
        let reason = "stdout passed its limit of 67108864 bytes";
        assert_eq!((&*found[0].0, &*found[0].2), ("OLE", reason), "{shown:?}");
        for kept in ["out/0000.txt", &format!("out/runs/{run}/0000.txt")] {
            let length = std::fs::metadata(dir.path().join(kept)).unwrap().len();
            assert_eq!(length, 64 << 20, "{kept}");
        }
    }
}

#[test]
fn score_of_a_scorer_is_not_taken_from_what_the_program_says_on_stderr() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let body = "echo Score = 1 >&2; echo 7";
    let boasts = path(script(dir.path(), "boasts", body));
    let line = "{command} < {case} | tee {out}; echo Score = 6 >&2";
    let prints = path(script(dir.path(), "prints", "echo Score = 999"));
    let shown = external(dir.path(), line, &["--json", "--cases", "0..1"], &[&prints]);
    assert_eq!(records(&shown)[0].1, Some(6), "{shown:?}");
    for (scorer, expected) in [("echo Score = 5", 5), ("echo Score = 6 >&2", 6), (":", 1)] {
        let line = format!("{{command}} < {{case}} > {{out}} && {scorer}");
        let shown = external(
            dir.path(),
            &line,
            &["--json", "--cases", "0..1"],
            &[&boasts],
        );
        assert_eq!(records(&shown)[0].1, Some(expected), "{shown:?}");
    }
}

#[test]
fn tester_that_does_not_end_after_the_program_is_not_the_programs_fault() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    // Its own crash is its fault, whatever the tester does then.
    let body = "read -r a b; case $a in 2) exit 7 ;; esac; echo 7";
    let program = path(script(dir.path(), "program", body));
    let line = "{command} < {case} > {out}; exec sleep 62.5";
    let options = words("--json --cases 0..2 --time-limit 0.5 --jobs 2");
    let shown = external(dir.path(), line, &options, &[&program]);
    let found = records(&shown);
    let hung = "the contest's tester was still running 10 s after the time limit; the program had ended in time";
    assert_eq!((&*found[0].0, &*found[0].2), ("WA", hung), "{shown:?}");
    assert_eq!(found[1].0, "RE", "{shown:?}");
    assert!(found[1].2.starts_with("exit status 7"), "{shown:?}");
}

#[test]
fn failures_with_the_same_reason_are_one_kind_and_their_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    // Both wrong in the same way, with other numbers.
    let wrong = local_contestant(dir.path(), "[23]) echo answer $a ;;");
    let shown = external(dir.path(), &local(), &[], &[&wrong]);
    let failed = "0000  WA: score 0: Wrong sum after 0 questions: answer 3\n";
    assert!(shown.stdout.contains(failed), "{shown:?}");
    assert!(
        shown.stdout.contains("1 more failed likewise: 0001\n"),
        "{shown:?}"
    );
    let files = "      out/runs/1/0000.txt out/runs/1/0000.err\n";
    assert!(shown.stdout.contains(files), "{shown:?}");
    // The scorer's own output is in the log, and nothing is on stderr.
    let wrong = path(script(dir.path(), "wrong", "echo 999"));
    let shown = external(dir.path(), &scored(), &["--objective", "max"], &[&wrong]);
    assert!(
        shown.stdout.contains("0000  WA: score 0: 1 of 3 numbers\n"),
        "{shown:?}"
    );
    let files = "      out/runs/2/0000.txt out/runs/2/0000.log\n";
    assert!(shown.stdout.contains(files), "{shown:?}");
}

#[test]
fn a_tester_that_fails_on_an_output_is_not_a_crash_of_the_program() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |line: &str, program: &[&str]| {
        let shown = external(dir.path(), line, &["--json"], program);
        let (verdict, _, reason) = records(&shown).remove(0);
        (verdict, reason)
    };
    let line = "{command} < {case} > {out} && (echo 'wrong answer: too short' >&2; exit 1)";
    let (verdict, reason) = judged(line, &["cat"]);
    assert_eq!(verdict, "WA");
    insta::assert_snapshot!(reason, @"the contest's tester ended with exit status 1: wrong answer: too short");
    let crash = path(script(dir.path(), "crash", "kill -SEGV $$"));
    let (verdict, reason) = judged(line, &[&crash]);
    assert_eq!(verdict, "RE");
    assert!(
        reason.starts_with("killed by signal 11 (SIGSEGV"),
        "{reason}"
    );
}

#[test]
fn a_tester_notices_nothing_of_the_process_that_waits_for_its_contestant() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let all = |line: &str, program: &[&str]| {
        let shown = external(dir.path(), line, &["--json"], program);
        let out = std::fs::read_to_string(dir.path().join("out/0000.txt")).unwrap();
        (records(&shown).remove(0), out)
    };
    // Exit status, input, and a signal that the contestant handles.
    let line = "{command} < {case} > {out}; echo Score = $?";
    let (record, out) = all(line, &["sh", "-c", "cat; exit 7"]);
    assert_eq!(
        (record.0.as_str(), record.1, out.as_str()),
        ("AC", Some(7), "3 1 4")
    );
    let begins = "{command} < {case} > {out} & until [ -s {out} ]; do sleep 0.01; done";
    let line = format!("{begins}; kill -TERM $!; wait $!; echo Score = $?");
    let handles = "trap 'echo heard; exit 9' TERM; echo ready; while :; do sleep 0.01; done";
    let (record, out) = all(&line, &["sh", "-c", handles]);
    assert_eq!((record.1, out.as_str()), (Some(9), "ready\nheard\n"));
    // Killed with its stage: nothing of it goes on.
    let ends = "kill -KILL $!; wait $!; sleep 0.1; : > {out}; sleep 0.1; echo Score = 1";
    let writes = "while :; do echo more; sleep 0.01; done";
    assert_eq!(
        all(&format!("{begins}; {ends}"), &["sh", "-c", writes]).1,
        ""
    );
}

#[test]
fn programs_that_are_missing_are_refused_before_any_case() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let refused = |line: &str, program: &[&str]| {
        let shown = external(dir.path(), line, &[], program);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        assert!(!dir.path().join("out").exists(), "{line}");
        shown.stderr
    };
    insta::assert_snapshot!(refused("./tester {command} < {case}", &["cat"]), @"
    tester: failed to start ./tester: no such file
    hint: check the path, or build it first
    ");
    std::fs::write(dir.path().join("score"), "").unwrap();
    insta::assert_snapshot!(refused("{command} < {case} && ./score {case}", &["cat"]), @"
    tester: failed to start ./score: it is not executable
    hint: chmod +x ./score, or, for a script, name its interpreter first
    ");
    insta::assert_snapshot!(refused("{command} < {case}", &["sh", "misspelt.sh"]), @"
    tester: failed to start sh: no such file: misspelt.sh
    hint: check the spelling and the folder of the script
    ");
}

#[test]
fn a_tester_that_fails_before_it_starts_the_program_is_not_the_programs_fault() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let program = path(script(dir.path(), "program", "exit 0"));
    let tester = here(script(
        dir.path(),
        "judge",
        "echo 'no such table' >&2; exit 3",
    ));
    let line = format!("{tester} {{command}} < {{case}} > {{out}}");
    let shown = external(dir.path(), &line, &["--json"], &[&program]);
    let (verdict, _, reason) = records(&shown).remove(0);
    assert_eq!(verdict, "WA");
    insta::assert_snapshot!(reason, @"the contest's tester failed before it started the program: exit status 3, expected 0; the last message: no such table");
}

#[test]
fn a_missing_script_of_the_tester_is_found_before_any_case() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let program = path(script(dir.path(), "program", "exit 0"));
    let line = "sh judge.sh {case} {out} {command}";
    let refused = external(dir.path(), line, &[], &[&program]);
    assert_eq!(refused.status, 2, "{refused:?}");
    insta::assert_snapshot!(refused.stderr, @"
    tester: failed to start sh: no such file: judge.sh
    hint: check the spelling and the folder of the script
    ");
    let interactor = [
        "batch",
        "--interactor",
        "sh guess.sh {case}",
        "--",
        &program,
    ];
    let refused = run_in(dir.path(), &interactor, "");
    assert_eq!(refused.status, 2, "{refused:?}");
    insta::assert_snapshot!(refused.stderr, @"
    tester: failed to start sh: no such file: guess.sh
    hint: check the spelling and the folder of the script
    ");
    assert!(!dir.path().join("out").exists(), "something was judged");
}

/// A tester that plays nothing, and says by its status too that a case failed.
fn strict_tester(dir: &Path) -> String {
    let body = "case=$1; shift; \"$@\" < $case > got || true; [ \"$(cat got)\" = 1 ] && echo Score = 7 >&2 && exit 0; \
                echo 'Unexpected EOF' >&2; echo Score = 0 >&2; exit 1";
    format!("{} {{case}} {{command}}", here(script(dir, "strict", body)))
}

#[test]
fn a_score_of_zero_is_the_testers_verdict_whatever_its_exit_status() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let silent = path(script(dir.path(), "silent", "exit 0"));
    let shown = external(
        dir.path(),
        &strict_tester(dir.path()),
        &["--json"],
        &[&silent],
    );
    let (verdict, _, reason) = records(&shown).remove(0);
    assert_eq!(
        (verdict.as_str(), reason.as_str()),
        (
            "WA",
            "score 0: Unexpected EOF; a line of the output has too few words, or lines are missing"
        )
    );
}

#[test]
fn a_crash_is_told_by_what_the_program_said_and_not_by_its_tester() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nIndexError: list index out of range";
    std::fs::write(dir.path().join("said"), traceback).unwrap();
    let crashing = path(script(
        dir.path(),
        "crashing",
        "cat said >&2; echo >&2; exit 1",
    ));
    let shown = external(
        dir.path(),
        &strict_tester(dir.path()),
        &["--json"],
        &[&crashing],
    );
    let (verdict, _, reason) = records(&shown).remove(0);
    assert_eq!(verdict, "RE");
    insta::assert_snapshot!(reason, @"exit status 1, expected 0; the last message: a.py:1: IndexError: list index out of range");
    // A tester in Rust that takes the answer for granted panics then.
    let panic = "thread 'main' panicked at src/bin/tester.rs:45:28:\nindex out of bounds\n";
    std::fs::write(dir.path().join("panic"), panic).unwrap();
    let body = "\"$@\" > got; cat panic >&2; exit 101";
    let tester = here(script(dir.path(), "panics", body));
    let line = format!("{tester} {{command}} < {{case}} > {{out}}");
    let judged = |program: &[&str]| {
        let shown = external(dir.path(), &line, &["--json"], program);
        let (verdict, _, reason) = records(&shown).remove(0);
        (verdict, reason)
    };
    let after =
        "; after it: thread 'main' panicked at src/bin/tester.rs:45:28: index out of bounds";
    let expected = ("RE".to_owned(), reason + after);
    assert_eq!(judged(&[&crashing]), expected);
    // A program may say nothing.
    let expected = ("RE".to_owned(), format!("exit status 3, expected 0{after}"));
    assert_eq!(judged(&["sh", "-c", "exit 3"]), expected);
}

#[test]
fn a_program_that_fails_where_its_start_is_not_noticed_is_the_one_that_failed() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    script(dir.path(), "fails", "exit 3");
    // Within quotes, and with a word after it.
    script(dir.path(), "host", "$1 < $2");
    for line in [
        "./host \"{command}\" {case} > {out} && echo Score = 1",
        "{command} 1 < {case} > {out} && echo Score = 1",
    ] {
        let shown = external(dir.path(), line, &[], &["./fails"]);
        assert!(shown.stdout.contains("RE"), "{line}: {shown:?}");
        assert!(
            !shown.stdout.contains("contest's tester failed"),
            "{line}: {shown:?}"
        );
    }
}

#[test]
fn a_shell_reads_a_script_that_does_not_name_its_interpreter() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let score = script(dir.path(), "score", "");
    std::fs::write(&score, "echo Score = 7\n").unwrap();
    let line = "{command} < {case} > {out} && ./score {case} {out}";
    let shown = external(dir.path(), line, &[], &["cat"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.stdout.contains("mean       7.0000"), "{shown:?}");
}

#[test]
fn scores_with_decimals_are_kept_by_a_scale() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    for (name, score) in [("0000", "0.8125"), ("0001", "1.5E-4"), ("0002", "-1")] {
        std::fs::write(dir.path().join(format!("in/{name}.score")), score).unwrap();
    }
    let line = "Score=$(cat $(echo {case} | sed s/txt/score/)); echo Score = $Score";
    let file = format!(
        "version = 1\n[judge]\nexternal = \"{line}\"\nscore_scale = 1000000\n\
         [batch]\ncases = [\"in\", \"0..3\"]\n"
    );
    std::fs::write(dir.path().join("tester.toml"), file).unwrap();
    let shown = run_in(dir.path(), &["batch", "--json"], "");
    let scores: Vec<_> = records(&shown).into_iter().map(|record| record.1).collect();
    assert_eq!(scores, [Some(812_500), Some(150), None], "{shown:?}");
    assert!(shown.stdout.contains("the score is -1"), "{shown:?}");
    // Typed, another scale counts, and the run is judged in another way.
    let words = ["batch", "--json", "--score-scale", "10000"];
    let shown = run_in(dir.path(), &words, "");
    assert_eq!(records(&shown)[0].1, Some(8125), "{shown:?}");
    // Without one, the reason says how decimals are kept.
    let words = ["batch", "--json", "--score-scale", "1", "--cases", "0..1"];
    let shown = run_in(dir.path(), &words, "");
    assert!(
        shown
            .stdout
            .contains("--score-scale 1000000 keeps decimals"),
        "{shown:?}"
    );
    let shown = run_in(dir.path(), &["batch", "--score-scale", "1e6"], "");
    assert!(
        shown
            .stderr
            .contains("expected an integer from 1 to 1000000000"),
        "{shown:?}"
    );
}
