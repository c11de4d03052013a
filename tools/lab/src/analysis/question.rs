//! What is asked about a game, and the answer.

use serde::Serialize;

use super::state::GameState;
use crate::game::observations::Contradiction;

/// A guess or question with its reply, as they are typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// The contestant's line.
    pub guess: &'a str,
    /// The judge's, words separated by blanks or commas.
    pub reply: &'a str,
}

/// What is asked about a game.
#[derive(Clone, Debug, Default)]
pub struct Question<'a> {
    /// The turns so far.
    pub turns: Vec<Turn<'a>>,
    /// Questions whose values are wanted.
    pub named: Vec<&'a str>,
    /// Characters for the digits; numbers without them.
    pub digits: Option<&'a str>,
    /// A [prior](crate::game::prior); without it all codes are equally likely.
    pub prior: Option<&'a str>,
    /// How many table lookups (about 1 ns each) the search for exact values may take.
    pub work: u64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Some secret explains all replies.
    State(GameState),
    /// No secret explains all replies.
    Contradiction(Contradiction),
    /// No secret of the prior does; this many that it excludes do.
    OutsidePrior(usize),
}

/// The form in which replies are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ReplyForm {
    /// Hits and blows.
    HitsBlows,
    /// Whether the guess is right, 1 or 0, and the difference.
    RightDifference,
    /// `<`, `=` or `>`.
    Balance,
}

/// The turns so far, each as `read` understands it.
pub(super) fn read_turns<R>(
    question: &Question<'_>,
    read: impl Fn(&Turn<'_>) -> Result<R, String>,
) -> Result<Vec<R>, String> {
    let numbered = question.turns.iter().enumerate();
    let row = |(i, turn): (usize, &Turn<'_>)| {
        let Turn { guess, reply } = turn;
        read(turn).map_err(|why| format!("row {} ({guess}: {reply}): {why}", i + 1))
    };
    numbered.map(row).collect()
}

/// The words of a reply: they may be separated by commas.
pub(super) fn reply_words(reply: &str) -> Vec<&str> {
    let words = reply.split([' ', ',', '\t']);
    words.filter(|word| !word.is_empty()).collect()
}
