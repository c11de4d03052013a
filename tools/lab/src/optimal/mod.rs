//! Play that is proved optimal: of all strategies, one that costs least.
//!
//! - `options`: what to search for, how, and what comes out
//! - `space`: the codes, and the answers between them
//! - `bounds`: what a number of candidates costs at least
//! - `symmetry`: sets that differ in names only
//! - `guesses`: the guesses that are worth trying on a set, in bags
//! - `lanes`, `words`, `word_costs`: into how many cells a guess splits a set, counted for many guesses at once
//! - `memo`: what is known of sets that were met before
//! - `in_flight`: which sets another thread is solving
//! - `bound_progress`: lower bounds, reported while the search goes on
//! - `state`: what a search knows, and the set at which it is
//! - `cells`: what a guess leaves of a set
//! - `node`, `search`: branch and bound; `node` tries the guesses of a set, `search` solves their cells
//! - `plan`: which searches an objective needs, and the strategy that they found
//! - `find`: a search with threads and progress
//!
//! Each imports only those above it. `node` and `search` are one recursion: their functions are methods of the types in
//! `state`, and call each other.
//! `docs/optimal.md` explains it, and why it is a proof. Imports `strategy` and the solver's codes. Start with [`find()`].

mod bound_progress;
mod bounds;
mod cells;
mod find;
mod guesses;
mod in_flight;
mod lanes;
mod memo;
mod node;
mod options;
mod plan;
mod search;
mod space;
mod state;
mod symmetry;
mod word_costs;
mod words;

pub use find::find;
pub use options::{Objective, Optimum, Options, Progress, TooLarge, Without};
