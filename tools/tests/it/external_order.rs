//! Other judges: whether a program crashed, or only ended badly because its tester had refused it and left; or
//! whether it printed nothing.

use std::path::Path;

use crate::common::{script, write_cases};
use crate::external::{external, here, lists, path, records};

/// A tester that refuses what its program says first. `leaves` is what it does then: with its ends of the pipes to the
/// program (3) and from it (4) open, it prints, closes, waits and ends. It gets no status of a program that crashed.
fn refusing_tester(dir: &Path, name: &str, leaves: &str) -> String {
    let body = format!(
        "refuse() {{ echo 'Task 1 has been assigned' >&2; echo 'Score = 0' >&2; }}\n\
         to=to.$$ from=from.$$; mkfifo $to $from 2> none; \"$@\" < $to > $from & exec 3> $to 4< $from\n\
         echo 5 >&3; if ! read line <&4; then echo 'Unexpected EOF' >&2; echo 'Score = 0' >&2; exit 1; fi\n\
         {leaves}; exit 1"
    );
    let tester = path(script(dir, name, &body)).replace(' ', "\\ ");
    format!("{tester} {{command}} < {{case}}")
}

#[test]
fn who_left_first_decides_between_a_refusal_and_a_crash_however_the_program_ends() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"; 16]);
    let ends = [
        ("fails", "read a; echo 1; read b || exit 1; exit 1"),
        ("slow", "read a; echo 1; read b; sleep 0.03; exit 1"),
        ("exits", "read a; echo 1; read b; exit 0"),
        ("prints", "read a; while echo 1; do :; done; exit 1"),
        ("pipe", "read a; echo 1; read b; kill -PIPE $$"),
        ("hangs", "read a; echo 1; sleep 9"),
    ];
    let crashes = [
        ("crash", "read a; exit 1"),
        ("signal", "read a; kill -SEGV $$"),
    ];
    let judged = |line: &str, program: &str| {
        let options = ["--json", "--jobs", "4"];
        let found = records(&external(dir.path(), line, &options, &[program]));
        assert_eq!(found.len(), 16, "{line}");
        let said = found.into_iter();
        said.map(|(verdict, _, reason)| format!("{verdict} {reason}"))
    };
    let testers = [
        ("leaves", "refuse"),
        ("closes", "refuse; exec 3>&-; wait; exec 4<&-"),
        (
            "says",
            "refuse; printf 'Score = 0' >&2; exec 3>&-; wait; exec 4<&-",
        ),
        ("drops", "exec 4<&- 3>&-; sleep 0.01; refuse"),
        ("kills", "kill -KILL $!; refuse"),
    ];
    for (name, leaves) in testers {
        let line = refusing_tester(dir.path(), name, leaves);
        for (program, body) in ends {
            // These testers wait for its end, and do not read meanwhile.
            if ["closes", "says"].contains(&name) && ["prints", "hangs"].contains(&program) {
                continue;
            }
            let program = path(script(dir.path(), program, body));
            for found in judged(&line, &program) {
                let expected = "WA score 0: Task 1 has been assigned";
                assert_eq!(found, expected, "{line} {program}");
            }
        }
        for (program, body) in crashes {
            let program = path(script(dir.path(), program, body));
            for found in judged(&line, &program) {
                let is_crash = found.starts_with("RE ") && found.contains("Unexpected EOF");
                assert!(is_crash, "{line} {program}: {found}");
            }
        }
    }
}

