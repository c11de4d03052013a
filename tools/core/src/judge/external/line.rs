//! The line for the shell that starts another judge, with its placeholders.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::error::ExternalError;
use crate::process::Command;

/// A piece of the line.
enum Piece<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

/// Every placeholder of some line.
const PLACEHOLDERS: [&str; 5] = ["case", "out", "command", "number", "feedback"];

/// Splits at placeholders; doubled braces are text.
fn pieces(line: &str) -> Result<Vec<Piece<'_>>, ExternalError> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, brace) = rest.split_at(at);
        pieces.push(Piece::Text(text));
        if brace.starts_with("{{") || brace.starts_with("}}") {
            pieces.push(Piece::Text(&brace[..1]));
            rest = &brace[2..];
            continue;
        }
        let inside = brace
            .strip_prefix('{')
            .and_then(|inside| inside.split_once('}'));
        let (name, after) = inside.ok_or_else(|| ExternalError::Brace(line.to_owned()))?;
        if !PLACEHOLDERS.contains(&name) {
            return Err(ExternalError::Placeholder(name.to_owned()));
        }
        pieces.push(Piece::Placeholder(name));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// Checks the line; `command` is the contestant, if there is one beside the line.
///
/// # Errors
/// If a placeholder is misspelt, missing, or has no program.
pub(super) fn check(line: &str, command: Option<&Command>) -> Result<(), ExternalError> {
    pieces(line)?;
    if has(line, "feedback") {
        return Err(ExternalError::Placeholder("feedback".to_owned()));
    }
    if !has(line, "case") {
        return Err(ExternalError::NoCase(line.to_owned()));
    }
    match command {
        Some(command) if !has(line, "command") => Err(ExternalError::NoCommand {
            command: command.to_string(),
            line: line.to_owned(),
        }),
        None if has(line, "command") => Err(ExternalError::NoProgram),
        _ => Ok(()),
    }
}

/// Checks the line of a visualizer.
///
/// # Errors
/// If a placeholder is misspelt, or the case has no place.
pub(super) fn check_visualizer(line: &str) -> Result<(), ExternalError> {
    let refused = |why: String| {
        Err(ExternalError::Visualizer {
            line: line.to_owned(),
            why,
        })
    };
    match pieces(line) {
        Err(ExternalError::Placeholder(name)) => refused(format!("unknown placeholder {{{name}}}")),
        Err(_) => refused("a brace without its pair".to_owned()),
        Ok(_) if has(line, "command") => refused("unknown placeholder {command}".to_owned()),
        Ok(_) if has(line, "feedback") => refused("unknown placeholder {feedback}".to_owned()),
        Ok(_) if !has(line, "case") => refused("no {case}".to_owned()),
        Ok(_) => Ok(()),
    }
}

/// Checks the line of an interactor, which starts no contestant.
///
/// # Errors
/// If a placeholder is misspelt, or the case has no place.
pub(super) fn check_interactor(line: &str) -> Result<(), ExternalError> {
    let refused = |why: String| {
        Err(ExternalError::Interactor {
            line: line.to_owned(),
            why,
        })
    };
    let unknown = |name: &str| refused(format!("unknown placeholder {{{name}}}"));
    match pieces(line) {
        Err(ExternalError::Placeholder(name)) => unknown(&name),
        Err(_) => refused("a brace without its pair".to_owned()),
        Ok(_) if has(line, "command") => unknown("command"),
        Ok(_) if has(line, "out") => unknown("out"),
        Ok(_) if !has(line, "case") => refused("no {case}".to_owned()),
        Ok(_) => Ok(()),
    }
}

/// The line of an interactor for one case.
pub(super) fn fill_interactor(line: &str, case: &Path, number: u64, feedback: &Path) -> OsString {
    let path = |name: &str| if name == "case" { case } else { feedback };
    filled(line, number, |name, quotes, rest, filled| {
        quotes.put(path(name), rest, filled);
    })
}

