//! The state of a game, in one form for all problems.

use serde::Serialize;

/// Up to this many candidates are listed; more are only counted, or listed up to this number if their probabilities differ.
pub const LISTED: usize = 40;
/// How many of the best questions are listed.
pub const BEST: usize = 5;

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameState {
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
    pub best: Vec<GuessValue>,
    /// Those that were asked for.
    pub named: Vec<GuessValue>,
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
pub struct GuessValue {
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
    pub parts: Vec<Cell>,
}

/// What one reply would leave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The reply, as the judge writes it.
    pub reply: String,
    /// How probable it is.
    pub probability: f64,
    /// How much would still be possible.
    pub candidates: usize,
    /// What would still be to be learnt, in bits.
    pub entropy: f64,
}

/// What probabilities say of digits at places.
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
