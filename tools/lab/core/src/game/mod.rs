//! Games of hits and blows, and what people write about them: codes, notations, observations, priors.
//!
//! Imports nothing of the lab except the solver. Start with `codes`, then `observations`.

mod codes;
mod habits;
mod notation;
pub mod observations;
pub mod prior;

pub use codes::{GameError, codes, find, game, listable, reply_line, rules, show};
pub use habits::{HABITS, Habit};
pub use notation::{Notation, NotationError};
