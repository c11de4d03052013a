//! What to do about an error: a line of its own after the cause.

use lab::game::GameError;
use lab::optimal::TooLarge;
use lab::simulate::SimulateError;
use lab::strategy::VerifyError;
use tester::problem::ParamError;

/// An error of the command line itself, or a context of one, with a hint.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub(crate) struct WithHint {
    cause: String,
    hint: &'static str,
}

impl WithHint {
    /// What went wrong, and what to do about it.
    pub(crate) fn new(cause: impl Into<String>, hint: &'static str) -> Self {
        let cause = cause.into();
        Self { cause, hint }
    }
}

/// The hint of an error, if it has one.
pub(crate) fn hint_of(error: &anyhow::Error) -> Option<String> {
    // A context is found by anyhow only, not in the chain.
    let context = error.downcast_ref::<WithHint>();
    context
        .map(|error| error.hint.to_owned())
        .or_else(|| error.chain().find_map(hint_of_one))
}

fn hint_of_one(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(GameError::Params(error)) = error.downcast_ref() {
        return error.hint();
    }
    if let Some(GameError::Replies(_)) = error.downcast_ref() {
        return Some("lab policy plays other problems, game by game".to_owned());
    }
    if error.is::<TooLarge>() {
        return Some("lab policy mi plays larger games, without a proof".to_owned());
    }
    if let Some(SimulateError::Params(error)) = error.downcast_ref() {
        return error.hint();
    }
    if let Some(VerifyError::Game(error)) = error.downcast_ref() {
        return error.hint();
    }
    error.downcast_ref().and_then(ParamError::hint)
}
