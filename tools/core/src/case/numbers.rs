//! Numbers of cases, as you type them: ranges and lists.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::CaseError;
use super::seed_range::{MAX_CASES, SeedRange};
use crate::util::bounded_read;
use crate::util::count::case_count;
use crate::util::quote::quote;

/// Numbers of cases: at least one, each once, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CaseNumbers(Vec<RangeInclusive<u64>>);

impl CaseNumbers {
    /// All of these ranges; `None` if there is no number in them.
    pub fn new(ranges: impl IntoIterator<Item = RangeInclusive<u64>>) -> Option<Self> {
        let mut ranges: Vec<_> = ranges
            .into_iter()
            .filter(|range| !range.is_empty())
            .collect();
        ranges.sort_by_key(|range| *range.start());
        let mut joined: Vec<RangeInclusive<u64>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start().saturating_sub(1) <= *last.end() => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => joined.push(range),
            }
        }
        (!joined.is_empty()).then_some(Self(joined))
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let all = self.0.into_iter().chain(other.0);
        Self::new(all).expect("both have numbers")
    }

    /// As few ranges as they make, in ascending order.
    pub fn ranges(&self) -> &[RangeInclusive<u64>] {
        &self.0
    }

    /// The least of them, `count` of them at most; at least one.
    #[must_use]
    pub fn first(&self, count: u64) -> Self {
        let mut left = count.max(1);
        let ranges = self.0.iter().map_while(|range| {
            let last = range.start().saturating_add(left.checked_sub(1)?);
            let some = *range.start()..=last.min(*range.end());
            left -= (some.end() - some.start()).saturating_add(1).min(left);
            Some(some)
        });
        Self::new(ranges).expect("the first range has a number")
    }

    /// All numbers from the least to the greatest of them.
    pub(crate) fn hull(&self) -> RangeInclusive<u64> {
        let [first, .., last] = &self.0[..] else {
            return self.0[0].clone();
        };
        *first.start()..=*last.end()
    }

    /// How many there are, at most 2<sup>64</sup> − 1.
    pub fn count(&self) -> u64 {
        let sizes = self
            .0
            .iter()
            .map(|range| (range.end() - range.start()).saturating_add(1));
        sizes.fold(0, u64::saturating_add)
    }

    /// Whether this number is one of them.
    pub fn contains(&self, number: u64) -> bool {
        let after = self.0.partition_point(|range| *range.start() <= number);
        after > 0 && self.0[after - 1].contains(&number)
    }

    /// Each of them, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + Send + use<> {
        self.0.clone().into_iter().flatten()
    }

    /// Whether any number is one of both.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let meets = |a: &RangeInclusive<u64>, b: &RangeInclusive<u64>| {
            a.start() <= b.end() && b.start() <= a.end()
        };
        self.0.iter().any(|a| other.0.iter().any(|b| meets(a, b)))
    }

    /// The numbers that are in both, if there are any.
    pub(crate) fn in_both(&self, other: &Self) -> Option<Self> {
        let pairs = self
            .0
            .iter()
            .flat_map(|own| other.0.iter().map(move |more| (own, more)));
        Self::new(
            pairs.map(|(own, more)| *own.start().max(more.start())..=*own.end().min(more.end())),
        )
    }

    /// Reads a file of numbers: one or more on a line, with spaces or commas between.
    ///
    /// # Errors
    /// If it cannot be read, or has something else in it.
    pub fn from_file(path: &Path) -> Result<Self, CaseError> {
        let text = bounded_read::read(path, bounded_read::MAX_TEXT);
        let text = text.map_err(|source| CaseError::Read {
            path: path.to_owned(),
            source,
        })?;
        let refused = |line: usize, found| CaseError::Numbers {
            path: path.to_owned(),
            line,
            found,
        };
        let mut ranges = Vec::new();
        for (line, bytes) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let words = bytes.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
            for word in words.filter(|word| !word.is_empty()) {
                let range = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                let SeedRange(range) = range.ok_or_else(|| refused(line, quote(word)))?;
                ranges.push(range);
            }
        }
        Self::new(ranges).ok_or_else(|| refused(1, "end of file".to_owned()))
    }
}

impl FromStr for CaseNumbers {
    type Err = String;

    /// Ranges and numbers with commas between: `0..100`, `5,7,100`.
    fn from_str(text: &str) -> Result<Self, String> {
        let range = |word: &str| match word.trim().parse() {
            Ok(SeedRange(range)) => Ok(range),
            Err(_) => Err(format!(
                "expected numbers of cases such as 0..100 or 5,7,100, found {word:?}{}",
                what_is_meant(word.trim())
            )),
        };
        let ranges: Vec<_> = text.split(',').map(range).collect::<Result<_, _>>()?;
        Ok(Self::new(ranges).expect("each range has a number"))
    }
}

/// What a word that names no numbers may be meant for.
fn what_is_meant(word: &str) -> String {
    let numbers = |dots: &str| {
        let (first, last) = word.split_once(dots)?;
        Some((first.parse::<u64>().ok()?, last.parse::<u64>().ok()?))
    };
    match (numbers("-"), numbers("..")) {
        (Some((first, last)), _) if first <= last => format!("; do you mean {first}..={last}?"),
        (_, Some((first, last))) if first < last => {
            format!("; at most {MAX_CASES} cases at once")
        }
        (_, Some(_)) => "; A..B stops before B, so B must be greater".to_owned(),
        _ => String::new(),
    }
}

