//! What contestant and judge say to each other in a session.

/// The lines of a question that have come so far, with `\n` between them; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    text: &'a [u8],
    lines: usize,
}

impl<'a> Question<'a> {
    /// A question of one line.
    pub fn from_line(line: &'a [u8]) -> Self {
        Self {
            text: line,
            lines: 1,
        }
    }

    /// A question of this many `lines`; `text` has newlines between them.
    pub fn from_lines(text: &'a [u8], lines: usize) -> Self {
        Self { text, lines }
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Its first line. Cost: the line's length.
    pub fn first(&self) -> &'a [u8] {
        self.text.split(|&b| b == b'\n').next().unwrap_or_default()
    }

    /// Its last line. Cost: the line's length.
    pub fn last(&self) -> &'a [u8] {
        self.text.rsplit(|&b| b == b'\n').next().unwrap_or_default()
    }

    /// All lines.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }
}

/// The judge's answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// One line or several, without the last newline; `None` where the contestant waits for no reply.
    pub text: Option<String>,
    /// Whether the game is over: the aim is reached, an answer was given, or a limit of the game.
    pub done: bool,
}

impl Reply {
    /// A reply; the game goes on.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            done: false,
        }
    }

    /// No reply; the game goes on.
    pub fn none() -> Self {
        Self {
            text: None,
            done: false,
        }
    }

    /// The text; empty where there is none.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The same, and the game is over if `done`.
    #[must_use]
    pub fn ending(self, done: bool) -> Self {
        Self { done, ..self }
    }
}

/// Why a question ends a contestant's session: a fragment that says what was expected and what was found, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// It breaks the protocol. A person may try another.
    #[error("{0}")]
    Protocol(String),
    /// It has not the form of a question: perhaps it is debug output. The verdict says where to print that. A person may
    /// try another.
    #[error("{0}")]
    Format(String),
    /// It is an answer, wrong, and the only one allowed: a person's game is over too.
    #[error("{0}")]
    WrongAnswer(String),
}