/// The line with its number; `put` writes what stands for another placeholder, with the pieces after it.
fn filled(
    line: &str,
    number: u64,
    put: impl Fn(&str, &Quotes, &[Piece<'_>], &mut Vec<u8>),
) -> OsString {
    let mut filled = Vec::new();
    let mut quotes = Quotes::default();
    // It was checked when the judge was described.
    let pieces = pieces(line).unwrap_or_default();
    for (at, piece) in pieces.iter().enumerate() {
        match *piece {
            Piece::Text(text) => {
                quotes.read(text);
                filled.extend_from_slice(text.as_bytes());
            }
            Piece::Placeholder("number") => filled.extend(format!("{number:04}").bytes()),
            Piece::Placeholder(name) => put(name, &quotes, &pieces[at + 1..], &mut filled),
        }
    }
    OsString::from_vec(filled)
}

/// Whether a placeholder stands in the line.
pub(super) fn has(line: &str, wanted: &str) -> bool {
    count(line, wanted) > 0
}

/// How often a line has this placeholder.
pub(super) fn count(line: &str, wanted: &str) -> usize {
    let is = |piece: &&Piece<'_>| matches!(piece, Piece::Placeholder(name) if *name == wanted);
    pieces(line).unwrap_or_default().iter().filter(is).count()
}

/// Whether `{out}` stands behind a redirection.
pub(super) fn redirects_out(line: &str) -> bool {
    let pieces = pieces(line).unwrap_or_default();
    let is_redirected = |pair: &[Piece<'_>]| match pair {
        [Piece::Text(text), Piece::Placeholder("out")] => {
            let text = text.trim_end_matches(['"', '\'', ' ', '\t']);
            text.ends_with('>') && !text.ends_with("2>")
        }
        _ => false,
    };
    pieces.windows(2).any(is_redirected)
}

/// The line for one case, to be pasted into a shell. With the words of a [stage](crate::process::stage) in front of
/// the command, it cannot reach the processes of the line.
///
/// Bytes, for paths and arguments need not be text.
pub(super) fn fill(
    line: &str,
    case: &Path,
    number: u64,
    out: &Path,
    command: &Command,
    stage: &[OsString],
) -> OsString {
    filled(line, number, |name, quotes, rest, filled| match name {
        "case" => quotes.put(case, rest, filled),
        "out" => quotes.put(out, rest, filled),
        _ => {
            for word in stage.iter().filter(|_| is_free(quotes, rest)) {
                quote_for_sh(word, filled);
                filled.push(b' ');
            }
            quote_for_sh(&command.program, filled);
            for arg in &command.args {
                filled.push(b' ');
                quote_for_sh(arg, filled);
            }
        }
    })
}

/// Whether the words of a stage are put in front of the command, wherever the line has it.
pub(super) fn takes_stage(line: &str) -> bool {
    let mut quotes = Quotes::default();
    let pieces = pieces(line).unwrap_or_default();
    let mut commands = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => quotes.read(text),
            Piece::Placeholder("command") => commands.push(is_free(&quotes, &pieces[at + 1..])),
            Piece::Placeholder(_) => {}
        }
    }
    !commands.is_empty() && commands.iter().all(|&is_free| is_free)
}

