//! Fork bombs of every kind, in every sandbox, as root and as another user: never more processes than the limit, none
//! left when the verdict is printed.
//!
//! The bombs are `tests/bombs/bomb.rs`. Each test runs this program again in a PID namespace that has few numbers, so
//! that a failure harms nothing else: see `bombs_inside`. `scripts/soak bombs N` runs all kinds N times.

use std::process::Command;

/// What the namespace has altogether. Far more than any bomb may use.
const NUMBERS: u32 = 2000;

/// Why there can be no namespace with a limit of its own.
fn missing() -> Option<String> {
    // Before, `pid_max` is the machine's.
    if kernel() < (6, 14) {
        return Some("a PID namespace has a highest number of its own since Linux 6.14".to_owned());
    }
    let output = contained("exec true", &[]).output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Some(format!("unshare (util-linux): {error}")),
    }
}

/// The first two numbers of the kernel's version.
fn kernel() -> (u32, u32) {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next()?.parse().ok();
    (number().unwrap_or(0), number().unwrap_or(0))
}

/// A shell line in a PID namespace of its own, which ends when this process does.
fn contained(line: &str, words: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]);
    if !rustix::process::geteuid().is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    // 8 GB for each process of ours and of bubblewrap; bombs need less than one hundredth of that.
    let limits =
        format!("echo {NUMBERS} > /proc/sys/kernel/pid_max && ulimit -v 8000000 && {line}");
    command.args(["sh", "-c", &limits, "sh"]).args(words);
    command
}

/// Runs the test `bombs_inside::NAME` of this program in such a namespace. What it says is shown if it fails, or at once
/// with `--nocapture`.
fn run_inside(name: &str) {
    if let Some(missing) = missing() {
        eprintln!("not tested, for there is no PID namespace with few numbers here: {missing}");
        return;
    }
    let own = std::env::current_exe().unwrap();
    let test = format!("bombs_inside::{name}");
    // The shell stays the first process, which reaps.
    let line = "\"$@\"; exit $?";
    let words = [own.to_str().unwrap(), "--exact", &test];
    let words = [&words[..], &["--ignored", "--nocapture"]].concat();
    let mut command = contained(line, &words);
    command.env("BOMBS_CONTAINED", "1");
    let status = command.status().unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn a_fork_bomb_never_passes_its_limit_and_leaves_nothing() {
    run_inside("each_kind_once");
}

#[test]
#[ignore = "takes minutes to hours: scripts/soak bombs"]
fn all_of_them() {
    if let Some(missing) = missing() {
        panic!("a PID namespace with few numbers is missing: {missing}");
    }
    run_inside("all_kinds_everywhere");
}
