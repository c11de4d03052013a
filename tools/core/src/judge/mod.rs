//! One case: an instance against a contestant, and the record of it.
//!
//! May import: `process`, `util`, `problem`, `case`. Start reading at `live`, the loop between pipes, clock
//! and referee; [`verdict`] is the one place where a verdict is decided, and [`reasons`] has its sentences. Where
//! another program judges, it is an [`interactor`], with us in between, or an [`external`] tester.
//!
//! With its first case, this process begins to listen to SIGCONT: time in which it was stopped is not charged.

mod case_clock;
mod crash_blanks;
mod crash_report;
mod ended;
mod error;
pub mod external;
mod failed_check;
pub mod interactor;
mod io;
mod limits;
mod live;
mod printed_score;
pub mod reasons;
pub mod record;
pub mod referee;
pub mod replay;
pub mod session;
pub mod transcript;
mod usage;
pub mod verdict;
mod watcher;

pub use error::JudgeError;
pub use live::{judge, judge_started};
pub use printed_score::ScoreScale;
pub use watcher::Watcher;
