//! A strategy as a tree of guesses: its text, its check by the judge's rules, its packed form in the solver, the tree of a policy, and a tree as a policy.
//!
//! `text` and `verify` import nothing of the lab: what is said of a tree rests on `tester::problem` alone. Start with
//! [`Strategy`].

mod as_policy;
mod book;
mod from_policy;
mod openings;
mod text;
mod turns;
mod verify;

pub use as_policy::TreePolicy;
pub use book::{BookError, pack};
pub use from_policy::{from_policy, tree_from_policy};
pub use openings::openings;
pub use text::{Node, Strategy, StrategyError};
pub use turns::turns_by_code;
pub use verify::{Verified, VerifyError, verify};
