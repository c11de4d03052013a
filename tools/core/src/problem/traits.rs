//! What a problem is: three traits. The values that pass between them are [`Question`], [`Reply`] and
//! [`Drawing`].
//!
//! A [`Problem`] makes an [`Instance`] from a seed: a public part, which the contestant is sent, and a hidden part.
//! A [`Session`] is one game on it. A session does no input or output and knows neither clock nor random numbers. Live
//! play, replay and play within one process all run the same code.
//!
//! Methods that have a default are abilities: leave out those that your problem does not need.

use std::time::Duration;

use super::drawing::{Drawing, PlayedTurn};
use super::exchange::{Question, Reply, TurnError};
use super::lines::{InstanceError, Lines, ParamError};
use super::objective::Objective;
use super::rng::Seed;
use super::score::Score;
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

    /// Whether a smaller or a larger score is better.
    fn objective(&self) -> Objective {
        Objective::Min
    }

    /// Decimals of a score, at most 9: each [`Session::score`] has them.
    fn decimals(&self) -> u8 {
        0
    }

    /// The names of [`Instance::parameters`], each a word: `N`, `M`, `eps`.
    fn parameters(&self) -> &'static [&'static str] {
        &[]
    }

    /// The time limit that the contest sets; `--time-limit` sets another.
    fn time_limit(&self) -> Duration {
        Duration::from_secs(2)
    }

    /// How many turns are answered; `--turn-limit` sets another number.
    ///
    /// It only keeps a game finite. A limit by the rules of the game belongs into the session, which knows what
    /// happens then.
    fn turn_limit(&self) -> u64 {
        1000
    }

    /// An instance for every secret, in ascending order. The noise of a secret is that of the seed which is its
    /// place in that order. `None` where secrets cannot be listed.
    ///
    /// # Errors
    /// As [`Problem::generate`].
    fn enumerate(&self, _params: &[&str]) -> Result<Option<Instances>, ParamError> {
        Ok(None)
    }

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

/// A case: its public part, its hidden part, and the noise, which was drawn in advance.
pub trait Instance: Send + Sync {
    /// The whole case file; every line ends with a newline. After the opening comes the hidden part, then noise, if
    /// there is any.
    fn to_text(&self) -> String;

    /// What the contestant is sent first, without the last newline: one line or several, all that it may know.
    fn opening(&self) -> String;

    /// Problem and parameters in one line, as `--problem` takes them. Cases that share this line form a group in
    /// reports.
    fn spec(&self) -> String {
        self.opening()
    }

    /// What this case is like: a number for each name in [`Problem::parameters`], such as the size of a grid. These
    /// are columns in tables, reports and exports. They may tell what the contestant does not know.
    fn parameters(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The question that ends the game with the right answer: what a contestant that knows the hidden part would
    /// print. `None` where no single question does.
    fn answer(&self) -> Option<String> {
        None
    }

    /// A new session, before the first question.
    fn start(&self) -> Box<dyn Session>;

    /// Whether replies depend on noise, and not only on the secret and the question: then they exclude no secret.
    fn is_noisy(&self) -> bool {
        false
    }

    /// Whether lines that begin with `#` are comments, which get no reply and are not counted. `false` where the contest
    /// refuses them: then [`Session::turn`] gets them too, and no verdict proposes them for debug output.
    fn ignores_comments(&self) -> bool {
        true
    }

    /// What you type in `tester play`, as a contestant would print it: `135` for `1 3 5`.
    fn typed(&self, line: &str) -> String {
        line.to_owned()
    }

    /// Draws a session for pages; `None` where a page shows its lines only. `last` are the comments after the last
    /// turn.
    ///
    /// A session may have ended anywhere, and its lines may be anything that a contestant prints.
    fn draw(&self, _turns: &[PlayedTurn<'_>], _last: &[&str]) -> Option<Drawing> {
        None
    }

    /// Whether [`Instance::draw`] shows this comment in the picture, such as `#c 1 2 red`, which paints a cell. Then it is
    /// not listed among the contestant's remarks as well: there may be 100,000.
    fn is_drawn(&self, _comment: &str) -> bool {
        false
    }
}

/// One contestant's game on one instance.
pub trait Session: Send {
    /// Whether the question has more lines than these. The judge asks after each line, and calls
    /// [`Session::turn`] as soon as this is false.
    ///
    /// Return false as soon as the lines so far are wrong: `turn` then refuses them. Cost: keep it constant, with
    /// [`Question::first`], [`Question::last`] and [`Question::lines`]; a contestant may print a million lines.
    fn is_incomplete(&self, _question: &Question<'_>) -> bool {
        false
    }

    /// Answers a question of the contestant: one line, or several with `\n` between them. Each line is trimmed; none
    /// is blank or a comment.
    ///
    /// # Errors
    /// If a line breaks the protocol, or is a wrong answer where only one may be given. Either ends a
    /// contestant's session; the game itself stands as before, so that a person may be asked again.
    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError>;

    /// What the game so far is worth, with the [decimals](Problem::decimals) of the problem. It counts once the game
    /// is done. Whether less is better: [`Problem::objective`].
    fn score(&self) -> Score;

    /// Whether the contestant may end the game here by exiting. Then [`Session::score`] counts.
    fn may_exit(&self) -> bool {
        false
    }
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
