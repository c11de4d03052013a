//! The turns of each secret, by following a tree.

use super::text::{Node, Strategy};
use crate::game::{find, reply_line};
use crate::solver::pegs::{CodeId, Codes, split};

/// By code: in which turn the strategy finds it.
///
/// # Panics
/// If the strategy does not find every code; [`verify`](super::verify()) says why.
pub fn turns_by_code(codes: &Codes, strategy: &Strategy) -> Vec<usize> {
    let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
    let mut turns = vec![0; codes.len()];
    follow(codes, &strategy.root, &all, 1, &mut turns);
    turns
}

fn follow(codes: &Codes, node: &Node, set: &[CodeId], turn: usize, turns: &mut [usize]) {
    let guess = find(codes, &node.guess).expect("a verified strategy guesses codes");
    if set.contains(&guess) {
        turns[guess as usize] = turn;
    }
    for (reply, cell) in split(codes, set, guess) {
        let text = reply_line(reply);
        let branch = node.then.iter().find(|(reply, _)| *reply == text);
        let branch = branch.expect("a verified strategy knows every reply");
        follow(codes, &branch.1, &cell, turn + 1, turns);
    }
}
