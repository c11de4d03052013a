//! Strategies in the packed form of the solver, which its `Book` explains.

use super::text::{Node, Strategy};
use crate::game::{find, reply_line};
use crate::solver::elsewhere::Rules;
use crate::solver::limits::BOOK_LEAF;
use crate::solver::pegs::{CodeId, Codes, split};
use crate::solver::search::{BOOK_CHARACTERS, book_width};

/// Why a strategy cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// There are more codes than three characters can count.
    #[error("expected at most {most} codes, found {codes}", most = BOOK_CHARACTERS.pow(3))]
    TooLarge {
        /// How many there are.
        codes: usize,
    },
    /// The tree lacks a guess.
    #[error("expected a guess of the game for every reply, found none after {guess:?}")]
    Incomplete {
        /// The guess before.
        guess: String,
    },
}

/// The text of a strategy: two characters, or three, for each set of more than [`BOOK_LEAF`] candidates.
///
/// # Errors
/// If the game has too many codes, or the tree is none for it.
pub fn pack(rules: &Rules, strategy: &Strategy) -> Result<String, BookError> {
    let codes = &rules.codes;
    if codes.len() > BOOK_CHARACTERS.pow(3) as usize {
        return Err(BookError::TooLarge { codes: codes.len() });
    }
    let mut text = String::new();
    add(codes, &rules.secrets, &strategy.root, &mut text)?;
    Ok(text)
}

fn add(codes: &Codes, set: &[CodeId], node: &Node, text: &mut String) -> Result<(), BookError> {
    if set.len() <= BOOK_LEAF {
        return Ok(());
    }
    let incomplete = || BookError::Incomplete {
        guess: node.guess.clone(),
    };
    let guess = find(codes, &node.guess).ok_or_else(incomplete)?;
    for power in (0..book_width(codes) as u32).rev() {
        text.push(character(
            guess / BOOK_CHARACTERS.pow(power) % BOOK_CHARACTERS,
        ));
    }
    for (reply, cell) in split(codes, set, guess) {
        let reply = reply_line(reply);
        let then = node.then.iter().find(|(other, _)| *other == reply);
        let (_, then) = then.ok_or_else(incomplete)?;
        add(codes, &cell, then, text)?;
    }
    Ok(())
}

/// Printed, no blank, and not one of the two that a Rust string would escape.
fn character(value: u32) -> char {
    let printed = ('!'..='~').filter(|&c| c != '"' && c != '\\');
    let mut printed = printed.skip(value as usize);
    printed.next().expect("there are as many as the base says")
}
