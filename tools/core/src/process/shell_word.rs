//! Words as they are typed in a shell and shown in a terminal.

use std::ffi::OsStr;

/// Whether a terminal obeys this character rather than shows it: control characters (C0, DEL, C1), and those that
/// change the direction of the text beside them (Unicode's property `Bidi_Control`).
pub fn is_terminal_control(c: char) -> bool {
    let changes_direction = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || changes_direction
}

/// A word as it is typed in a shell.
pub fn shell_word(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else if word.chars().any(is_terminal_control) {
        // A line break would break the table that it stands in, and an escape sequence the terminal.
        let letters = word.chars().map(|c| match c {
            '\\' | '\'' => format!("\\{c}"),
            c if is_terminal_control(c) => {
                let mut bytes = [0; 4];
                let bytes = c.encode_utf8(&mut bytes).bytes();
                bytes.map(|byte| format!("\\{byte:03o}")).collect()
            }
            c => c.to_string(),
        });
        format!("$'{}'", letters.collect::<String>())
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
