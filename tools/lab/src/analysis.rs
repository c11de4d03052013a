//! What is known at one moment of a game, and what each question that could be asked next is worth.
//!
//! How a game is looked into is its problem's own: hits and blows ([`pegs`]), noisy differences ([`distance`]),
//! weighings ([`balance`]). A further kind is a file beside these and an arm of [`analyst`]. What comes out has one
//! form for all of them, which a page can show without knowing the game.

use serde::Serialize;
use tester::problem::rng::Seed;
use tester::problem::{ParamError, Spec};

use crate::history::Contradiction;

pub mod balance;
pub mod distance;
pub mod pegs;

pub use pegs::best;

/// More candidates than this are counted; of those that differ in probability so many are listed.
pub const LISTED: usize = 40;
/// How many of the best questions are told.
pub const BEST: usize = 5;
/// Larger games take longer than a reader waits.
pub const MOST_CODES: usize = 50_000;

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// How much may still be true.
    pub candidates: usize,
    /// What is still to be learnt, in bits.
    pub entropy: f64,
    /// All of it, where it is little and equally likely; the most probable where it is not equally likely.
    pub listed: Vec<Candidate>,
    /// Whether all candidates are equally likely.
    pub uniform: bool,
    /// Whether turns can be searched for, and were not, or not to the end.
    pub searchable: bool,
    /// The posterior by its parts, if there is room for them.
    pub grid: Option<Grid>,
    /// The questions that tell most, and one with which the fewest turns are left, where that can be searched for.
    pub best: Vec<Worth>,
    /// Those that were asked for.
    pub named: Vec<Worth>,
}

/// Something that may be true.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// As it is written in the game.
    pub name: String,
    /// How probable it is.
    pub probability: f64,
}

/// Probabilities of parts: each digit at each place, say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grid {
    /// What the rows are.
    pub rows: Vec<RowName>,
    /// What the columns are.
    pub columns: Vec<String>,
    /// Row by row.
    pub cells: Vec<Vec<f64>>,
}

/// What a row of a [`Grid`] is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowName {
    /// A place of a code, counted from 1.
    Place(usize),
    /// That a stone is heavier.
    Heavier,
    /// That a stone is lighter.
    Lighter,
}

/// What a question is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The question, as it is written in the game.
    pub guess: String,
    /// Bits that its reply tells about the secret, on average; nothing where that takes too long to say.
    pub information: Option<f64>,
    /// How probable it is that it ends the game well; nothing for a question that cannot.
    pub right: Option<f64>,
    /// How many further turns it takes to the end on average, this one included, if all goes on as well as possible;
    /// nothing where that would be searched for too long.
    pub turns: Option<f64>,
    /// What each reply would leave, if there are few replies.
    pub parts: Vec<Part>,
}

/// What one reply would leave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The reply, as the judge writes it.
    pub reply: String,
    /// How probable it is.
    pub probability: f64,
    /// How much would still be possible.
    pub candidates: usize,
    /// What would still be to be learnt, in bits.
    pub entropy: f64,
}

/// What a question and its reply were, as they are typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<'a> {
    /// The contestant's line.
    pub guess: &'a str,
    /// The judge's, words separated by blanks or commas.
    pub reply: &'a str,
}

/// What is asked about a game.
#[derive(Clone, Debug, Default)]
pub struct Asked<'a> {
    /// What was said so far.
    pub turns: Vec<Turn<'a>>,
    /// Questions that are to be told of.
    pub named: Vec<&'a str>,
    /// How digits are written; the usual characters if nothing is said.
    pub digits: Option<&'a str>,
    /// A [prior](crate::prior); all codes are equally likely if nothing is said.
    pub prior: Option<&'a str>,
    /// How many table lookups (about 1 ns each) the search for exact values may take.
    pub work: u64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Something may be true.
    Stands(Standing),
    /// Nothing explains all replies.
    Contradiction(Contradiction),
    /// Nothing does that the prior allows; so much would that it excludes.
    OutsidePrior(usize),
}

/// How replies are typed, for whoever must type them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ReplyForm {
    /// Hits and blows.
    HitsBlows,
    /// Whether the guess is right, 1 or 0, and the difference.
    RightDifference,
    /// `<`, `=` or `>`.
    Balance,
}

