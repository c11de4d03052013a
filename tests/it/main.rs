//! The tests of the solver, one module for each subject.

/// The solver's own file, for tests that look inside.
#[allow(dead_code, missing_docs)]
#[path = "../../src/main.rs"]
mod solver;

mod all_secrets;
mod balance;
mod bayes;
mod cluster;
mod distance;
mod fewest_turns;
mod paste;
mod program;
mod rule;
mod tune;
