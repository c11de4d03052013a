//! The analyst of one problem: a trait, and why there may be none.

use tester::problem::ParamError;

use super::question::{Answer, Question, ReplyForm};

/// Larger games take longer than users wait.
pub(super) const MOST_CODES: usize = 50_000;

/// Analyses games of one problem with its parameters.
pub trait Analyst: Send + Sync {
    /// The state of a game.
    ///
    /// # Errors
    /// If a text does not fit the game; the message says what was expected and found.
    fn analyse(&self, question: &Question<'_>) -> Result<Answer, String>;

    /// A line that a contestant could begin with.
    fn example(&self) -> String;

    /// How replies are typed.
    fn replies(&self) -> ReplyForm;

    /// Whether secrets are codes: then digits may be written differently, and a prior may be given.
    fn has_codes(&self) -> bool {
        true
    }
}

/// Why a game cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// There is no such game.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// The lab does not know how.
    #[error("the lab does not look into games of {0}")]
    Unknown(String),
    /// Its hypotheses are secrets with lies, which the pages cannot show.
    #[error(
        "replies may be lies: tools/tester --problem {0:?} ./solver --trace shows what the solver believes, lab liar {0:?} plays every game"
    )]
    Lies(String),
    /// It is too large.
    #[error("{0}")]
    TooLarge(String),
}
