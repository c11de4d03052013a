//! The most probable code (article 002): maximum a posteriori.

use super::{Family, Node, Options, Policy, Takes};
use crate::solver::pegs::CodeId;

pub(super) struct Map;

struct Mode;

impl Family for Map {
    fn name(&self) -> &'static str {
        "map"
    }

    fn about(&self) -> &'static str {
        "the most probable code; of several, the smallest"
    }

    fn takes(&self) -> &'static [Takes] {
        // A most probable code is a candidate, so that pool and tie rule change nothing.
        &[Takes::Pool, Takes::Tie, Takes::Prior]
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
