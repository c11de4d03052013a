//! Runs by different rules are not compared in silence: the history keeps which build of the problem judged.

use std::io::Write;
use std::process::Command;

use crate::{Shown, folder, show};

#[test]
fn a_run_of_another_build_of_the_problem_is_cautioned_against() {
    let dir = folder();
    let judge = dir.path().join("judge");
    std::fs::copy(env!("CARGO_BIN_EXE_own-crate"), &judge).unwrap();
    let batch = || -> Shown {
        let mut command = Command::new(&judge);
        command.args("batch --seeds 0..3 --time-limit 60 -- ./sweep".split(' '));
        show(command, dir.path(), "")
    };
    let caution = "both runs were judged by different builds of the problem";
    let plain = |shown: Shown| {
        assert_eq!(shown.status, 0, "{shown:?}");
        shown
            .stdout
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(!plain(batch()).contains(caution));
    assert!(!plain(batch()).contains(caution), "the same build");
    // As after a change of the rules.
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&judge)
        .unwrap();
    file.write_all(b"\n").unwrap();
    drop(file);
    assert!(plain(batch()).contains(caution));
    let compare = |runs: &str| {
        let mut command = Command::new(&judge);
        command.args(["compare"]).args(runs.split(' '));
        plain(show(command, dir.path(), ""))
    };
    let caution =
        "A and B were judged by different builds of the problem: if its rules have changed";
    assert!(!compare("1 2").contains(caution));
    assert!(compare("2 3").contains(caution));
}
