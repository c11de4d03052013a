//! The terminal: progress, interruption, and how this program is called.

pub(crate) mod echo;
pub(crate) mod hide_argv;
pub(crate) mod interrupt;
pub(crate) mod output_queue;
pub(crate) mod progress;
mod tester_word;

pub(crate) use tester_word::tester_word;
