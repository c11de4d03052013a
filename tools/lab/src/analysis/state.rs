//! The state of a game, in one form for all problems.

use serde::Serialize;

/// The most candidates that are listed.
pub const LISTED: usize = 40;
/// How many of the best questions are listed.
pub const BEST: usize = 5;

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameState {
    /// How many candidates are left.
    pub candidates: usize,
    /// Uncertainty about the secret, in bits.
    pub entropy: f64,
    /// All candidates, if they are few and equally likely; the most probable ones if they are not equally likely.
    pub listed: Vec<Candidate>,
    /// Whether all candidates are equally likely.
    pub uniform: bool,
    /// Whether a longer search would find more values of turns.
    pub searchable: bool,
    /// The posterior of each part of the secret, if there is room for them.
    pub grid: Option<Grid>,
    /// The questions that tell most, and one that leaves the fewest turns, if the search finds it.
    pub best: Vec<GuessValue>,
    /// The questions that were named.
    pub named: Vec<GuessValue>,
}

/// A secret that is still possible.
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

/// The value of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuessValue {
    /// The question, as it is written in the game.
    pub guess: String,
    /// Mutual information of its reply and the secret, in bits; `None` if that takes too long.
    pub information: Option<f64>,
    /// Probability that it wins the game; `None` for a question that cannot.
    pub right: Option<f64>,
    /// Turns to the end on average with the best play, this one included; `None` if the search takes too long.
    pub turns: Option<f64>,
    /// What each reply leaves, if there are few replies.
    pub parts: Vec<Cell>,
}

/// What one reply leaves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The reply, as the judge writes it.
    pub reply: String,
    /// How probable it is.
    pub probability: f64,
    /// How many candidates it leaves.
    pub candidates: usize,
    /// The uncertainty that it leaves, in bits.
    pub entropy: f64,
}

/// The probability of each digit at each place.
pub(super) fn places(
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
