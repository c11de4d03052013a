//! A tree as a policy, so that what is computed for policies is computed for optimal strategies too.

use std::collections::HashMap;

use super::text::{Node, Strategy};
use crate::game::find;
use crate::policy::{self, Policy};
use crate::solver::pegs::{CodeId, Codes, Feedback};

/// A policy that guesses what a tree says.
pub struct TreePolicy {
    root: Branch,
}

/// A guess, and the tree after each reply.
struct Branch {
    guess: CodeId,
    then: HashMap<Feedback, Branch>,
}

impl TreePolicy {
    /// Of a tree for the game of `codes`, which finds every secret; [`verify`](super::verify()) checks that.
    ///
    /// # Panics
    /// If a guess is no code of the game, or a reply is none of hits and blows.
    pub fn new(codes: &Codes, strategy: &Strategy) -> Self {
        Self {
            root: branch(codes, &strategy.root),
        }
    }
}

fn branch(codes: &Codes, node: &Node) -> Branch {
    let then = node.then.iter().map(|(text, node)| {
        let mut numbers = text.split(' ').map(|word| word.parse().ok());
        let mut number = || numbers.next().flatten().expect("a verified reply");
        let (hits, blows) = (number(), number());
        (Feedback { hits, blows }, branch(codes, node))
    });
    Branch {
        guess: find(codes, &node.guess).expect("a verified strategy guesses codes"),
        then: then.collect(),
    }
}

impl Policy for TreePolicy {
    fn choose(&self, node: &mut policy::Node<'_>) -> CodeId {
        let mut branch = &self.root;
        for (_, reply) in node.rows {
            branch = branch
                .then
                .get(reply)
                .expect("a verified strategy knows every reply");
        }
        branch.guess
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use crate::policy::{Options, select};
    use crate::strategy::from_policy;

    #[test]
    fn a_tree_plays_as_the_policy_that_it_was_made_from() {
        let codes = game::codes("mastermind 3 4").unwrap();
        let options = Options::default();
        let mi = (select("mi", &options).unwrap().build)(&options);
        let strategy = from_policy(&codes, &*mi);
        let again = from_policy(&codes, &TreePolicy::new(&codes, &strategy));
        assert_eq!(again, strategy);
    }

    #[test]
    fn a_tree_is_followed_reply_by_reply() {
        let tree = "hitblow 1 4\n> 0\n  0 0 > 1\n    0 0 > 3\n      0 0 > 2\n";
        let codes = game::codes("hitblow 1 4").unwrap();
        let policy = TreePolicy::new(&codes, &tree.parse().unwrap());
        let game = crate::tree::game(&codes, &policy, 2);
        let guesses: Vec<CodeId> = game.iter().map(|row| row.guess).collect();
        assert_eq!(guesses, [0, 1, 3, 2]);
    }
}
