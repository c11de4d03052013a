//! Codes of a game, from its name, and as people write them.

use tester::problem::{ParamError, Spec};

use crate::solver::elsewhere::Rules;
use crate::solver::limits::{MAX_CODES, MAX_DIGITS, MAX_LISTED_PLACES};
use crate::solver::pegs::{CodeId, Codes, Feedback, Game};

/// Why a game cannot be studied.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no such game.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// Its replies are not hits and blows.
    #[error("expected a game of hits and blows (hitblow or mastermind), found {0:?}")]
    Replies(String),
    /// There is no game of this size on the other judge.
    #[error("expected {0}")]
    Elsewhere(String),
    /// It has no list of codes, or the list is too long.
    #[error("failed to list the codes: {0}")]
    Codes(String),
}

/// Problems whose replies are hits and blows.
const PROBLEMS: [&str; 2] = ["hitblow", "mastermind"];

/// All codes of a game named as in a case file's opening, such as `hitblow 3 10`.
///
/// # Errors
/// If there is no such game, or it has too many codes to list them.
pub fn codes(text: &str) -> Result<Codes, GameError> {
    listable(text).map(Codes::new)
}

/// The rules of a game of hits and blows that our judge has, or of one on another judge: `repeats 4 10` (the digits of the
/// secret differ, those of a guess may repeat) and `number 4 10` (digits differ, and the first is not 0).
///
/// # Errors
/// As [`codes`].
pub fn rules(text: &str) -> Result<Rules, GameError> {
    if let Some(name @ ("repeats" | "number")) = text.split_whitespace().next() {
        return rules_elsewhere(name, text);
    }
    let codes = codes(text)?;
    Ok(Rules {
        title: codes.game.title(),
        secrets: (0..codes.len() as CodeId).collect(),
        codes,
    })
}

/// The rules of `repeats P K` or `number P K`.
fn rules_elsewhere(name: &str, text: &str) -> Result<Rules, GameError> {
    // A number of one place that is not 0 needs a second digit.
    let (usual, least_digits, more) = match name {
        "number" => ("hitblow", 2, ", and 2 <= K"),
        _ => ("mastermind", 1, ""),
    };
    let expected = || {
        GameError::Elsewhere(format!(
            "{name} P K with 1 <= P <= {MAX_LISTED_PLACES} and P <= K <= {MAX_DIGITS}{more}, found {text:?}"
        ))
    };
    let number = |word: &str| word.parse::<usize>().map_err(|_| expected());
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, places, digits] = words[..] else {
        return Err(expected());
    };
    let (places, digits) = (number(places)?, number(digits)?);
    let digits_allowed = places.max(least_digits)..=MAX_DIGITS;
    if !(1..=MAX_LISTED_PLACES).contains(&places) || !digits_allowed.contains(&digits) {
        return Err(expected());
    }
    let game = Game::new(usual, places, digits).map_err(GameError::Codes)?;
    if game.code_count() > MAX_CODES {
        return Err(too_many(game.code_count(), text));
    }
    Rules::new(name, places, digits).map_err(GameError::Codes)
}

fn too_many(codes: u64, text: &str) -> GameError {
    GameError::Codes(format!(
        "expected at most {MAX_CODES} codes, found {codes} in {text}"
    ))
}

/// The game of a name, if its codes can be listed; they are only counted.
///
/// # Errors
/// As [`codes`].
pub fn listable(text: &str) -> Result<Game, GameError> {
    let game = game(text)?;
    if game.code_count() > MAX_CODES {
        return Err(too_many(game.code_count(), text));
    }
    Ok(game)
}

/// The game of a name, however many codes it has.
///
/// # Errors
/// If there is no such game.
pub fn game(text: &str) -> Result<Game, GameError> {
    let spec = Spec::parse(text)?;
    if !PROBLEMS.contains(&spec.problem.name()) {
        return Err(GameError::Replies(text.to_owned()));
    }
    // The judge's rules decide which parameters are allowed.
    drop(spec.enumerate()?);
    let number = |word: &str| word.parse().unwrap_or(0); // the judge has accepted them
    let &[places, digits] = &spec.params[..] else {
        return Err(GameError::Codes(format!(
            "expected places and digits, found {text:?}"
        )));
    };
    let game = Game::new(spec.problem.name(), number(places), number(digits));
    game.map_err(GameError::Codes)
}

/// A code as people write it: digits side by side if all are below 10, otherwise with commas.
pub fn show(codes: &Codes, code: CodeId) -> String {
    let digits = codes.digits(code);
    let words: Vec<String> = digits.iter().map(u8::to_string).collect();
    words.join(if codes.game.digits <= 10 { "" } else { "," })
}

/// A reply as the judge writes it: hits and blows with a blank between.
pub fn reply_line(reply: Feedback) -> String {
    format!("{} {}", reply.hits, reply.blows)
}

/// The code that `text` writes as [`show`] does, or with blanks between digits.
pub fn find(codes: &Codes, text: &str) -> Option<CodeId> {
    let separated = text.contains([',', ' ']);
    let digits: Option<Vec<u8>> = if separated {
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        words.map(|word| word.parse().ok()).collect()
    } else if codes.game.digits <= 10 {
        text.chars()
            .map(|c| c.to_digit(10).map(|d| d as u8))
            .collect()
    } else {
        text.parse().ok().map(|digit| vec![digit])
    };
    let digits = digits?;
    let count = codes.len() as CodeId;
    // Codes are in ascending order.
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if codes.digits(middle) < &digits[..] {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (low < count && codes.digits(low) == digits).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_other_judges_without_a_secret_are_refused() {
        let secrets = |text: &str| rules(text).map(|rules| rules.secrets.len());
        let said = |text: &str| rules(text).err().map(|error| error.to_string());
        assert_eq!(secrets("number 1 2").ok(), Some(1));
        assert_eq!(secrets("number 2 2").ok(), Some(1));
        assert_eq!(secrets("repeats 1 1").ok(), Some(1));
        assert_eq!(secrets("repeats 2 2").ok(), Some(2));
        let number = "expected number P K with 1 <= P <= 4 and P <= K <= 64, and 2 <= K, found";
        for bad in [
            "number 1 1",
            "number 3 2",
            "number 0 3",
            "number 5 10",
            "number 3",
            "number 2 65",
            "number x 3",
        ] {
            assert_eq!(said(bad), Some(format!("{number} {bad:?}")));
        }
        let repeats = "expected repeats P K with 1 <= P <= 4 and P <= K <= 64, found";
        for bad in ["repeats 3 2", "repeats 2 1", "repeats 0 3", "repeats 2 3 4"] {
            assert_eq!(said(bad), Some(format!("{repeats} {bad:?}")));
        }
        // 64⁴ codes, which would take seconds to list.
        insta::assert_snapshot!(said("repeats 4 64").unwrap(), @"failed to list the codes: expected at most 2000000 codes, found 16777216 in repeats 4 64");
    }

    #[test]
    fn codes_are_found_as_they_are_shown() {
        for game in [
            "hitblow 3 10",
            "mastermind 2 12",
            "hitblow 1 64",
            "mastermind 4 4",
        ] {
            let codes = codes(game).unwrap();
            for code in 0..codes.len() as CodeId {
                assert_eq!(find(&codes, &show(&codes, code)), Some(code));
            }
        }
        let codes = codes("hitblow 3 10").unwrap();
        assert_eq!(find(&codes, "1 3 5"), find(&codes, "135"));
        for bad in ["", "12", "1234", "112", "1a2", "99 1 2"] {
            assert_eq!(find(&codes, bad), None, "{bad}");
        }
    }
}
