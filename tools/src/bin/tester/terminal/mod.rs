//! The terminal: progress, interruption, and how this program is called.

pub(crate) mod hide_argv;
pub(crate) mod interrupt;
pub(crate) mod interruptible_writer;
pub(crate) mod progress;
mod tester_word;

pub(crate) use tester_word::tester_word;