impl TryFrom<String> for CaseNumbers {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<CaseNumbers> for String {
    fn from(numbers: CaseNumbers) -> Self {
        numbers.to_string()
    }
}

/// How many ranges stand in one row.
const SHOWN: usize = 8;

impl fmt::Display for CaseNumbers {
    /// As [`FromStr`] reads it. With `{:#}`, for a row that people read: only the first ranges if there are many, and how
    /// many cases there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match f.alternate() {
            true => SHOWN.min(self.0.len()),
            false => self.0.len(),
        };
        for (i, range) in self.0[..shown].iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let (start, end) = (range.start(), range.end());
            match end.checked_add(1) {
                _ if start == end => write!(f, "{comma}{start}")?,
                Some(end) => write!(f, "{comma}{start}..{end}")?,
                None => write!(f, "{comma}{start}..={end}")?,
            }
        }
        if shown < self.0.len() {
            write!(f, ",… ({})", case_count(self.count() as usize))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> CaseNumbers {
        text.parse().unwrap()
    }

    #[test]
    fn ranges_and_lists_are_read_and_written() {
        for (typed, written) in [
            ("0..100", "0..100"),
            ("5,7,100", "5,7,100"),
            ("7, 5,6..=9,10", "5..11"),
            ("3,3", "3"),
            (
                "18446744073709551600..=18446744073709551615",
                "18446744073709551600..=18446744073709551615",
            ),
        ] {
            assert_eq!(numbers(typed).to_string(), written);
            assert_eq!(numbers(written), numbers(typed));
        }
        let some = numbers("2..5,9");
        assert_eq!(some.iter().collect::<Vec<_>>(), [2, 3, 4, 9]);
        assert_eq!(some.count(), 4);
        let held = (0..12).filter(|&number| some.contains(number));
        assert_eq!(held.collect::<Vec<_>>(), [2, 3, 4, 9]);
        assert_eq!(some.clone().and(numbers("5..9")).to_string(), "2..10");
        assert!(some.overlaps(&numbers("4")) && !some.overlaps(&numbers("5..9")));
        assert_eq!(CaseNumbers::new([]), None);
        for (count, first) in [
            (0, "2"),
            (1, "2"),
            (3, "2..5"),
            (4, "2..5,9"),
            (9, "2..5,9"),
        ] {
            assert_eq!(some.first(count).to_string(), first);
        }
        let all = CaseNumbers::new([0..=u64::MAX]).unwrap();
        assert_eq!(all.first(10).to_string(), "0..10");
        assert_eq!(all.first(u64::MAX).count(), u64::MAX);
    }

    #[test]
    fn what_is_no_number_is_said() {
        let refused = |text: &str| text.parse::<CaseNumbers>().unwrap_err();
        insta::assert_snapshot!(refused("1,,2"), @r#"expected numbers of cases such as 0..100 or 5,7,100, found """#);
        insta::assert_snapshot!(refused("9..9"), @r#"expected numbers of cases such as 0..100 or 5,7,100, found "9..9"; A..B stops before B, so B must be greater"#);
        insta::assert_snapshot!(refused("0..99999999"), @r#"expected numbers of cases such as 0..100 or 5,7,100, found "0..99999999"; at most 10000000 cases at once"#);
        insta::assert_snapshot!(refused("0..x"), @r#"expected numbers of cases such as 0..100 or 5,7,100, found "0..x""#);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hard");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            CaseNumbers::from_file(&path)
        };
        assert_eq!(read("7\n0042\n\n3..5, 9\n").unwrap(), numbers("3,4,7,9,42"));
        let said = |text| {
            read(text)
                .unwrap_err()
                .to_string()
                .split(": ")
                .skip(1)
                .collect::<Vec<_>>()
                .join(": ")
        };
        insta::assert_snapshot!(said("7\nseven\n"), @r#"line 2: expected numbers of cases such as 7 or 0..100, found "seven""#);
        insta::assert_snapshot!(said(" \n"), @"line 1: expected numbers of cases such as 7 or 0..100, found end of file");
    }

    #[test]
    fn many_ranges_are_shortened_for_people_only() {
        for (typed, shown) in [
            ("0..100", "0..100"),
            ("0,2,4,6,8,10,12,14", "0,2,4,6,8,10,12,14"),
            (
                "0,2,4,6..8,9,11,13,15,17..20,30",
                "0,2,4,6..8,9,11,13,15,… (13 cases)",
            ),
        ] {
            assert_eq!(format!("{:#}", numbers(typed)), shown);
            assert_eq!(numbers(typed).to_string(), typed);
        }
    }

    #[test]
    fn ranges_that_share_one_number_overlap() {
        let some = numbers("2..5,9");
        for (other, overlaps) in [
            ("0..3", true),
            ("0..2", false),
            ("4..8", true),
            ("5..9", false),
            ("0,4", true),
            ("9..20", true),
        ] {
            assert_eq!(some.overlaps(&numbers(other)), overlaps, "{other}");
            assert_eq!(numbers(other).overlaps(&some), overlaps, "{other}");
            let both = some.in_both(&numbers(other));
            assert_eq!(both.is_some(), overlaps, "{other}");
        }
        for (typed, meant) in [("9-12", "9..=12"), ("9-9", "9..=9")] {
            let error = typed.parse::<CaseNumbers>().unwrap_err();
            assert!(
                error.ends_with(&format!("; do you mean {meant}?")),
                "{error}"
            );
        }
        let error = "12-9".parse::<CaseNumbers>().unwrap_err();
        assert!(error.ends_with("found \"12-9\""), "{error}");
    }
}
