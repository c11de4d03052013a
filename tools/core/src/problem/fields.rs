//! What contests of numbers read alike: words of a case file's line, numbers in a range, and parameters with names.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::util::quote::quote;

/// The words of a line, if there are `COUNT` of them.
///
/// # Errors
/// The number of words that were found.
pub fn exactly<const COUNT: usize>(line: &str) -> Result<[&str; COUNT], usize> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let found = words.len();
    <[&str; COUNT]>::try_from(words).map_err(|_| found)
}

/// An integer of `range`.
///
/// # Errors
/// A fragment that says what was found and what would be right, for [`Lines::error`](super::Lines::error).
pub fn number<T: FromStr + PartialOrd + Display>(
    word: &str,
    range: RangeInclusive<T>,
) -> Result<T, String> {
    let number = word.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (found, (first, last)) = (quote(word.as_bytes()), range.into_inner());
        format!("{found} is not an integer from {first} to {last}")
    })
}

/// The values of parameters such as `N=12`, each at most once, in any order. `None` if a word is anything else.
pub fn named_values<'a, const COUNT: usize>(
    params: &[&'a str],
    names: [&str; COUNT],
) -> Option<[Option<&'a str>; COUNT]> {
    let mut values = [None; COUNT];
    for word in params {
        let (name, value) = word.split_once('=')?;
        let place = names.iter().position(|known| *known == name)?;
        if values[place].replace(value).is_some() {
            return None;
        }
    }
    Some(values)
}

/// What `read` makes of a value, if there is one. `None` if there is one that it refuses.
pub fn if_given<T>(value: Option<&str>, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    match value {
        Some(value) => read(value).map(Some),
        None => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_numbers_are_in_their_range() {
        assert_eq!(exactly::<2>(" 1\t2 "), Ok(["1", "2"]));
        assert_eq!(exactly::<2>("1 2 3"), Err(3));
        assert_eq!(number("20", 10..=20_u8), Ok(20));
        let error = number("21", 10..=20_u8).unwrap_err();
        insta::assert_snapshot!(error, @r#""21" is not an integer from 10 to 20"#);
        assert!(number("-1", 0..=9_u8).is_err() && number("", 0..=9_u8).is_err());
    }

    #[test]
    fn parameters_with_names_come_in_any_order_and_once() {
        let values = |params: &[&'static str]| named_values(params, ["N", "eps"]);
        assert_eq!(values(&[]), Some([None, None]));
        assert_eq!(
            values(&["eps=0.2", "N=12"]),
            Some([Some("12"), Some("0.2")])
        );
        assert_eq!(values(&["N=12", "N=13"]), None);
        assert_eq!(values(&["M=12"]), None);
        assert_eq!(values(&["12"]), None);
        let number = |word: &str| word.parse::<u8>().ok();
        assert_eq!(if_given(None, number), Some(None));
        assert_eq!(if_given(Some("12"), number), Some(Some(12)));
        assert_eq!(if_given(Some("x"), number), None);
    }
}
