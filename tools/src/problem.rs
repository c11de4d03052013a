//! What a problem is: traits, and the static list of those that this judge knows.
//!
//! A problem is a static value in a file of its own under `problem/` and one line in [`PROBLEMS`] (with
//! the `mod` line that Rust wants beside it). Nothing else in this package names it. Tests loop over the
//! list, so that a new problem is tested from the day it arrives: its text round-trips, a seed always gives
//! the same bytes, the opening does not tell the secret, and random bytes never panic a session.
//! `docs/adding-a-problem.md` adds one step by step.
//!
//! A [`Session`] does no input or output and knows neither clock nor random numbers. Live play,
//! replay and play within one process all run the same code.

use serde::Serialize;

use crate::draw::Seed;
use crate::quote::quote;

mod balance;
mod distance;
mod hitblow;
mod mastermind;

// What several of them share.
mod codes;
mod pegs;
mod words;

/// Every problem, in the order in which help texts list them.
pub static PROBLEMS: &[&dyn Problem] = &[
    &hitblow::HIT_BLOW,
    &mastermind::MASTERMIND,
    &distance::DISTANCE,
    &balance::BALANCE,
];

/// Problems that only this package's tests know: the worked example of `docs/adding-a-problem.md`.
#[cfg(test)]
static EXAMPLES: &[&dyn Problem] = &[&example::LEAK];
#[cfg(not(test))]
static EXAMPLES: &[&dyn Problem] = &[];

#[cfg(test)]
#[path = "../../docs/adding-a-problem/leak.rs"]
mod example;

/// Where names are looked up.
fn all_problems() -> impl Iterator<Item = &'static dyn Problem> {
    PROBLEMS.iter().chain(EXAMPLES).copied()
}

/// What is generated, judged and scored where nothing else is said.
pub const DEFAULT_PROBLEM: &str = "hitblow 3 10";

/// A family of instances: a name, parameters, and how both become a secret.
pub trait Problem: Sync {
    /// The first word of the opening line. A test looks that no other file of this package names it.
    fn name(&self) -> &'static str;

    /// Name, parameters and their ranges, as help texts and error messages show them.
    fn usage(&self) -> &'static str;

    /// The game in one or two sentences, for help texts.
    fn about(&self) -> &'static str;

    /// The same in Japanese, for pages; `None` where nobody has written it yet.
    fn about_in_japanese(&self) -> Option<&'static str> {
        None
    }

    /// Parameter lists that are accepted, smallest first, for tests and documentation.
    fn samples(&self) -> &'static [&'static str];

    /// The instance of `seed`. Same parameters and seed, same instance, on every platform for ever.
    ///
    /// # Errors
    /// If the parameters are not ones that [`Problem::usage`] allows.
    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError>;

    /// What the score counts, in the singular: `turn` where it is the number of turns.
    fn unit(&self) -> &'static str {
        "turn"
    }

    /// An instance for every secret, in ascending order; noise is that of a seed which is the secret's
    /// place in that order.
    ///
    /// # Errors
    /// As [`Problem::generate`].
    fn enumerate(&self, params: &[&str]) -> Result<Instances, ParamError>;

    /// Reads what [`Instance::to_text`] wrote, after its first line.
    ///
    /// # Errors
    /// If a line is not what this problem writes there.
    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError>;
}

/// What [`Problem::enumerate`] returns.
pub type Instances = Box<dyn Iterator<Item = Box<dyn Instance>> + Send>;

/// Parameters, secret, and whatever noise was drawn in advance.
pub trait Instance: Send + Sync {
    /// The whole case file; every line ends with a newline. After the opening comes the secret on one line,
    /// then noise, if there is any.
    fn to_text(&self) -> String;

    /// The line that the contestant is sent, without its newline: all that it may know.
    fn opening(&self) -> String;

    /// The line that reaches the aim at once, printed by a contestant who knows the secret.
    fn answer(&self) -> String;

    /// A new session, no guess made yet.
    fn start(&self) -> Box<dyn Session>;

    /// Whether replies depend on more than the secret and the line: then they rule nothing out.
    fn is_noisy(&self) -> bool {
        false
    }

    /// What a person typed, as a contestant would have printed it: `135` for `1 3 5`.
    fn typed(&self, line: &str) -> String {
        line.to_owned()
    }

    /// A contestant's line as a row of pegs, each with what the secret says of it, for pages that draw it;
    /// `None` where the line itself is all there is to see.
    fn pegs(&self, _line: &str) -> Option<Vec<Peg>> {
        None
    }
}

/// One place of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Peg {
    /// Which digit, or colour, from 0 on.
    pub symbol: u8,
    /// What the secret says of it.
    pub mark: Mark,
}

/// What the secret says of one place of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// It has this symbol here.
    Hit,
    /// It has it elsewhere.
    Blow,
    /// It does not have it, or not once more.
    Miss,
}

