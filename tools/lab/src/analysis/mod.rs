//! The state of a game after some turns, and the value of each question that could be asked next.
//!
//! Each kind of problem has its own file: hits and blows (`pegs`), noisy differences (`distance`, `gap`), weighings
//! (`balance`). A further kind is a file beside these and an arm of [`analyst()`]. The result has one form for all of
//! them, which a page can show without knowing the game. What both kinds of codes share is in `codes`.
//!
//! Imports `game` and the solver. Start with [`Analyst`].

mod analyst;
mod balance;
mod codes;
mod distance;
mod pegs;
mod question;
mod registry;
mod state;
#[cfg(test)]
mod testing;
mod tops;

pub use analyst::{Analyst, AnalystError};
pub use pegs::{BestPlay, best};
pub use question::{Answer, Question, ReplyForm, Turn};
pub use registry::analyst;
pub use state::{Candidate, Cell, GameState, Grid, GuessValue, LISTED, RowName};
pub use tops::{AlikeGuesses, tops};