#[test]
fn a_program_that_its_tester_ends_by_a_signal_has_not_failed() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let judged = |line: &str, body: &str| {
        let program = path(script(dir.path(), "program", body));
        let options = ["--json", "--cases", "0..1"];
        let shown = external(dir.path(), line, &options, &[&program]);
        let (verdict, score, reason) = records(&shown).remove(0);
        (format!("{verdict} {reason}"), score, shown)
    };
    let dies = "read a; echo 1; sleep 9 & wait";
    let catches = "trap 'exit 1' TERM; read a; echo 1; sleep 9 & wait";
    let reports = "trap 'exit 143' TERM; read a; echo 1; sleep 9 & wait";
    let ends_itself = "read a; echo 1; kill -TERM $$";
    let sends = |signal, says| format!("kill -{signal} $!; wait $!; {says}");
    let refused = refusing_tester(dir.path(), "ends", &sends("TERM", "refuse"));
    let accepts = sends("TERM", "echo Score = 7 >&2; exit 0");
    let accepted = refusing_tester(dir.path(), "accepts", &accepts);
    for body in [dies, catches, reports] {
        let (found, ..) = judged(&refused, body);
        assert_eq!(found, "WA score 0: Task 1 has been assigned", "{body}");
        let (found, score, shown) = judged(&accepted, body);
        assert_eq!((found.as_str(), score), ("AC ", Some(7)), "{body}");
        assert!(!shown.stderr.contains("caution"), "{shown:?}");
    }
    // All processes of its group get the signal, the program as early as the one in front of it.
    let group = "kill -TERM -$!; wait $!; refuse";
    let group = refusing_tester(dir.path(), "group", group);
    let line = group.replace("{command}", "setsid {command}");
    for body in [dies, catches] {
        let (found, ..) = judged(&line, body);
        assert_eq!(found, "WA score 0: Task 1 has been assigned", "{body}");
    }
    // A signal that does not ask for its end, and one of its own.
    let woken = "trap : USR1; read a; echo 1; read b; exit 3";
    let wakes = "kill -USR1 $!; exec 3>&-; wait $!; refuse";
    let wakes = refusing_tester(dir.path(), "wakes", wakes);
    let (found, ..) = judged(&wakes, woken);
    assert!(found.starts_with("RE exit status 3"), "{found}");
    let own = refusing_tester(dir.path(), "waits", "wait $!; refuse");
    let (found, ..) = judged(&own, ends_itself);
    assert!(found.starts_with("RE killed by signal 15"), "{found}");
    // Of a line that talks to nothing, it is a time limit.
    let line = "timeout 0.2 {command} < {case} > {out}; echo Score = 0";
    let (found, ..) = judged(line, "sleep 9 & wait");
    assert!(found.starts_with("RE killed by signal 15"), "{found}");
}

/// A stop that is told to who waits for the end must not look like the end.
#[test]
fn a_program_that_wants_to_be_traced_by_what_waits_for_it_does_not_hide_its_crash() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    for signal in ["SEGV", "STOP"] {
        let traced = format!(
            "import ctypes, os, signal as s; c = ctypes.CDLL(None); c.ptrace(0, 0, 0, 0); os.kill(os.getpid(), s.SIG{signal})"
        );
        let body = format!("exec python3 -c '{traced}'");
        let program = path(script(dir.path(), "program", &body));
        let line = "{command} < {case} > {out}; echo Score = 5";
        let options = ["--json", "--cases", "0..1"];
        let (verdict, score, reason) =
            records(&external(dir.path(), line, &options, &[&program])).remove(0);
        assert_eq!((verdict.as_str(), score), ("AC", Some(5)), "{reason}");
        assert!(reason.contains("SIGKILL"), "{signal}: {reason}");
        // The judge has killed it, so it is not said that it did not.
        assert!(!reason.contains("not by the judge"), "{signal}: {reason}");
        assert!(reason.contains("asked to be traced"), "{signal}: {reason}");
    }
}

