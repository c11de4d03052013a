//! The case of a seed, for commands that judge one case.

use anyhow::{Context, Result};
use tester_core::case::Seed;
use tester_core::problem::{Instance, Spec};

/// The case of a seed of the problem that was typed.
pub(super) fn instance_of_seed(problem: &str, seed: u64) -> Result<Box<dyn Instance>> {
    let instance = Spec::parse(problem).and_then(|spec| spec.generate(Seed(seed)));
    instance.context("failed to understand --problem")
}
