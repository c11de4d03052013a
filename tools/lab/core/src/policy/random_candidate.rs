//! Any code that is still possible.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{RngCore, SeedableRng};

use super::options::PolicyOption;
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::CodeId;

pub(super) static RANDOM_CANDIDATE: PolicyFactory = PolicyFactory::new(
    "random-candidate",
    "any candidate, drawn once for each node of the tree",
    // It takes any candidate, so pool and tie rule change nothing.
    &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::Seed],
    |options| {
        let seed = options.seed.unwrap_or_default();
        Box::new(Choice { seed })
    },
);

/// A choice that depends only on the seed and the candidates, so that a tree can be walked in any order.
struct Choice {
    seed: u64,
}

impl Policy for Choice {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let support = node.posterior.support();
        support[draw(self.seed, support, support.len())]
    }
}

/// A number below `n` that depends only on the seed and the candidates.
pub(super) fn draw(seed: u64, support: &[CodeId], n: usize) -> usize {
    // FNV-1a over the candidates: a different stream for every node.
    let hash = support
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &code| {
            (hash ^ u64::from(code)).wrapping_mul(0x0100_0000_01b3)
        });
    below(n, hash ^ seed.rotate_left(32))
}

/// The first number below `n` that this seed draws.
pub(super) fn below(n: usize, seed: u64) -> usize {
    let draw = Pcg64Mcg::seed_from_u64(seed).next_u64();
    ((u128::from(draw) * n as u128) >> 64) as usize
}
