//! Guesses with their replies as people type them, the posterior after them, and the cause of contradictions.

use super::notation::Notation;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes, Feedback, Replies};

/// A guess and its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The guess.
    pub guess: CodeId,
    /// The reply.
    pub reply: Feedback,
}

/// Why an observation is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObservationError {
    /// The text is not a guess, a colon and a reply.
    #[error("expected guess:hits,blows such as \"{example}:0,1\", found {found:?}")]
    Form {
        /// A code of the game.
        example: String,
        /// What was typed.
        found: String,
    },
    /// The guess is no code of the game.
    #[error("expected a code of the game such as {example:?}, found {found:?}")]
    Guess {
        /// A code of the game.
        example: String,
        /// What was typed.
        found: String,
    },
    /// The game has no such reply.
    #[error(
        "expected hits and blows such as \"0 1\", together at most {places} and not all but one hit \
         with one blow, found {found:?}"
    )]
    Reply {
        /// P.
        places: usize,
        /// What was typed.
        found: String,
    },
}

/// Reads `012:0,1`.
///
/// # Errors
/// Saying what an observation looks like.
pub fn parse_observation(codes: &Codes, text: &str) -> Result<Observation, ObservationError> {
    parse_observation_in(&Notation::numbers(codes), text)
}

/// The same, its guess written in this notation.
///
/// # Errors
/// As [`parse_observation`].
pub fn parse_observation_in(
    notation: &Notation<'_>,
    text: &str,
) -> Result<Observation, ObservationError> {
    let (guess, reply) = text.split_once(':').ok_or_else(|| ObservationError::Form {
        example: notation.write(0),
        found: text.to_owned(),
    })?;
    Ok(Observation {
        guess: parse_guess_in(notation, guess)?,
        reply: parse_reply(notation.codes(), reply)?,
    })
}

/// Reads a code of the game, written in this notation.
///
/// # Errors
/// If it is none.
pub fn parse_guess_in(notation: &Notation<'_>, text: &str) -> Result<CodeId, ObservationError> {
    notation
        .read(text.trim())
        .ok_or_else(|| ObservationError::Guess {
            example: notation.write(0),
            found: text.to_owned(),
        })
}

/// Reads `0,1`, `0 1`, `01` or `0H1B`: hits, then blows.
///
/// # Errors
/// If the game has no such reply.
pub fn parse_reply(codes: &Codes, text: &str) -> Result<Feedback, ObservationError> {
    let places = codes.game.places;
    let lettered = text.trim().strip_suffix(['B', 'b']);
    let words: Vec<&str> = match lettered.and_then(|text| text.split_once(['H', 'h'])) {
        Some((hits, blows)) => vec![hits, blows],
        None => text
            .split([' ', ',', '\t'])
            .filter(|word| !word.is_empty())
            .collect(),
    };
    let numbers: Option<Vec<usize>> = match &words[..] {
        [word] if word.len() == 2 => word
            .chars()
            .map(|c| c.to_digit(10).map(|d| d as usize))
            .collect(),
        words => words.iter().map(|word| word.parse().ok()).collect(),
    };
    match numbers.as_deref() {
        // All digits but one in place, and the last in another: there is no other place.
        Some(&[hits, blows])
            if hits.saturating_add(blows) <= places && !(blows == 1 && hits + 1 == places) =>
        {
            Ok(Feedback {
                hits: hits as u8,
                blows: blows as u8,
            })
        }
        _ => Err(ObservationError::Reply {
            places,
            found: text.to_owned(),
        }),
    }
}

/// The posterior after all observations.
pub fn posterior(codes: &Codes, prior: &Posterior, observations: &[Observation]) -> Posterior {
    let mut posterior = prior.clone();
    for observation in observations {
        let replies = Replies::new(codes, observation.guess);
        posterior.update(|secret| replies.likelihood(secret, observation.reply));
    }
    posterior
}

/// Why observations contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The first observation, from 0, after which no code is possible.
    pub impossible_at: usize,
    /// The fewest observations that must be wrong.
    pub fewest_wrong: usize,
    /// Those observations, from 0, for each smallest way to explain it, without repetition and ascending.
    pub ways: Vec<Vec<usize>>,
    /// How many codes become possible by each way.
    pub possible: Vec<usize>,
}

/// How many codes explain all observations, if those that the prior excludes are counted as well.
pub fn possible_without_prior(codes: &Codes, observations: &[Observation]) -> usize {
    posterior(codes, &Posterior::uniform(codes.len()), observations)
        .support()
        .len()
}

