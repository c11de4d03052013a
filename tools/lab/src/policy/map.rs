//! The most probable code (article 002): maximum a posteriori.

use super::options::{Options, PolicyOption};
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::CodeId;

pub(super) struct Map;

struct Mode;

impl PolicyFactory for Map {
    fn name(&self) -> &'static str {
        "map"
    }

    fn about(&self) -> &'static str {
        "the most probable code; of several, the smallest"
    }

    fn takes(&self) -> &'static [PolicyOption] {
        // A most probable code is a candidate, so that pool and tie rule change nothing.
        &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::Prior]
    }

    fn build(&self, _: &Options) -> Box<dyn Policy> {
        Box::new(Mode)
    }
}

impl Policy for Mode {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        node.posterior.mode()
    }
}
