//! Where a policy loses turns, and how many.
//!
//! At each set of candidates that the policy meets, the least total after its guess is compared with the least total of
//! all guesses. The differences add up to what the policy takes more than the optimum.

use crate::game::{reply_line, show};
use crate::optimal::{TooLarge, WeightedSearch};
use crate::policy::{Node, Policy};
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, Feedback, split};
use crate::strategy::{self, tree_from_policy};

/// A guess that costs more than another one would.
#[derive(Clone, Debug)]
pub struct Loss {
    /// The guesses before it, with their replies: hits and blows.
    pub before: Vec<(String, String)>,
    /// What is possible.
    pub set: Vec<CodeId>,
    /// The least total of this set's turns.
    pub least: u64,
    /// The least total after the policy's guess.
    pub least_after: u64,
    /// What the policy's guess tells.
    pub worth: Worth,
    /// What a guess with the least total tells: of these, one that is worth most to the policy.
    pub best_worth: Worth,
    /// The policy's tree from here on.
    pub tree: strategy::Node,
    /// A tree with the least total, which begins with the best guess.
    pub best_tree: strategy::Node,
}

impl Loss {
    /// Turns lost by this guess.
    pub fn turns(&self) -> u64 {
        self.least_after - self.least
    }

    /// Whether a guess with the least total is worth as much to the policy: then only the order of equals was wrong.
    pub fn is_tie(&self) -> bool {
        self.best_worth.bits > self.worth.bits - 1e-9
    }
}

/// What a guess tells about a set of candidates.
#[derive(Clone, Debug)]
pub struct Worth {
    /// Reply and number of candidates, the winning reply too.
    pub cells: Vec<(String, usize)>,
    /// Mutual information, and the bonus times the probability of being right.
    pub bits: f64,
}

impl Worth {
    fn new(codes: &Codes, set: &[CodeId], guess: CodeId, bonus: f64) -> Self {
        let mut cells: Vec<(String, usize)> = split(codes, set, guess)
            .into_iter()
            .map(|(reply, cell)| (format!("{}H{}B", reply.hits, reply.blows), cell.len()))
            .collect();
        let is_candidate = set.contains(&guess);
        if is_candidate {
            cells.push((format!("{}H0B", codes.game.places), 1));
        }
        let n = set.len() as f64;
        let term = |(_, count): &(String, usize)| {
            let p = *count as f64 / n;
            -p * p.log2()
        };
        let right = if is_candidate { bonus / n } else { 0.0 };
        Self {
            bits: cells.iter().map(term).sum::<f64>() + right,
            cells,
        }
    }
}

/// Every guess of the policy that loses turns, in the order of its tree. `bonus` is what the policy counts for a hit, in
/// bits.
///
/// Cost: a search for the optimum, and one for each of the policy's guesses.
///
/// # Errors
/// If the game is too large.
pub fn losses(codes: &Codes, policy: &dyn Policy, bonus: f64) -> Result<Vec<Loss>, TooLarge> {
    let mut walk = Walk {
        codes,
        policy,
        bonus,
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
    bonus: f64,
    search: WeightedSearch,
    before: Vec<(CodeId, Feedback)>,
    losses: Vec<Loss>,
}

impl Walk<'_> {
    fn node(&mut self, set: Vec<CodeId>) {
        if set.len() < 2 {
            return;
        }
        let mut named = [false; MAX_DIGITS];
        let made = self.before.iter().map(|(guess, _)| *guess);
        for &digit in made.flat_map(|guess| self.codes.digits(guess)) {
            named[usize::from(digit)] = true;
        }
        let guess = self.policy.choose(&mut Node {
            codes: self.codes,
            posterior: &Posterior::among(set.clone(), None),
            named: &named,
            rows: &self.before,
            evaluated: &mut 0,
        });
        let least = self.search.least(&set);
        let least_after = self.search.least_after(&set, guess);
        if least_after > least {
            self.losses
                .push(self.loss(&set, guess, [least, least_after]));
        }
        for (reply, cell) in split(self.codes, &set, guess) {
            self.before.push((guess, reply));
            self.node(cell);
            self.before.pop();
        }
    }

    fn loss(&self, set: &[CodeId], guess: CodeId, [least, least_after]: [u64; 2]) -> Loss {
        let worth = |guess| Worth::new(self.codes, set, guess, self.bonus);
        let best = self.search.best_guesses(set).into_iter();
        let best = best.map(|guess| (worth(guess), guess)).rev();
        let best = best.max_by(|a, b| a.0.bits.total_cmp(&b.0.bits));
        let (best_worth, best_guess) = best.expect("the least total is that of a guess");
        let before = self.before.iter();
        let before = before.map(|&(guess, reply)| (show(self.codes, guess), reply_line(reply)));
        Loss {
            before: before.collect(),
            worth: worth(guess),
            least,
            least_after,
            tree: tree_from_policy(self.codes, self.policy, set, &self.before),
            best_tree: self.search.tree_after(set, best_guess),
            best_worth,
            set: set.to_vec(),
        }
    }
}
