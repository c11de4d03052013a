//! A terminal as our output: a contestant that stops it gains no time, and does not hold the judge.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CASE, counter, run_in, words, write_cases};
use crate::expected::compiled_text;
use tempfile::{TempDir, tempdir};

/// Stops the terminal that is its first argument, says something, and starts the terminal again before it answers if
/// there is a second.
const STOPPER: &str = r##"
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;
unsafe extern "C" { fn tcflow(fd: i32, action: i32) -> i32; }
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mut options = std::fs::File::options();
    let terminal = options.read(true).write(true).custom_flags(0o400).open(path).unwrap();
    let flow = |action| assert_eq!(unsafe { tcflow(terminal.as_raw_fd(), action) }, 0);
    flow(0);
    println!("# stopped");
    std::thread::sleep(Duration::from_millis(1500));
    if std::env::args().count() > 2 {
        flow(1);
    }
    println!("8 2 5");
}
"##;

fn stopper() -> (TempDir, PathBuf) {
    let dir = tempdir().unwrap();
    let program = compiled_text(dir.path(), "stopper", STOPPER);
    (dir, program)
}

/// A terminal: what its user sees and types, the end for programs, and the path of that.
pub(crate) fn terminal() -> (File, File, String) {
    let (mut user, mut programs) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: both numbers are valid to write to, and the others may be null.
    let made = unsafe { libc::openpty(&mut user, &mut programs, none, none.cast(), none.cast()) };
    assert_eq!(made, 0);
    for fd in [user, programs] {
        // SAFETY: changes only a flag of a descriptor that is open.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    // SAFETY: the descriptors are open, and no other value owns them.
    let owned = |fd| File::from(unsafe { OwnedFd::from_raw_fd(fd) });
    let path = std::fs::read_link(format!("/proc/self/fd/{programs}")).unwrap();
    (owned(user), owned(programs), path.to_str().unwrap().into())
}

/// Starts the tester as a shell would on this terminal.
fn start(args: &[&str], dir: &Path, terminal: &File) -> Child {
    let fd = terminal.as_raw_fd();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tester"));
    command.args(args).current_dir(dir).stdin(Stdio::piped());
    command.stdout(terminal.try_clone().unwrap());
    command.stderr(terminal.try_clone().unwrap());
    // SAFETY: between fork and exec it makes two system calls, and nothing else.
    unsafe {
        command.pre_exec(move || {
            libc::setsid();
            libc::ioctl(fd, libc::TIOCSCTTY, 0);
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    // A batch does not read it.
    let _ = child.stdin.take().unwrap().write_all(CASE.as_bytes());
    child
}

/// What the user sees until the program has ended.
fn seen(mut user: File, terminal: File, mut child: Child) -> String {
    drop(terminal);
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        // Ends with an error when no program has the terminal open.
        let _ = user.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it waits for the terminal: {}", reader.join().unwrap());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    reader.join().unwrap()
}

#[test]
fn a_program_that_stops_the_terminal_gains_no_time_and_does_not_hold_the_judge() {
    let (dir, program) = stopper();
    let program = program.to_str().unwrap();
    for again in [&["again"][..], &[]] {
        let (user, programs, path) = terminal();
        let args = [&["--time-limit", "1", program, &path][..], again].concat();
        let child = start(&args, dir.path(), &programs);
        let text = seen(user, programs, child);
        assert!(text.contains("# stopped"), "{again:?}: {text}");
        assert!(text.contains("TLE: turn 1: 1.0"), "{again:?}: {text}");
        assert!(text.ends_with("Score = 0\r\n"), "{again:?}: {text}");
    }
}

#[test]
fn a_batch_ends_on_a_terminal_that_a_program_has_stopped() {
    let (dir, program) = stopper();
    let (user, programs, path) = terminal();
    write_cases(dir.path(), [CASE; 2]);
    let program = program.to_str().unwrap();
    let args = ["batch", "--time-limit", "1", "--", program, &path];
    let child = start(&args, dir.path(), &programs);
    let text = seen(user, programs, child);
    assert!(text.contains("verdicts   TLE 2"), "{text}");
}

#[test]
fn a_terminal_that_its_user_has_stopped_is_waited_for() {
    let dir = tempdir().unwrap();
    let (mut user, programs, _) = terminal();
    let args = ["sh", "-c", "sleep 0.5; echo 8 2 5"];
    let mut child = start(&args, dir.path(), &programs);
    user.write_all(b"\x13").unwrap(); // Ctrl-S
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none(), "it waits for its user");
    user.write_all(b"\x11").unwrap(); // Ctrl-Q
    let text = seen(user, programs, child);
    assert!(text.ends_with("8 2 5\r\nScore = 1\r\n"), "{text}");
}

#[test]
fn paragraphs_and_rows_fit_a_terminal_of_sixty_columns() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    let tester = |args: &[&str]| {
        let (user, programs, _) = terminal();
        let size = rustix::termios::Winsize {
            ws_row: 24,
            ws_col: 60,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&programs, size).unwrap();
        let child = start(args, dir.path(), &programs);
        seen(user, programs, child).replace('\r', "")
    };
    let batch = words("batch --problem 'hitblow 1 10' --seeds 0..9 -- ./c");
    tester(&batch);
    let again = tester(&batch);
    assert!(
        again.contains("\nagainst    run 1: +0.0000 ± 0.0000; better on 0 cases, the\n           same on 9, worse on 0\n"),
        "{again}"
    );
    let compared = tester(&["compare"]);
    assert!(
        compared.contains("A and B have the same score"),
        "{compared}"
    );
    let longest = compared.lines().map(|line| line.chars().count()).max();
    assert!(longest.is_some_and(|longest| longest <= 60), "{compared}");
}

#[test]
fn a_locked_history_is_waited_for_ten_seconds_and_a_terminal_says_so() {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    write_cases(dir.path(), ["hitblow 1 10\n3\n"]);
    let batch = ["batch", "--", "./c"];
    assert_eq!(run_in(dir.path(), &batch, "").status, 0);
    let writer = rusqlite::Connection::open(dir.path().join("out/history.sqlite")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (user, programs, _) = terminal();
    let child = start(&batch, dir.path(), &programs);
    let elsewhere = std::thread::spawn({
        let dir = dir.path().to_owned();
        move || run_in(&dir, &batch, "")
    });
    let begun = Instant::now();
    let text = seen(user, programs, child);
    let waited = begun.elapsed().as_secs();
    assert!((9..18).contains(&waited), "{waited} s: {text}");
    let told = "tester: the history is locked by another process: waiting for it, at most 10 s\r\n";
    assert_eq!(text.matches(told).count(), 1, "{text}");
    assert!(
        text.contains("history.sqlite: database is locked"),
        "{text}"
    );
    let elsewhere = elsewhere.join().unwrap();
    assert_eq!(elsewhere.status, 2);
    assert!(!elsewhere.stderr.contains("waiting"), "{elsewhere:?}");
}

/// A case that was forgotten: the hint can be typed as it is.
#[test]
fn where_no_case_is_given_the_hint_has_the_program_that_was_typed() {
    let dir = tempdir().unwrap();
    let (_user, programs, _) = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tester"));
    command.args(["sh", "-c", "exit 0"]).current_dir(dir.path());
    let output = command.stdin(programs).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    // The tester is named by its path.
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("tester sh -c 'exit 0' < in/0000.txt, or "),
        "{text}"
    );
    assert!(text.ends_with("tester --seed 0 sh -c 'exit 0'\n"), "{text}");
}
