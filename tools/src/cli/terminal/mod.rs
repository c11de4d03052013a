//! The terminal: progress and interruption.

pub(crate) mod echo;
pub(crate) mod hide_argv;
pub(crate) mod interrupt;
pub(crate) mod output_queue;
pub(crate) mod progress;
