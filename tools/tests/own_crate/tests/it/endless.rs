//! The code of a problem that never returns: a signal ends the judge all the same.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::program;

/// A folder with three cases. The program finds the first secret, and in others names the stop from which the problem
/// does not return, unless there is a file `mended`. It says what its number is.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let body = "read -r name n; echo 2; read -r reply; [ \"$reply\" = '=' ] && exit; \
                [ -e mended ] && { echo 30; exit; }; echo $$ > stuck; echo 39; sleep 1000 & wait";
    program(dir.path(), "goes_there", body);
    std::fs::create_dir(dir.path().join("in")).unwrap();
    for (case, stop) in [("0003", 2), ("0007", 30), ("0011", 2)] {
        let path = dir.path().join(format!("in/{case}.txt"));
        std::fs::write(path, format!("purse 39\n{stop}\n")).unwrap();
    }
    dir
}

fn fare(dir: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fare"));
    command.arg0("fare").args(words).current_dir(dir);
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn signal(child: &Child, name: &str) {
    let number = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &number]).status();
    assert!(sent.unwrap().success());
}

/// Waits until this holds.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Starts the command, and sends it these signals when a case hangs, a second apart. What it said, and how long it lived
/// after the first signal.
fn ended_by(mut command: Command, stuck: &Path, signals: &[&str]) -> (Output, Duration) {
    let mut child = command.spawn().unwrap();
    wait_until("no case hangs", || {
        std::fs::read_to_string(stuck).is_ok_and(|number| number.ends_with('\n'))
    });
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    for (count, name) in signals.iter().enumerate() {
        std::thread::sleep(Duration::from_secs(count.min(1) as u64));
        signal(&child, name);
    }
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let lived = begun.elapsed();
    (child.wait_with_output().unwrap(), lived)
}

#[test]
fn a_signal_ends_a_batch_whose_problem_never_returns() {
    let two = (
        &["INT", "INT"][..],
        2,
        "ended by the second signal, in case 0007",
    );
    let one = (
        &["TERM"][..],
        15,
        "case 0007 went on for 5 s after the signal",
    );
    for (signals, number, told) in [two, one] {
        for containment in [&[][..], &["--no-containment"]] {
            let dir = folder();
            let words = ["batch", "--jobs", "1"];
            let words = [&words[..], containment, &["--", "./goes_there"]].concat();
            let stuck = dir.path().join("stuck");
            let (output, lived) = ended_by(fare(dir.path(), &words), &stuck, signals);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let expected = format!(
                "fare: {told}\n\
                 hint: is there an endless loop in the code of the problem?\n\
                 hint: to continue: fare batch --resume=1\n"
            );
            assert!(stderr.ends_with(&expected), "{stderr}");
            assert_eq!(output.status.signal(), Some(number), "{stderr}");
            let expected = Duration::from_secs(if signals.len() == 2 { 1 } else { 5 });
            assert!(lived >= expected, "{lived:?}");
            assert!(
                signals.len() == 1 || lived < Duration::from_secs(5),
                "{lived:?}"
            );
            // Its number is that of a namespace where there is one, so it is looked for by its folder.
            wait_until("the program lives", || !lives_in(dir.path()));
            // The case before is kept, and the rest can be judged when the loop is mended.
            let shown = fare(dir.path(), &["show", "--csv"]).output().unwrap();
            let shown = String::from_utf8(shown.stdout).unwrap();
            let cases: Vec<_> = shown.lines().skip(1).map(|line| &line[..4]).collect();
            assert_eq!(cases, ["3,,A"], "{shown}");
            let history = fare(dir.path(), &["history"]).output().unwrap();
            let history = String::from_utf8(history.stdout).unwrap();
            assert!(history.contains("unfinished"), "{history}");
            // As if the loop was mended.
            std::fs::write(dir.path().join("mended"), "").unwrap();
            let resumed = fare(dir.path(), &["batch", "--resume=1"]).output().unwrap();
            let table = String::from_utf8_lossy(&resumed.stdout);
            assert!(table.contains("verdicts   AC 3\n"), "{resumed:?}");
        }
    }
}

#[test]
fn a_second_signal_ends_a_single_case_whose_problem_never_returns() {
    let dir = folder();
    let mut command = fare(dir.path(), &["./goes_there"]);
    command.stdin(std::fs::File::open(dir.path().join("in/0007.txt")).unwrap());
    let (output, lived) = ended_by(command, &dir.path().join("stuck"), &["TERM", "TERM"]);
    assert_eq!(output.status.signal(), Some(15), "{output:?}");
    assert!(lived >= Duration::from_secs(1), "{lived:?}");
}

/// Whether a process has this folder as its current one.
fn lives_in(dir: &Path) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut folders = processes.filter_map(|process| process.path().join("cwd").read_link().ok());
    folders.any(|folder| folder == dir)
}
