//! `scripts/tune` as people use it. What installs Optuna into `target/tune` runs only on demand:
//! `cargo build --release && cargo test -p solver --test it tune:: -- --ignored`

use std::path::Path;
use std::process::{Command, Output};

fn tune(out: &Path, args: &[&str]) -> Output {
    Command::new("scripts/tune")
        .arg("--out")
        .arg(out)
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

#[test]
#[ignore = "needs Python, and installs Optuna"]
fn bonus_that_is_found_is_as_good_as_the_best_of_a_sweep() {
    let out = tempfile::tempdir().unwrap();
    let solver = [
        "--all-secrets",
        "--start",
        "bonus=8",
        "--",
        "./solver",
        "--policy",
        "mi",
    ];
    let shown = tune(
        out.path(),
        &[&solver[..], &["--hit-bonus", "{bonus:0..8}"]].concat(),
    );
    let said = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.status.success(), "{said}");
    let best = said.lines().find(|line| line.starts_with("best")).unwrap();
    let total: u64 = best.rsplit(' ').next().unwrap().parse().unwrap();
    // The least in `lab plot sweep --hit-bonus 0..8` is 3612.
    assert!(total <= 3614, "{best}");
    let cases = said.lines().find(|line| line.starts_with("cases")).unwrap();
    let saved: Vec<&str> = cases.split("pruning saved ").collect();
    assert!(
        saved[1].split(' ').next().unwrap().parse::<u64>().unwrap() > 0,
        "{cases}"
    );
}

#[test]
fn what_cannot_be_tuned_is_refused_before_anything_runs() {
    if !crate::has_python() {
        return;
    }
    let out = tempfile::tempdir().unwrap();
    for (args, why) in [
        (
            &["--", "./solver"][..],
            "expected a number to be tuned in the command",
        ),
        (
            &["./solver", "{x:0..1}"],
            "expected -- and the command to be tuned",
        ),
        (
            &["--", "./solver", "{x}"],
            "expected a name and a range in braces",
        ),
        (
            &["--", "./solver", "{x:2..1}"],
            "expected a range from low to high",
        ),
        (
            &["--", "./solver", "{x:0..1:log}"],
            "expected a range above 0 with :log",
        ),
        (
            &["--", "./solver", "{x:0.5..1:int}"],
            "expected whole numbers with :int",
        ),
        (
            &["--start", "x=2", "--", "./solver", "{x:0..1}"],
            "expected x from 0 to 1, found 2",
        ),
        (
            &["--start", "y=1", "--", "./solver", "{x:0..1}"],
            "expected --start NAME=VALUE with one of x",
        ),
        (
            &["--trials", "0", "--", "./solver", "{x:0..1}"],
            "expected at least 1 trial",
        ),
        (
            &["--tester", "no-such-tester", "--", "./solver", "{x:0..1}"],
            "expected a program after --tester, found 'no-such-tester'",
        ),
        (
            &[
                "--tester",
                "sh",
                "--scheduler",
                "tcp://x:1",
                "--",
                "./solver",
                "{x:0..1}",
            ],
            "--tester cannot be used with --scheduler",
        ),
        (
            &["--by", "rank", "--", "./solver", "{x:0..1}"],
            "invalid choice: 'rank'",
        ),
    ] {
        let shown = tune(&out.path().join("none"), args);
        let said = String::from_utf8(shown.stderr).unwrap();
        assert_eq!(shown.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(why), "{args:?}: {said}");
        assert!(!out.path().join("none").exists());
    }
}
