//! Any code that is still possible.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{RngCore, SeedableRng};

use super::options::{Options, PolicyOption};
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::CodeId;

pub(super) struct RandomCandidate;

/// A choice that depends on the seed and on what is possible alone, so that a tree can be walked in
/// any order.
struct Choice {
    seed: u64,
}

impl PolicyFactory for RandomCandidate {
    fn name(&self) -> &'static str {
        "random-candidate"
    }

    fn about(&self) -> &'static str {
        "any candidate, drawn once for each node of the tree"
    }

    fn takes(&self) -> &'static [PolicyOption] {
        // It takes any candidate, so that pool and tie rule change nothing.
        &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::Seed]
    }

    fn build(&self, options: &Options) -> Box<dyn Policy> {
        Box::new(Choice { seed: options.seed })
    }
}

impl Policy for Choice {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let support = node.posterior.support();
        // FNV-1a over the candidates: a different stream for every node.
        let hash = support
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &code| {
                (hash ^ u64::from(code)).wrapping_mul(0x0100_0000_01b3)
            });
        let draw = Pcg64Mcg::seed_from_u64(hash ^ self.seed.rotate_left(32)).next_u64();
        support[((u128::from(draw) * support.len() as u128) >> 64) as usize]
    }
}
