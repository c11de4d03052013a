//! `tester PROGRAM < CASE`: streams to the byte, exit status, limits, transcript, bad input.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CASE, is_alive, number_outside, run, run_in, script};
use tempfile::tempdir;

#[test]
fn streams_are_the_contestants_own_and_the_score_comes_last() {
    let dir = tempdir().unwrap();
    let honest = script(
        dir.path(),
        "honest",
        "read -r game; echo \"# $game\"; printf '0 1 2\\r\\n'; read -r reply; echo \"got $reply\" >&2; printf 'half' >&2; echo '8 2 5'",
    );
    let shown = run(&[honest.to_str().unwrap()], CASE);
    assert_eq!(shown.stdout, "# hitblow 3 10\n0 1 2\r\n8 2 5\n");
    assert_eq!(shown.stderr, "got 0 1\nhalf\nScore = 2\n");
    assert_eq!(shown.status, 0);
}

#[test]
fn failed_case_has_one_line_of_reason_then_score_zero() {
    let dir = tempdir().unwrap();
    let wrong = script(
        dir.path(),
        "wrong",
        "echo '0 1 2'; echo '3 4 5'; echo '7 7 1'; cat >&2",
    );
    let wrong = wrong.to_str().unwrap();
    let shown = run(&[wrong], CASE);
    assert_eq!(
        shown.stderr,
        "hitblow 3 10\n0 1\n1 0\n-1\nWA: turn 3: digit 7 appears twice in \"7 7 1\"\nScore = 0\n"
    );
    assert_eq!(shown.stdout, "0 1 2\n3 4 5\n7 7 1\n");
    assert_eq!(shown.status, 0);
    assert_eq!(run(&["--strict", wrong], CASE).status, 1);
}

#[test]
fn score_line_starts_a_line_where_both_streams_are_one_file() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("log");
    let log = std::fs::File::create(&path).unwrap();
    let case = dir.path().join("case");
    std::fs::write(&case, CASE).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["printf", "8 2 5"])
        .stdin(std::fs::File::open(case).unwrap())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(path).unwrap(), "8 2 5\nScore = 1\n");
}

#[test]
fn a_seed_is_not_to_be_read_from_our_command_line() {
    let dir = tempdir().unwrap();
    let body = "read -r game; tr '\\0' ' ' < /proc/$PPID/cmdline >&2; echo >&2; exit 1";
    let reads = script(dir.path(), "reads", body);
    let shown = run(&["--seed", "987654321", reads.to_str().unwrap()], "");
    assert!(shown.stderr.contains("RE: turn 1"), "{shown:?}");
    assert!(shown.stderr.contains("tester"), "{shown:?}");
    assert!(!shown.stderr.contains("987654321"), "{shown:?}");
    let args = [
        "batch",
        "--seeds",
        "987654321",
        "--",
        reads.to_str().unwrap(),
    ];
    run_in(dir.path(), &args, "");
    let kept = std::fs::read_to_string(dir.path().join("out/987654321.err")).unwrap();
    assert!(
        kept.contains("tester") && !kept.contains("987654321"),
        "{kept}"
    );
}

#[test]
fn strict_is_zero_for_an_accepted_case() {
    assert_eq!(run(&["--strict", "echo", "8 2 5"], CASE).status, 0);
}

#[test]
fn options_behind_the_program_are_its_own() {
    let shown = run(&["--strict", "echo", "--strict", "--help", "8 2 5"], CASE);
    assert_eq!(shown.stdout, "--strict --help 8 2 5\n");
    assert_eq!(shown.status, 1);
}

