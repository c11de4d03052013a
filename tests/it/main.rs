//! The tests of the solver, one module for each subject.

/// The solver's own file, for tests that look inside.
#[allow(dead_code)]
#[path = "../../src/main.rs"]
mod solver;

/// The submission for AHC030, likewise.
#[allow(dead_code)]
#[path = "../../src/bin/oil.rs"]
mod oil;

mod all_secrets;
mod asking;
mod balance;
mod bayes;
mod clock;
mod cluster;
mod core;
mod distance;
mod elsewhere;
mod fast_paths;
mod fewest_turns;
mod games;
mod judge_words;
mod leak;
mod liar;
mod miniature;
mod new_solver;
mod oil_fast;
mod oil_games;
mod oil_pairs;
mod oil_program;
mod paste;
mod program;
mod rule;

/// The solver as a program: that of this build, or what the variable `SOLVER` names.
fn program_under_test() -> std::ffi::OsString {
    std::env::var_os("SOLVER").unwrap_or_else(|| env!("CARGO_BIN_EXE_solver").into())
}

/// Whether Python is here; says so where it is not, for then something is not tested.
fn has_python() -> bool {
    let mut python = std::process::Command::new("python3");
    let found = python.arg("--version").output().is_ok();
    if !found {
        eprintln!("not tested, for there is no python3 here");
    }
    found
}
