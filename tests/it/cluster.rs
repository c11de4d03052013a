//! `scripts/cluster` as people use it, and what it promises when workers, clients and schedulers die. What
//! installs Dask into `target/cluster` runs only on demand: `cargo build --release && cargo test -p solver --test it cluster:: -- --ignored`
//!
//! What is promised is shown by `scripts/cluster-trials`, on loopback here; as root it also does so in network namespaces.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn script(name: &str, args: &[&str]) -> Output {
    Command::new(Path::new("scripts").join(name))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

/// The trials of these names, on loopback.
fn trials(names: &[&str]) {
    let shown = script("cluster-trials", names);
    let said = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.status.success(), "{said}");
    assert_eq!(said.matches("\n  passed").count(), names.len(), "{said}");
}

#[test]
#[ignore = "needs Python, and installs Dask"]
fn run_of_two_workers_is_that_of_one_machine() {
    trials(&["same", "duel", "policy"]);
}

#[test]
#[ignore = "needs Python, and installs Dask"]
fn nothing_finished_is_lost_or_counted_twice() {
    trials(&[
        "kill_worker",
        "kill_client",
        "said_again",
        "kill_scheduler",
        "partition",
    ]);
}

#[test]
#[ignore = "needs Python, and installs Dask"]
fn worker_with_another_program_is_told() {
    trials(&["altered_cache", "other_program", "fails_everywhere"]);
}

#[test]
#[ignore = "needs Python, and installs Dask"]
fn cluster_of_our_own_listens_on_loopback_and_ends_with_us() {
    trials(&["nothing_is_left"]);
}

#[test]
fn a_run_is_found_in_a_history_of_any_name() {
    if !crate::has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let look = r#"
import sqlite3, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from plan import entered_run
for name in ["plain", "a#b", "a%41", "a?b", "a b"]:
    with sqlite3.connect(name) as db:
        db.execute("CREATE TABLE run (id, begun_ms, provenance, planned, state)")
        db.execute("INSERT INTO run VALUES (7, 5, '{\"fingerprint\":\"f\"}', 3, 'done')")
    print(entered_run(Path(name), 5, "f", 3), entered_run(Path(name), 5, "f", 4))
"#;
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster.d");
    let found = Command::new("python3")
        .args(["-B", "-c", look])
        .arg(scripts)
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&found.stderr);
    assert_eq!(
        String::from_utf8_lossy(&found.stdout),
        "7 None\n".repeat(5),
        "{said}"
    );
}

/// Holds `scripts/cluster` to refusing these, each for this reason, before anything is started.
fn are_refused(plan: &Path, wrong: &[(&[&str], &str)]) {
    for (args, why) in wrong {
        let shown = script("cluster", args);
        let said = String::from_utf8(shown.stderr).unwrap();
        assert_eq!(shown.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(why), "{args:?}: {said}");
        assert!(!said.contains("Traceback"), "{said}");
        assert!(!plan.join("plan.json").exists(), "{args:?} made a plan");
    }
}

#[test]
fn what_cannot_be_understood_is_refused_without_dask() {
    if !crate::has_python() {
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let wrong = [
        (&["batch"][..], "expected -- and what to judge"),
        (
            &["batch", "--jobs", "2", "--", "./solver"],
            "expected no --jobs",
        ),
        (&["batch", "-j2", "--", "./solver"], "expected no --jobs"),
        (
            &["batch", "--shuffle", "--", "./solver"],
            "expected no --shuffle",
        ),
        (
            &["batch", "--workers", "0", "--", "./solver"],
            "--workers from 1 on",
        ),
        (
            &["policy", "--parts", "0", "--", "mi"],
            "expected --parts and --workers from 1 on",
        ),
        (
            &["duel", "--", "./solver"],
            "expected -- and two programs, each with its arguments one word in quotes, found 1",
        ),
        (
            &["duel", "--seeds", "5", "--", "./solver", "./solver"],
            "expected --seeds A.., A..B or A..=B",
        ),
    ];
    are_refused(out.path(), &wrong);
    std::fs::write(out.path().join("tester.toml"), "version = 1\n").unwrap();
    let below = out.path().join("below");
    std::fs::create_dir(&below).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster");
    let refused = || {
        let shown = Command::new(&script)
            .args(["batch", "--workers", "0", "--", "./solver"])
            .current_dir(&below)
            .output()
            .unwrap();
        let said = String::from_utf8(shown.stderr).unwrap();
        assert_eq!(shown.status.code(), Some(2), "{said}");
        said
    };
    let not_here = "expected tester.toml here, found it in ";
    let said = refused();
    assert!(said.contains(not_here), "{said}");
    // The tester reads none in a folder of all users, and none of another user; only root can make the latter.
    let for_all = std::fs::Permissions::from_mode(0o1777);
    std::fs::set_permissions(out.path(), for_all).unwrap();
    let said = refused();
    assert!(said.contains("--workers from 1 on"), "{said}");
    std::fs::set_permissions(out.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(refused().contains(not_here));
    if std::os::unix::fs::chown(out.path().join("tester.toml"), Some(65534), None).is_ok() {
        let said = refused();
        assert!(said.contains("--workers from 1 on"), "{said}");
    }
}

#[test]
#[ignore = "needs Python, and installs Dask"]
fn what_cannot_be_judged_is_refused_before_anything_is_started() {
    let out = tempfile::tempdir().unwrap();
    let plan = out.path().join("none");
    let to = plan.to_str().unwrap();
    let wrong = [
        (
            &["batch", "--to", to, "--resume"][..],
            "expected a run that was begun in",
        ),
        (
            &["batch", "--to", to, "--seeds", "3..1", "--", "./solver"],
            "tester batch cannot judge this",
        ),
        (
            &["batch", "--to", to, "--ship", "none", "--", "./solver"],
            "expected a file or folder to ship at none",
        ),
        (
            &[
                "batch",
                "--to",
                to,
                "--scheduler",
                "tcp://127.0.0.1:1",
                "--",
                "./solver",
            ],
            "expected a Dask scheduler at tcp://127.0.0.1:1, found none",
        ),
    ];
    are_refused(&plan, &wrong);
}
