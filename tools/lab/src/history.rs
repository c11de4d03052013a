//! Replies as people type them, what follows from them, and what is wrong where nothing does.

use crate::game;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes, Feedback, Replies};

/// A guess and its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The guess.
    pub guess: CodeId,
    /// The reply.
    pub reply: Feedback,
}

/// Why a row is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// It is not a guess, a colon and a reply.
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
/// Saying what a row looks like.
pub fn parse_row(codes: &Codes, text: &str) -> Result<Row, RowError> {
    let (guess, reply) = text.split_once(':').ok_or_else(|| RowError::Form {
        example: game::show(codes, 0),
        found: text.to_owned(),
    })?;
    Ok(Row {
        guess: parse_guess(codes, guess)?,
        reply: parse_reply(codes, reply)?,
    })
}

/// Reads a code of the game.
///
/// # Errors
/// If it is none.
pub fn parse_guess(codes: &Codes, text: &str) -> Result<CodeId, RowError> {
    game::find(codes, text.trim()).ok_or_else(|| RowError::Guess {
        example: game::show(codes, 0),
        found: text.to_owned(),
    })
}

/// Reads `0,1`, `0 1` or `01`: hits, then blows.
///
/// # Errors
/// If the game has no such reply.
pub fn parse_reply(codes: &Codes, text: &str) -> Result<Feedback, RowError> {
    let places = codes.game.places;
    let words: Vec<&str> = text
        .split([' ', ',', '\t'])
        .filter(|word| !word.is_empty())
        .collect();
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
        _ => Err(RowError::Reply {
            places,
            found: text.to_owned(),
        }),
    }
}

/// The posterior after all rows.
pub fn posterior(codes: &Codes, prior: &Posterior, rows: &[Row]) -> Posterior {
    let mut posterior = prior.clone();
    for row in rows {
        let replies = Replies::new(codes, row.guess);
        posterior.update(|secret| replies.likelihood(secret, row.reply));
    }
    posterior
}

/// What is wrong with rows that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The first row, from 0, after which no code is possible.
    pub impossible_at: usize,
    /// The fewest rows that must be wrong.
    pub fewest_wrong: usize,
    /// Those rows, from 0, for each smallest way to explain it, without repetition and ascending.
    pub ways: Vec<Vec<usize>>,
    /// How many codes become possible by each way.
    pub possible: Vec<usize>,
}

/// How many codes explain all rows, if those that the prior excludes are counted as well.
pub fn possible_without_prior(codes: &Codes, rows: &[Row]) -> usize {
    posterior(codes, &Posterior::uniform(codes.len()), rows)
        .support()
        .len()
}

/// Looks for the contradiction; `None` if some code explains all rows.
///
/// Each code of the prior breaks some rows; those that break the fewest tell what may be wrong.
/// Cost: P lookups for each code and row, twice.
pub fn contradiction(codes: &Codes, prior: &Posterior, rows: &[Row]) -> Option<Contradiction> {
    let mut left = prior.clone();
    let impossible_at = rows.iter().position(|row| {
        let replies = Replies::new(codes, row.guess);
        left.update(|secret| replies.likelihood(secret, row.reply));
        left.support().is_empty()
    })?;
    let replies: Vec<Replies<'_>> = rows
        .iter()
        .map(|row| Replies::new(codes, row.guess))
        .collect();
    let broken = |&code: &CodeId| -> Vec<usize> {
        let wrong = |&i: &usize| replies[i].feedback(code) != rows[i].reply;
        (0..rows.len()).filter(wrong).collect()
    };
    let all = prior.support().iter().map(broken).collect();
    Some(Contradiction::of(impossible_at, all))
}

impl Contradiction {
    /// From the rows, ascending, that each thing which could be true breaks; none breaks no row.
    pub fn of(impossible_at: usize, broken: Vec<Vec<usize>>) -> Self {
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

    fn rows(codes: &Codes, texts: &[&str]) -> Vec<Row> {
        texts
            .iter()
            .map(|text| parse_row(codes, text).unwrap())
            .collect()
    }

    #[test]
    fn article_000_has_19_candidates() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let prior = Posterior::uniform(codes.len());
        let rows = rows(&codes, &["012:0,1", "134:0 2"]);
        assert_eq!(posterior(&codes, &prior, &rows).support().len(), 19);
        assert_eq!(contradiction(&codes, &prior, &rows), None);
    }

    #[test]
    fn contradiction_names_the_row_and_the_fewest_that_are_wrong() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let prior = Posterior::uniform(codes.len());
        // No digit of 012 and none of 345, 678: two digits at most are left, and three are needed.
        let rows = rows(&codes, &["012:0,0", "345:0,0", "678:0,0", "901:1,0"]);
        let found = contradiction(&codes, &prior, &rows).unwrap();
        assert_eq!(found.impossible_at, 2);
        // With one of the first three wrong, 9 may stand first and two digits come from that row.
        assert_eq!(found.fewest_wrong, 1);
        assert!(found.ways.contains(&vec![2]), "{found:?}");
        for (way, possible) in found.ways.iter().zip(&found.possible) {
            let kept: Vec<Row> = (0..4)
                .filter(|i| !way.contains(i))
                .map(|i| rows[i])
                .collect();
            let left = posterior(&codes, &prior, &kept);
            assert_eq!(left.support().len(), *possible);
            assert!(*possible > 0);
        }
    }

    #[test]
    fn malformed_rows_are_refused() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let refused = |text| parse_row(&codes, text).unwrap_err().to_string();
        insta::assert_snapshot!(refused("012"), @r#"expected guess:hits,blows such as "012:0,1", found "012""#);
        insta::assert_snapshot!(refused("0123:0,1"), @r#"expected a code of the game such as "012", found "0123""#);
        insta::assert_snapshot!(refused("112:0,1"), @r#"expected a code of the game such as "012", found "112""#);
        insta::assert_snapshot!(refused("012:2,2"), @r#"expected hits and blows such as "0 1", together at most 3 and not all but one hit with one blow, found "2,2""#);
        insta::assert_snapshot!(refused("012:2,1"), @r#"expected hits and blows such as "0 1", together at most 3 and not all but one hit with one blow, found "2,1""#);
        insta::assert_snapshot!(refused("012:x"), @r#"expected hits and blows such as "0 1", together at most 3 and not all but one hit with one blow, found "x""#);
        assert_eq!(
            parse_row(&codes, "0 1 2:01"),
            parse_row(&codes, "012: 0, 1")
        );
    }
}
