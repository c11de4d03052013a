//! What goes into a message: a contestant's bytes and texts from outside, made safe to show, and the causes of an
//! error.

use std::borrow::Cow;
use std::error::Error;

use crate::process::is_terminal_control;

/// The most characters of a contestant's line that a message repeats.
const SHOWN: usize = 60;

/// `bytes` in double quotes: control characters and invalid UTF-8 escaped (`\n`, `\0`, `\u{1b}`, `\xff`),
/// cut after 60 characters with the whole length said.
///
/// Cost: looks at no more than the part that is shown.
pub fn quote(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(SHOWN + 2);
    let mut count = 0;
    let mut cut = false;
    shown.push('"');
    // Four bytes a character at most; one more character tells whether anything was cut.
    let head = &bytes[..bytes.len().min(4 * (SHOWN + 1))];
    'chunks: for chunk in head.utf8_chunks() {
        for c in chunk.valid().chars() {
            if count == SHOWN {
                cut = true;
                break 'chunks;
            }
            match c {
                // Within double quotes it needs no escape.
                '\'' => shown.push(c),
                _ => shown.extend(c.escape_debug()),
            }
            count += 1;
        }
        for b in chunk.invalid() {
            if count == SHOWN {
                cut = true;
                break 'chunks;
            }
            shown.push_str(&format!("\\x{b:02x}"));
            count += 1;
        }
    }
    if cut {
        shown.push_str(&format!("…\" ({} bytes)", bytes.len()));
    } else {
        shown.push('"');
    }
    shown
}

/// `text` with everything escaped that a terminal would obey (`\u{1b}`), except newlines and tabs.
///
/// All that the binaries print for people goes through this: paths, excerpts of files, names in shards.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped_where(text, |c| is_terminal_control(c) && c != '\n' && c != '\t')
}

/// As [`printable`], with newlines and tabs escaped too: a text that stays in its row.
pub fn one_line(text: &str) -> String {
    escaped_where(text, is_terminal_control).into_owned()
}

fn escaped_where(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_escaped(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// The last line that is not blank, quoted.
pub(crate) fn last_line(text: &[u8]) -> Option<String> {
    let mut lines = text.split(|&byte| byte == b'\n').rev();
    lines.find(|line| !line.trim_ascii().is_empty()).map(quote)
}

/// An error and what caused it, outermost first, with `: ` in between.
pub fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{one_line, printable, quote};

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let text =
            "a\u{1b}[31m\r\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}é７\n\t|";
        let expected =
            r"a\u{1b}[31m\r\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}é７"
                .to_owned()
                + "\n\t|";
        assert_eq!(printable(text), expected);
        assert_eq!(one_line("a\n\tb\u{1b}"), r"a\n\tb\u{1b}");
        assert!(matches!(printable("a\n\té"), std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn control_characters_and_invalid_utf8_are_escaped() {
        assert_eq!(quote(b"0 1\t2"), r#""0 1\t2""#);
        assert_eq!(quote(b"a\0\xff\x1b[31m"), r#""a\0\xff\u{1b}[31m""#);
        assert_eq!(quote("７".as_bytes()), "\"７\"");
        assert_eq!(quote(br#"it's "7""#), r#""it's \"7\"""#);
    }

    #[test]
    fn long_lines_are_cut_and_their_length_is_said() {
        assert_eq!(quote(&[b'x'; 60]).len(), 62);
        assert!(quote("７".repeat(60).as_bytes()).ends_with("７\""));
        assert!(quote(&[b'x'; 61]).ends_with("x…\" (61 bytes)"));
        assert!(quote(&[0xe3; 1_000_000]).ends_with("…\" (1000000 bytes)"));
    }
}
