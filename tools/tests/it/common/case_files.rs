//! Case files as the tests of contests' packages need them: their sums, and files that are changed in some place.

use std::fmt::Debug;

use sha2::{Digest as _, Sha256};

/// The SHA-256 of a text, in hexadecimal digits.
pub fn sum(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file with another text as line `number`, counted from 1, and without its last newline.
pub fn with_line(file: &str, number: usize, text: &str) -> String {
    let mut lines: Vec<&str> = file.lines().collect();
    lines[number - 1] = text;
    lines.join("\n")
}

/// Line ends, white space between numbers and blank lines at the end change nothing in what is read.
pub fn check_spaces<C, E>(file: &str, parse: impl Fn(&str) -> Result<C, E>)
where
    C: Debug + PartialEq,
    E: Debug,
{
    let case = parse(file).unwrap();
    let other = file.replace('\n', " \r\n").replace("0 ", "0 \t ") + "\n\n";
    assert_eq!(parse(&other).unwrap(), case);
    assert_eq!(parse(file.trim_end()).unwrap(), case);
}

/// The file with another byte at `at`, or only what is before that.
pub fn damaged(file: String, at: usize, byte: u8, cut: bool) -> String {
    let mut text = file.into_bytes();
    match cut {
        true => text.truncate(at),
        false => text[at] = byte,
    }
    String::from_utf8(text).unwrap()
}
