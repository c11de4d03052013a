//! What the tests of the binary share.

pub mod browser;
pub mod copied;
pub mod expression;
pub mod many;
pub mod nobody;
pub mod session_page;
pub mod shards;
mod words;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assert_cmd::Command;
pub use words::words;

/// The case that all contestants of the tests play.
pub const CASE: &str = "hitblow 3 10\n8 2 5\n";

/// `tester` with these arguments, in a folder of its own choice. It is called as if it was found in the PATH, so that
/// messages call it `tester`.
pub fn tester(args: &[&str]) -> Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tester"));
    command.arg0("tester").args(args);
    command.into()
}

/// Runs a command that was printed to be pasted, in a folder.
pub fn paste(dir: &Path, command: &str) -> std::process::Output {
    let tester = Path::new(env!("CARGO_BIN_EXE_tester"));
    let path = std::env::var("PATH").unwrap();
    let shell = std::process::Command::new("sh")
        .args(["-c", command])
        .env(
            "PATH",
            format!("{}:{path}", tester.parent().unwrap().display()),
        )
        .current_dir(dir)
        .output();
    shell.unwrap()
}

/// What a run of the binary showed.
#[derive(Debug)]
pub struct Shown {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<std::process::Output> for Shown {
    fn from(output: std::process::Output) -> Self {
        Self {
            status: output.status.code().expect("it is not killed"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs to the end, with `input` on standard input.
pub fn run(args: &[&str], input: &str) -> Shown {
    run_in(Path::new("."), args, input)
}

/// The same, in a folder.
pub fn run_in(dir: &Path, args: &[&str], input: &str) -> Shown {
    let output = tester(args)
        .current_dir(dir)
        .write_stdin(input)
        .output()
        .unwrap();
    Shown::from(output)
}

/// Makes the folder `in` with these cases: `0000.txt`, `0001.txt` and so on.
pub fn write_cases(dir: &Path, texts: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    std::fs::create_dir(dir.join("in")).unwrap();
    for (number, text) in texts.into_iter().enumerate() {
        std::fs::write(dir.join(format!("in/{number:04}.txt")), text).unwrap();
    }
}

/// Writes an executable shell script.
pub fn script(dir: &Path, name: &str, body: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Whether the kernel can refuse system calls; says so where it cannot, for then something is not tested.
pub fn kernel_has_filters() -> bool {
    const SECCOMP_GET_ACTION_AVAIL: libc::c_long = 2;
    let refuse = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the call reads one number.
    let answer = unsafe { libc::syscall(libc::SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &refuse) };
    if answer != 0 {
        eprintln!("not tested: this kernel has no filters of system calls (seccomp)");
    }
    answer == 0
}

/// Whether a process still runs, and is not only waiting for its parent to reap it.
pub fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| {
        let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
        !state.starts_with('Z') && !state.starts_with('X')
    })
}

/// Waits until a process has made this file.
pub fn wait_until_exists(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        let waited = begun.elapsed();
        assert!(waited < Duration::from_secs(20), "no {}", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The number that a contestant's process has for us, from the number that it has for itself.
pub fn number_outside(judge: u32, inside: &str) -> String {
    let is_below = |mut pid: u32| loop {
        match parent(pid) {
            Some(0) | None => return false,
            Some(parent) if parent == judge => return true,
            Some(parent) => pid = parent,
        }
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let mut numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let found = numbers.find(|&pid| {
        let numbers = status_line(pid, "NSpid:");
        numbers.is_some_and(|all| all.split_whitespace().last() == Some(inside)) && is_below(pid)
    });
    found.expect("a process of that number").to_string()
}

fn parent(pid: u32) -> Option<u32> {
    status_line(pid, "PPid:")?.trim().parse().ok()
}

fn status_line(pid: u32, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.map(str::to_owned)
}

/// The names of the files in a folder, sorted; without the `.gitignore` that each new folder of outputs has.
pub fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".gitignore")
        .collect();
    names.sort();
    names
}

/// A contestant for `hitblow 1 K`: guesses 0, 1, 2 and so on, so that its score is the secret plus one.
/// `before` runs before it plays.
pub fn counter(dir: &Path, name: &str, before: &str) -> PathBuf {
    let play = "read -r game; g=0; while :; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; \
                g=$((g + 1)); done";
    script(dir, name, &format!("{before}\n{play}"))
}

/// As [`counter`], called `late`, but it wastes its first turns, as many as its argument says.
pub fn late(dir: &Path) -> PathBuf {
    script(
        dir,
        "late",
        "read -r game; n=$1; while [ $n -gt 0 ]; do echo 0; read -r h b; [ \"$h\" = 1 ] && exit 0; \
         n=$((n - 1)); done; g=0; while :; do echo $g; read -r h b; [ \"$h\" = 1 ] && exit 0; \
         g=$((g + 1)); done",
    )
}