/// The contradiction between observations; `None` if some code explains all of them.
///
/// Each code of the prior breaks some observations. The codes that break the fewest show what may be wrong.
/// Cost: P lookups for each code and observation, twice.
pub fn contradiction(
    codes: &Codes,
    prior: &Posterior,
    observations: &[Observation],
) -> Option<Contradiction> {
    let mut left = prior.clone();
    let impossible_at = observations.iter().position(|observation| {
        let replies = Replies::new(codes, observation.guess);
        left.update(|secret| replies.likelihood(secret, observation.reply));
        left.support().is_empty()
    })?;
    let replies: Vec<Replies<'_>> = observations
        .iter()
        .map(|observation| Replies::new(codes, observation.guess))
        .collect();
    let broken = |&code: &CodeId| -> Vec<usize> {
        let wrong = |&i: &usize| replies[i].feedback(code) != observations[i].reply;
        (0..observations.len()).filter(wrong).collect()
    };
    let all = prior.support().iter().map(broken).collect();
    Some(Contradiction::new(impossible_at, all))
}

impl Contradiction {
    /// From the observations, ascending, that each possible secret breaks; each breaks at least one.
    pub fn new(impossible_at: usize, broken: Vec<Vec<usize>>) -> Self {
        let fewest_wrong = broken.iter().map(Vec::len).min().unwrap_or(0);
        let mut ways = std::collections::BTreeMap::<Vec<usize>, usize>::new();
        for way in broken.into_iter().filter(|way| way.len() == fewest_wrong) {
            *ways.entry(way).or_default() += 1;
        }
        let (ways, possible) = ways.into_iter().unzip();
        Self {
            impossible_at,
            fewest_wrong,
            ways,
            possible,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    fn observations(codes: &Codes, texts: &[&str]) -> Vec<Observation> {
        texts
            .iter()
            .map(|text| parse_observation(codes, text).unwrap())
            .collect()
    }

    #[test]
    fn article_000_has_19_candidates() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let prior = Posterior::uniform(codes.len());
        let observations = observations(&codes, &["012:0,1", "134:0 2"]);
        assert_eq!(posterior(&codes, &prior, &observations).support().len(), 19);
        assert_eq!(contradiction(&codes, &prior, &observations), None);
    }

    #[test]
    fn contradiction_names_the_row_and_the_fewest_that_are_wrong() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let prior = Posterior::uniform(codes.len());
        // No digit of 012 and none of 345, 678: two digits at most are left, and three are needed.
        let observations = observations(&codes, &["012:0,0", "345:0,0", "678:0,0", "901:1,0"]);
        let found = contradiction(&codes, &prior, &observations).unwrap();
        assert_eq!(found.impossible_at, 2);
        // With one of the first three wrong, 9 may stand first and two digits come from that observation.
        assert_eq!(found.fewest_wrong, 1);
        assert!(found.ways.contains(&vec![2]), "{found:?}");
        for (way, possible) in found.ways.iter().zip(&found.possible) {
            let kept: Vec<Observation> = (0..4)
                .filter(|i| !way.contains(i))
                .map(|i| observations[i])
                .collect();
            let left = posterior(&codes, &prior, &kept);
            assert_eq!(left.support().len(), *possible);
            assert!(*possible > 0);
        }
    }

    #[test]
    fn malformed_rows_are_refused() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let refused = |text| parse_observation(&codes, text).unwrap_err().to_string();
        insta::assert_snapshot!(refused("012"), @r#"expected guess:hits,blows such as "012:0,1", found "012""#);
        insta::assert_snapshot!(refused("0123:0,1"), @r#"expected a code of the game such as "012", found "0123""#);
        insta::assert_snapshot!(refused("112:0,1"), @r#"expected a code of the game such as "012", found "112""#);
        insta::assert_snapshot!(refused("012:2,2"), @r#"expected hits and blows such as "0 1", together at most 3 and not all but one hit with one blow, found "2,2""#);
        insta::assert_snapshot!(refused("012:2,1"), @r#"expected hits and blows such as "0 1", together at most 3 and not all but one hit with one blow, found "2,1""#);
        insta::assert_snapshot!(refused("012:x"), @r#"expected hits and blows such as "0 1", together at most 3 and not all but one hit with one blow, found "x""#);
        assert_eq!(
            parse_observation(&codes, "0 1 2:01"),
            parse_observation(&codes, "012: 0, 1")
        );
        // As the articles and `lab` itself write replies.
        for lettered in ["012:0H1B", "012: 0h1b"] {
            assert_eq!(
                parse_observation(&codes, lettered),
                parse_observation(&codes, "012:0,1")
            );
        }
        assert!(parse_observation(&codes, "012:0H4B").is_err());
        assert!(parse_observation(&codes, "012:HB").is_err());
    }
}
