//! A strategy as a tree of guesses: its text, its check by the judge's rules, its packed form in the solver.
//!
//! `text` and `verify` import nothing of the lab: what is said of a tree rests on `tester::problem` alone. Start with
//! [`Strategy`].

mod book;
mod openings;
mod text;
mod verify;

pub use book::{BookError, pack};
pub use openings::openings;
pub use text::{Node, Strategy, StrategyError};
pub use verify::{Verified, VerifyError, verify};