#[test]
fn transcript_holds_both_sides_and_stderr_in_order() {
    let dir = tempdir().unwrap();
    script(
        dir.path(),
        "talks",
        "read -r game; echo 'thinking' >&2; echo '# a comment'; echo '0 1 2'; read -r reply; echo '8 2 5'",
    );
    let shown = run_in(dir.path(), &["--transcript", "t.txt", "./talks"], CASE);
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = std::fs::read_to_string(dir.path().join("t.txt")).unwrap();
    let (mut times, mut lines) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let (time, rest) = line.strip_prefix('[').unwrap().split_once("] ").unwrap();
        times.push(time.trim().parse::<f64>().unwrap());
        lines.push(rest);
    }
    assert!(times.is_sorted(), "{text}");
    assert_eq!(
        lines,
        [
            "> hitblow 3 10",
            "! thinking",
            "< # a comment",
            "< 0 1 2",
            "> 0 1",
            "< 8 2 5",
            "> 3 0",
            "= AC, score 2"
        ]
    );
}

#[test]
fn transcript_that_cannot_be_written_is_said_before_anything_runs() {
    let shown = run(
        &["--transcript", "/nonexistent/t.txt", "echo", "8 2 5"],
        CASE,
    );
    assert_eq!(shown.status, 2);
    assert!(
        shown
            .stderr
            .contains("failed to write /nonexistent/t.txt: "),
        "{shown:?}"
    );
    assert_eq!(shown.stdout, "");
    let folder = run(&["--transcript", ".", "echo", "8 2 5"], CASE);
    assert_eq!((folder.status, folder.stdout.as_str()), (2, ""));
    assert!(
        folder
            .stderr
            .contains("expected the name of a file, found a folder"),
        "{folder:?}"
    );
    // Found only at the end; then no score is printed that a runner could take for the result.
    let full = run(&["--transcript", "/dev/full", "echo", "8 2 5"], CASE);
    assert_eq!(full.status, 2);
    assert!(!full.stderr.contains("Score"), "{full:?}");
}

