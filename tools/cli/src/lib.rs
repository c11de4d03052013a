//! The command line: what you type, what each command does, what a terminal shows.
//!
//! Only this package parses options, prints and reads `tester.toml`. Start reading at [`main_with()`]: it is the whole
//! program, for any list of problems.
//!
//! - `args`: what may be typed, and what it means.
//! - `cmd`: a file for each command, and what several of them share.
//! - `terminal`: progress, signals, echo of one case.

#[macro_use]
mod note;

mod args;
mod cmd;
mod ending_error;
mod exit;
mod hint;
mod main_with;
mod own_package;
mod print;
mod system_hint;
mod terminal;

pub use main_with::main_with;
