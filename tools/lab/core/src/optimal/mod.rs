//! Play that is proved optimal: of all strategies, one that costs least.
//!
//! `docs/optimal.md` explains it, and why it is a proof. A file imports only files before it in this order:
//! `space`, `bounds`, `symmetry`, `guesses`, `automorphisms`, `lanes`, `candidates`, `words`, `word_costs`, `memo`,
//! `checkpoint`, `in_flight`, `bound_progress`, `options`, `state`, `cells`, `levels`, `node`, `search`, `recall`,
//! `plan`, `keep`, `part`, `find`. `node` and `search` are one recursion: their functions are methods of the types
//! in `state`, and call each other. `weighted`, a search of its own for other costs than turns, comes last with its
//! `turn_costs`.
//!
//! Imports `strategy` and the solver's codes. Start with [`find()`], then `search`.

mod automorphisms;
mod bound_progress;
mod bounds;
mod candidates;
mod cells;
mod checkpoint;
mod find;
mod guesses;
mod in_flight;
mod keep;
mod lanes;
mod levels;
mod memo;
mod node;
mod options;
mod part;
mod plan;
mod recall;
mod search;
mod space;
mod state;
mod symmetry;
mod turn_costs;
mod weighted;
mod word_costs;
mod words;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use find::find;
pub use options::{Keep, Objective, Optimum, Options, Part, Progress, TooLarge, Without};
pub use weighted::WeightedSearch;