/// Whether words may be put in front of a command with `rest` after it. Within quotes the command is one word, and may
/// have to be the path of a program. Where words follow, a script may count them.
fn is_free(quotes: &Quotes, rest: &[Piece<'_>]) -> bool {
    quotes.are_closed() && ends_words(rest)
}

/// Whether no more words follow in the same command of the shell: at most redirections, or another command.
fn ends_words(rest: &[Piece<'_>]) -> bool {
    let Some(Piece::Text(text)) = rest.first() else {
        return rest.is_empty();
    };
    let text = text.trim_start_matches([' ', '\t']);
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match text.chars().next() {
        None => rest.len() == 1,
        Some(first) => "<>|;&)\n".contains(first) || after_number.starts_with(['<', '>']),
    }
}

/// Which quotes of the shell are open.
#[derive(Default)]
struct Quotes {
    open: Option<char>,
    /// Whether one of [`LINE_SIGNS`] has come since they were opened.
    has_sign: bool,
}

/// What is in a line for a shell, and hardly in a word.
const LINE_SIGNS: [char; 10] = [' ', '\t', '\n', '(', '`', '<', '>', '|', ';', '&'];

impl Quotes {
    fn read(&mut self, text: &str) {
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match (self.open, letter) {
                (None | Some('"'), '\\') => drop(letters.next()),
                (None, '"' | '\'') => (self.open, self.has_sign) = (Some(letter), false),
                (Some(open), _) if open == letter => self.open = None,
                _ => self.has_sign |= LINE_SIGNS.contains(&letter),
            }
        }
    }

    /// Puts a path into the line, with `rest` after it. Within quotes that hold one word it is a part of this word.
    /// Quotes that hold blanks or signs of a shell are a line for another shell (`sh -c "./vis {case}"`), which reads
    /// quotes of its own.
    fn put(&self, path: &Path, rest: &[Piece<'_>], line: &mut Vec<u8>) {
        let Some(open) = self.open.filter(|&open| self.hold_one_word(open, rest)) else {
            return quote_for_sh(path.as_os_str(), line);
        };
        for &byte in path.as_os_str().as_bytes() {
            match byte {
                b'\'' if open == '\'' => line.extend_from_slice(b"'\\''"),
                b'"' | b'$' | b'`' | b'\\' if open == '"' => line.extend([b'\\', byte]),
                byte => line.push(byte),
            }
        }
    }

    /// Whether nothing in the quotes that are open looks like a line.
    fn hold_one_word(&self, open: char, rest: &[Piece<'_>]) -> bool {
        let texts = rest.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(*text),
            Piece::Placeholder(_) => None,
        });
        let mut inside = texts
            .flat_map(str::chars)
            .take_while(|&letter| letter != open);
        !self.has_sign && !inside.any(|letter| LINE_SIGNS.contains(&letter))
    }

    fn are_closed(&self) -> bool {
        self.open.is_none()
    }
}

/// A word as every shell reads it, `sh` too: plain, or between single quotes.
pub(crate) fn quote_for_sh(word: &OsStr, line: &mut Vec<u8>) {
    let bytes = word.as_bytes();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(b);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        line.extend_from_slice(bytes);
        return;
    }
    line.push(b'\'');
    for &byte in bytes {
        match byte {
            b'\'' => line.extend_from_slice(b"'\\''"),
            byte => line.push(byte),
        }
    }
    line.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_where_no_more_words_follow() {
        let ends = |line: &str| {
            let pieces = pieces(line).unwrap();
            let is_command = |piece: &Piece<'_>| matches!(piece, Piece::Placeholder("command"));
            ends_words(&pieces[pieces.iter().position(is_command).unwrap() + 1..])
        };
        for line in [
            "t {command}",
            "t {command} < {case} > {out}",
            "t {command} 2>&1",
            "t {command}; u",
        ] {
            assert!(ends(line), "{line}");
        }
        for line in [
            "t {command} {case}",
            "t {command} x < {case}",
            "t {command} 2 > x",
            "t {command}x",
        ] {
            assert!(!ends(line), "{line}");
        }
    }

    #[test]
    fn a_stage_stands_before_commands_that_are_words_of_their_own() {
        let command = Command {
            program: "./p".into(),
            args: vec!["1".into()],
        };
        for (line, expected) in [
            ("t {command} < {case}", true),
            ("{command} < {case} > {out} && ./score {out}", true),
            ("ssh host \"{command}\" < {case}", false),
            ("t {command} {case}", false),
            ("t {case}", false),
        ] {
            let empty = Path::new("");
            let filled = fill(line, empty, 0, empty, &command, &["STAGE".into()]);
            let has_stage = filled.to_str().unwrap().contains("STAGE ./p 1");
            assert_eq!(
                (takes_stage(line), has_stage),
                (expected, expected),
                "{line}"
            );
        }
    }

    #[test]
    fn output_is_redirected_behind_its_sign() {
        for line in [
            "{command} < {case} > {out}",
            "t >{out}",
            "t > \"{out}\" && s {out}",
        ] {
            assert!(redirects_out(line), "{line}");
        }
        for line in [
            "{command} < {case} | tee {out}",
            "t {case} {out}",
            "t 2> {out}",
            "t",
        ] {
            assert!(!redirects_out(line), "{line}");
        }
    }

    #[test]
    fn paths_within_quotes_are_the_same_words_to_a_shell() {
        let paths = [
            "in/0000.txt",
            "in dir/0000.txt",
            r#"a'b"c$d`e\f/0"#,
            "$(false)",
        ];
        let lines = [
            ("printf %s {case}", ""),
            ("printf %s \"{case}\"", ""),
            ("printf %s '{case}'", ""),
            ("printf %s \"./{case}\"", "./"),
            ("printf %s 'x'\"'\"'./{case}'", "x'./"),
            ("sh -c \"printf %s {case}\"", ""),
            ("sh -c \"printf>&1 %s {case}\"", ""),
        ];
        for (line, before) in lines {
            for path in paths {
                // What the outer of two shells makes of such a path is the user's own affair.
                if line.starts_with("sh") && path.contains(['\'', '$']) {
                    continue;
                }
                let empty = Path::new("");
                let filled = [
                    fill(
                        line,
                        Path::new(path),
                        0,
                        empty,
                        &Command::from_line("p").unwrap(),
                        &[],
                    ),
                    fill_interactor(line, Path::new(path), 0, empty),
                ];
                for filled in filled {
                    let shell = std::process::Command::new("sh")
                        .arg("-c")
                        .arg(&filled)
                        .output();
                    let said = String::from_utf8(shell.unwrap().stdout).unwrap();
                    assert_eq!(said, format!("{before}{path}"), "{filled:?}");
                }
            }
        }
    }

    #[test]
    fn quotes_open_and_close_as_in_a_shell() {
        let closed = |text: &str| {
            let mut quotes = Quotes::default();
            quotes.read(text);
            quotes.are_closed()
        };
        for text in [
            "",
            "./t ",
            "'a' \"b\" ",
            r#"\" "#,
            r#""it's" "#,
            r#"'\' "#,
            r#""\"" "#,
        ] {
            assert!(closed(text), "{text}");
        }
        for text in ["'", "./t --cmd=\"", r#""\" "#, r#"'"' '"#, r#"\'' "#] {
            assert!(!closed(text), "{text}");
        }
    }
}
