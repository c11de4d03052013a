//! Records to numbers: pure functions that read no file and print nothing.
//!
//! May import: everything from `process` to `run`. Start reading at [`summary`], the figures of one run;
//! [`paired`] compares two.

pub(crate) mod by_parameter;
pub mod conclusion;
pub mod duel_state;
mod evidence;
mod failures;
pub(crate) mod groups;
pub(crate) mod histogram;
pub mod hosts;
pub mod paired;
pub mod parameter_effects;
pub mod ranking;
pub mod reference;
pub mod sequential;
#[cfg(test)]
mod sequential_edge_tests;
#[cfg(test)]
mod sequential_tests;
pub(crate) mod student;
pub mod summary;
pub mod time_use;
pub mod worst;

pub use failures::{Failure, Failures};
pub use summary::*;
