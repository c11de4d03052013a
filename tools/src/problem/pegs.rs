//! What Hit & Blow and Mastermind share: a secret row of digits, the feedback of a guess, and how
//! both are written. The two differ only in whether a digit may appear twice.

use super::{Instance, Instances, Problem, Session};
use super::{InstanceError, Lines, ParamError, ProtocolError, Reply};
use crate::draw::{Draw, Seed};
use crate::quote::quote;

/// The most places a code may have.
const MAX_PLACES: u64 = 10;
/// The most digits a game may use.
const MAX_DIGITS: u64 = 64;

/// A game of this family, before its parameters `P K` are known.
pub(super) struct Pegs {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    pub(super) about: &'static str,
    pub(super) samples: &'static [&'static str],
    /// Whether the digits of a code must differ.
    pub(super) distinct: bool,
}

impl Pegs {
    /// Checks `P K`: 1 ≤ P ≤ 10, 1 ≤ K ≤ 64, and P ≤ K where digits are distinct.
    fn game(&self, params: &[&str]) -> Result<Game, ParamError> {
        let found = [&[self.name], params].concat().join(" ");
        let refused = ParamError {
            expected: self.usage.to_owned(),
            found: quote(found.as_bytes()),
        };
        let numbers: Option<Vec<u64>> = params.iter().map(|word| word.parse().ok()).collect();
        let Some(&[places, digits]) = numbers.as_deref() else {
            return Err(refused);
        };
        let fewest = if self.distinct { places } else { 1 };
        if !(1..=MAX_PLACES).contains(&places) || !(fewest..=MAX_DIGITS).contains(&digits) {
            return Err(refused);
        }
        Ok(Game {
            name: self.name,
            places: places as usize,
            digits: digits as u8,
            distinct: self.distinct,
        })
    }
}

impl Problem for Pegs {
    fn name(&self) -> &'static str {
        self.name
    }

    fn usage(&self) -> &'static str {
        self.usage
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn samples(&self) -> &'static [&'static str] {
        self.samples
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let game = self.game(params)?;
        let mut draw = Draw::new(seed);
        let secret = if game.distinct {
            draw.distinct(game.places, game.digits)
        } else {
            let digit = |_| draw.below(u64::from(game.digits)) as u8;
            (0..game.places).map(digit).collect()
        };
        Ok(game.instance(secret))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Instances, ParamError> {
        Ok(self.game(params)?.instances())
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let game = self.game(params).map_err(|e| hidden.refused(e))?;
        game.parse(hidden)
    }
}

/// A game with its number of places P and of digits K, both in range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Game {
    name: &'static str,
    places: usize,
    digits: u8,
    distinct: bool,
}

impl Game {
    fn instance(self, secret: Vec<u8>) -> Box<dyn Instance> {
        Box::new(Hidden { game: self, secret })
    }

    /// All codes in ascending order.
    fn instances(self) -> Instances {
        let first = if self.distinct {
            (0..self.places as u8).collect()
        } else {
            vec![0; self.places]
        };
        let codes = std::iter::successors(Some(first), move |code| self.successor(code));
        Box::new(codes.map(move |secret| self.instance(secret)))
    }

    /// The next code in ascending order.
    fn successor(&self, code: &[u8]) -> Option<Vec<u8>> {
        // The last place that can grow does, and what follows it becomes as small as it can be.
        for place in (0..self.places).rev() {
            let head = &code[..place];
            let free = |d: &u8| !self.distinct || !head.contains(d);
            if let Some(grown) = (code[place] + 1..self.digits).find(free) {
                let mut next = head.to_vec();
                next.push(grown);
                while next.len() < self.places {
                    let smallest = (0..self.digits).find(|d| !self.distinct || !next.contains(d));
                    next.push(smallest.expect("there are at least as many digits as places"));
                }
                return Some(next);
            }
        }
        None
    }

    fn parse(self, hidden: &mut Lines<'_>) -> Result<Box<dyn Instance>, InstanceError> {
        let expected = format!(
            "the secret, {} {}digits from 0 to {} separated by spaces",
            self.places,
            if self.distinct { "distinct " } else { "" },
            self.digits - 1
        );
        let line = hidden.next(&expected)?;
        match self.read(line.as_bytes()) {
            Ok(secret) => Ok(self.instance(secret)),
            Err(why) => Err(hidden.error(expected, line, &why)),
        }
    }

    /// Reads a code: exactly P integers of 0..K, separated by ASCII white space; or says what is
    /// wrong with it.
    fn read(&self, line: &[u8]) -> Result<Vec<u8>, String> {
        let mut code = Vec::with_capacity(self.places);
        let mut words = 0;
        for word in line.split(u8::is_ascii_whitespace) {
            if word.is_empty() {
                continue;
            }
            words += 1;
            if words > self.places {
                continue; // only counted: a long line is not repeated word by word
            }
            match self.digit(word) {
                Ok(digit) => code.push(digit),
                Err(why) => return Err(why),
            }
        }
        if words != self.places {
            let unit = if self.places == 1 {
                "integer"
            } else {
                "integers"
            };
            return Err(format!("expected {} {unit}, found {words}", self.places));
        }
        if self.distinct
            && let Some(i) = (1..self.places).find(|&i| code[..i].contains(&code[i]))
        {
            return Err(format!("digit {} appears twice", code[i]));
        }
        Ok(code)
    }

