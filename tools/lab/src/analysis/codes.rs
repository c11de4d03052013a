//! What all games whose secrets are codes share: notation, prior, and what a posterior over codes says.

use super::analyst::{AnalystError, MOST_CODES};
use super::question::Question;
use super::state::{Candidate, GameState, LISTED, places};
use crate::game::{self, Notation, prior};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes};

/// The codes of a game that is small enough for users who wait.
///
/// # Errors
/// If it has none, or too many.
pub(super) fn codes_of(problem: &str) -> Result<Codes, AnalystError> {
    // Two million codes would take 45 MB only to be refused.
    let game = game::listable(problem).map_err(|e| AnalystError::TooLarge(e.to_string()))?;
    let count = game.code_count();
    if count > MOST_CODES as u64 {
        return Err(AnalystError::TooLarge(format!(
            "expected a game of at most {MOST_CODES} codes, found {count} in {problem}; lab explain takes its time"
        )));
    }
    Ok(Codes::new(game))
}

/// How codes are written.
pub(super) fn notation_of<'a>(
    codes: &'a Codes,
    question: &Question<'_>,
) -> Result<Notation<'a>, String> {
    Notation::new(codes, question.digits).map_err(|error| format!("digits: {error}"))
}

/// The probabilities before the first reply.
pub(super) fn prior_of(
    codes: &Codes,
    notation: &Notation<'_>,
    question: &Question<'_>,
) -> Result<Posterior, String> {
    let uniform = || Ok(Posterior::uniform(codes.len()));
    let read = |text| prior::parse(notation, text).map_err(|error| format!("prior, {error}"));
    question.prior.map_or_else(uniform, read)
}

/// Reads a code.
pub(super) fn read(notation: &Notation<'_>, text: &str) -> Result<CodeId, String> {
    notation.read(text.trim()).ok_or_else(|| {
        let example = notation.write(0);
        format!("expected a code of the game such as {example:?}, found {text:?}")
    })
}

/// Each candidate with its probability.
pub(super) fn believed(posterior: &Posterior) -> Vec<(CodeId, f64)> {
    let total = posterior.total();
    let probability = |(index, &code)| (code, posterior.weight(index) / total);
    let support = posterior.support().iter();
    support.enumerate().map(probability).collect()
}

/// All candidates where they are few, and of those that differ the most probable.
fn listed(
    believed: &[(CodeId, f64)],
    uniform: bool,
    name: impl Fn(CodeId) -> String,
) -> Vec<Candidate> {
    let mut ordered = believed.to_vec();
    if uniform && ordered.len() > LISTED {
        return Vec::new();
    }
    // Of equal ones the smaller first.
    ordered.sort_by(|a, b| b.1.total_cmp(&a.1));
    let candidate = |(code, probability)| Candidate {
        name: name(code),
        probability,
    };
    let shown = ordered.into_iter().take(LISTED);
    // Less probable ones would be shown as 0.0 %.
    shown
        .take_while(|&(_, probability)| uniform || probability >= 0.0005)
        .map(candidate)
        .collect()
}

/// The state that a posterior over codes gives, without any guess.
pub(super) fn state_of_codes(notation: &Notation<'_>, posterior: &Posterior) -> GameState {
    let codes = notation.codes();
    let believed = believed(posterior);
    let digits = believed
        .iter()
        .map(|&(code, probability)| (codes.digits(code), probability));
    GameState {
        candidates: believed.len(),
        entropy: posterior.entropy_bits(),
        grid: Some(places(notation.digits(), codes.game.places, digits)),
        listed: listed(&believed, posterior.is_uniform(), |code| {
            notation.write(code)
        }),
        uniform: posterior.is_uniform(),
        searchable: false,
        best: Vec::new(),
        named: Vec::new(),
    }
}
