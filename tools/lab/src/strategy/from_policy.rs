//! The tree of a policy, written out.

use super::text::{Node, Strategy};
use crate::policy;
use crate::policy::Policy;
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, split};

/// The strategy that plays as `policy` does, all codes being equally likely. A single candidate is always declared.
///
/// Cost: that of [`crate::tree::walk()`], and a line for each set of candidates.
///
/// # Panics
/// If the policy guesses a code that tells nothing.
pub fn from_policy(codes: &Codes, policy: &dyn Policy) -> Strategy {
    let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
    let tree = Tree { codes, policy };
    Strategy {
        game: codes.game.title(),
        root: tree.node(all, &[false; MAX_DIGITS], 0),
    }
}

/// The tree of `policy` below a set of candidates, before which the guesses `made` were made.
pub fn tree_from_policy(
    codes: &Codes,
    policy: &dyn Policy,
    set: &[CodeId],
    made: &[CodeId],
) -> Node {
    let mut named = [false; MAX_DIGITS];
    for &guess in made {
        name(codes, guess, &mut named);
    }
    Tree { codes, policy }.node(set.to_vec(), &named, made.len())
}

fn name(codes: &Codes, guess: CodeId, named: &mut [bool; MAX_DIGITS]) {
    for &digit in codes.digits(guess) {
        named[usize::from(digit)] = true;
    }
}

struct Tree<'a> {
    codes: &'a Codes,
    policy: &'a dyn Policy,
}

impl Tree<'_> {
    fn node(&self, set: Vec<CodeId>, named: &[bool; MAX_DIGITS], depth: usize) -> Node {
        let guess = match set[..] {
            [only] => only,
            _ => self.policy.choose(&mut policy::Node {
                codes: self.codes,
                posterior: &Posterior::among(set.clone(), None),
                named,
                depth,
                evaluated: &mut 0,
            }),
        };
        let mut named = *named;
        name(self.codes, guess, &mut named);
        let mut then = Vec::new();
        for (reply, cell) in split(self.codes, &set, guess) {
            assert!(
                cell.len() < set.len(),
                "a guess that tells nothing would be repeated without end"
            );
            let reply = format!("{} {}", reply.hits, reply.blows);
            then.push((reply, self.node(cell, &named, depth + 1)));
        }
        let digits = self.codes.digits(guess).iter();
        Node {
            guess: digits.map(u8::to_string).collect::<Vec<_>>().join(" "),
            then,
        }
    }
}
