//! How the codes of a game are written: as [`show`] does, or with other characters for digits, because the game is
//! played elsewhere with letters, initials of colours, or digits from 1 on.

use super::codes::{find, show};
use crate::solver::pegs::{CodeId, Codes};

/// The characters for digits, unless others are given.
const DEFAULT: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@%";

/// How the codes of a game are written.
pub struct Notation<'a> {
    codes: &'a Codes,
    /// A character for each digit; `None` for numbers, as [`show`] writes them.
    characters: Option<Vec<char>>,
}

/// Why characters cannot stand for digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {count} different characters, one for each digit, found {found:?}")]
pub struct NotationError {
    /// How many digits there are.
    pub count: usize,
    /// What was given.
    pub found: String,
}

impl<'a> Notation<'a> {
    /// Digits are numbers, as [`show`] writes them.
    pub fn numbers(codes: &'a Codes) -> Self {
        let characters = None;
        Self { codes, characters }
    }

    /// With `characters` for the digits in ascending order; numbers without them.
    ///
    /// # Errors
    /// If there is not one character for each digit, or two are equal, or one is blank or `,`, `;`, `:`, which stand
    /// between digits and between turns.
    pub fn new(codes: &'a Codes, characters: Option<&str>) -> Result<Self, NotationError> {
        let characters = characters.map(|typed| different_characters(codes, typed));
        let characters = characters.transpose()?;
        Ok(Self { codes, characters })
    }

    /// The same as [`Notation::new`], with one character for each digit in any case: `0-9a-zA-Z@%` without `characters`.
    ///
    /// # Errors
    /// As [`Notation::new`].
    pub fn with_characters(
        codes: &'a Codes,
        characters: Option<&str>,
    ) -> Result<Self, NotationError> {
        Self::new(
            codes,
            Some(characters.unwrap_or(&DEFAULT[..codes.game.digits])),
        )
    }

    /// The codes.
    pub fn codes(&self) -> &'a Codes {
        self.codes
    }

    /// A code as it is written.
    pub fn write(&self, code: CodeId) -> String {
        let Some(characters) = &self.characters else {
            return show(self.codes, code);
        };
        let digits = self.codes.digits(code).iter();
        digits
            .map(|&digit| characters[usize::from(digit)])
            .collect()
    }

    /// The code that is written as `text`; blanks and commas are skipped.
    pub fn read(&self, text: &str) -> Option<CodeId> {
        let Some(characters) = &self.characters else {
            return find(self.codes, text);
        };
        let written = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
        let digit = |c| Some(characters.iter().position(|&known| known == c)?.to_string());
        let digits: Option<Vec<String>> = written.map(digit).collect();
        let digits = digits.filter(|digits| digits.len() == self.codes.game.places)?;
        // With a comma at its end, also a single digit is read as a list.
        find(self.codes, &(digits.join(",") + ","))
    }

    /// How each digit is written, in ascending order.
    pub fn digits(&self) -> Vec<String> {
        match &self.characters {
            Some(characters) => characters.iter().map(char::to_string).collect(),
            None => (0..self.codes.game.digits).map(|d| d.to_string()).collect(),
        }
    }
}

fn different_characters(codes: &Codes, typed: &str) -> Result<Vec<char>, NotationError> {
    let count = codes.game.digits;
    let characters: Vec<char> = typed.chars().collect();
    let mut distinct = characters.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let separates = |c: &char| c.is_whitespace() || [',', ';', ':'].contains(c);
    let usable = !characters.iter().any(separates);
    if usable && characters.len() == count && distinct.len() == count {
        return Ok(characters);
    }
    let found = typed.to_owned();
    Err(NotationError { count, found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn a_notation_has_a_character_for_each_digit() {
        let codes = game::codes("hitblow 3 9").unwrap();
        for bad in [
            "12345678",
            "1234567890",
            "112345678",
            "12345678 ",
            "12345678,",
            "12345678;",
        ] {
            assert!(Notation::new(&codes, Some(bad)).is_err(), "{bad}");
        }
        let letters = Notation::new(&codes, Some("abcdefghi")).unwrap();
        let code = letters.read("c a, i").unwrap();
        assert_eq!(letters.write(code), "cai");
        assert_eq!(letters.read("caa"), None);
        let single = game::codes("hitblow 1 64").unwrap();
        let default = Notation::with_characters(&single, None).unwrap();
        for code in 0..64 {
            assert_eq!(default.read(&default.write(code)), Some(code));
        }
    }
}
