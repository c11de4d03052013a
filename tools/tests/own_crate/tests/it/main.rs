//! A package with a problem of its own, through its real binary: it has every command of `tester`, and no message, help
//! text or file of it speaks of another program or problem.

mod commands;
mod decimals;
mod endless;
mod leak;
mod rules;
mod words;
mod written;

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// Digs every cell of the field, from the first on: with the treasure in the k-th one it costs 10 k minutes.
const SWEEP: &str = "read -r n m; r=$n; while [ $r -gt 0 ]; do read -r row; r=$((r - 1)); done; \
                     k=0; while :; do echo \"! $((k / n)) $((k % n))\"; read -r reply; \
                     [ \"$reply\" = 1 ] && exit; k=$((k + 1)); done";

/// As [`SWEEP`], from the last cell on: of 100 cells it costs 1010 - 10 k minutes.
const BACK: &str = "read -r n m; r=$n; while [ $r -gt 0 ]; do read -r row; r=$((r - 1)); done; \
                    k=$((n * n - 1)); while :; do echo \"! $((k / n)) $((k % n))\"; read -r reply; \
                    [ \"$reply\" = 1 ] && exit; k=$((k - 1)); done";

/// A case of 4 × 4 cells with the treasure in the tenth one.
const CASE: &str = "4 5\n3 1 4 1\n5 2 2 5\n3 5 4 1\n2 3 3 4\n2 1\n";

/// A folder with the contestants `sweep` and `back`.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, body) in [("sweep", SWEEP), ("back", BACK)] {
        program(dir.path(), name, body);
    }
    dir
}

/// Writes a contestant for the shell.
fn program(dir: &Path, name: &str, body: &str) {
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What a run of the binary showed.
#[derive(Debug)]
struct Shown {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs the binary as if it was found in the PATH, with these words between blanks.
fn own(dir: &Path, words: &str, input: &str) -> Shown {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_own-crate"));
    command.arg0("own").args(words.split(' '));
    show(command, dir, input)
}

fn show(command: std::process::Command, dir: &Path, input: &str) -> Shown {
    let output = Command::from(command)
        .current_dir(dir)
        .write_stdin(input)
        .output()
        .unwrap();
    Shown {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
