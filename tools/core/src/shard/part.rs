//! A part of a run, such as `3/8`, and its cases.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Which of how many: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    index: u64,
    of: u64,
}

/// A text, or two numbers, that name no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with 1 <= I <= N, such as 3/8, found {0:?}")]
pub struct NotAPart(String);

impl Part {
    /// Part `index` of `of` parts, counted from 1.
    ///
    /// # Errors
    /// Unless `1 <= index <= of`.
    pub fn new(index: u64, of: u64) -> Result<Self, NotAPart> {
        match 1 <= index && index <= of {
            true => Ok(Self { index, of }),
            false => Err(NotAPart(format!("{index}/{of}"))),
        }
    }

    /// All of it in one.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Which, counted from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Its cases, by their places in the order of all of them, counted from 0. Case k of M belongs to part floor(k N / M) + 1
    /// of N: parts are contiguous, their sizes differ by at most one, and of more parts than cases some are empty.
    pub fn block(self, cases: usize) -> Range<usize> {
        let start = |index: u64| {
            let place = (u128::from(index) * cases as u128).div_ceil(u128::from(self.of));
            place as usize
        };
        start(self.index - 1)..start(self.index)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Part {
    type Err = NotAPart;

    fn from_str(text: &str) -> Result<Self, NotAPart> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            let number = |word: &str| word.parse::<u64>().ok();
            Some((number(index)?, number(of)?))
        });
        let (index, of) = numbers.ok_or_else(|| NotAPart(text.to_owned()))?;
        Self::new(index, of)
    }
}
