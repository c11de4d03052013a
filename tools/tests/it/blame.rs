//! What is not the contestant's fault is not charged to it: somebody who does not read our output, and
//! a judge that stands still.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{CASE, script};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

/// A judge of a contestant with this body, and its folder; the case has been written to it.
fn judge(body: &str, limit: &str) -> (TempDir, Child) {
    let dir = tempdir().unwrap();
    let contestant = script(dir.path(), "contestant", body);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["--time-limit", limit])
        .arg(contestant)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(CASE.as_bytes()).unwrap();
    (dir, child)
}

/// Stops the judge for a while.
fn stop(child: &Child, before: Duration, during: Duration) {
    let pid = Pid::from_child(child);
    std::thread::sleep(before);
    kill_process(pid, Signal::STOP).unwrap();
    std::thread::sleep(during);
    kill_process(pid, Signal::CONT).unwrap();
}

const MOMENT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_millis(2500);

#[test]
fn time_in_which_our_output_is_not_read_is_not_the_contestants() {
    // More than a pipe and our own buffer hold.
    let flood = "head -c 400000 /dev/zero | tr '\\000' '#'; echo; read -r game; echo 8 2 5";
    let (_dir, mut child) = judge(flood, "2");
    std::thread::sleep(LONG);
    assert!(child.try_wait().unwrap().is_none(), "it waits for us");
    let mut stdout = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "Score = 1\n");
    assert!(stdout.contains("#\n8 2 5\n"));
}

#[test]
fn time_in_which_the_judge_is_stopped_is_not_the_contestants() {
    let patient = "read -r game; sleep 1; echo 0 1 2; read -r reply; echo 8 2 5";
    let (_dir, child) = judge(patient, "2");
    stop(&child, MOMENT, LONG);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "Score = 2\n");
}

#[test]
fn a_stop_of_the_judge_does_not_extend_the_limit() {
    let (_dir, child) = judge("sleep 62.5", "0.7");
    stop(&child, MOMENT, LONG);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("TLE: turn 1: 0.7"), "{stderr}");
    // Computing is charged even then: the kernel counts it.
    let (_dir, child) = judge("while :; do :; done", "0.7");
    stop(&child, MOMENT, LONG);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("TLE: turn 1: "), "{stderr}");
    assert!(!stderr.contains(" 0.00 s of them computing"), "{stderr}");
}
