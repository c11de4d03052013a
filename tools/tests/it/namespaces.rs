//! Two testers that cannot see each other's processes, as in a container and on its host: what one of them judges is
//! neither resumed nor cleared away by the other.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{counter, names, run_in};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{TempDir, tempdir};

const BATCH: [&str; 7] = [
    "batch",
    "--seeds",
    "0..40",
    "--problem",
    "hitblow 1 10",
    "--jobs",
    "1",
];

/// A folder with a program that takes a moment for each case, until the file `fast` is there.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "[ -e fast ] || sleep 0.4");
    dir
}

/// A program in a PID namespace of its own.
struct Elsewhere {
    /// `unshare`, which waits for it.
    outer: Child,
}

impl Elsewhere {
    /// Starts the tester; `None` where such namespaces are not permitted.
    fn start(dir: &Path, args: &[&str]) -> Option<Self> {
        let unshare = |program: &str| {
            let mut command = Command::new("unshare");
            command.args(["--user", "--map-root-user", "--pid", "--fork"]);
            command.args(["--mount-proc", "--kill-child", program]);
            command.stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(Stdio::null());
            command
        };
        let may = unshare("true").status();
        if !may.is_ok_and(|status| status.success()) {
            eprintln!("not tested, because no PID namespace can be made here");
            return None;
        }
        let mut command = unshare(env!("CARGO_BIN_EXE_tester"));
        let outer = command.args(args).current_dir(dir).spawn().unwrap();
        Some(Self { outer })
    }

    /// Kills the tester itself, and waits until it has ended.
    fn kill(mut self) {
        let id = self.outer.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
        let pid = Pid::from_raw(children.trim().parse().unwrap()).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        self.outer.wait().unwrap();
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.outer.kill();
        let _ = self.outer.wait();
    }
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(20), "no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_run_in_another_pid_namespace_lives_until_its_tester_is_gone() {
    let dir = folder();
    let args = [&BATCH[..], &["--", "./c"]].concat();
    let Some(other) = Elsewhere::start(dir.path(), &args) else {
        return;
    };
    let show = |args: &[&str]| run_in(dir.path(), args, "");
    wait_until("case was judged", || {
        show(&["show", "--json"]).stdout.lines().count() > 2
    });
    let history = show(&["history"]).stdout;
    assert!(history.contains("  running  "), "{history}");
    let resumed = show(&["batch", "--resume=1"]);
    assert_eq!(resumed.status, 2, "{resumed:?}");
    let why = "another process is judging run 1";
    assert!(resumed.stderr.contains(why), "{resumed:?}");
    let resumed = show(&["batch", "--resume"]);
    assert_eq!(resumed.status, 2, "{resumed:?}");
    // A run that begins here neither marks it as crashed nor takes its folder.
    let one = ["batch", "--seeds", "0..1", "--keep-runs", "1", "--", "true"];
    show(&one);
    let history = show(&["history"]).stdout;
    assert!(history.contains("  running  "), "{history}");
    assert!(dir.path().join("out/runs/1/0000.txt").exists());
    other.kill();
    let history = show(&["history"]).stdout;
    assert!(!history.contains("  running  "), "{history}");
    std::fs::write(dir.path().join("fast"), "").unwrap();
    let resumed = show(&["batch", "--resume=1"]);
    assert_eq!(resumed.status, 0, "{resumed:?}");
    assert!(resumed.stdout.contains("verdicts   AC 40\n"), "{resumed:?}");
    // The last tester removes the locks.
    let left = names(&dir.path().join("out"));
    assert!(
        !left.contains(&"history.sqlite-lock".to_owned()),
        "{left:?}"
    );
}

#[test]
fn a_temporary_file_of_another_pid_namespace_stays_until_its_tester_is_gone() {
    let dir = folder();
    let shard = |part, to| [&BATCH[..], &["--shard", part, "--to", to, "--", "./c"]].concat();
    let Some(other) = Elsewhere::start(dir.path(), &shard("1/2", "s1")) else {
        return;
    };
    let temporary = || {
        let all = names(dir.path());
        all.into_iter().find(|name| name.starts_with(".tester-"))
    };
    wait_until("temporary file", || temporary().is_some());
    let name = temporary();
    let quick = [
        "batch", "--seeds", "0..1", "--shard", "1/1", "--to", "s2", "--", "true",
    ];
    run_in(dir.path(), &quick, "");
    assert!(dir.path().join("s2").exists());
    assert_eq!(temporary(), name);
    other.kill();
    assert_eq!(temporary(), name);
    let shown = run_in(dir.path(), &shard("1/2", "s1"), "");
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(temporary(), None);
}
