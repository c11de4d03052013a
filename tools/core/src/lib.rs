//! The judge of heuristic contests as a library, without a command line.
//!
//! Data flows one way, and each folder is one station:
//!
//! ```text
//! problem ─▶ case ─▶ judge ─▶ run ─▶ stats ─▶ store ─▶ report, shard
//! ```
//!
//! - [`process`]: one child process and all that it starts. [`util`]: files and text.
//! - [`problem`]: the games, one file for each. [`mod@case`]: numbered instances of them.
//! - [`mod@judge`]: one case against one program, and its verdict. [`run`]: many cases.
//! - [`stats`]: records to numbers. [`store`]: the history, and the output files of runs.
//! - [`report`]: numbers to text and pages. [`shard`]: parts of a run on several machines.
//!
//! The library reports what a contestant did as values ([`Record`]); an `Err` always means that we, or the
//! machine, failed. It prints nothing, and knows no solver. The package `tester` is all of it as a program.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "the judge uses Linux's pidfd and /proc; build it on Linux, on WSL 2 or in the container of .devcontainer (docs/guide.md)"
);

pub mod case;
pub mod judge;
pub mod problem;
pub mod process;
pub mod report;
pub mod run;
pub mod shard;
pub mod stats;
pub mod store;
pub mod util;

pub use case::{CaseId, Seed, read_case_file};
pub use judge::record::{Record, Verdict};
pub use judge::transcript::Transcript;
pub use judge::verdict::Limits;
pub use judge::{JudgeError, Watcher, judge};
#[cfg(any(test, feature = "testing"))]
pub use problem::testing;
pub use problem::{Instance, Problem, Reply, Session, Spec, TurnError, parse_case};
pub use process::Command;
pub use run::cancel::CancelToken;
