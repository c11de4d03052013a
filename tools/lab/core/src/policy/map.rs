//! The most probable code (article 002): maximum a posteriori.

use super::options::{PolicyOption, Tie};
use super::random_candidate::draw;
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::CodeId;

pub(super) static MAP: PolicyFactory = PolicyFactory::new(
    "map",
    "the most probable code; of several, the smallest",
    // A most probable code is a candidate, so the pool changes nothing.
    &[
        PolicyOption::Pool,
        PolicyOption::Tie,
        PolicyOption::TieSeed,
        PolicyOption::Prior,
    ],
    |options| {
        let seed = options.seed.unwrap_or_default();
        Box::new(Mode {
            seed: (options.tie == Some(Tie::Random)).then_some(seed),
        })
    },
);

struct Mode {
    /// If ties are broken at random.
    seed: Option<u64>,
}

impl Policy for Mode {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let mode = node.posterior.mode();
        let Some(seed) = self.seed else {
            return mode;
        };
        let most = node.posterior.probability(mode);
        let all = node.posterior.probabilities();
        let alike: Vec<CodeId> = all.filter(|one| one.1 >= most).map(|one| one.0).collect();
        alike[draw(seed, node.posterior.support(), alike.len())]
    }
}
