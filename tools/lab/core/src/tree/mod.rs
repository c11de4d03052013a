//! The decision tree of a policy: one walk tells the turns of every secret.
//!
//! Imports `game` (in tests) and `policy`. Start with [`walk()`].

mod orbits;
mod parting;
mod prior_cost;
mod walk;

pub use orbits::{Orbit, orbits, shape};
pub use parting::{Parting, Position, Row, TurnBits, bits_by_turn, game, parting};
pub use prior_cost::{PriorCost, prior_cost, turns_believing};
pub use walk::{outcome, outcome_of, split, walk, walk_part};
