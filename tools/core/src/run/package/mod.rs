//! A problem package in the format of Kattis, whose problem is interactive: what it says of itself, its cases, its
//! programs, and whether each submission gets the verdict that its folder promises.
//!
//! Start reading at [`description`]; [`judge`] runs the submissions, and `expectation` decides.

mod above;
pub mod build;
pub mod cases;
mod copy;
pub mod description;
pub mod error;
pub(crate) mod expectation;
pub mod judge;
pub mod language;
pub mod result;
mod settings;
pub mod submissions;