/// Looks into games of one problem with its parameters.
pub trait Analyst: Send + Sync {
    /// Where a game stands.
    ///
    /// # Errors
    /// If something that was typed is not of this game, saying what was expected and what was found.
    fn look(&self, asked: &Asked<'_>) -> Result<Answer, String>;

    /// A line that a contestant could begin with.
    fn example(&self) -> String;

    /// How replies are typed.
    fn replies(&self) -> ReplyForm;

    /// Whether secrets are codes: then digits may be written differently, and a prior may be given.
    fn has_codes(&self) -> bool {
        true
    }
}

/// Why a game cannot be looked into.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// There is no such game.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// The lab does not know how.
    #[error("the lab does not look into games of {0}")]
    Unknown(String),
    /// It is too large.
    #[error("{0}")]
    TooLarge(String),
}

/// Who looks into games named as in a case file's opening, such as `hitblow 3 10`.
///
/// # Errors
/// If there is no such game, or it is too large for somebody who waits.
pub fn analyst(problem: &str) -> Result<Box<dyn Analyst>, AnalystError> {
    let spec = Spec::parse(problem)?;
    spec.generate(Seed(0))?;
    match spec.problem.name() {
        "hitblow" | "mastermind" => Ok(Box::new(pegs::Pegs::new(problem)?)),
        "distance" => Ok(Box::new(distance::Distance::new(problem)?)),
        "balance" => Ok(Box::new(balance::Balance::new(problem)?)),
        _ => Err(AnalystError::Unknown(problem.to_owned())),
    }
}

/// What probabilities say of digits at places.
fn places(
    columns: Vec<String>,
    places: usize,
    codes: impl Iterator<Item = (impl AsRef<[u8]>, f64)>,
) -> Grid {
    let mut cells = vec![vec![0.0; columns.len()]; places];
    for (code, probability) in codes {
        for (row, &digit) in cells.iter_mut().zip(code.as_ref()) {
            row[usize::from(digit)] += probability;
        }
    }
    Grid {
        rows: (1..=places).map(RowName::Place).collect(),
        columns,
        cells,
    }
}

/// What was said so far, each turn as `read` understands it.
fn rows<R>(
    asked: &Asked<'_>,
    read: impl Fn(&Turn<'_>) -> Result<R, String>,
) -> Result<Vec<R>, String> {
    let numbered = asked.turns.iter().enumerate();
    let row = |(i, turn): (usize, &Turn<'_>)| {
        let Turn { guess, reply } = turn;
        read(turn).map_err(|why| format!("row {} ({guess}: {reply}): {why}", i + 1))
    };
    numbered.map(row).collect()
}

/// The words of a reply: they may be separated by commas.
fn reply_words(reply: &str) -> Vec<&str> {
    let words = reply.split([' ', ',', '\t']);
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question about rows such as `012:0,1`.
    pub(super) fn asked<'a>(rows: &[&'a str], named: &[&'a str]) -> Asked<'a> {
        let turn = |row: &&'a str| {
            let (guess, reply) = row.split_once(':').unwrap();
            Turn { guess, reply }
        };
        Asked {
            turns: rows.iter().map(turn).collect(),
            named: named.to_vec(),
            work: 200_000_000,
            ..Asked::default()
        }
    }

    pub(super) fn stands(problem: &str, asked: &Asked<'_>) -> Standing {
        match analyst(problem).unwrap().look(asked).unwrap() {
            Answer::Stands(standing) => standing,
            other => panic!("{problem}: {other:?}"),
        }
    }

    #[test]
    fn every_problem_is_looked_into_or_says_why_not() {
        for problem in tester::problem::PROBLEMS {
            for sample in problem.samples() {
                let named = format!("{} {sample}", problem.name());
                let analyst = match analyst(&named) {
                    Ok(analyst) => analyst,
                    Err(AnalystError::TooLarge(_)) => continue,
                    Err(error) => panic!("{named}: {error}"),
                };
                let example = analyst.example();
                let now = stands(&named, &asked(&[], &[&example]));
                let all = Spec::parse(&named).unwrap().enumerate().unwrap().count();
                assert_eq!(now.candidates, all, "{named}");
                assert!((now.entropy - (all as f64).log2()).abs() < 1e-9);
                assert_eq!(now.named.len(), 1);
                assert!(
                    now.best.len() <= BEST + 1 && !now.best.is_empty(),
                    "{named}"
                );
                for wrong in ["", "x", "? 1 1 1", "0 0 0 0 0 0 0 0 0 0 0 0"] {
                    assert!(
                        analyst.look(&asked(&[], &[wrong])).is_err(),
                        "{named} {wrong}"
                    );
                }
            }
        }
        assert!(analyst("hitblow 3").is_err() && analyst("hitblow 6 64").is_err());
    }
}
