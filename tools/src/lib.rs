//! An interactive judge for heuristic contests.
//!
//! Data flows one way:
//!
//! ```text
//! problem + parameters ─▶ instance(seed) ─▶ referee ⇄ contestant ─▶ record ─▶ figures ─▶ history ─▶ report
//! ```
//!
//! Nothing on the right is imported by anything on its left. The rules of the games live in
//! [`problem`], the process of the contestant in [`contestant`], and what becomes of one against
//! the other in [`judge`]. Nothing here knows the solver at the root of the repository: a
//! contestant rewrites that, and the judge stays impartial.
//!
//! The library reports what a contestant did as values ([`record::Record`]); an `Err` always means
//! that we, or the machine, failed. It prints nothing: the binary `tester` does.

#[cfg(not(target_os = "linux"))]
compile_error!(
    "the judge uses Linux's pidfd and /proc; build it on Linux, on WSL 2 or in a Linux container"
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
