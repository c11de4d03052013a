//! An interactive judge for heuristic contests.
//!
//! Data flows one way, and each folder is one station:
//!
//! ```text
//! problem ─▶ case ─▶ judge ─▶ run ─▶ stats ─▶ store ─▶ report, shard ─▶ cli
//! ```
//!
//! - [`process`]: one child process and all that it starts. [`util`]: files and text.
//! - [`problem`]: the games, one file for each. [`mod@case`]: numbered instances of them.
//! - [`mod@judge`]: one case against one program, and its verdict. [`run`]: many cases.
//! - [`stats`]: records to numbers. [`store`]: the history, and the output files of runs.
//! - [`report`]: numbers to text and pages. [`shard`]: parts of a run on several machines.
//! - [`main_with`]: all of it as a program, for the problems that you give it.
//!
//! The library reports what a contestant did as values ([`Record`]); an `Err` always means that we, or the
//! machine, failed. It prints nothing, except [`main_with`]. It knows no solver.
//!
//! # Judge one case
//!
//! The items below are what a program needs that embeds the judge. This one lets a shell script play seed 7 of a
//! small game (`examples/judge_one.rs` judges any program):
//!
//! ```
//! use tester::{Command, Limits, Seed, Spec, Verdict, judge};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let case = Spec::parse("hitblow 1 3")?.generate(Seed(7))?;
//! let command = Command::from_line(
//!     "sh -c 'read opening; for digit in 0 1 2; do echo $digit; read hits blows; [ $hits = 1 ] && exit; done'",
//! )?;
//! let record = judge(case.as_ref(), &command, &Limits::default(), None, &mut ())?;
//! assert_eq!(record.verdict, Verdict::Ac);
//! let secret: u64 = case.answer().ok_or("no answer")?.parse()?;
//! assert_eq!(record.score.units(), 1 + secret);
//! # Ok(())
//! # }
//! ```

#[cfg(not(target_os = "linux"))]
compile_error!(
    "the judge uses Linux's pidfd and /proc; build it on Linux, on WSL 2 or in the container of .devcontainer (docs/guide.md)"
);

pub mod case;
mod cli;
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
pub use cli::main_with;
pub use judge::record::{Record, Verdict};
pub use judge::transcript::Transcript;
pub use judge::verdict::Limits;
pub use judge::{JudgeError, Watcher, judge};
#[cfg(any(test, feature = "testing"))]
pub use problem::testing;
pub use problem::{Instance, Problem, Reply, Session, Spec, TurnError, parse_case};
pub use process::Command;
pub use run::cancel::CancelToken;
