//! The list of all problems that are played.

use super::adapter::{Adapter, SelectedPolicy};
use super::balance::Balance;
use super::distance::Distance;
use super::liar::Liar;
use crate::policy::{Options, PolicyError, check};
use crate::solver::distance::Difference;

/// Every problem that is played.
pub static ADAPTERS: &[&dyn Adapter] = &[
    &Distance(Difference::Signed),
    &Distance(Difference::Size),
    &Balance,
    &Liar,
];

/// The adapter of a problem, if it is one that is played.
pub fn adapter(problem: &str) -> Option<&'static dyn Adapter> {
    let name = problem.split_ascii_whitespace().next()?;
    ADAPTERS
        .iter()
        .copied()
        .find(|adapter| adapter.name() == name)
}

/// A policy by its name, with what was typed for it.
///
/// # Errors
/// If there is none for this problem, or it does not take that.
pub fn select(
    adapter: &dyn Adapter,
    name: &str,
    options: &Options,
) -> Result<SelectedPolicy, PolicyError> {
    let policies = adapter.policies();
    let Some(&entry) = policies.iter().find(|entry| entry.name == name) else {
        let known: Vec<&str> = policies.iter().map(|entry| entry.name).collect();
        return Err(PolicyError::Unknown {
            known: format!("{} for {}", known.join(", "), adapter.name()),
            found: name.to_owned(),
        });
    };
    check(entry.name, entry.takes, options)?;
    let options = *options;
    Ok(SelectedPolicy { entry, options })
}
