//! Words as they are typed in a shell and shown in a terminal.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Whether a terminal obeys this character rather than shows it: control characters (C0, DEL, C1), and those that
/// change the direction of the text beside them (Unicode's property `Bidi_Control`).
pub fn is_terminal_control(c: char) -> bool {
    let changes_direction = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || changes_direction
}

/// A word as it is typed in a shell, to the byte.
pub fn shell_word(word: &OsStr) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) => text.to_owned(),
        Some(text) if !text.chars().any(is_terminal_control) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        // A line break would break the table that it stands in, and an escape sequence the terminal.
        _ => format!("$'{}'", escaped(word.as_bytes())),
    }
}

/// A line for a shell, as it is typed in one: as it is, or as a word for another shell where a terminal does not show it to
/// the byte. Line breaks and tabs may have been typed in `tester.toml`.
pub(crate) fn shell_line(line: &OsStr) -> String {
    let is_shown = |c: char| matches!(c, '\n' | '\t') || !is_terminal_control(c);
    match line.to_str().filter(|text| text.chars().all(is_shown)) {
        Some(text) => text.to_owned(),
        None => format!("sh -c {}", shell_word(line)),
    }
}

/// With a backslash and digits for what a terminal obeys, and for bytes that are no text.
fn escaped(bytes: &[u8]) -> String {
    let digits = |bytes: &[u8]| -> String { bytes.iter().map(|b| format!("\\{b:03o}")).collect() };
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' | '\'' => shown.extend(['\\', c]),
                c if is_terminal_control(c) => {
                    shown += &digits(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                c => shown.push(c),
            }
        }
        shown += &digits(chunk.invalid());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_typed_by_their_numbers() {
        let word = |bytes| shell_word(OsStr::from_bytes(bytes));
        assert_eq!(word(b"./a\xff b's\\"), r"$'./a\377 b\'s\\'");
        assert_eq!(word("\u{3042}\u{1b}[".as_bytes()), r"$'あ\033['");
        assert_eq!(word(b"it's"), r"'it'\''s'");
    }

    #[test]
    fn a_line_with_such_bytes_is_for_another_shell() {
        let line = |bytes| shell_line(OsStr::from_bytes(bytes));
        let typed = "./a 'b c' \\\n\t< \u{3042}";
        assert_eq!(line(typed.as_bytes()), typed);
        assert_eq!(line(b"./a\xff 'b c'"), r"sh -c $'./a\377 \'b c\''");
        assert_eq!(line(b"./a\r"), r"sh -c $'./a\015'");
    }
}
