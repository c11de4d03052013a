//! What makes a guess good: one file for each policy, and a line for it in `registry`.
//!
//! Most policies score a guess by how it splits the candidates ([`Score`]); `greedy` then takes the best guess of a
//! pool, and breaks ties. A policy that chooses in another way implements [`Policy`] itself.
//!
//! Imports the solver only. Start with `traits`, then `mi`.

mod expected_size;
mod greedy;
mod map;
mod mi;
mod mi_rounded;
mod minmax;
mod options;
mod outcome;
mod parts;
mod random;
mod random_candidate;
mod random_fixed;
mod registry;
mod traits;

pub use options::{Options, PolicyError, PolicyOption, Pool, Tie, check};
pub use outcome::{Outcome, TurnSummary};
pub use random::random_turns;
pub use registry::{POLICIES, select};
pub use traits::{Cells, Node, Policy, PolicyFactory, Score, ScoreFactory};
