//! An interactor: a program that has the case and speaks with the contestant. We stand between the two, carry their
//! lines, and decide whose fault it is when they do not come to an end.
//!
//! Start reading at `session`, the loop that carries; `side` is one of the two programs, and `blame` decides. What an
//! interactor means by its exit status is in [`external::Contract`](super::external::Contract).

mod blame;
mod feedback;
mod local_interactor;
mod rest;
mod session;
mod side;

pub use local_interactor::{Interactor, InteractorCase};
