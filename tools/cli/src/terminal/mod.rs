//! The terminal: progress of a run, echo of one case, output that waits for no reader, signals, and our own command
//! line, which is hidden.

pub(crate) mod echo;
mod forced_end;
pub(crate) mod hide_argv;
pub(crate) mod interrupt;
pub(crate) mod output_queue;
pub(crate) mod progress;
mod progress_line;
