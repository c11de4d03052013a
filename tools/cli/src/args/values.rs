//! Values of options: how their text is read, and why it is refused.

use std::ops::RangeInclusive;

use tester_core::case::SeedRange;
use tester_core::judge::external::Stream;
use tester_core::problem::Objective;
use tester_core::process::is_terminal_control;
use tester_core::stats::paired::Measure;
use tester_core::store::{BEST, LAST};

pub(super) fn stream(text: &str) -> Result<Stream, String> {
    Stream::from_name(text).ok_or_else(|| "expected any, stdout or stderr".to_owned())
}

pub(super) fn objective(text: &str) -> Result<Objective, String> {
    Objective::from_name(text).ok_or_else(|| "expected min or max".to_owned())
}

pub(super) fn measure(text: &str) -> Result<Measure, String> {
    Measure::from_name(text).ok_or_else(|| "expected score, log, relative or rank".to_owned())
}

pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("expected a number above 0, such as 20".to_owned()),
    }
}

pub(super) fn alpha(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(alpha) if (1e-9..=0.5).contains(&alpha) => Ok(alpha),
        _ => Err("expected a probability from 1e-9 to 0.5, such as 0.05".to_owned()),
    }
}

/// Milliseconds, to the microsecond, as calibrations are.
pub(super) fn calibration(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(ms) if (0.001..=1e6).contains(&ms) => Ok((ms * 1e3).round() / 1e3),
        _ => Err("expected milliseconds from 0.001 to 1000000, such as 9.7".to_owned()),
    }
}

/// A tag must not be mistaken for something else that names a run.
pub(super) fn tag(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.chars().any(is_terminal_control) {
        return Err("expected a name, found no readable character".to_owned());
    }
    if text.parse::<i64>().is_ok() || [LAST, BEST].contains(&text) {
        return Err(format!("a number, {LAST:?} and {BEST:?} name runs already"));
    }
    Ok(text.to_owned())
}

/// A whole number of this range.
pub(super) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match (range.start(), range.end()) {
            (least, &u64::MAX) => format!("expected a whole number, at least {least}"),
            (least, most) => format!("expected a whole number from {least} to {most}"),
        })
    }
}

/// Seeds of a duel: as [`seed_range`], and `A..` for all seeds from A on.
pub(super) fn open_seed_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    match text.strip_suffix("..").map(str::parse) {
        Some(Ok(first)) => Ok(first..=u64::MAX),
        _ => seed_range(text),
    }
}

/// One seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a seed from 0 to {}", u64::MAX))
}

pub(super) fn seed_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    text.parse().map(|SeedRange(range)| range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_ranges_are_half_open_unless_they_say_otherwise() {
        assert_eq!(seed_range("0..100"), Ok(0..=99));
        assert_eq!(seed_range("5..=9"), Ok(5..=9));
        assert_eq!(seed_range("7"), Ok(7..=7));
        assert_eq!(seed_range(&u64::MAX.to_string()), Ok(u64::MAX..=u64::MAX));
        assert_eq!(open_seed_range("7.."), Ok(7..=u64::MAX));
        assert_eq!(open_seed_range("7..9"), Ok(7..=8));
        assert!(open_seed_range("..").is_err());
        for bad in [
            "",
            "..",
            "3..",
            "3..3",
            "9..1",
            "a..b",
            "-1..2",
            "0..18446744073709551615",
            "1..2..3",
        ] {
            assert!(seed_range(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_seed_is_a_number_from_0_on() {
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for bad in ["-1", "", "1.5", "18446744073709551616", "0..3"] {
            assert!(
                seed(bad).unwrap_err().starts_with("expected a seed"),
                "{bad}"
            );
        }
    }

    #[test]
    fn tags_cannot_be_mistaken_for_runs() {
        for good in ["v2", "貪欲法 2", "-x", "1.5"] {
            assert_eq!(tag(good), Ok(good.to_owned()));
        }
        for bad in ["", " ", "17", "-3", "best", "last", "a\nb"] {
            assert!(tag(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_largest_difference_is_above_0() {
        assert_eq!(positive("2.5"), Ok(2.5));
        for bad in ["0", "-1", "NaN", "inf", "x", ""] {
            assert!(positive(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn alpha_is_a_small_probability() {
        assert_eq!(alpha("0.05"), Ok(0.05));
        for bad in ["0", "1", "-1", "5", "NaN", "x", ""] {
            assert!(alpha(bad).is_err(), "{bad}");
        }
    }
}
