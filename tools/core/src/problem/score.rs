//! What a game is worth: a whole number, or one with decimals.
//!
//! Scores are counted, not measured: 2.71 is 271 hundredths. So sums are exact, and equal scores are equal.

use std::cmp::Ordering;
use std::fmt;

/// The most decimals of a score.
pub const MAX_DECIMALS: u8 = 9;

/// What a game is worth. `Score::from(12)` is a whole number, `Score::new(271, 2)` is 2.71.
///
/// Text has all decimals (`2.70`), so that numbers below each other line up. JSON and CSV have a number (`2.7`), which
/// is exact up to 2<sup>53</sup> units.
///
/// Scores with different decimals are neither equal nor in any order: they belong to different problems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    units: u64,
    decimals: u8,
}

impl Score {
    /// A score of this many units of 10<sup>-decimals</sup>.
    ///
    /// # Panics
    /// If there are more than [`MAX_DECIMALS`] decimals.
    pub const fn new(units: u64, decimals: u8) -> Self {
        assert!(
            decimals <= MAX_DECIMALS,
            "a score has at most 9 decimals: see `MAX_DECIMALS`"
        );
        Self { units, decimals }
    }

    /// The number of its units.
    pub const fn units(self) -> u64 {
        self.units
    }

    /// How many decimals it has.
    pub const fn decimals(self) -> u8 {
        self.decimals
    }

    /// The score as a number; exact, as far as such a number can be.
    pub fn value(self) -> f64 {
        self.units as f64 / units_of_one(self.decimals)
    }

    /// How much more it is than `other`, without the errors of a difference of [values](Self::value).
    ///
    /// # Panics
    /// If they have different decimals.
    pub fn minus(self, other: Self) -> f64 {
        self.minus_in_units(other) / units_of_one(self.decimals)
    }

    /// The same in units: exact up to 2<sup>53</sup>, however large the scores are.
    ///
    /// # Panics
    /// If they have different decimals.
    pub(crate) fn minus_in_units(self, other: Self) -> f64 {
        self.check_alike(other);
        (i128::from(self.units) - i128::from(other.units)) as f64
    }

    /// How far it is from `other`.
    ///
    /// # Panics
    /// If they have different decimals.
    pub fn distance(self, other: Self) -> Self {
        self.check_alike(other);
        Self::new(self.units.abs_diff(other.units), self.decimals)
    }

    /// The order of the two.
    ///
    /// # Panics
    /// If they have different decimals.
    pub fn compare(self, other: Self) -> Ordering {
        self.check_alike(other);
        self.units.cmp(&other.units)
    }

    fn check_alike(self, other: Self) {
        assert_eq!(
            self.decimals, other.decimals,
            "scores of one problem have the same decimals"
        );
    }
}

impl From<u64> for Score {
    fn from(units: u64) -> Self {
        Self::new(units, 0)
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.decimals == other.decimals).then(|| self.compare(*other))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decimal_text(self.units.into(), self.decimals))
    }
}

impl serde::Serialize for Score {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.decimals {
            0 => serializer.serialize_u64(self.units),
            _ => serializer.serialize_f64(self.value()),
        }
    }
}

/// How many units are 1.
///
/// # Panics
/// If there are more than [`MAX_DECIMALS`] decimals.
pub(crate) fn units_of_one(decimals: u8) -> f64 {
    const POWERS: [f64; MAX_DECIMALS as usize + 1] =
        [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
    POWERS[usize::from(decimals)]
}

/// This many units as text: `2.71`, or `271` without decimals. A sum of scores may need more than 64 bits.
pub(crate) fn decimal_text(units: u128, decimals: u8) -> String {
    let digits = format!("{units:0>width$}", width = usize::from(decimals) + 1);
    match decimals {
        0 => digits,
        _ => {
            let (whole, part) = digits.split_at(digits.len() - usize::from(decimals));
            format!("{whole}.{part}")
        }
    }
}

/// The decimals of a printed mean of scores that have this many decimals: 4, or 2 more than a score has.
pub(crate) fn mean_decimals(decimals: u8) -> usize {
    usize::from(decimals + 2).max(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_written_with_all_its_decimals() {
        let text = |units, decimals| Score::new(units, decimals).to_string();
        assert_eq!(text(271, 2), "2.71");
        assert_eq!(text(270, 2), "2.70");
        assert_eq!(text(7, 3), "0.007");
        assert_eq!(text(0, 1), "0.0");
        assert_eq!(text(u64::MAX, 9), "18446744073.709551615");
        assert_eq!(Score::from(12).to_string(), "12");
        assert_eq!(format!("[{:>7}]", Score::new(271, 2)), "[   2.71]");
        assert_eq!(
            decimal_text(3 * u128::from(u64::MAX), 0),
            "55340232221128654845"
        );
    }

    #[test]
    fn a_score_is_a_number_in_json() {
        let json = |score: Score| serde_json::to_string(&score).unwrap();
        assert_eq!(json(Score::from(u64::MAX)), "18446744073709551615");
        assert_eq!(json(Score::new(271, 2)), "2.71");
        assert_eq!(json(Score::new(270, 2)), "2.7");
        assert_eq!(json(Score::new(200, 2)), "2.0");
    }

    #[test]
    fn differences_are_exact() {
        let (a, b) = (Score::new(270, 2), Score::new(271, 2));
        assert_eq!((a.value(), b.value()), (2.7, 2.71));
        assert_eq!((b.minus(a), a.minus(b)), (0.01, -0.01));
        assert_ne!(b.value() - a.value(), 0.01, "a sum of numbers is not");
        assert_eq!(a.distance(b), Score::new(1, 2));
        let (least, most) = (Score::from(0), Score::from(u64::MAX));
        assert_eq!(least.minus(most), -(u64::MAX as f64));
    }

    #[test]
    fn only_scores_with_the_same_decimals_are_compared() {
        assert!(Score::new(270, 2) < Score::new(271, 2));
        let (whole, with_decimals) = (Score::from(3), Score::new(271, 2));
        assert_eq!(whole.partial_cmp(&with_decimals), None);
        assert_ne!(Score::from(3), Score::new(300, 2));
        let compared = std::panic::catch_unwind(|| whole.compare(with_decimals));
        assert!(compared.is_err());
    }

    #[test]
    fn ten_decimals_are_too_many() {
        assert!(std::panic::catch_unwind(|| Score::new(1, 10)).is_err());
    }

    #[test]
    fn a_mean_has_two_decimals_more_than_a_score_and_at_least_four() {
        assert_eq!([0, 2, 3, 9].map(mean_decimals), [4, 4, 5, 11]);
    }
}
