//! A package with a problem of its own, through its real binary: it has every command of `tester`, and no message, help
//! text or file of it speaks of another program or problem.

mod commands;
mod decimals;
mod words;

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// Walks from section to section, and listens at each: `leak N C` with the leak at k costs k (1 + C) minutes.
const WALK: &str = "read -r name n c; i=1; while :; do echo \"? $i\"; read -r reply; \
                    [ \"$reply\" = '=' ] && break; i=$((i + 1)); done; echo \"! $i\"; read -r reply";

/// As [`WALK`], from the last section on: with the leak at k it costs (N - 1) + (N - k) + (N - k + 1) C + 1 minutes.
const WALK_BACK: &str = "read -r name n c; i=$n; while :; do echo \"? $i\"; read -r reply; \
                         [ \"$reply\" = '=' ] && break; i=$((i - 1)); done; echo \"! $i\"; read -r reply";

/// A folder with the contestants `walk` and `back`.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, body) in [("walk", WALK), ("back", WALK_BACK)] {
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
fn leak(dir: &Path, words: &str, input: &str) -> Shown {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_leak"));
    command.arg0("leak").args(words.split(' '));
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