#[test]
fn a_timeout_in_front_of_a_tester_is_a_time_limit_of_its_program() {
    let dir = tempfile::tempdir().unwrap();
    let judged = |line: &str, body: &str| {
        // A folder for each: pipes of an ended tester stay, and a namespace gives their numbers again.
        let place = tempfile::tempdir().unwrap();
        lists(place.path());
        let program = path(script(place.path(), "program", body));
        let options = ["--json", "--cases", "0..1"];
        let shown = external(place.path(), line, &options, &[&program]);
        let (verdict, _, reason) = records(&shown).remove(0);
        format!("{verdict} {reason}")
    };
    let late = |timeout| {
        let start = "TLE the program was still running when the limit in the line of the contest's tester was over: ";
        format!("{start}{timeout}")
    };
    let tester = |leaves| refusing_tester(dir.path(), "tester", leaves);
    let waits = tester("wait $!; exit 0");
    let hangs = "read a; echo 1; sleep 9 & wait";
    let computes = "read a; echo 1; trap : TERM; while :; do :; done";
    for timeout in [
        "timeout 1",
        "timeout -s KILL 1",
        "timeout --foreground -s KILL 1",
        "timeout -k 9 1",
    ] {
        for body in [hangs, computes] {
            assert_eq!(judged(&format!("{timeout} {waits}"), body), late(timeout));
        }
    }
    let before_program = "timeout 1 {command} < {case} > {out} && echo Score = 7";
    assert_eq!(judged(before_program, hangs), late("timeout 1"));
    // A program that had ended was within the limit, and a status of the tester itself is no limit.
    let stays = tester("wait $!; sleep 99");
    let failed = "WA the contest's tester failed, often because it cannot read what the program printed: exit status 124, expected 0";
    let found = judged(&format!("timeout 1 {stays}"), "read a; echo 1");
    assert_eq!(found, failed);
    assert_eq!(judged(&tester("exit 124"), hangs), failed);
}

#[test]
fn a_tester_that_panics_says_why_whatever_its_program_says_after_it() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let panic =
        "echo \"thread 'main' panicked at src/bin/tester.rs:3:5:\" >&2; echo 'too large: 1' >&2";
    // It reads nothing more, so that its program does not crash by itself.
    let leaves = format!("{panic}; exec 4<&- 3>&-; wait; exit 101");
    let line = refusing_tester(dir.path(), "panics", &leaves);
    let traceback = "echo 'Traceback (most recent call last):' >&2; echo 'EOFError: no line' >&2";
    let body = format!("read a; echo 1; read b; {traceback}; exit 1");
    let program = path(script(dir.path(), "program", &body));
    let options = ["--json", "--cases", "0..1"];
    let (verdict, _, reason) =
        records(&external(dir.path(), &line, &options, &[&program])).remove(0);
    assert_eq!(verdict, "WA");
    insta::assert_snapshot!(reason, @"the contest's tester failed, often because it cannot read what the program printed: exit status 101, expected 0; the last message: thread 'main' panicked at src/bin/tester.rs:3:5: too large: 1");
}

/// As the tester of AHC018, which prints a cost or the reason, and ends well in both cases.
#[test]
fn what_a_program_says_after_it_was_refused_without_a_score_is_no_reason() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    let why = "echo 'Out of range: 7' >&2; exec 4<&- 3>&-; wait; exit 0";
    let line = refusing_tester(dir.path(), "refuses", why);
    let lines = [
        "Traceback (most recent call last):",
        "  File \"/home/a.py\", line 1, in <module>",
        "    print(7, flush=True)",
        "BrokenPipeError: [Errno 32] Broken pipe",
    ];
    // Its tester may kill it in the middle.
    for count in 1..=lines.len() {
        let traceback: Vec<String> = lines[..count]
            .iter()
            .map(|line| format!("echo '{line}' >&2"))
            .collect();
        let body = format!("read a; echo 7; read b; {}; exit 1", traceback.join("; "));
        let program = path(script(dir.path(), "program", &body));
        let found = records(&external(dir.path(), &line, &["--json"], &[&program])).remove(0);
        let begin = "no score: Out of range: 7; ";
        assert!(found.0 == "WA" && found.2.starts_with(begin), "{found:?}");
    }
}