    fn digit(&self, word: &[u8]) -> Result<u8, String> {
        use std::num::IntErrorKind::{NegOverflow, PosOverflow};
        let last = self.digits - 1;
        let range = || format!("{} is out of range 0 to {last}", show(word));
        let text = std::str::from_utf8(word).unwrap_or_default();
        match text.parse::<i64>() {
            Ok(n) if (0..=i64::from(last)).contains(&n) => Ok(n as u8),
            Ok(_) if self.run_together(word) => Err(format!(
                "{} is one integer: separate the {} digits with spaces",
                show(word),
                self.places
            )),
            Ok(_) => Err(range()),
            Err(e) if matches!(e.kind(), PosOverflow | NegOverflow) => Err(range()),
            Err(_) if text.chars().any(|c| c.is_numeric() && !c.is_ascii()) => Err(format!(
                "{} is not written in ASCII digits (0-9)",
                quote(word)
            )),
            Err(_) => Err(format!("{} is not an integer", quote(word))),
        }
    }

    /// Whether `word` looks like a whole code written without spaces, as `012` for `0 1 2`.
    fn run_together(&self, word: &[u8]) -> bool {
        self.places > 1 && word.len() == self.places && word.iter().all(u8::is_ascii_digit)
    }
}

/// A number of the contestant's, short enough for a sentence.
fn show(word: &[u8]) -> String {
    match std::str::from_utf8(word) {
        Ok(text) if text.len() <= 20 => text.to_owned(),
        _ => quote(word),
    }
}

/// Hit: right digit, right place. Blow: right digit, wrong place; of a digit that repeats, as many
/// as both codes have, less the hits.
fn feedback(secret: &[u8], guess: &[u8]) -> (usize, usize) {
    let hits = secret.iter().zip(guess).filter(|(s, g)| s == g).count();
    let mut left = [0_usize; MAX_DIGITS as usize];
    for &digit in secret {
        left[usize::from(digit)] += 1;
    }
    let mut common = 0;
    for &digit in guess {
        let left = &mut left[usize::from(digit)];
        if *left > 0 {
            *left -= 1;
            common += 1;
        }
    }
    (hits, common - hits)
}

fn join(code: &[u8]) -> String {
    let words: Vec<_> = code.iter().map(u8::to_string).collect();
    words.join(" ")
}

struct Hidden {
    game: Game,
    secret: Vec<u8>,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        format!("{}\n{}\n", self.opening(), join(&self.secret))
    }

    fn opening(&self) -> String {
        let Game {
            name,
            places,
            digits,
            ..
        } = self.game;
        format!("{name} {places} {digits}")
    }

    /// Where every digit is one character, they may stand together; commas may separate them.
    fn typed(&self, line: &str) -> String {
        let line = &line.replace(',', " ");
        let together = line.trim();
        let digits = together.len() > 1 && together.bytes().all(|b| b.is_ascii_digit());
        if self.game.digits > 10 || !digits {
            return line.to_owned();
        }
        let digits: Vec<String> = together.chars().map(String::from).collect();
        digits.join(" ")
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Guessing {
            game: self.game,
            secret: self.secret.clone(),
            turns: 0,
        })
    }
}

struct Guessing {
    game: Game,
    secret: Vec<u8>,
    turns: u64,
}

impl Session for Guessing {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, ProtocolError> {
        let in_line = |why| ProtocolError(format!("{why} in {}", quote(line)));
        let guess = self.game.read(line).map_err(in_line)?;
        self.turns += 1;
        let (hits, blows) = feedback(&self.secret, &guess);
        Ok(Reply {
            text: format!("{hits} {blows}"),
            done: hits == self.game.places,
        })
    }

    fn score(&self) -> u64 {
        self.turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word: pairs of places, each place used once, equal ones first.
    fn feedback_by_pairing(secret: &[u8], guess: &[u8]) -> (usize, usize) {
        let (mut s, mut g) = (secret.to_vec(), guess.to_vec());
        let (mut hits, mut blows) = (0, 0);
        for i in (0..s.len()).rev() {
            if s[i] == g[i] {
                hits += 1;
                s.remove(i);
                g.remove(i);
            }
        }
        for digit in g {
            if let Some(i) = s.iter().position(|&d| d == digit) {
                blows += 1;
                s.remove(i);
            }
        }
        (hits, blows)
    }

    proptest::proptest! {
        #[test]
        fn feedback_is_its_definition(
            (secret, guess) in (1_usize..=10, 1_u8..=64).prop_flat_map(|(places, digits)| {
                let code = proptest::collection::vec(0..digits, places);
                (code.clone(), code)
            })
        ) {
            proptest::prop_assert_eq!(feedback(&secret, &guess), feedback_by_pairing(&secret, &guess));
        }
    }
    use proptest::strategy::Strategy as _;

    #[test]
    fn published_replies_are_given() {
        let code = |text: &str| text.bytes().map(|b| b - b'0').collect::<Vec<_>>();
        let reply = |secret, guess| feedback(&code(secret), &code(guess));
        assert_eq!(reply("567", "576"), (1, 2)); // article 002, the rules
        assert_eq!(reply("123", "324"), (1, 1)); // article 003, the rules
        for (guess, hits, blows) in [
            ("123", 0, 1),
            ("456", 0, 1),
            ("789", 0, 1),
            ("369", 0, 1),
            ("258", 0, 1),
            ("126", 0, 2),
            ("726", 0, 3),
            ("672", 3, 0),
        ] {
            assert_eq!(reply("672", guess), (hits, blows)); // article 002, a person's game
        }
    }
}
