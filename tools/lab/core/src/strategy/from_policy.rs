//! The tree of a policy, written out.

use super::text::{Node, Strategy};
use crate::game::reply_line;
use crate::policy;
use crate::policy::Policy;
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, Feedback, split};

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
        root: tree.node(all, &[false; MAX_DIGITS], &mut Vec::new()),
    }
}

/// The tree of `policy` below a set of candidates, which `rows` of guesses and replies have left.
pub fn tree_from_policy(
    codes: &Codes,
    policy: &dyn Policy,
    set: &[CodeId],
    rows: &[(CodeId, Feedback)],
) -> Node {
    let mut named = [false; MAX_DIGITS];
    for &(guess, _) in rows {
        name(codes, guess, &mut named);
    }
    Tree { codes, policy }.node(set.to_vec(), &named, &mut rows.to_vec())
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
    fn node(
        &self,
        set: Vec<CodeId>,
        named: &[bool; MAX_DIGITS],
        rows: &mut Vec<(CodeId, Feedback)>,
    ) -> Node {
        let guess = match set[..] {
            [only] => only,
            _ => self.policy.choose(&mut policy::Node {
                codes: self.codes,
                posterior: &Posterior::among(set.clone(), None),
                named,
                rows,
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
            rows.push((guess, reply));
            then.push((reply_line(reply), self.node(cell, &named, rows)));
            rows.pop();
        }
        let digits = self.codes.digits(guess).iter();
        Node {
            guess: digits.map(u8::to_string).collect::<Vec<_>>().join(" "),
            then,
        }
    }
}
