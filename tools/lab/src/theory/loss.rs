//! Where a policy loses turns, and how many.
//!
//! At each set of candidates that the policy meets, the least total after its guess is compared with the least total of
//! all guesses. The differences add up to what the policy takes more than the optimum.

use crate::game::show;
use crate::optimal::{TooLarge, WeightedSearch};
use crate::policy::{Node, Policy};
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, split};
use crate::strategy::{self, tree_from_policy};

/// A guess that costs more than another one would.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The guesses before it, with their replies: hits and blows.
    pub before: Vec<(String, String)>,
    /// What is possible.
    pub set: Vec<CodeId>,
    /// What the policy guesses.
    pub guess: CodeId,
    /// The least total of this set's turns.
    pub least: u64,
    /// The least total after the policy's guess.
    pub least_after: u64,
    /// The policy's tree from here on.
    pub tree: strategy::Node,
    /// A tree with the least total.
    pub best_tree: strategy::Node,
}

impl Loss {
    /// Turns lost by this guess.
    pub fn turns(&self) -> u64 {
        self.least_after - self.least
    }
}

/// Every guess of the policy that loses turns, in the order of its tree.
///
/// Cost: a search for the optimum, and one for each of the policy's guesses.
///
/// # Errors
/// If the game is too large.
pub fn losses(codes: &Codes, policy: &dyn Policy) -> Result<Vec<Loss>, TooLarge> {
    let mut walk = Walk {
        codes,
        policy,
        search: WeightedSearch::new(codes, &[1, 2], &|_| 1)?,
        before: Vec::new(),
        losses: Vec::new(),
    };
    let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
    walk.node(all);
    Ok(walk.losses)
}

struct Walk<'a> {
    codes: &'a Codes,
    policy: &'a dyn Policy,
    search: WeightedSearch,
    before: Vec<(CodeId, String)>,
    losses: Vec<Loss>,
}

impl Walk<'_> {
    fn node(&mut self, set: Vec<CodeId>) {
        if set.len() < 2 {
            return;
        }
        let mut named = [false; MAX_DIGITS];
        let made: Vec<CodeId> = self.before.iter().map(|(guess, _)| *guess).collect();
        for &digit in made.iter().flat_map(|&guess| self.codes.digits(guess)) {
            named[usize::from(digit)] = true;
        }
        let guess = self.policy.choose(&mut Node {
            codes: self.codes,
            posterior: &Posterior::among(set.clone(), None),
            named: &named,
            depth: made.len(),
            evaluated: &mut 0,
        });
        let least = self.search.least(&set);
        let least_after = self.search.least_after(&set, guess);
        if least_after > least {
            let before = self.before.iter();
            self.losses.push(Loss {
                before: before
                    .map(|(guess, reply)| (show(self.codes, *guess), reply.clone()))
                    .collect(),
                guess,
                least,
                least_after,
                tree: tree_from_policy(self.codes, self.policy, &set, &made),
                best_tree: self.search.tree(&set),
                set: set.clone(),
            });
        }
        for (reply, cell) in split(self.codes, &set, guess) {
            self.before
                .push((guess, format!("{} {}", reply.hits, reply.blows)));
            self.node(cell);
            self.before.pop();
        }
    }
}
