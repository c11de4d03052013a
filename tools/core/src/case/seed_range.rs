//! Seeds from one number to another, as you type them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// More cases at once than this are refused: they were not meant.
pub const MAX_CASES: u64 = 10_000_000;

/// Seeds from one number to another: at least one, at most [`MAX_CASES`].
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct SeedRange(pub RangeInclusive<u64>);

impl FromStr for SeedRange {
    type Err = String;

    /// `A..B` (B is not one of them), `A..=B`, or one seed.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| {
            word.parse::<u64>().map_err(|_| match word {
                "" => "expected seeds from one number to another, such as 0..100".to_owned(),
                _ => format!("expected seeds such as 0..100, found {word:?} for a number"),
            })
        };
        let nothing = "expected at least one seed: A..B stops before B, so B must be greater";
        let range = match text.split_once("..") {
            None => {
                let seed = number(text)?;
                seed..=seed
            }
            Some((first, end)) => match end.strip_prefix('=') {
                Some(last) => number(first)?..=number(last)?,
                None => number(first)?..=number(end)?.checked_sub(1).ok_or(nothing)?,
            },
        };
        if range.is_empty() {
            return Err(nothing.to_owned());
        }
        if range.end() - range.start() >= MAX_CASES {
            return Err(format!("expected at most {MAX_CASES} seeds at once"));
        }
        Ok(Self(range))
    }
}

impl TryFrom<String> for SeedRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..={}", self.0.start(), self.0.end())
    }
}

impl From<SeedRange> for RangeInclusive<u64> {
    fn from(SeedRange(range): SeedRange) -> Self {
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_million_seeds_are_the_most_and_one_is_the_least() {
        let seeds = |text: &str| text.parse::<SeedRange>().map(|range| range.to_string());
        for (typed, read) in [
            ("0..100", "0..=99"),
            ("7..=7", "7..=7"),
            ("7", "7..=7"),
            ("5..10000005", "5..=10000004"),
        ] {
            assert_eq!(seeds(typed).as_deref(), Ok(read));
        }
        let many = seeds("5..10000006").unwrap_err();
        assert_eq!(many, "expected at most 10000000 seeds at once");
        for nothing in ["7..7", "0..0", "8..=7"] {
            assert!(
                seeds(nothing)
                    .unwrap_err()
                    .starts_with("expected at least one seed")
            );
        }
    }
}
