//! One walk through a strategy's decision tree tells the turns of every secret.

use std::ops::Range;

use crate::policy::{Node, Outcome, Policy, PolicyFactory};
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CELLS, CodeId, Codes, Feedback, Replies};

/// Walks the tree of `policy` from `root` and calls `found` for every secret with its turns and the
/// turns until it is determined. Returns the replies of single candidates that were evaluated.
///
/// A single candidate is always declared.
///
/// Cost: for each node what the policy takes, and P lookups a candidate.
///
/// # Panics
/// If the policy guesses a code that tells nothing.
pub fn walk(
    codes: &Codes,
    root: &Posterior,
    policy: &dyn Policy,
    found: &mut dyn FnMut(CodeId, usize, usize),
) -> u64 {
    walk_part(codes, root, policy, 0..root.support().len(), found)
}

/// The same for a block of the order in which [`walk`] finds secrets. Blocks that cover each place once find each secret
/// once.
///
/// Cost: that of the nodes above these secrets. Neighbouring blocks share only one path from the root, but its nodes are
/// the largest (measured in docs/lab.md).
///
/// # Panics
/// As [`walk`].
pub fn walk_part(
    codes: &Codes,
    root: &Posterior,
    policy: &dyn Policy,
    block: Range<usize>,
    found: &mut dyn FnMut(CodeId, usize, usize),
) -> u64 {
    let mut walk = Walk {
        codes,
        policy,
        block,
        found,
        rows: Vec::new(),
        evaluated: 0,
    };
    match root.support() {
        _ if walk.block.is_empty() => {}
        [] => {}
        &[only] => (walk.found)(only, 1, 0),
        _ => walk.node(root.clone(), &[false; MAX_DIGITS], 0),
    }
    walk.evaluated
}

/// The outcome of [`walk`].
pub fn outcome(codes: &Codes, root: &Posterior, policy: &dyn Policy) -> Outcome {
    let mut outcome = Outcome::default();
    let evaluated = walk(codes, root, policy, &mut |_, turns, until| {
        outcome.add(turns, until)
    });
    outcome.evaluated = evaluated;
    outcome
}

/// The outcome over all secrets, equally likely, of a `policy` of this factory; without a walk if it has no tree.
pub fn outcome_of(factory: &PolicyFactory, policy: &dyn Policy, codes: &Codes) -> Outcome {
    match factory.outcome {
        Some(outcome) => outcome(codes),
        None => outcome(codes, &Posterior::uniform(codes.len()), policy),
    }
}

struct Walk<'a> {
    codes: &'a Codes,
    policy: &'a dyn Policy,
    block: Range<usize>,
    found: &'a mut dyn FnMut(CodeId, usize, usize),
    /// The guesses and replies that lead to the node.
    rows: Vec<(CodeId, Feedback)>,
    evaluated: u64,
}

impl Walk<'_> {
    /// `place` is the place of the node's first secret.
    fn node(&mut self, posterior: Posterior, named: &[bool; MAX_DIGITS], place: usize) {
        let guess = self.policy.choose(&mut Node {
            codes: self.codes,
            posterior: &posterior,
            named,
            rows: &self.rows,
            evaluated: &mut self.evaluated,
        });
        let before = posterior.support().len();
        let cells = split(self.codes, &posterior, guess);
        drop(posterior);
        let mut named = *named;
        for &digit in self.codes.digits(guess) {
            named[usize::from(digit)] = true;
        }
        let turn = self.rows.len() + 1;
        let mut next = place;
        for (reply, cell) in cells {
            let place = next;
            next += cell.support().len();
            if next <= self.block.start || self.block.end <= place {
                continue;
            }
            match cell.support() {
                &[only] if only == guess => (self.found)(only, turn, turn),
                &[only] => (self.found)(only, turn + 1, turn),
                support => {
                    assert!(
                        support.len() < before,
                        "a guess that tells nothing would be repeated without end"
                    );
                    self.rows.push((guess, reply));
                    self.node(cell, &named, place);
                    self.rows.pop();
                }
            }
        }
    }
}

/// Each reply that is possible with the posterior after it, in ascending order of the reply's cell.
pub fn split(codes: &Codes, posterior: &Posterior, guess: CodeId) -> Vec<(Feedback, Posterior)> {
    let replies = Replies::new(codes, guess);
    let mut cells: [Vec<CodeId>; CELLS] = std::array::from_fn(|_| Default::default());
    for &secret in posterior.support() {
        cells[replies.feedback(secret).cell(codes.game.places)].push(secret);
    }
    let cells = cells.into_iter().enumerate();
    let possible = cells.filter(|(_, support)| !support.is_empty());
    let posterior = |(cell, support): (usize, Vec<CodeId>)| {
        let reply = Feedback::from_cell(cell, codes.game.places);
        if posterior.is_uniform() {
            return (reply, Posterior::among(support, None));
        }
        // Not from the weights: one that is 0 beside a heavier code can be all that is left. `update` keeps logarithms.
        let mut after = posterior.clone();
        after.update(|secret| replies.likelihood(secret, reply));
        (reply, after)
    };
    possible.map(posterior).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn what_a_reply_leaves_keeps_ratios_of_weights_that_were_too_small() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let code = |text| game::find(&codes, text).unwrap();
        let mut weights = vec![0.0; codes.len()];
        for (text, weight) in [("012", 1e-170), ("016", 3e-170), ("345", 1e170)] {
            weights[code(text) as usize] = weight;
        }
        let prior = Posterior::from_prior(&weights);
        // Hits of 012 and 016 with 345: none.
        let cells = split(&codes, &prior, code("345"));
        let reply = Feedback { hits: 0, blows: 0 };
        let (_, cell) = cells.iter().find(|(found, _)| *found == reply).unwrap();
        assert_eq!(cell.support(), [code("012"), code("016")]);
        assert!((cell.probability(code("016")) - 0.75).abs() < 1e-12);
    }
}
