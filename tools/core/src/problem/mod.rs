//! Games: what a problem is, the list of those that this judge knows, and a file for each.
//!
//! May import: `process`, `util`. Start reading at [`traits`].
//!
//! A problem is a static value in a file of its own and one line in [`BUILT_IN`] (with the `mod` line that
//! Rust wants). Nothing else in this package names it. A problem of another package is in the list that
//! package gives to `main_with`. `testing` tests any of them: its text round-trips, a seed
//! always gives the same bytes, the opening does not tell the secret, and random bytes never panic a session.
//! `docs/adding-a-problem.md` makes one step by step, from what `tester new` writes.

mod balance;
mod distance;
mod hitblow;
mod liar;
mod mastermind;

// What several of them share.
mod codes;
mod pegs;
mod words;

pub mod drawing;
mod exchange;
pub mod fields;
pub mod grid;
mod lines;
pub mod measure;
pub mod objective;
pub(crate) mod parameter_names;
mod registry;
pub mod rng;
pub mod score;
mod scoring;
pub mod traits;
mod usage;

#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use drawing::{Drawing, PlayedTurn};
pub use exchange::{Question, Reply, TurnError};
pub use lines::{InstanceError, Lines, ParamError};
pub use measure::Measure;
pub use objective::Objective;
pub(crate) use registry::reasons;
pub use registry::{
    BUILT_IN, ListError, Spec, default_problem, has_built_in_problems, named, parse_case,
    parse_case_with, problem_named, problem_of, problems, use_problems, with_defaults,
};
pub use score::Score;
pub use scoring::Scoring;
pub use traits::{Instance, Instances, Problem, Session};
pub use usage::usage_form;
