//! Where figures go to be read: one file per sink.

pub mod comparison;
pub mod console;
pub mod duel;
pub mod lines;
pub mod runs;