#[test]
fn bad_cases_are_refused_with_place_expectation_and_finding() {
    let refused = |input: &str| {
        let shown = run(&["echo", "8 2 5"], input);
        assert_eq!((shown.status, shown.stdout.as_str()), (2, ""), "{shown:?}");
        shown.stderr
    };
    insta::assert_snapshot!(refused(""), @r#"tester: failed to read case standard input: line 1: expected an opening such as "hitblow 3 10", found end of file"#);
    insta::assert_snapshot!(refused("hitblow 3 10\n"), @"tester: failed to read case standard input: line 2: expected the secret, 3 distinct digits from 0 to 9 separated by spaces, found end of file");
    insta::assert_snapshot!(refused("go 8 8\n1 2 3\n"), @r#"
    tester: failed to read case standard input: line 1: expected a problem such as "hitblow 3 10", found "go 8 8"
    hint: a case of a contest with its own tester: `tester batch --cases 0` judges it by tester.toml, which `tester init` writes
    "#);
    insta::assert_snapshot!(refused("hitblow 3 10\n8 2 2\n"), @r#"tester: failed to read case standard input: line 2: expected the secret, 3 distinct digits from 0 to 9 separated by spaces, found "8 2 2" (digit 2 appears twice)"#);
}

#[test]
fn bad_case_is_named_where_the_shell_opened_it() {
    let dir = tempdir().unwrap();
    let refused = |case: &[u8]| {
        let path = dir.path().join("0007.txt");
        std::fs::write(&path, case).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_tester"))
            .args(["echo", "8 2 5"])
            .stdin(std::fs::File::open(&path).unwrap())
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let stderr = refused(b"hitblow 3 10\n8 \xff 5\n");
    assert!(
        stderr.contains(
            "/0007.txt: line 2: expected a case file, which is ASCII text, found \"8 \\xff 5\""
        ),
        "{stderr}"
    );
    let stderr = refused(b"30 2 0.16\n");
    assert!(
        stderr.contains("tester batch --cases 7` judges it"),
        "{stderr}"
    );
}

#[test]
fn programs_that_cannot_be_started_are_said_to_be_so() {
    let dir = tempdir().unwrap();
    let no_interpreter = script(dir.path(), "odd", "");
    std::fs::write(&no_interpreter, "#!/nonexistent/python\n").unwrap();
    let no_first_line = script(dir.path(), "no-first-line", "");
    std::fs::write(&no_first_line, "print(1)\n").unwrap();
    std::fs::write(dir.path().join("plain.py"), "print(1)\n").unwrap();
    for (program, expected) in [
        (
            "./solverr",
            "no such file\nhint: check the path, or build it first\n",
        ),
        ("odd", "for the file in this folder, write ./odd"),
        ("./odd", "interpreter"),
        (
            "./no-first-line",
            "hint: a script needs a first line such as",
        ),
        (
            "./plain.py",
            "not executable\nhint: chmod +x ./plain.py, or name its interpreter first: python3 ./plain.py\n",
        ),
        ("./", "it is a folder"),
    ] {
        let shown = run_in(dir.path(), &[program], CASE);
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(
            shown.stderr.starts_with("tester: failed to start"),
            "{program}: {shown:?}"
        );
        assert!(shown.stderr.contains(expected), "{program}: {shown:?}");
    }
}

#[test]
fn usage_errors_exit_with_two() {
    for args in [
        &[][..],
        &["--no-such-option", "echo"],
        &["--time-limit", "0", "echo"],
        &["--turn-limit", "0", "echo"],
        &["--memory-limit", "x", "echo"],
    ] {
        assert_eq!(run(args, CASE).status, 2, "{args:?}");
    }
}

#[test]
fn children_that_a_contestant_leaves_are_killed_and_not_waited_for() {
    let dir = tempdir().unwrap();
    let leaves = script(dir.path(), "leaves", "sleep 600.1875 & echo '8 2 5'");
    let before = Instant::now();
    let shown = run(&[leaves.to_str().unwrap()], CASE);
    assert!(
        before.elapsed() < Duration::from_secs(60),
        "the child was waited for"
    );
    assert_eq!(shown.stderr, "Score = 1\n");
    // Killed and reaped before we returned.
    let is_left = |entry: std::fs::DirEntry| {
        let words = std::fs::read(entry.path().join("cmdline"));
        words.is_ok_and(|words| words == b"sleep\x00600.1875\0")
    };
    let mut all = std::fs::read_dir("/proc").unwrap().flatten();
    assert!(!all.any(is_left), "the child is left");
}

#[test]
fn secret_is_not_to_be_read_through_the_judges_standard_input() {
    let dir = tempdir().unwrap();
    let spy = script(
        dir.path(),
        "spy",
        "cat /proc/$PPID/fd/0 >&2; tr '\\0' ' ' < /proc/$PPID/cmdline >&2; env >&2; echo x",
    );
    let case = dir.path().join("case");
    std::fs::write(&case, "hitblow 10 64\n63 1 62 3 61 5 60 7 59 9\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tester"))
        .arg(spy)
        .stdin(std::fs::File::open(case).unwrap())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("WA: turn 1: "), "{stderr}");
    assert!(!stderr.contains("63 1 62"), "{stderr}");
}

#[test]
fn interrupted_judge_leaves_no_contestant_and_a_whole_transcript() {
    let dir = tempdir().unwrap();
    script(
        dir.path(),
        "waits",
        "echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 600",
    );
    let case = dir.path().join("case");
    std::fs::write(&case, CASE).unwrap();
    let mut judge = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["--time-limit", "600", "--transcript", "t.txt", "./waits"])
        .current_dir(dir.path())
        .stdin(std::fs::File::open(&case).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid_file = dir.path().join("pid");
    while !pid_file.exists() {
        assert!(judge.try_wait().unwrap().is_none(), "the judge ended early");
        std::thread::yield_now();
    }
    let pid = std::fs::read_to_string(&pid_file).unwrap();
    let pid = number_outside(judge.id(), pid.trim());
    assert!(is_alive(&pid));
    Command::new("kill")
        .args(["-INT", &judge.id().to_string()])
        .status()
        .unwrap();
    // By the signal, so that a shell ends its loop as well; it calls that status 130.
    assert_eq!(judge.wait().unwrap().signal(), Some(2));
    assert!(!is_alive(&pid), "the contestant is left");
    let mut left: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["case", "pid", "t.txt", "waits"]);
    let transcript = std::fs::read_to_string(dir.path().join("t.txt")).unwrap();
    assert!(transcript.ends_with("= interrupted\n"), "{transcript}");
}

#[test]
fn a_misspelt_command_is_not_only_a_program_that_is_missing() {
    let shown = run(&["bacth", "--", "./solver"], CASE);
    assert_eq!(shown.status, 2);
    assert_eq!(
        shown.stderr,
        "tester: failed to start bacth: no program of that name in PATH\n\
         hint: did you mean `tester batch`?\n"
    );
    // Options after it are no other error.
    let shown = run(&["bacth", "--seeds", "0..3", "--", "./solver"], "");
    assert!(
        shown
            .stderr
            .ends_with("hint: did you mean `tester batch`?\n"),
        "{shown:?}"
    );
    // A file of this name is meant.
    let dir = tempdir().unwrap();
    script(dir.path(), "bacth", "echo 8 2 5");
    let shown = run_in(dir.path(), &["bacth"], CASE);
    assert!(
        shown
            .stderr
            .ends_with("hint: for the file in this folder, write ./bacth\n"),
        "{shown:?}"
    );
}

#[test]
fn a_source_file_in_place_of_a_program_is_answered_with_how_to_compile_it() {
    let dir = tempdir().unwrap();
    std::fs::create_dir(dir.path().join("my")).unwrap();
    std::fs::write(dir.path().join("my/a.cpp"), "int main() {}\n").unwrap();
    let shown = run_in(dir.path(), &["my/a.cpp"], CASE);
    assert_eq!(shown.status, 2);
    insta::assert_snapshot!(shown.stderr, @"
    tester: failed to start my/a.cpp: it is a source file in C++, not a program
    hint: compile it: g++ -O2 -std=gnu++20 -o my/a my/a.cpp; the program is then my/a
    ");
    // Also before the case of a contest with its own tester, which is none of ours.
    let other = run_in(dir.path(), &["my/a.cpp"], "9 20 81\n");
    assert_eq!(other.stderr, shown.stderr);
    let batch = run_in(
        dir.path(),
        &["batch", "--seeds", "0..3", "--", "my/a.cpp"],
        "",
    );
    assert_eq!((batch.status, batch.stderr), (2, shown.stderr));
}

#[test]
fn a_program_that_ends_at_once_is_run_once_on_a_busy_machine() {
    const RUNS: usize = 100;
    let dir = tempdir().unwrap();
    script(dir.path(), "quick", "echo x >> count; echo 8 2 5");
    let ended = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while !ended.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        for _ in 0..RUNS {
            let shown = run_in(dir.path(), &["./quick"], CASE);
            assert_eq!(shown.stderr, "Score = 1\n");
        }
        ended.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let count = std::fs::read_to_string(dir.path().join("count")).unwrap();
    assert_eq!(count.lines().count(), RUNS);
}

/// A verdict of RE would blame the program for a name that is spelled wrong.
#[test]
fn a_script_that_is_missing_is_refused_as_a_batch_refuses_it() {
    let dir = tempdir().unwrap();
    let transcript = dir.path().join("kept");
    std::fs::write(&transcript, "of another program").unwrap();
    let batch = run_in(dir.path(), &["batch", "--seeds", "0", "sh", "none.sh"], "");
    insta::assert_snapshot!(batch.stderr, @"
    tester: failed to start sh: no such file: none.sh
    hint: check the spelling and the folder of the script
    ");
    for args in [
        &["--transcript", "kept", "sh", "none.sh"][..],
        &["--seed", "0", "sh", "none.sh"],
    ] {
        let shown = run_in(dir.path(), args, CASE);
        assert_eq!(
            (shown.status, &shown.stderr),
            (2, &batch.stderr),
            "{args:?}"
        );
        assert_eq!(shown.stdout, "");
    }
    let kept = std::fs::read_to_string(&transcript).unwrap();
    assert_eq!(kept, "of another program");
    let args = ["play", "--seed", "0", "--solver", "sh none.sh"];
    let played = run_in(dir.path(), &args, "give up\n");
    let expected = "nothing to compare with: failed to start sh: no such file: none.sh\nhint: ";
    assert!(played.stdout.contains(expected), "{played:?}");
}
