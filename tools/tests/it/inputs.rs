//! Files that are read whole: what blocks or has no end is refused at once, through the real binary.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{CASE, script, wait_until_exists};

/// Runs `tester` in a folder with 2 GB of memory and 20 s; returns its status and its message.
fn tester_in(dir: &Path, args: &[&str]) -> (i32, String) {
    let mut command = assert_cmd::Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh"]);
    command.arg(env!("CARGO_BIN_EXE_tester")).args(args);
    let output = command
        .current_dir(dir)
        .timeout(Duration::from_secs(20))
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let status = output.status.code();
    (
        status.unwrap_or_else(|| panic!("{args:?} was killed: {stderr}")),
        stderr,
    )
}

#[test]
fn files_without_end_and_files_that_block_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("case"), CASE).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), 0o600.into()).unwrap();
    let huge = std::fs::File::create(at("huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    std::fs::create_dir(at("folder")).unwrap();
    let readers: [(&[&str], &str); 4] = [
        (&["batch", "--config", "FILE", "--", "true"], "1 MiB"),
        (&["gen", "FILE", "--dir", "in"], "256 MiB"),
        (&["vis", "case", "FILE"], "256 MiB"),
        (&["vis", "--transcript", "case", "FILE"], "256 MiB"),
    ];
    for (words, limit) in readers {
        for (file, expected) in [
            ("/dev/zero", "a regular file or a pipe, found a device"),
            ("/dev/random", "a regular file or a pipe, found a device"),
            (
                "fifo",
                "a regular file or a pipe, found a FIFO (named pipe)",
            ),
            ("folder", "a regular file or a pipe, found a folder"),
            ("huge", &format!("at most {limit}, found 1024 GiB")),
        ] {
            let word = |word: &&'static str| if *word == "FILE" { file } else { word };
            let words: Vec<&str> = words.iter().map(word).collect();
            let (status, stderr) = tester_in(dir.path(), &words);
            let expected = format!("failed to read {file}: expected {expected}\n");
            assert_eq!(status, 2, "{words:?}: {stderr}");
            assert!(stderr.contains(&expected), "{words:?}: {stderr}");
        }
    }
}

#[test]
fn shards_without_end_and_shards_that_block_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), 0o600.into()).unwrap();
    let huge = std::fs::File::create(at("huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    for (file, expected) in [
        (
            "/dev/zero",
            "expected a regular file or a pipe, found a device",
        ),
        (
            "fifo",
            "expected a regular file or a pipe, found a FIFO (named pipe)",
        ),
        ("huge", "line 1: expected a whole line, found "),
    ] {
        let (status, stderr) = tester_in(dir.path(), &["merge", "--dry-run", file]);
        assert_eq!(status, 2, "{file}: {stderr}");
        assert!(stderr.contains(expected), "{file}: {stderr}");
    }
}

#[test]
fn what_is_no_file_is_no_history() {
    let dir = tempfile::tempdir().unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.path().join("fifo"), 0o600.into()).unwrap();
    for file in ["fifo", "/dev/zero", "."] {
        let batch = ["batch", "--seeds", "0..2", "--history", file, "--", "true"];
        for words in [&["history", "--history", file][..], &batch] {
            let (status, stderr) = tester_in(dir.path(), words);
            assert_eq!(status, 2, "{words:?}: {stderr}");
            let expected = format!("tester: {file} is not a history, but another kind of file\n");
            assert!(stderr.starts_with(&expected), "{words:?}: {stderr}");
        }
    }
}

#[test]
fn pipes_without_a_name_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let command = "\"$1\" gen <(printf '3\\n5\\n') --dir in && \
         \"$1\" batch --config <(printf 'version = 1\\n[batch]\\ncases = \"in\"\\n') -- true 2>&1";
    let output = std::process::Command::new("bash")
        .args(["-c", command, "bash", env!("CARGO_BIN_EXE_tester")])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("--cases=in"), "{stdout}");
    assert!(dir.path().join("in/0001.txt").exists());
}

/// The kernel keeps programs from our descriptors, but a kernel without signal scopes does not keep one of root.
#[test]
fn a_case_is_closed_before_its_program_runs() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("case"), CASE).unwrap();
    let waits = "read -r game; : > began; until [ -e end ]; do sleep 0.01; done; echo 8 2 5";
    script(dir.path(), "waits", waits);
    let open = || std::fs::File::open(at("case")).unwrap();
    // The lock is that of what was opened, and ends with its last descriptor.
    let locked = open();
    locked.lock().unwrap();
    let mut judge = std::process::Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["--time-limit", "60", "./waits"])
        .current_dir(dir.path())
        .stdin(locked)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until_exists(&at("began"));
    // A program that another test starts may have the descriptor for a moment.
    let begun = Instant::now();
    let is_closed = loop {
        let is_closed = open().try_lock().is_ok();
        if is_closed || begun.elapsed() > Duration::from_secs(5) {
            break is_closed;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    std::fs::write(at("end"), "").unwrap();
    assert!(judge.wait().unwrap().success());
    assert!(is_closed);
}
