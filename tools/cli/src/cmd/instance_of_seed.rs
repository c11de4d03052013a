//! The case of a seed, for commands that judge one case.

use anyhow::{Context, Result};
use tester_core::case::Seed;
use tester_core::problem::{Instance, Spec, default_problem};

use super::cautions::tell_other_judge;

/// The case of a seed of the problem that was typed. Says so if it is not that of this folder.
pub(super) fn instance_of_seed(problem: &str, seed: u64) -> Result<Box<dyn Instance>> {
    if problem == default_problem() {
        tell_other_judge(problem);
    }
    let instance = Spec::parse(problem).and_then(|spec| spec.generate(Seed(seed)));
    instance.context("failed to understand --problem")
}
