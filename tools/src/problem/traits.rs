//! What a problem is: three traits, and the values that pass between them.
//!
//! A [`Session`] does no input or output and knows neither clock nor random numbers. Live play,
//! replay and play within one process all run the same code.

use serde::Serialize;

use super::lines::{InstanceError, Lines, ParamError};
use super::rng::Seed;
use crate::util::quote::quote;
use crate::util::template::Template;

/// A game: a name, parameters, and how a seed and parameters become a secret.
pub trait Problem: Sync {
    /// The first word of the opening line. A test looks that no other file of this package names it.
    fn name(&self) -> &'static str;

    /// Name, parameters and their ranges, as help texts and error messages show them.
    fn usage(&self) -> &'static str;

    /// The game in one or two sentences, for help texts.
    fn about(&self) -> &'static str;

    /// The same in Japanese, for pages; `None` where it is not written yet.
    fn about_in_japanese(&self) -> Option<&'static str> {
        None
    }

    /// What its sessions say of refused lines, in English and in Japanese; nothing where only the English exists.
    ///
    /// Pages that are read in Japanese recognise a [`TurnError`]'s text by these.
    fn reasons(&self) -> &'static [Template] {
        &[]
    }

    /// Parameter lists that are accepted, smallest first, for tests and documentation.
    fn samples(&self) -> &'static [&'static str];

    /// The parameters that are used unless you name others: those of the middle sample unless a problem says otherwise.
    fn default_params(&self) -> &'static str {
        let samples = self.samples();
        let middle = samples.len().saturating_sub(1) / 2;
        samples.get(middle).copied().unwrap_or_default()
    }

    /// Whether a case file's first line begins with [`Problem::name`]. The official files of a contest begin with
    /// numbers: then [`Problem::parse`] gets no parameters, and all lines.
    fn files_begin_with_name(&self) -> bool {
        true
    }

    /// The instance of `seed`. Same parameters and seed, same instance, on every platform and in every version.
    ///
    /// # Errors
    /// If the parameters are not ones that [`Problem::usage`] allows.
    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError>;

    /// What the score counts, in the singular: `turn` where it is the number of turns.
    fn unit(&self) -> &'static str {
        "turn"
    }

    /// An instance for every secret, in ascending order. The noise of a secret is that of the seed which is its
    /// place in that order.
    ///
    /// # Errors
    /// As [`Problem::generate`].
    fn enumerate(&self, params: &[&str]) -> Result<Instances, ParamError>;

    /// Reads what [`Instance::to_text`] wrote, after its first line, which has given the parameters.
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

/// Parameters, secret, and the noise, which was drawn in advance.
pub trait Instance: Send + Sync {
    /// The whole case file; every line ends with a newline. After the opening comes the secret on one line,
    /// then noise, if there is any.
    fn to_text(&self) -> String;

    /// The line that the contestant is sent, without its newline: all that it may know.
    fn opening(&self) -> String;

    /// The line that reaches the aim at once: what a contestant that knows the secret would print.
    fn answer(&self) -> String;

    /// A new session, no guess made yet.
    fn start(&self) -> Box<dyn Session>;

    /// Whether replies depend on noise, and not only on the secret and the line: then they rule nothing out.
    fn is_noisy(&self) -> bool {
        false
    }

    /// What you type in `tester play`, as a contestant would print it: `135` for `1 3 5`.
    fn typed(&self, line: &str) -> String {
        line.to_owned()
    }

    /// A contestant's line as a row of pegs with marks, for pages that draw it; `None` where a page shows the line
    /// only.
    fn pegs(&self, _line: &str) -> Option<Vec<Peg>> {
        None
    }
}

/// One place of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Peg {
    /// Which digit, or colour, from 0 on.
    pub symbol: u8,
    /// How it compares with the secret.
    pub mark: Mark,
}

/// How one place of a guess compares with the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The secret has this symbol here.
    Hit,
    /// The secret has it elsewhere.
    Blow,
    /// The secret does not have it, or not once more.
    Miss,
}

/// One contestant's game on one instance.
pub trait Session: Send {
    /// Answers one line of the contestant: not blank, not a comment, without its newline.
    ///
    /// # Errors
    /// If the line breaks the protocol, or is a wrong answer where only one may be given. Either ends a
    /// contestant's session; the game itself stands as before, so that a person may be asked again.
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError>;

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

/// Why a line ends a contestant's session: a fragment that says what was expected and what was found, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// It breaks the protocol. A person may try another.
    #[error("{0}")]
    Protocol(String),
    /// It is an answer, wrong, and the only one allowed: a person's game is over too.
    #[error("{0}")]
    WrongAnswer(String),
}

impl ParamError {
    /// Parameters that `problem` does not allow.
    pub fn new(problem: &dyn Problem, params: &[&str]) -> Self {
        let found = [&[problem.name()], params].concat().join(" ");
        Self {
            expected: problem.usage().to_owned(),
            found: quote(found.as_bytes()),
        }
    }
}