/// A tester in Python that refuses the first line of its program. `how` is how it does that.
fn python_tester(dir: &Path, how: &str) -> String {
    let body = format!(
        "import subprocess, sys\n\
         pipe = subprocess.PIPE\n\
         p = subprocess.Popen(sys.argv[1:], stdin=pipe, stdout=pipe, text=True)\n\
         print(5, file=p.stdin, flush=True)\n\
         why = 'line 1: ' + p.stdout.readline().strip() + ' is out of range'\n\
         {how}\n"
    );
    std::fs::write(dir.join("judge.py"), body).unwrap();
    "python3 judge.py {command} < {case}".to_owned()
}

#[test]
fn words_of_a_tester_in_python_are_told_from_those_of_its_program() {
    let dir = tempfile::tempdir().unwrap();
    write_cases(dir.path(), ["5\n"]);
    let fails = "print('my remark', file=sys.stderr)\nprint(input(), flush=True)\nint(input())\n";
    std::fs::write(dir.path().join("p.py"), format!("import sys\n{fails}")).unwrap();
    let panics =
        "echo \"thread 'main' (7) panicked at src/main.rs:2:9:\" >&2; echo 'no line' >&2; exit 101";
    let rust = format!("read a; echo $a; read b || {{ {panics}; }}");
    let rust = path(script(dir.path(), "rust", &rust));
    let judged = |how: &str, program: &[&str]| {
        let line = python_tester(dir.path(), how);
        let found = records(&external(dir.path(), &line, &["--json"], program)).remove(0);
        format!("{} {}", found.0, found.2)
    };
    let python = ["python3", "p.py"];
    // It fails because it refuses, and its program fails after it: the input stays open until the tester has ended.
    let holds = "import os; os.dup(p.stdin.fileno())\n";
    for program in [&python[..], &[&*rust]] {
        let failed = "WA the contest's tester failed, often because it cannot read what the program printed: exit status 1, expected 0; the last message: ";
        let raised = judged(&format!("{holds}raise ValueError(why)"), program);
        assert_eq!(
            raised,
            format!("{failed}ValueError: line 1: 5 is out of range")
        );
        let left = judged(&format!("{holds}sys.exit(why)"), program);
        assert_eq!(
            left,
            "WA the contest's tester ended with exit status 1: line 1: 5 is out of range"
        );
    }
    let silent = judged("print(why, file=sys.stderr)", &python);
    insta::assert_snapshot!(silent, @r"WA no score: line 1: 5 is out of range; expected a match of (?m)^\s*Score\s*=\s*(?P<score>\S+)\s*$");
    // Its program fails first, because its input is closed; the tester says why only then.
    let closes = "p.stdin.close(); p.wait()\n";
    let refuses = format!("{closes}print(why, 'Score = 0', sep='\\n', file=sys.stderr)");
    let raises = format!("{closes}raise ValueError(why)");
    let ends = format!("{closes}print('Unexpected EOF', 'Score = 0', sep='\\n', file=sys.stderr)");
    insta::assert_snapshot!(judged(&refuses, &python), @"RE exit status 1, expected 0; the last message: p.py:4: EOFError: EOF when reading a line; after it: line 1: 5 is out of range");
    insta::assert_snapshot!(judged(&raises, &python), @"RE exit status 1, expected 0; the last message: p.py:4: EOFError: EOF when reading a line; after it: ValueError: line 1: 5 is out of range");
    insta::assert_snapshot!(judged(&refuses, &[&rust]), @"RE exit status 101, expected 0; the last message: thread 'main' panicked at src/main.rs:2:9: no line; after it: line 1: 5 is out of range");
    insta::assert_snapshot!(judged(&ends, &[&rust]), @"RE exit status 101, expected 0; the last message: thread 'main' panicked at src/main.rs:2:9: no line");
}

