//! Signals that come while a build line runs.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::common::{counter, is_alive, wait_until_exists};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::tempdir;

/// A batch whose build line writes the numbers of two processes and waits; `first` comes before.
fn building(dir: &Path, first: &str) -> (Child, [String; 2]) {
    counter(dir, "c", "");
    let line = format!(
        "{first}echo $$ > outer; sh -c 'echo $$ > inner.new; mv inner.new inner; sleep 600; :'; echo > after"
    );
    let tester = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["batch", "--seeds", "0..2", "--problem", "hitblow 1 10"])
        .args(["--build", &line, "--", "./c"])
        .current_dir(dir)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until_exists(&dir.join("inner"));
    let read = |name| {
        fs::read_to_string(dir.join(name))
            .unwrap()
            .trim()
            .to_owned()
    };
    (tester, [read("outer"), read("inner")])
}

fn end(mut tester: Child, signal: Signal) -> ExitStatus {
    kill_process(Pid::from_child(&tester), signal).unwrap();
    tester.wait().unwrap()
}

#[test]
fn a_signal_to_the_tester_alone_ends_the_build_line() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let dir = tempdir().unwrap();
        let (tester, line) = building(dir.path(), "");
        let status = end(tester, signal);
        assert_eq!(status.signal(), Some(signal.as_raw()));
        for process in line {
            assert!(!is_alive(&process), "{signal:?} {process}");
        }
        assert!(!dir.path().join("after").exists());
        assert!(!dir.path().join("out").exists());
    }
}

/// Compilers remove their files then. Some shells give what they start all signals, so this program takes the shell's place.
#[test]
fn a_program_of_a_build_line_hears_the_signal() {
    let program = "import os, signal, time
def end(*_):
    open('heard', 'w')
    os._exit(1)
signal.signal(signal.SIGTERM, end)
os.rename('begun', 'inner')
time.sleep(600)";
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("program.py"), program).unwrap();
    let first = "echo $$ > outer; echo $$ > begun; exec python3 program.py; ";
    let (tester, _) = building(dir.path(), first);
    end(tester, Signal::TERM);
    assert!(dir.path().join("heard").exists());
}

#[test]
fn a_build_line_that_ignores_the_signal_is_killed() {
    let dir = tempdir().unwrap();
    let (tester, line) = building(dir.path(), "trap '' TERM; ");
    let status = end(tester, Signal::TERM);
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
    for process in line {
        assert!(!is_alive(&process), "{process}");
    }
    assert!(!dir.path().join("after").exists());
}

/// As `cargo build` makes the judge of a package anew if the rules of its problem have changed: `./judge` writes a new
/// file, and the process is still the old program.
#[test]
fn a_judge_that_its_build_line_makes_anew_judges_nothing() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let judge = |build: &str| {
        fs::copy(env!("CARGO_BIN_EXE_tester"), dir.path().join("judge")).unwrap();
        let out = Command::new("./judge")
            .args(["batch", "--seeds", "0..2", "--problem", "hitblow 1 10"])
            .args(["--build", build, "--", "./c"])
            .current_dir(dir.path())
            .output()
            .unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        (out.status.code(), err)
    };
    let same = judge("cp judge new; mv new judge");
    assert_eq!(same.0, Some(0), "{}", same.1);
    fs::remove_dir_all(dir.path().join("out")).unwrap();
    let (status, err) = judge("cp judge new; echo >> new; mv new judge");
    assert_eq!(status, Some(2), "{err}");
    let expected = "judge: the build made ./judge anew, which is this judge; nothing was judged by its old rules\nhint: ";
    assert!(err.contains(expected), "{err}");
    assert!(!dir.path().join("out").exists());
}