/// One contestant's game on one instance.
pub trait Session: Send {
    /// Answers one line of the contestant's: not blank, not a comment, without its newline.
    ///
    /// # Errors
    /// If the line breaks the protocol, or is a wrong answer where only one may be given. Either ends a
    /// contestant's session; the game itself stands as before, so that a person may be asked again.
    fn turn(&mut self, line: &[u8]) -> Result<Reply, Refusal>;

    /// What the turns so far cost; smaller is better. It counts once the session is done.
    fn score(&self) -> u64;
}

/// The judge's answer to a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// One line, without its newline.
    pub text: String,
    /// Whether the contestant has reached the aim; the session is over then.
    pub done: bool,
}

/// Why a line ends a contestant's session: a fragment that says what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It breaks the protocol. A person may try another.
    #[error("{0}")]
    Malformed(String),
    /// It is an answer, and wrong, and no other may be given: also a person's game is over.
    #[error("{0}")]
    Wrong(String),
}

/// Why parameters are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct ParamError {
    /// The usage of the problem, or the range that was left.
    pub expected: String,
    /// What stood there, quoted.
    pub found: String,
}

impl ParamError {
    /// Parameters that `problem` does not allow.
    fn of(problem: &dyn Problem, params: &[&str]) -> Self {
        let found = [&[problem.name()], params].concat().join(" ");
        Self {
            expected: problem.usage().to_owned(),
            found: quote(found.as_bytes()),
        }
    }
}

/// Why a case file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct InstanceError {
    /// Counted from 1.
    pub line: usize,
    /// What a case file has there.
    pub expected: String,
    /// What stood there, quoted, or `end of file`.
    pub found: String,
}

/// The problem and parameters that a line such as `hitblow 3 10` names.
pub struct Spec<'a> {
    /// The member of [`PROBLEMS`].
    pub problem: &'static dyn Problem,
    /// Its parameters, not yet checked.
    pub params: Vec<&'a str>,
}

impl<'a> Spec<'a> {
    /// Splits at white space and looks the name up.
    ///
    /// # Errors
    /// If no problem has that name.
    pub fn parse(text: &'a str) -> Result<Self, ParamError> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        match all_problems().find(|problem| problem.name() == name) {
            Some(problem) => Ok(Self {
                problem,
                params: words.collect(),
            }),
            None => Err(ParamError {
                expected: format!("a problem: {}", usages("; ")),
                found: quote(text.as_bytes()),
            }),
        }
    }

    /// [`Problem::generate`] with these parameters.
    ///
    /// # Errors
    /// As there.
    pub fn generate(&self, seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        self.problem.generate(&self.params, seed)
    }

    /// [`Problem::enumerate`] with these parameters.
    ///
    /// # Errors
    /// As there.
    pub fn enumerate(&self) -> Result<Instances, ParamError> {
        self.problem.enumerate(&self.params)
    }
}

/// The usage lines of all problems, with `between` in between.
pub fn usages(between: &str) -> String {
    let all: Vec<_> = PROBLEMS.iter().map(|problem| problem.usage()).collect();
    all.join(between)
}

/// Reads a case file's text.
///
/// Lines may end in `\r\n`, numbers may be separated by any ASCII white space, and blank lines may
/// follow the last one; everything else must be as [`Instance::to_text`] writes it.
///
/// # Errors
/// With the line's number, what was expected there and what was found.
pub fn parse_case(text: &str) -> Result<Box<dyn Instance>, InstanceError> {
    // Some editors put a byte order mark in front.
    let mut lines = Lines::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    let opening = lines.next("an opening such as \"hitblow 3 10\"")?;
    let spec = Spec::parse(opening).map_err(|e| lines.refused(e))?;
    let instance = spec.problem.parse(&spec.params, &mut lines)?;
    lines.end()?;
    Ok(instance)
}

/// The lines of a case file, numbered for messages.
pub struct Lines<'a> {
    rest: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.lines(),
            number: 0,
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// At the end of the file, naming what was `expected`.
    pub fn next(&mut self, expected: &str) -> Result<&'a str, InstanceError> {
        self.number += 1;
        self.rest.next().ok_or_else(|| InstanceError {
            line: self.number,
            expected: expected.to_owned(),
            found: "end of file".to_owned(),
        })
    }

    /// The error that the line returned last has parameters that its problem refuses.
    pub fn refused(&self, error: ParamError) -> InstanceError {
        InstanceError {
            line: self.number,
            expected: error.expected,
            found: error.found,
        }
    }

    /// The error that the line returned last is not what was `expected`, and why.
    pub fn error(&self, expected: impl Into<String>, found: &str, why: &str) -> InstanceError {
        InstanceError {
            line: self.number,
            expected: expected.into(),
            found: format!("{} ({why})", quote(found.as_bytes())),
        }
    }

    fn end(&mut self) -> Result<(), InstanceError> {
        for line in self.rest.by_ref() {
            self.number += 1;
            if !line.trim_ascii().is_empty() {
                return Err(InstanceError {
                    line: self.number,
                    expected: "end of file".to_owned(),
                    found: quote(line.as_bytes()),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
