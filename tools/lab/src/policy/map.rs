//! The most probable code (article 002): maximum a posteriori.

use super::options::PolicyOption;
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::CodeId;

pub(super) static MAP: PolicyFactory = PolicyFactory::new(
    "map",
    "the most probable code; of several, the smallest",
    // A most probable code is a candidate, so pool and tie rule change nothing.
    &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::Prior],
    |_| Box::new(Mode),
);

struct Mode;

impl Policy for Mode {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        node.posterior.mode()
    }
}
