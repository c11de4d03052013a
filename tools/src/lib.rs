//! An interactive judge for heuristic contests: the library [`tester_core`], and the program `tester`.
//!
//! - [`main_with`] is the whole program, for the problems that you give it.
//! - Everything else is the library's. It builds without a command line, so a package that only judges can name
//!   `tester-core` instead.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     tester::main_with(tester::problem::BUILT_IN)
//! }
//! ```
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

pub use tester_cli::main_with;
pub use tester_core::*;
