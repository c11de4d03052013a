//! What is not the contestant's fault is not charged to it: a reader that does not read our output, and a judge
//! that is stopped. What a contestant can cause is charged: our own work, and a terminal that it stops.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CASE, names, run_in, script, words, write_cases};
use crate::expected::compiled_text;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use tempfile::{TempDir, tempdir};

/// A judge of a contestant with this body, and its folder; the case has been written to it.
fn judge(body: &str, limit: &str) -> (TempDir, Child) {
    let dir = tempdir().unwrap();
    let child = judge_of(&script(dir.path(), "contestant", body), limit);
    (dir, child)
}

/// The same of a contestant that is there.
fn judge_of(contestant: &Path, limit: &str) -> Child {
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
    child
}

/// Stops the judge for a while. We hear that it was stopped, as the shell does that has started it.
fn stop(child: &Child, before: Duration, during: Duration) {
    let pid = Pid::from_child(child);
    std::thread::sleep(before);
    kill_process(pid, Signal::STOP).unwrap();
    std::thread::sleep(during);
    let heard = waitpid(Some(pid), WaitOptions::UNTRACED | WaitOptions::NOHANG);
    let heard = heard.unwrap().expect("it was stopped long ago");
    assert!(heard.1.stopped(), "{heard:?}");
    kill_process(pid, Signal::CONT).unwrap();
}

/// The seconds that a contestant was charged which has passed the limit in its first turn.
fn charged(judge: Child) -> f64 {
    let output = judge.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let charged = stderr.strip_prefix("TLE: turn 1: ").unwrap_or_default();
    charged.split(' ').next().unwrap().parse().expect(&stderr)
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

#[test]
fn a_stop_while_the_contestant_is_started_is_not_charged() {
    // One file, and written before the threads start: a process that one of them starts would have it open for writing
    // until it executes, and the kernel would not start it meanwhile.
    let dir = tempdir().unwrap();
    let contestant = &script(dir.path(), "contestant", "sleep 62.5");
    // It takes some milliseconds until the contestant runs. Stops in one of them used to be charged.
    std::thread::scope(|scope| {
        for ms in 0..12 {
            scope.spawn(move || {
                let child = judge_of(contestant, "0.7");
                stop(&child, Duration::from_millis(ms), LONG);
                let charged = charged(child);
                assert!(
                    (0.7..1.5).contains(&charged),
                    "stopped after {ms} ms: {charged}"
                );
            });
        }
    });
}

#[test]
fn a_stop_while_the_judge_works_is_not_charged() {
    // Looking at a hundred processes takes the judge a quarter of its time. Of six stops, one or two come meanwhile.
    let many = "n=0; while [ $n -lt 100 ]; do sleep 62.5 & n=$((n + 1)); done; sleep 62.5";
    let judges = [(); 6].map(|()| judge(many, "1.5"));
    std::thread::scope(|scope| {
        for (_, child) in &judges {
            scope.spawn(|| stop(child, Duration::from_millis(500), LONG));
        }
    });
    for (_dir, child) in judges {
        let charged = charged(child);
        assert!((1.5..2.5).contains(&charged), "{charged}");
    }
}

#[test]
fn the_work_that_remarks_make_is_charged_and_their_transcript_is_cut() {
    let dir = tempdir().unwrap();
    script(
        dir.path(),
        "remarks",
        "read -r game; yes '#' | head -c 30000000; echo 8 2 5",
    );
    write_cases(dir.path(), [CASE]);
    let args = words("batch --transcripts --time-limit 1 -- ./remarks");
    let begun = Instant::now();
    let shown = run_in(dir.path(), &args, "");
    // A fast judge hears all of it within the limit. No judge goes on for longer.
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(2500), "{took:?}: {shown:?}");
    let folder = dir.path().join("out/runs/1");
    let transcript = folder.join("0000.transcript");
    assert!(names(&folder).contains(&"0000.transcript".to_owned()));
    let length = transcript.metadata().unwrap().len();
    assert!(length <= (64 << 20) + 200, "{length}");
}

/// Makes the judge the least important process of one processor, and keeps that busy for longer than the limit. The
/// children that do so are never waited for, so that the kernel counts their time for no process.
const STARVER: &str = r#"use std::time::{Duration, Instant};

unsafe extern "C" {
    fn fork() -> i32;
    fn getppid() -> i32;
    fn setsid() -> i32;
    fn signal(number: i32, action: usize) -> usize;
    fn sched_setaffinity(pid: i32, size: usize, mask: *const u64) -> i32;
    fn sched_setscheduler(pid: i32, policy: i32, parameter: *const i32) -> i32;
}

const SIGCHLD: i32 = 17;
const IGNORE: usize = 1;
const SCHED_IDLE: i32 = 5;

fn main() {
    let (begun, busy) = (Instant::now(), Duration::from_millis(1600));
    let first = [1_u64];
    // The judge is waiting by then.
    std::thread::sleep(Duration::from_millis(200));
    unsafe {
        signal(SIGCHLD, IGNORE);
        // Processes of one session share a processor as one, and 40 sessions share it as 40.
        let _ = std::fs::write(format!("/proc/{}/autogroup", getppid()), "19");
        let tasks = std::fs::read_dir(format!("/proc/{}/task", getppid())).unwrap();
        for task in tasks.flatten() {
            let task: i32 = task.file_name().to_str().unwrap().parse().unwrap();
            sched_setaffinity(task, 8, first.as_ptr());
            sched_setscheduler(task, SCHED_IDLE, &0);
        }
        for _ in 0..40 {
            if fork() == 0 {
                setsid();
                sched_setaffinity(0, 8, first.as_ptr());
                while begun.elapsed() < busy {}
                std::process::exit(0);
            }
        }
    }
    std::thread::sleep(busy + Duration::from_millis(50));
    println!("8 2 5");
}
"#;

#[test]
fn keeping_the_judge_from_its_processor_gains_an_allowance_and_no_more() {
    let dir = tempdir().unwrap();
    let program = compiled_text(dir.path(), "starver", STARVER);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tester"));
    command.args(["--time-limit", "1"]).arg(&program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    // The program changes the priority of the whole session, which must not be that of the tests.
    // SAFETY: between fork and exec it makes one system call, and nothing else.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(CASE.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("TLE: "), "{stderr}");
}
