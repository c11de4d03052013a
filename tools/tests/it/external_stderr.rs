//! Other judges: the stderr that a contest's tester shares with its program.

use std::fs::read_to_string;
use std::path::Path;

use crate::common::{script, write_cases};
use crate::external::{external, path, records};

/// The line of a tester that does this; its program is in `$@`.
fn tester(dir: &Path, does: &str) -> String {
    let tester = path(script(dir, "tester", does)).replace(' ', "\\ ");
    format!("{tester} {{command}} < {{case}}")
}

/// The verdict, the score, the reason, and what is kept of stderr.
fn judged(does: &str, program: &str) -> (String, Option<u64>, String, String) {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    let line = tester(dir.path(), does);
    let program = path(script(dir.path(), "program", program));
    let options = ["--json", "--time-limit", "30"];
    let shown = external(dir.path(), &line, &options, &[&program]);
    let (verdict, score, reason) = records(&shown).remove(0);
    let stderr = read_to_string(dir.path().join("out/0000.err")).unwrap();
    (verdict, score, reason, stderr)
}

/// AHC022's tester does not wait for its program before it says the score, and says it in three pieces.
#[test]
fn what_a_program_prints_within_a_line_of_its_tester_is_no_score() {
    let does = "printf 'Score = ' >&2; \"$@\"; sleep 0.05; printf '7\\n' >&2";
    for (program, kept) in [
        ("echo 12 >&2", "12\nScore = 7\n"),
        ("printf 1 >&2; sleep 0.05; printf 2 >&2", "12\nScore = 7\n"),
        ("exec 2>&-; sleep 0.05", "Score = 7\n"),
        (
            "echo a >&2; sleep 0.05; echo b >&2; printf c >&2",
            "a\nb\nc\nScore = 7\n",
        ),
    ] {
        let (verdict, score, _, stderr) = judged(does, program);
        assert_eq!((&*verdict, score), ("AC", Some(7)), "{program}: {stderr}");
        assert_eq!(stderr, kept, "{program}");
    }
}

/// It is not held back without end, and the tester's line still stands alone.
#[test]
fn a_line_without_end_of_a_program_tears_none_of_its_tester() {
    let does = "\"$@\" & until [ -e begun ]; do sleep 0.01; done; \
                echo 'Score = 7' >&2; sleep 0.3; touch go; wait";
    let program = "head -c 1500000 /dev/zero >&2; touch begun; \
                   until [ -e go ]; do sleep 0.01; done; printf b >&2";
    let (verdict, score, reason, stderr) = judged(does, program);
    assert_eq!((&*verdict, score), ("AC", Some(7)), "{reason:.100}");
    assert!(stderr.contains("\nScore = 7\n"));
    let zeroes = stderr.bytes().filter(|&byte| byte == 0).count();
    assert_eq!(zeroes, 1_500_000);
}

#[test]
fn what_a_program_says_of_its_score_counts_only_where_no_tester_says_one() {
    let early = "\"$@\" & echo 'Score = 7' >&2; wait";
    let silent = "\"$@\"; echo 'a line is missing' >&2";
    let program = "sleep 0.1; echo 'Score = 99' >&2";
    let (verdict, score, _, stderr) = judged(early, program);
    assert_eq!((&*verdict, score), ("AC", Some(7)), "{stderr}");
    assert_eq!(stderr, "Score = 7\nScore = 99\n");
    let (verdict, _, reason, _) = judged(silent, program);
    assert_eq!(verdict, "WA");
    assert!(reason.contains("a line is missing"), "{reason}");
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    let program = path(script(dir.path(), "program", program));
    // The first scorer prints no score, and the last lines have no scorer.
    for (line, expected) in [
        ("{command} < {case} > {out}; wc {out} >&2", ("WA", None)),
        (
            "{command} < {case} > {out}; wc {out} >&2; echo Score = 5 >&2",
            ("AC", Some(5)),
        ),
        ("{command} < {case} > {out}; true", ("AC", Some(99))),
        ("{command} < {case} 2>&1", ("AC", Some(99))),
        ("{command} < {case}; true", ("AC", Some(99))),
    ] {
        let shown = external(dir.path(), line, &["--json"], &[&program]);
        let (verdict, score, reason) = records(&shown).remove(0);
        assert_eq!((&*verdict, score), expected, "{line}: {reason}");
    }
}

#[test]
fn lines_of_programs_that_run_at_once_stay_whole() {
    let does = "\"$@\" & \"$@\"; wait; echo 'Score = 7' >&2";
    let program = "for i in 1 2 3; do printf a >&2; sleep 0.01; echo b >&2; done";
    let (verdict, score, _, stderr) = judged(does, program);
    assert_eq!((&*verdict, score), ("AC", Some(7)), "{stderr}");
    assert_eq!(stderr, format!("{}Score = 7\n", "ab\n".repeat(6)));
}

