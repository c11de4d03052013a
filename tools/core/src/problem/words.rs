//! Words of a line, and the numbers that they are, with messages that say what is wrong.

use std::num::IntErrorKind::{NegOverflow, PosOverflow};
use std::ops::RangeInclusive;

use super::exchange::TurnError;
use crate::util::quote::quote;
use crate::util::template::templates;

templates! {
    IN_LINE = "{0*} in {1\"}", "{0*}（出力：{1\"}）";
    OUT_OF_RANGE = "{0*} is out of range {1} to {2}", "{0*} は {1}〜{2} の範囲外です";
    NOT_ASCII =
        "{0\"} is not written in ASCII digits (0-9)",
        "{0\"} は半角数字（0-9）で書かれていません";
    NOT_AN_INTEGER = "{0\"} is not an integer", "{0\"} は整数ではありません";
}

/// Refuses a line that breaks the protocol, and says why.
pub(super) fn refused(why: &str, line: &[u8]) -> TurnError {
    TurnError::Protocol(IN_LINE.fill(&[&why, &quote(line)]))
}

/// As [`refused`], for a line that has not the form of a question.
pub(super) fn unreadable(why: &str, line: &[u8]) -> TurnError {
    TurnError::Format(IN_LINE.fill(&[&why, &quote(line)]))
}

/// Whether a word is an integer, of any size.
pub(super) fn is_integer(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+"));
    let digits = digits.unwrap_or(word);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The words between ASCII white space.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Reads an integer of `range`; `shown` is how a message shows it.
pub(super) fn integer(
    word: &[u8],
    shown: impl Fn(String) -> String,
    range: RangeInclusive<u64>,
) -> Result<u64, String> {
    let text = std::str::from_utf8(word).unwrap_or_default();
    let outside = || {
        let (first, last) = range.clone().into_inner();
        OUT_OF_RANGE.fill(&[&shown(show(word)), &first, &last])
    };
    match text.parse::<i128>() {
        Ok(n) => match u64::try_from(n) {
            Ok(n) if range.contains(&n) => Ok(n),
            _ => Err(outside()),
        },
        Err(e) if matches!(e.kind(), PosOverflow | NegOverflow) => Err(outside()),
        Err(_) if text.chars().any(|c| c.is_numeric() && !c.is_ascii()) => {
            Err(NOT_ASCII.fill(&[&quote(word)]))
        }
        Err(_) => Err(NOT_AN_INTEGER.fill(&[&quote(word)])),
    }
}

/// A number, short enough for a sentence.
pub(super) fn show(word: &[u8]) -> String {
    match std::str::from_utf8(word) {
        Ok(text) if text.len() <= 20 => text.to_owned(),
        _ => quote(word),
    }
}
