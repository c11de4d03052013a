//! Any code that was not yet guessed, whatever was replied (article 002's baseline).

use super::options::PolicyOption;
use super::outcome::Outcome;
use super::random_candidate::below;
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::{CodeId, Codes};

pub(super) static RANDOM: PolicyFactory = PolicyFactory {
    name: "random",
    about: "any code not yet guessed; exact expectation, (N + 1) / 2",
    // Replies and scores are not used, so these change nothing.
    takes: &[PolicyOption::Pool, PolicyOption::Tie],
    build: |_| Box::new(Never),
    score: None,
    outcome: Some(outcome),
};

/// A secret comes at each place of a random order with probability 1/N. So over all N secrets, one is expected to be
/// found at each turn. It is determined only when all others have been refused.
fn outcome(codes: &Codes) -> Outcome {
    let n = codes.len();
    let mut outcome = Outcome::default();
    for turn in 1..=n {
        // The last secret is known after the last but one.
        outcome.add(turn, turn.min(n.saturating_sub(1)));
    }
    outcome
}

/// The turns of one random game among `codes` codes: the place of its secret in a random order.
pub fn random_turns(codes: usize, seed: u64) -> u64 {
    1 + below(codes, seed) as u64
}

/// Never asked for a guess, because the outcome needs no tree.
struct Never;

impl Policy for Never {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        node.posterior.mode()
    }
}
