//! One case: an instance against a contestant, and what came of it.
//!
//! May import: `process`, `util`, `problem`, `case`. Start reading at [`io`], the loop between pipes,
//! clock and referee; [`verdict`] is the one place where a verdict is decided.

pub mod external;
mod io;
pub mod record;
pub mod referee;
pub mod replay;
pub mod session;
pub mod transcript;
pub mod verdict;

pub use io::{JudgeError, Watcher, judge, judge_started, run_unattended};
