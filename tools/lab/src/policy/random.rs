//! Any code that was not yet guessed, whatever was replied (article 002's baseline).

use super::options::{Options, PolicyOption};
use super::outcome::Outcome;
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::{CodeId, Codes};

pub(super) struct Random;

/// Never asked for a guess: see [`PolicyFactory::outcome`].
struct Never;

impl PolicyFactory for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn about(&self) -> &'static str {
        "any code not yet guessed; exact expectation, (N + 1) / 2"
    }

    fn takes(&self) -> &'static [PolicyOption] {
        // Replies and scores are not used, so these change nothing.
        &[PolicyOption::Pool, PolicyOption::Tie]
    }

    fn build(&self, _: &Options) -> Box<dyn Policy> {
        Box::new(Never)
    }

    /// A secret comes at each place of a random order with probability 1/N, so that over all N
    /// secrets one is expected to be found at each turn. Only when all others have been refused is
    /// it determined.
    fn outcome(&self, codes: &Codes) -> Option<Outcome> {
        let n = codes.len();
        let mut outcome = Outcome::default();
        for turn in 1..=n {
            // The last one is known after the last but one.
            outcome.add(turn, turn.min(n.saturating_sub(1)));
        }
        Some(outcome)
    }
}

impl Policy for Never {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        node.posterior.mode()
    }
}
