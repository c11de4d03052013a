//! Numbers for people: thousands apart, and no more decimals than they deserve. JSON and CSV do not use it.

use crate::problem::Score;
use crate::problem::score::mean_decimals;

/// Numbers with fewer digits before the point are read as they are.
const FEWEST_DIGITS: usize = 5;
/// A mean below this is that of small numbers, whose decimals matter.
const SMALL: f64 = 1000.0;
/// How many more decimals a difference may have, so that it does not look like 0. Smaller ones come from rounding.
const MORE_PLACES: usize = 6;
/// If the mean of large numbers is known better than this, its decimals matter too.
const KNOWN: f64 = 10.0;

/// A number as text with its thousands apart, if it has five digits or more before the point: `1,680,261`.
pub fn grouped(number: &str) -> String {
    let start = number.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, rest) = number.split_at(start);
    let (whole, decimals) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
    if whole.len() < FEWEST_DIGITS {
        return number.to_owned();
    }
    let mut text = sign.to_owned();
    for (i, digit) in whole.char_indices() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + decimals
}

/// A score.
pub(crate) fn score_text(score: Score) -> String {
    grouped(&score.to_string())
}

/// How means of scores are printed that stand together in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeanFormat {
    places: usize,
}

impl MeanFormat {
    /// For means of about this size, of scores with this many decimals; `half` is how well they are known, if that is
    /// known.
    pub fn new(size: f64, half: Option<f64>, decimals: u8) -> Self {
        let places = match () {
            () if size.abs() < SMALL => mean_decimals(decimals),
            () if half.is_some_and(|half| half < KNOWN) => usize::from(decimals) + 2,
            () => usize::from(decimals),
        };
        // A difference that is larger than what the means are known by is seen.
        let is_seen =
            |places: &usize| half.is_some_and(|half| half >= libm::pow(0.1, *places as f64));
        let seen = (places..=places + MORE_PLACES).find(is_seen);
        Self {
            places: seen.unwrap_or(places),
        }
    }

    /// How many decimals are printed.
    pub fn places(self) -> usize {
        self.places
    }

    /// A number: `5.0620`, `1,680,261`.
    pub fn text(self, number: f64) -> String {
        grouped(&format!("{number:.*}", self.places))
    }

    /// The same with a sign, for differences and the ends of their intervals. One that is not 0 does not look like 0.
    pub fn signed(self, number: f64) -> String {
        let text = |places: usize| format!("{number:+.places$}");
        let is_seen = |text: &String| text.contains(|sign| matches!(sign, '1'..='9'));
        let mut longer = (self.places..=self.places + MORE_PLACES).map(text);
        let seen = longer.find(is_seen).filter(|_| number.is_finite());
        grouped(&seen.unwrap_or_else(|| text(self.places)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart_from_five_digits_on() {
        let all = [
            "7",
            "9999",
            "10000",
            "-1680261",
            "+123456.7890",
            "1234.56789",
            "18446744073709551615",
        ];
        insta::assert_snapshot!(all.map(grouped).join(" "), @"7 9999 10,000 -1,680,261 +123,456.7890 1234.56789 18,446,744,073,709,551,615");
        assert_eq!(score_text(Score::new(1_234_567, 2)), "12,345.67");
    }

    #[test]
    fn means_have_decimals_where_numbers_are_small_or_well_known() {
        let text = |size, half, decimals| MeanFormat::new(size, half, decimals).text(size);
        assert_eq!(text(5.062, Some(0.05), 0), "5.0620");
        assert_eq!(text(999.9, None, 0), "999.9000");
        assert_eq!(text(207_230_000.4, Some(31e6), 0), "207,230,000");
        assert_eq!(text(1234.5678, Some(3.0), 0), "1234.57");
        assert_eq!(text(1234.5678, None, 0), "1235");
        assert_eq!(text(12_345.678_9, Some(100.0), 2), "12,345.68");
        assert_eq!(text(2.71, Some(100.0), 2), "2.7100");
        let large = MeanFormat::new(1e6, Some(500.0), 0);
        assert_eq!(large.signed(-12_345.6), "-12,346");
        assert_eq!(large.signed(7.0), "+7");
        // The end of an interval says on which side of 0 it is.
        assert_eq!(
            [0.6, 0.34, -0.5, -0.004, 0.0].map(|end| large.signed(end)),
            ["+1", "+0.3", "-0.5", "-0.004", "+0"]
        );
        assert_eq!(MeanFormat::new(2.0, None, 0).signed(-0.000_02), "-0.00002");
        assert_eq!(large.signed(1e-9), "+0", "an error of rounding");
        // Two means that differ by more than what they are known by are not printed alike.
        let known = MeanFormat::new(1_680_261.0, Some(0.0044), 0);
        let both = [1_680_261.001, 1_680_261.006].map(|mean| known.text(mean));
        assert_eq!(both, ["1,680,261.001", "1,680,261.006"]);
    }
}
