//! The lab: all of [`lab_core`], which studies strategies, and what shows it.
//!
//! A folder imports only folders that stand before it in this list, and those of [`lab_core`]:
//!
//! 1. [`analysis`]: the state of a game, and the value of each guess
//! 2. [`articles`]: every figure that the articles publish, computed anew
//! 3. [`serve`]: a local page over the history and all of this
//!
//! `bin/lab` parses options and prints; the libraries do neither.

pub use lab_core::*;

pub mod analysis;
pub mod articles;
pub mod serve;
