//! A machine that fails us: never a wrong verdict, and nothing finished is lost.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{counter, names, run_in};
use tempfile::{TempDir, tempdir};

const BATCH: [&str; 7] = [
    "batch",
    "--seeds",
    "0..30",
    "--problem",
    "hitblow 1 10",
    "--jobs",
    "4",
];

fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "sleep 0.01");
    dir
}

/// A batch under a limit of the shell's.
fn limited(dir: &Path, limit: &str) -> Output {
    let tester = env!("CARGO_BIN_EXE_tester");
    let script = format!("{limit}; exec {tester} \"$@\"");
    Command::new("sh")
        .args(["-c", &script, "sh"])
        .args(BATCH)
        .args(["--", "./c"])
        .current_dir(dir)
        .output()
        .unwrap()
}

/// Verdicts of the last run, without what may follow from the failure of the machine.
fn wrong_verdicts(dir: &Path) -> Vec<String> {
    let lines = run_in(dir, &["show", "--csv"], "").stdout;
    let wrong = |line: &&str| !line.contains(",AC,") && !line.contains(",IE,");
    lines
        .lines()
        .skip(1)
        .filter(wrong)
        .map(str::to_owned)
        .collect()
}

#[test]
fn without_descriptors_the_batch_ends_with_a_message_and_is_gone_on_with() {
    let dir = folder();
    // Enough to open the history, not enough for four contestants; the judge may not raise it.
    let output = limited(dir.path(), "ulimit -n 24");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let told = stderr.contains("Too many open files") || stdout.contains("Too many open files");
    assert!(told, "{:?} {stdout} {stderr}", output.status);
    assert_ne!(output.status.code(), Some(0));
    assert_eq!(wrong_verdicts(dir.path()), [""; 0]);
    let resumed = run_in(dir.path(), &["batch", "--resume"], "");
    assert_eq!(resumed.status, 0, "{resumed:?}");
    assert!(resumed.stdout.contains("verdicts   AC 30\n"), "{resumed:?}");
    assert_eq!(names(&dir.path().join("out")).len(), 2 * 30 + 1);
}
