//! Questions and states in tests.

use super::question::{Answer, Question, Turn};
use super::registry::analyst;
use super::state::GameState;

/// A question after turns such as `012:0,1`.
pub(super) fn ask<'a>(rows: &[&'a str], named: &[&'a str]) -> Question<'a> {
    let turn = |row: &&'a str| {
        let (guess, reply) = row.split_once(':').unwrap();
        Turn { guess, reply }
    };
    Question {
        turns: rows.iter().map(turn).collect(),
        named: named.to_vec(),
        work: 200_000_000,
        ..Question::default()
    }
}

pub(super) fn state(problem: &str, question: &Question<'_>) -> GameState {
    match analyst(problem).unwrap().analyse(question).unwrap() {
        Answer::State(state) => state,
        other => panic!("{problem}: {other:?}"),
    }
}
