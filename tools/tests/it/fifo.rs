//! Pipes with a name (FIFOs) where a file is expected: nothing waits for their other end.

use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CASE, script};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

const TESTER: &str = env!("CARGO_BIN_EXE_tester");

/// A folder with a program `answer` and two cases.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    script(dir.path(), "answer", "read -r game; echo 8 2 5");
    std::fs::create_dir(dir.path().join("in")).unwrap();
    for name in ["case", "in/0000.txt", "in/0001.txt"] {
        std::fs::write(dir.path().join(name), CASE).unwrap();
    }
    dir
}

fn fifo(path: &Path) {
    let _ = std::fs::remove_file(path);
    rustix::fs::mkfifoat(rustix::fs::CWD, path, 0o600.into()).unwrap();
}

/// Runs a line of bash, in which `$T` is the tester. What takes longer than 20 s fails.
fn bash(dir: &Path, line: &str) -> (i32, String) {
    let output = assert_cmd::Command::new("bash")
        .args(["-c", &format!("exec 2>&1; {line}")])
        .env("T", TESTER)
        .current_dir(dir)
        .timeout(Duration::from_secs(20))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let status = output.status.code();
    (
        status.unwrap_or_else(|| panic!("{line} hangs: {text}")),
        text,
    )
}

const FOUND: &str = "expected a regular file, found a pipe (FIFO)";

#[test]
fn a_pipe_instead_of_a_case_is_refused() {
    let dir = folder();
    fifo(&dir.path().join("in/0001.txt"));
    let expected = format!("failed to read in/0001.txt: {FOUND}");
    for line in [
        "$T batch -- ./answer",
        "$T batch --external 'true {case}' --",
        "$T gen --seeds 1..2 --problem 'hitblow 3 10'",
    ] {
        let (status, text) = bash(dir.path(), line);
        assert_eq!(status, 2, "{line}: {text}");
        assert!(text.contains(&expected), "{line}: {text}");
    }
}

#[test]
fn a_program_that_replaces_a_case_with_a_pipe_stops_the_batch_with_a_message() {
    let dir = folder();
    let replace = "[ -p in/0001.txt ] || { rm in/0001.txt; mkfifo in/0001.txt; }";
    script(
        dir.path(),
        "replaces",
        &format!("{replace}; read -r game; echo 8 2 5"),
    );
    let (status, text) = bash(dir.path(), "$T batch --jobs 1 -- ./replaces");
    assert_eq!(status, 2, "{text}");
    let expected = format!("failed to read in/0001.txt: {FOUND}");
    assert!(text.contains(&expected), "{text}");
    assert!(text.contains("1 of 2 cases are judged and kept"), "{text}");
}

#[test]
fn pipes_in_the_folder_of_outputs_are_replaced_or_left() {
    let dir = folder();
    let out = dir.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let names = ["0000.txt", "0001.err", ".tester-1-1-abc", ".tester-mine"];
    for name in names {
        fifo(&out.join(name));
    }
    let (status, text) = bash(dir.path(), "$T batch --transcripts -- ./answer");
    assert_eq!(status, 0, "{text}");
    let is_pipe = |name: &str| {
        let found = std::fs::symlink_metadata(out.join(name));
        found.is_ok_and(|found| found.file_type().is_fifo())
    };
    assert_eq!(names.map(is_pipe), [false, false, false, true]);
    let text = std::fs::read_to_string(out.join("0000.txt")).unwrap();
    assert_eq!(text, "8 2 5\n");
}

#[test]
fn a_transcript_goes_to_whatever_is_read() {
    let dir = folder();
    fifo(&dir.path().join("fifo"));
    let (status, text) = bash(dir.path(), "$T --transcript fifo ./answer < case");
    assert_eq!(status, 2, "{text}");
    let expected =
        "failed to write fifo: expected a file, found a pipe (FIFO) that no program reads";
    assert!(text.contains(expected), "{text}");
    for line in [
        "cat fifo > t & sleep 0.2; $T --transcript fifo ./answer < case; wait; cat t",
        "$T --transcript >(cat > t2) ./answer < case; sleep 0.3; cat t2",
        "$T --transcript /dev/stderr ./answer < case",
        "$T --transcript /dev/stdout ./answer < case | cat",
        "$T --transcript /dev/fd/5 ./answer < case 5> t3; cat t3",
        "$T --transcript t4 ./answer < <(cat case); cat t4",
        "cat case | $T --transcript t5 ./answer; cat t5",
    ] {
        let (status, text) = bash(dir.path(), line);
        assert_eq!(status, 0, "{line}: {text}");
        assert!(text.contains("> hitblow 3 10\n"), "{line}: {text}");
        assert!(text.contains("= AC, score 1\n"), "{line}: {text}");
    }
    let (status, text) = bash(dir.path(), "$T --transcript /dev/null ./answer < case");
    assert_eq!((status, text.as_str()), (0, "8 2 5\nScore = 1\n"));
    let (status, text) = bash(dir.path(), "$T vis --to v.html <(cat case) <(echo 8 2 5)");
    assert_eq!((status, text.as_str()), (0, "wrote v.html\nScore = 1\n"));
}

/// A judge whose transcript or output is not read, interrupted after a moment.
fn interrupted(dir: &Path, line: &str) -> (Output, Duration) {
    let child = Command::new("bash")
        .args(["-c", line])
        .env("T", TESTER)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let begun = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    (child.wait_with_output().unwrap(), begun.elapsed())
}

#[test]
fn a_reader_that_does_not_read_holds_neither_the_case_nor_an_interrupt() {
    let dir = folder();
    let remarks =
        "read -r game; head -c 400000 /dev/zero | tr '\\000' '\\n' | sed 's/^/#/'; echo 8 2 5";
    script(dir.path(), "remarks", remarks);
    let thinks = remarks.replace("echo 8", "sleep 20; echo 8");
    script(dir.path(), "thinks", &thinks);
    for line in [
        "exec $T --transcript >(exec sleep 4 > /dev/null 2>&1) ./remarks < case > /dev/null",
        // Interrupted while the case is judged, not while its end is written.
        "exec $T --transcript >(exec sleep 4 > /dev/null 2>&1) ./thinks < case > /dev/null",
        "exec $T ./remarks < case > >(exec sleep 4 2> /dev/null)",
    ] {
        let (output, took) = interrupted(dir.path(), line);
        assert_eq!(output.status.signal(), Some(2), "{line}: {output:?}");
        assert!(took < Duration::from_secs(3), "{line}: {took:?}");
    }
}