#[test]
fn where_nothing_is_known_of_the_program_the_words_of_its_tester_decide() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let line = refusing_tester(dir.path(), "leaves", "refuse");
    // Within quotes, no stage is in front of it.
    let line = line.replace("{command}", "\"{command}\"");
    for (body, expected) in [
        (
            "read a; echo 1; exit 1",
            "WA score 0: Task 1 has been assigned",
        ),
        (
            "read a; exit 1",
            "RE exit status 1, expected 0; the last message: Unexpected EOF",
        ),
    ] {
        let program = here(script(dir.path(), "program", body));
        let shown = external(
            dir.path(),
            &line,
            &["--json", "--cases", "0..1"],
            &[&program],
        );
        let (verdict, _, reason) = records(&shown).remove(0);
        assert_eq!(format!("{verdict} {reason}"), expected);
    }
}

#[test]
fn a_program_that_waits_under_a_tester_is_asked_whether_it_flushed() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let waits = path(script(dir.path(), "waits", "read a; sleep 9"));
    let tester = refusing_tester(dir.path(), "leaves", "refuse");
    for (line, is_asked) in [
        (tester.as_str(), true),
        ("{command} < {case} > {out} && echo Score = 1", false),
    ] {
        let options = ["--json", "--cases", "0..1", "--time-limit", "0.3"];
        let (verdict, _, reason) =
            records(&external(dir.path(), line, &options, &[&waits])).remove(0);
        assert_eq!(verdict, "TLE", "{reason}");
        let slept = "the program slept, or waited for something";
        assert!(reason.contains(slept), "{reason}");
        let asks = reason.ends_with("did you print a newline and flush stdout?");
        assert_eq!(asks, is_asked, "{line}: {reason}");
    }
}

#[test]
fn a_program_that_printed_nothing_has_no_debug_output() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let silent = path(script(dir.path(), "silent", "cat >&2"));
    let talks = path(script(dir.path(), "talks", "read a; echo debug"));
    let tester = here(script(
        dir.path(),
        "tester",
        "\"$@\" >/dev/null; echo 'Illegal output: x' >&2; echo Score = 0 >&2",
    ));
    let scorer = "{command} < {case} > {out}; echo 'Illegal output format'; echo Score = 0";
    // It is not known what a tester writes of the program's output.
    let keeps_none = format!("{tester} {{command}} < {{case}} > {{out}}");
    let nothing = "; the program printed nothing on stdout";
    let debug =
        "; if it is debug output, print it to stderr, or after # where the contest allows that";
    for (line, program, message, hint) in [
        (scorer, &silent, "Illegal output format", nothing),
        (scorer, &talks, "Illegal output format", debug),
        (&keeps_none, &talks, "Illegal output: x", debug),
    ] {
        let options = ["--json", "--cases", "in/0000.txt"];
        let shown = external(dir.path(), line, &options, &[program]);
        let (verdict, _, reason) = records(&shown).remove(0);
        let expected = format!("score 0: {message}{hint}");
        assert_eq!((&*verdict, &*reason), ("WA", &*expected), "{shown:?}");
    }
}

/// As a tester that scores the program on two inputs: the second start is killed, and says nothing of the first.
#[test]
fn a_crash_stays_one_where_the_tester_starts_the_program_again_and_kills_it() {
    let dir = tempfile::tempdir().unwrap();
    lists(dir.path());
    let twice = "\"$@\"; echo gone >&2; echo 'Score = 0' >&2; \"$@\" again & sleep 0.1; kill -KILL $!; exit 0";
    let line = format!(
        "{} {{command}} < {{case}}",
        path(script(dir.path(), "twice", twice))
    );
    let crash = "[ \"$1\" = again ] && exec sleep 9; exit 3";
    let program = path(script(dir.path(), "crash", crash));
    for (verdict, _, reason) in records(&external(dir.path(), &line, &["--json"], &[&program])) {
        let expected = "RE exit status 3, expected 0; the last message: gone";
        assert_eq!(format!("{verdict} {reason}"), expected);
    }
}