/// A tester that refuses a line and closes its program's input makes that crash.
#[test]
fn a_line_of_the_tester_tears_no_report_of_a_crash_that_it_has_caused() {
    let report = [
        "Traceback (most recent call last):",
        "  File \"p.py\", line 3, in <module>",
        "    input()",
        "EOFError: no line",
    ];
    let said = |line: &str| format!("echo '{line}' >&2; ");
    let wait_for = |name: &str| format!("until [ -e {name} ]; do sleep 0.01; done; ");
    let (begin, end) = report.split_at(2);
    let program = [
        begin.iter().map(|line| said(line)).collect(),
        "touch begun; ".to_owned(),
        wait_for("refused"),
        end.iter().map(|line| said(line)).collect(),
        "exit 1".to_owned(),
    ];
    let does = [
        "\"$@\" & ".to_owned(),
        wait_for("begun"),
        said("cell 7 is taken"),
        // Until the judge has heard it, however busy the machine is.
        "sleep 0.3; touch refused; wait; ".to_owned(),
        said("Score = 0"),
    ];
    let (verdict, _, reason, stderr) = judged(&does.concat(), &program.concat());
    assert_eq!(verdict, "RE", "{reason}");
    let expected = format!("cell 7 is taken\n{}\nScore = 0\n", report.join("\n"));
    assert_eq!(stderr, expected);
    assert!(
        reason.ends_with("the last message: p.py:3: EOFError: no line"),
        "{reason}"
    );
}

/// Each of them has a pipe, which is closed at its end.
#[test]
fn a_tester_may_kill_its_program_and_start_it_again_very_often() {
    let does = "for i in $(seq 80); do \"$@\" > said & \
                until grep -qs 1 said; do sleep 0.001; done; kill -9 $!; wait $! 2> none; rm said; done; \
                echo 'Score = 7' >&2";
    let program = "echo a >&2; echo 1; exec sleep 60";
    let (verdict, score, reason, stderr) = judged(does, program);
    assert_eq!((&*verdict, score), ("AC", Some(7)), "{reason}");
    assert_eq!(stderr, format!("{}Score = 7\n", "a\n".repeat(80)));
}

/// Its programs would end of a broken pipe, and their tester count that.
#[test]
fn without_a_descriptor_for_the_stderr_of_a_program_a_case_is_ie() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    let does = "for i in $(seq 50); do \"$@\" & done; wait; echo 'Score = 7' >&2";
    let line = tester(dir.path(), does);
    let program = path(script(dir.path(), "program", "sleep 0.3; echo a >&2"));
    for (limit, verdict, score, reason) in [
        (150, "AC", Some(7), ""),
        (
            64,
            "IE",
            None,
            "failed to read the program's stderr: Too many open files (os error 24)",
        ),
    ] {
        let limited = format!("ulimit -n {limit}; exec \"$0\" \"$@\"");
        let output = std::process::Command::new("sh")
            .args(["-c", &limited, env!("CARGO_BIN_EXE_tester"), "batch"])
            .args(["--external", &line, "--process-limit", "1000"])
            .args(["--json", "--", &program])
            .current_dir(dir.path())
            .output()
            .unwrap();
        let found = records(&output.into()).remove(0);
        assert_eq!(found, (verdict.to_owned(), score, reason.to_owned()));
    }
}

#[test]
fn a_tester_that_listens_to_the_stderr_of_its_program_still_hears_it() {
    for does in [
        "said=$(\"$@\" 2>&1 > none); echo \"Score = $said\" >&2",
        // The shell in between has the same stderr.
        "said=$( { true; \"$@\"; true; } 2>&1 > none); echo \"Score = $said\" >&2",
        "said=$(sh -c 'true; \"$@\"; true' sh \"$@\" 2>&1 > none); echo \"Score = $said\" >&2",
        "\"$@\" 2> said; echo \"Score = $(cat said)\" >&2",
    ] {
        let (verdict, score, reason, _) = judged(does, "echo 7 >&2");
        assert_eq!((&*verdict, score), ("AC", Some(7)), "{does}: {reason}");
    }
}

/// Both go through a pipe of the line's own.
#[test]
fn a_line_that_copies_stderr_copies_that_of_the_program_too() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    let tester = tester(dir.path(), "\"$@\"; echo 'Score = 7' >&2");
    let line = format!("{{{{ {tester}; }}}} 2>&1 | tee copy");
    let program = path(script(dir.path(), "program", "echo 12 >&2"));
    let shown = external(dir.path(), &line, &["--json"], &[&program]);
    let (verdict, score, reason) = records(&shown).remove(0);
    assert_eq!((&*verdict, score), ("AC", Some(7)), "{reason}");
    let copy = read_to_string(dir.path().join("copy")).unwrap();
    assert_eq!(copy, "12\nScore = 7\n");
}

#[test]
fn too_much_on_the_stderr_of_a_program_is_ole() {
    let does = "\"$@\"; echo 'Score = 7' >&2";
    let lines = |bytes| format!("yes {} | head -c {bytes} >&2", "y".repeat(999));
    let (verdict, _, reason, stderr) = judged(does, &lines(70_000_000));
    assert_eq!(verdict, "OLE", "{reason}");
    assert!(stderr.len() < 68 << 20, "{}", stderr.len());
    let (verdict, _, reason, stderr) = judged(does, &lines(20_000_000));
    assert_eq!(verdict, "AC", "{reason}");
    assert_eq!(stderr.len(), 20_000_000 + "Score = 7\n".len());
}

#[test]
fn the_last_words_of_a_program_are_known_whatever_its_tester_says() {
    let does = "\"$@\"; echo 'Score = 0' >&2";
    let (verdict, _, reason, _) = judged(does, "echo 'no cell is left' >&2; exit 3");
    assert_eq!(verdict, "RE");
    assert!(
        reason.ends_with("the last message: no cell is left"),
        "{reason}"
    );
}
