//! A score as other judges print it, and as it is kept: an integer.

use std::fmt;
use std::str::FromStr;

use super::reasons as say;
use crate::util::quote::quote;

/// What printed scores are multiplied by before they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct ScoreScale(u64);

/// From this number on, 2^53, numbers with decimals do not tell all integers apart.
const EXACT: u64 = 1 << 53;

/// The number of digits of the largest score.
const MOST_DIGITS: usize = 20;

/// How a printed score is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScoreRule {
    /// What it is multiplied by.
    pub scale: ScoreScale,
    /// Whether 0 is a score like others.
    pub zero_counts: bool,
}

/// What a printed score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrintedScore {
    /// A score, as it is kept.
    Score(u64),
    /// The score 0, where that means a wrong answer.
    Zero,
    /// A number below 0, which some judges print for a wrong answer.
    Negative,
    /// Something that cannot be kept.
    Other,
}

impl ScoreScale {
    /// The usual scale: scores have to be integers.
    pub const ONE: Self = Self(1);

    /// The largest one: more decimals say nothing of a program.
    const LARGEST: u64 = 1_000_000_000;

    /// Whether scores are kept as they are printed.
    pub(crate) fn is_one(&self) -> bool {
        *self == Self::ONE
    }

    /// The largest printed score that can be kept, in whole numbers.
    fn largest_printed(self) -> u64 {
        match self.is_one() {
            true => u64::MAX,
            false => (EXACT - 1) / self.0,
        }
    }

    /// A score as it is kept, if it can be.
    fn kept(self, text: &str) -> Option<u64> {
        if self.is_one() {
            return whole_number(text);
        }
        let number = text.parse().ok().filter(|number: &f64| *number >= 0.0)?;
        let scaled = (number * self.0 as f64).round();
        // Above 0 it stays above 0, which may mean a wrong answer.
        let least = if number > 0.0 { 1.0 } else { 0.0 };
        (scaled < EXACT as f64).then(|| scaled.max(least) as u64)
    }
}

impl Default for ScoreScale {
    fn default() -> Self {
        Self::ONE
    }
}

impl TryFrom<u64> for ScoreScale {
    type Error = String;

    fn try_from(scale: u64) -> Result<Self, String> {
        match scale {
            1..=Self::LARGEST => Ok(Self(scale)),
            _ => Err(format!("expected an integer from 1 to {}", Self::LARGEST)),
        }
    }
}

impl From<ScoreScale> for u64 {
    fn from(scale: ScoreScale) -> Self {
        scale.0
    }
}

impl FromStr for ScoreScale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().unwrap_or(0).try_into()
    }
}

impl fmt::Display for ScoreScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ScoreRule {
    /// What a printed score means.
    pub(super) fn read(self, text: &[u8]) -> PrintedScore {
        let text = str::from_utf8(text).unwrap_or_default().trim();
        match self.scale.kept(text) {
            Some(0) if !self.zero_counts => PrintedScore::Zero,
            Some(score) => PrintedScore::Score(score),
            None if text.parse().is_ok_and(|number: f64| number < 0.0) => PrintedScore::Negative,
            None => PrintedScore::Other,
        }
    }
}

impl ScoreRule {
    /// Why a printed score means a wrong answer, with what the other judge said beside it.
    pub(super) fn refusal(self, score: &[u8], said: Option<&str>) -> String {
        // Such a score is a number, and nothing in it needs to be quoted.
        let negative = || String::from_utf8_lossy(score.trim_ascii());
        match (self.read(score), said) {
            (PrintedScore::Negative, None) => say::NEGATIVE_SCORE.fill(&[&negative()]),
            (PrintedScore::Negative, Some(said)) => {
                say::REFUSED_WITH_SCORE.fill(&[&negative(), &said])
            }
            (_, None) => say::ZERO_SCORE.fill(&[]),
            (_, Some(said)) => say::REFUSED_WITH_SCORE.fill(&[&0, &said]),
        }
    }
}

impl ScoreRule {
    /// Why a printed score is none that could be kept.
    pub(super) fn not_a_score(self, found: &[u8]) -> String {
        let largest = self.scale.largest_printed();
        let found = quote(found.trim_ascii());
        match self.scale.is_one() {
            true => say::NOT_A_SCORE.fill(&[&largest, &found]),
            false => say::NOT_A_SCALED_SCORE.fill(&[&largest, &self.scale, &found]),
        }
    }
}

