//! How digits are written in a game that is played elsewhere: with letters, colours' initials, from 1 on.

use crate::solver::pegs::{CodeId, Codes};
use crate::{game, history};

/// What stands for each digit where nothing else is said.
const USUAL: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@%";

/// A character for each digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet(Vec<char>);

/// Why characters cannot stand for digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {count} different characters, one for each digit, found {found:?}")]
pub struct AlphabetError {
    /// How many digits there are.
    pub count: usize,
    /// What was given.
    pub found: String,
}

impl Alphabet {
    /// The characters that are `typed` for the digits of a game in their order; without them, the usual ones.
    ///
    /// # Errors
    /// If they are not as many as digits, not different, or blank or `,`, `;`, `:`, which stand between digits and rows.
    pub fn new(codes: &Codes, typed: Option<&str>) -> Result<Self, AlphabetError> {
        let count = codes.game.digits;
        let characters: Vec<char> = typed.unwrap_or(&USUAL[..count]).chars().collect();
        let mut distinct = characters.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let separates = |c: &&char| c.is_whitespace() || [',', ';', ':'].contains(*c);
        let odd = characters.iter().find(separates);
        if characters.len() != count || distinct.len() != count || odd.is_some() {
            return Err(AlphabetError {
                count,
                found: typed.unwrap_or_default().to_owned(),
            });
        }
        Ok(Self(characters))
    }

    /// A code in these characters.
    pub fn write(&self, codes: &Codes, code: CodeId) -> String {
        let digits = codes.digits(code).iter();
        digits.map(|&digit| self.0[usize::from(digit)]).collect()
    }

    /// The code that is written so; blanks and commas are passed over.
    pub fn read(&self, codes: &Codes, text: &str) -> Option<CodeId> {
        let shown = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
        let digits: Option<Vec<String>> = shown
            .map(|c| Some(self.0.iter().position(|&known| known == c)?.to_string()))
            .collect();
        let digits = digits.filter(|digits| digits.len() == codes.game.places)?;
        // With a comma at its end, also a single digit is read as a list.
        history::parse_guess(codes, &(digits.join(",") + ",")).ok()
    }
}

/// How the codes of a game are written.
pub struct Names<'a> {
    codes: &'a Codes,
    /// A character for each digit; without them, as [`game::show`] does.
    alphabet: Option<Alphabet>,
}

impl<'a> Names<'a> {
    /// In the characters that are `typed`, if any are.
    ///
    /// # Errors
    /// As [`Alphabet::new`].
    pub fn new(codes: &'a Codes, typed: Option<&str>) -> Result<Self, AlphabetError> {
        let alphabet = typed.map(|typed| Alphabet::new(codes, Some(typed)));
        let alphabet = alphabet.transpose()?;
        Ok(Self { codes, alphabet })
    }

    /// The codes.
    pub fn codes(&self) -> &'a Codes {
        self.codes
    }

    /// A code as it is written.
    pub fn write(&self, code: CodeId) -> String {
        match &self.alphabet {
            Some(alphabet) => alphabet.write(self.codes, code),
            None => game::show(self.codes, code),
        }
    }

    /// The code that is written so.
    pub fn read(&self, text: &str) -> Option<CodeId> {
        match &self.alphabet {
            Some(alphabet) => alphabet.read(self.codes, text),
            None => game::find(self.codes, text),
        }
    }

    /// What stands for each digit, in their order.
    pub fn digits(&self) -> Vec<String> {
        match &self.alphabet {
            Some(Alphabet(characters)) => characters.iter().map(char::to_string).collect(),
            None => (0..self.codes.game.digits).map(|d| d.to_string()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn alphabets_have_a_character_for_each_digit() {
        let codes = game::codes("hitblow 3 9").unwrap();
        for bad in [
            "12345678",
            "1234567890",
            "112345678",
            "12345678 ",
            "12345678,",
            "12345678;",
        ] {
            assert!(Alphabet::new(&codes, Some(bad)).is_err(), "{bad}");
        }
        let alphabet = Alphabet::new(&codes, Some("abcdefghi")).unwrap();
        let code = alphabet.read(&codes, "c a, i").unwrap();
        assert_eq!(alphabet.write(&codes, code), "cai");
        assert_eq!(alphabet.read(&codes, "caa"), None);
        let single = game::codes("hitblow 1 64").unwrap();
        let usual = Alphabet::new(&single, None).unwrap();
        for code in 0..64 {
            assert_eq!(usual.read(&single, &usual.write(&single, code)), Some(code));
        }
    }
}
