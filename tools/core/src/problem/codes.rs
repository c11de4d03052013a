//! Rows of digits: which there are, how one is drawn, read and written.

use super::exchange::TurnError;
use super::lines::{InstanceError, Lines};
use super::rng::CaseRng;
use super::words::{integer, is_integer, refused, show, unreadable, words as words_of};
use crate::util::template::templates;

templates! {
    ONE_INTEGER =
        "expected 1 integer, found {0}",
        "整数が 1 個必要ですが、{0} 個でした";
    INTEGERS =
        "expected {0} integers, found {1}",
        "整数が {0} 個必要ですが、{1} 個でした";
    TWICE = "digit {0} appears twice", "数字 {0} が 2 回使われています";
    RUN_TOGETHER =
        "{0} is one integer: separate the {1} digits with spaces",
        "{0} は 1 つの整数です。{1} 個の数字を空白で区切ってください";
}

/// The most places a code may have.
pub(super) const MAX_PLACES: u64 = 10;
/// The most digits a game may use.
pub(super) const MAX_DIGITS: u64 = 64;

/// Which codes there are: P digits of 0..K, distinct or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// P.
    pub(super) places: usize,
    /// K.
    pub(super) digits: u8,
    /// Whether the digits of a code must differ.
    pub(super) distinct: bool,
}

impl Shape {
    /// Reads `P K`: 1 ≤ P ≤ 10, 1 ≤ K ≤ 64, and P ≤ K where digits are distinct; `None` if it is not that.
    pub(super) fn from_params(params: &[&str], distinct: bool) -> Option<Self> {
        let numbers: Option<Vec<u64>> = params.iter().map(|word| word.parse().ok()).collect();
        let &[places, digits] = numbers.as_deref()? else {
            return None;
        };
        let fewest = if distinct { places } else { 1 };
        let allowed = (1..=MAX_PLACES).contains(&places) && (fewest..=MAX_DIGITS).contains(&digits);
        allowed.then_some(Self {
            places: places as usize,
            digits: digits as u8,
            distinct,
        })
    }

    /// A code, each equally likely.
    pub(super) fn draw(&self, draw: &mut CaseRng) -> Vec<u8> {
        if self.distinct {
            return draw.distinct(self.places, self.digits);
        }
        let digit = |_| draw.below(u64::from(self.digits)) as u8;
        (0..self.places).map(digit).collect()
    }

    /// How many codes there are.
    fn count(&self) -> usize {
        let digits = usize::from(self.digits);
        match self.distinct {
            true => (digits - self.places + 1..=digits).product(),
            false => digits.pow(self.places as u32),
        }
    }

    /// All codes in ascending order. Their number is known at once.
    pub(super) fn codes(self) -> impl Iterator<Item = Vec<u8>> + Send {
        let first = if self.distinct {
            (0..self.places as u8).collect()
        } else {
            vec![0; self.places]
        };
        let mut codes = std::iter::successors(Some(first), move |code| self.successor(code));
        (0..self.count()).map(move |_| codes.next().expect("there are that many"))
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

    /// Reads the next line of a case file as the secret.
    pub(super) fn parse(&self, hidden: &mut Lines<'_>) -> Result<Vec<u8>, InstanceError> {
        let expected = format!(
            "the secret, {} {}digits from 0 to {} separated by spaces",
            self.places,
            if self.distinct { "distinct " } else { "" },
            self.digits - 1
        );
        let line = hidden.next(&expected)?;
        self.read(line.as_bytes())
            .map_err(|why| hidden.error(expected, line, &why))
    }

    /// Reads a code: exactly P integers of 0..K, separated by ASCII white space; or says what is
    /// wrong with it.
    pub(super) fn read(&self, line: &[u8]) -> Result<Vec<u8>, String> {
        let mut code = Vec::with_capacity(self.places);
        let mut words = 0;
        for word in words_of(line) {
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
            return Err(match self.places {
                1 => ONE_INTEGER.fill(&[&words]),
                places => INTEGERS.fill(&[&places, &words]),
            });
        }
        if self.distinct
            && let Some(i) = (1..self.places).find(|&i| code[..i].contains(&code[i]))
        {
            return Err(TWICE.fill(&[&code[i]]));
        }
        Ok(code)
    }

    /// Refuses a line that is no code, and says why: `why` is what [`Shape::read`] said.
    pub(super) fn refuse(&self, why: &str, line: &[u8]) -> TurnError {
        let first = words_of(line).next().unwrap_or_default();
        let is_row = words_of(line).take(self.places + 1).count() == self.places;
        let has_form = is_row && words_of(line).all(is_integer) || self.run_together(first);
        match has_form {
            true => refused(why, line),
            false => unreadable(why, line),
        }
    }

    fn digit(&self, word: &[u8]) -> Result<u8, String> {
        let last = u64::from(self.digits - 1);
        match integer(word, |digit| digit, 0..=last) {
            Ok(digit) => Ok(digit as u8),
            Err(_) if self.run_together(word) => {
                Err(RUN_TOGETHER.fill(&[&show(word), &self.places]))
            }
            Err(why) => Err(why),
        }
    }

    /// Whether `word` looks like a whole code written without spaces, as `012` for `0 1 2`.
    fn run_together(&self, word: &[u8]) -> bool {
        self.places > 1 && word.len() == self.places && word.iter().all(u8::is_ascii_digit)
    }

    /// A code as a person types it, with blanks: where every digit is one character, they may stand
    /// together; commas may separate them.
    pub(super) fn typed(&self, line: &str) -> String {
        let line = &line.replace(',', " ");
        let together = line.trim();
        let digits = together.len() > 1 && together.bytes().all(|b| b.is_ascii_digit());
        if self.digits > 10 || !digits {
            return line.to_owned();
        }
        let digits: Vec<String> = together.chars().map(String::from).collect();
        digits.join(" ")
    }
}

/// A code as it is written in case files and by contestants.
pub(super) fn join(code: &[u8]) -> String {
    let words: Vec<_> = code.iter().map(u8::to_string).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_ascending_and_complete() {
        for (places, digits, distinct, count) in [
            (3, 10, true, 720),
            (4, 4, true, 24),
            (1, 1, true, 1),
            (3, 4, false, 64),
            (10, 2, false, 1024),
        ] {
            let codes = Shape {
                places,
                digits,
                distinct,
            }
            .codes();
            assert_eq!(codes.size_hint(), (count, Some(count)));
            let codes: Vec<_> = codes.collect();
            assert_eq!(codes.len(), count);
            assert!(codes.is_sorted_by(|a, b| a < b));
        }
    }
}
