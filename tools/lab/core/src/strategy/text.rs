//! A strategy as a text that a person can read, and a program can check.
//!
//! ```text
//! # what it is, and how it was made
//! hitblow 2 4
//! > 0 1
//!   0 0 > 2 3
//!     0 2 > 3 2
//!   0 1 > 0 2
//!     0 0 > 3 1
//! ```
//!
//! The first line is the game, as a case file's opening names it. Each further line has a reply, `>`, and the guess
//! after that reply; the first guess has no reply. A line belongs to the last line above it that is indented by two
//! blanks less. The winning reply has no line. Blank lines, and lines that begin with `#`, are ignored.

use std::fmt;

/// A guess, and the guesses after each reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The guess, as it is typed.
    pub guess: String,
    /// By reply, as the judge writes it.
    pub then: Vec<(String, Node)>,
}

/// A game, and a tree of guesses for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// For example `hitblow 3 10`.
    pub game: String,
    /// The first guess.
    pub root: Node,
}

/// A text that is no strategy.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// It has no line, or only remarks.
    #[error("expected a tree, found no line of one")]
    Empty,
    /// A line is wrong, or one is missing.
    #[error("line {line}: expected {expected}, found {found}")]
    Line {
        /// From 1.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What does, in quotes, or that the text ends.
        found: String,
    },
}

impl StrategyError {
    /// How a tree begins, where there is none.
    pub fn hint(&self) -> Option<String> {
        let hint = "a tree begins with the game, such as hitblow 3 10, and below it the first guess: > 0 1 2; lab optimal --tree FILE writes one";
        matches!(self, Self::Empty).then(|| hint.to_owned())
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn show(f: &mut fmt::Formatter<'_>, reply: &str, node: &Node, depth: usize) -> fmt::Result {
            let space = if reply.is_empty() { "" } else { " " };
            writeln!(f, "{:1$}{reply}{space}> {2}", "", 2 * depth, node.guess)?;
            node.then
                .iter()
                .try_for_each(|(reply, node)| show(f, reply, node, depth + 1))
        }
        writeln!(f, "{}", self.game)?;
        show(f, "", &self.root, 0)
    }
}

/// A line that is not ignored.
struct Line<'a> {
    number: usize,
    depth: usize,
    reply: &'a str,
    guess: &'a str,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn parse(number: usize, text: &'a str) -> Result<Self, StrategyError> {
        let indent = text.len() - text.trim_start_matches(' ').len();
        let Some((reply, guess)) = text.split_once('>') else {
            return Err(error(number, "REPLY > GUESS", text));
        };
        let (reply, guess) = (reply.trim(), guess.trim());
        if guess.is_empty() {
            return Err(error(number, "a guess after >", text));
        }
        if !indent.is_multiple_of(2) || reply.is_empty() != (indent == 0) {
            let expected = "no blank before the first guess, and two more before each reply to it";
            return Err(error(number, expected, text));
        }
        Ok(Self {
            number,
            depth: indent / 2,
            reply,
            guess,
            text,
        })
    }
}

fn error(line: usize, expected: &str, found: &str) -> StrategyError {
    StrategyError::Line {
        line,
        expected: expected.to_owned(),
        found: format!("{found:?}"),
    }
}

impl std::str::FromStr for Strategy {
    type Err = StrategyError;

    /// Reads what [`Strategy`] shows.
    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let lines = (1..)
            .zip(text.lines())
            .map(|(number, line)| (number, line.trim_end()));
        let mut lines = lines.filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        });
        let Some((_, game)) = lines.next() else {
            return Err(StrategyError::Empty);
        };
        let lines: Vec<Line<'_>> = lines
            .map(|(n, line)| Line::parse(n, line))
            .collect::<Result<_, _>>()?;
        let Some(first) = lines.first() else {
            return Err(StrategyError::Line {
                line: text.lines().count() + 1,
                expected: "the first guess after >".to_owned(),
                found: "the end of the text".to_owned(),
            });
        };
        if first.depth != 0 {
            return Err(error(
                first.number,
                "the first guess, not indented",
                first.text,
            ));
        }
        let mut rest = &lines[1..];
        let root = take(first, &mut rest)?;
        match rest.first() {
            None => Ok(Self {
                game: game.to_owned(),
                root,
            }),
            Some(line) => Err(error(line.number, "one first guess", line.text)),
        }
    }
}

/// The node of a line, with those below it taken from the rest.
fn take(line: &Line<'_>, rest: &mut &[Line<'_>]) -> Result<Node, StrategyError> {
    let mut then: Vec<(String, Node)> = Vec::new();
    while let Some((next, others)) = rest.split_first() {
        if next.depth <= line.depth {
            break;
        }
        if next.depth > line.depth + 1 {
            return Err(error(
                next.number,
                "two blanks more than above, at most",
                next.text,
            ));
        }
        if then.iter().any(|(reply, _)| reply == next.reply) {
            return Err(error(next.number, "each reply once", next.text));
        }
        *rest = others;
        then.push((next.reply.to_owned(), take(next, rest)?));
    }
    Ok(Node {
        guess: line.guess.to_owned(),
        then,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "hitblow 2 4\n> 0 1\n  0 0 > 2 3\n    0 2 > 3 2\n  0 1 > 0 2\n    0 0 > 3 1\n";

    #[test]
    fn what_is_shown_can_be_read() {
        let strategy: Strategy = TEXT.parse().unwrap();
        assert_eq!(strategy.to_string(), TEXT);
        assert_eq!(strategy.root.then[0].1.then[0].1.guess, "3 2");
        let remarks = TEXT.replace('\n', "\r\n\n  # really\n");
        assert_eq!(remarks.parse::<Strategy>().unwrap(), strategy);
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_line() {
        let said = |text: &str| text.parse::<Strategy>().unwrap_err().to_string();
        insta::assert_snapshot!(said("# nothing\n"), @"expected a tree, found no line of one");
        insta::assert_snapshot!(said("hitblow 2 4\n"), @"line 2: expected the first guess after >, found the end of the text");
        insta::assert_snapshot!(said("hitblow 2 4\n> 0 1\n  0 0: 2 3\n"), @r#"line 3: expected REPLY > GUESS, found "  0 0: 2 3""#);
        insta::assert_snapshot!(said("hitblow 2 4\n> 0 1\n   0 0 > 2 3\n"), @r#"line 3: expected no blank before the first guess, and two more before each reply to it, found "   0 0 > 2 3""#);
        insta::assert_snapshot!(said("hitblow 2 4\n> 0 1\n    0 0 > 2 3\n"), @r#"line 3: expected two blanks more than above, at most, found "    0 0 > 2 3""#);
        insta::assert_snapshot!(said("hitblow 2 4\n> 0 1\n  0 0 > 2 3\n  0 0 > 3 2\n"), @r#"line 4: expected each reply once, found "  0 0 > 3 2""#);
        insta::assert_snapshot!(said("hitblow 2 4\n> 0 1\n> 2 3\n"), @r#"line 3: expected one first guess, found "> 2 3""#);
        insta::assert_snapshot!(said("hitblow 2 4\n> \n"), @r#"line 2: expected a guess after >, found ">""#);
    }
}
