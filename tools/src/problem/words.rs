//! Words of a line, and the numbers that they are, with messages that say what is wrong.

use std::num::IntErrorKind::{NegOverflow, PosOverflow};
use std::ops::RangeInclusive;

use crate::util::quote::quote;

/// What stands between ASCII white space.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Reads an integer of `range`; `name` (empty, or with a blank at its end) stands before it in messages.
pub(super) fn integer(word: &[u8], name: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let text = std::str::from_utf8(word).unwrap_or_default();
    let outside = || {
        let (first, last) = range.clone().into_inner();
        format!("{name}{} is out of range {first} to {last}", show(word))
    };
    match text.parse::<i128>() {
        Ok(n) => match u64::try_from(n) {
            Ok(n) if range.contains(&n) => Ok(n),
            _ => Err(outside()),
        },
        Err(e) if matches!(e.kind(), PosOverflow | NegOverflow) => Err(outside()),
        Err(_) if text.chars().any(|c| c.is_numeric() && !c.is_ascii()) => Err(format!(
            "{} is not written in ASCII digits (0-9)",
            quote(word)
        )),
        Err(_) => Err(format!("{} is not an integer", quote(word))),
    }
}

/// A number, short enough for a sentence.
pub(super) fn show(word: &[u8]) -> String {
    match std::str::from_utf8(word) {
        Ok(text) if text.len() <= 20 => text.to_owned(),
        _ => quote(word),
    }
}