impl PrintedScore {
    /// Whether it says that the output is wrong.
    pub(super) fn is_refusal(self) -> bool {
        matches!(self, Self::Zero | Self::Negative)
    }
}

/// A whole number, also one that is written with decimals, which are zeros, or with a power of ten: `1.2e+16`.
fn whole_number(text: &str) -> Option<u64> {
    let (number, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() {
        return None;
    }
    let point = whole.len().checked_add_signed(power.parse().ok()?)?;
    if point > number.len() + MOST_DIGITS {
        return None;
    }
    let zeros_up_to = point.saturating_sub(whole.len());
    let digits = format!("{whole}{decimals:0<zeros_up_to$}");
    let (whole, decimals) = digits.split_at_checked(point)?;
    let is_whole = decimals.bytes().all(|digit| digit == b'0');
    whole.parse().ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PrintedScore::{Negative, Other, Score, Zero};

    fn read(scale: u64, text: &str) -> PrintedScore {
        let rule = ScoreRule {
            scale: scale.try_into().unwrap(),
            zero_counts: false,
        };
        rule.read(text.as_bytes())
    }

    #[test]
    fn decimals_that_are_zeros_change_nothing() {
        for text in ["12", "12.", "12.0", " 12.00\n", "0012"] {
            assert_eq!(read(1, text), Score(12), "{text:?}");
        }
        assert_eq!(read(1, "18446744073709551615"), Score(u64::MAX));
        for text in ["", ".", "12.5", "NaN", "18446744073709551616", "+-1"] {
            assert_eq!(read(1, text), Other, "{text:?}");
        }
    }

    #[test]
    fn a_power_of_ten_may_stand_behind_a_whole_number() {
        for (text, score) in [
            ("1.000000000e+00", 1),
            ("1e3", 1000),
            ("1.2345e+16", 12_345_000_000_000_000),
            ("1.8446744073709551615E19", u64::MAX),
            ("0.5e1", 5),
            ("1200e-2", 12),
        ] {
            assert_eq!(read(1, text), Score(score), "{text}");
        }
        assert_eq!(read(1, "0.000000000e+00"), Zero);
        for text in [
            "1e",
            "e3",
            "1e1.0",
            "1.25e1",
            "9.586676263e-01",
            "1e20",
            "1e-1",
            "1e999999999999",
            "1e9223372036854775807",
            "1.+5e2",
            "1é2e1",
        ] {
            assert_eq!(read(1, text), Other, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn integers_are_read_as_the_standard_library_writes_them_with_a_power_of_ten(score in 1_u64..) {
            proptest::prop_assert_eq!(read(1, &format!("{score:e}")), Score(score));
        }
    }

    #[test]
    fn a_scale_keeps_decimals() {
        for (text, kept) in [
            ("0.8125", 812_500),
            (" 1.5E-4 ", 150),
            ("12", 12_000_000),
            (".5", 500_000),
            ("0.0000015", 2),
            ("1e-30", 1),
            ("4503599627.370496", 1 << 52),
        ] {
            assert_eq!(read(1_000_000, text), Score(kept), "{text}");
        }
        for text in ["", "inf", "NaN", "9007199255", "1,5", "0x10"] {
            assert_eq!(read(1_000_000, text), Other, "{text}");
        }
    }

    #[test]
    fn zero_and_less_are_wrong_answers() {
        for scale in [1, 1000] {
            assert_eq!(read(scale, "0.0"), Zero);
            assert_eq!(read(scale, "-1"), Negative);
            assert_eq!(read(scale, "-0.25"), Negative);
        }
        let rule = ScoreRule {
            zero_counts: true,
            ..ScoreRule::default()
        };
        assert_eq!(rule.read(b"0"), Score(0));
        assert_eq!(rule.read(b"-1"), Negative);
    }

    #[test]
    fn a_scale_is_an_integer_from_1_to_a_billion() {
        for text in ["0", "-1", "1000000001", "1e6", "", "0.5"] {
            let error = text.parse::<ScoreScale>().unwrap_err();
            assert_eq!(error, "expected an integer from 1 to 1000000000", "{text}");
        }
        assert_eq!("1000000".parse(), Ok(ScoreScale(1_000_000)));
    }
}
