//! Games that are played one by one in this process, with the judge's own sessions.
//!
//! A decision tree needs a list of codes and one reply for each pair of them. Where replies are noisy there is no such
//! reply, and where questions are not codes there is no such list. Each problem of that kind has an [`Adapter`]: a file
//! here and a line in `registry`.
//!
//! Imports `policy`. Start with [`scores`].

mod adapter;
mod balance;
pub mod bound;
mod difference_alone;
pub mod distance;
mod games;
mod liar;
pub mod lies;
mod noisy_replies;
pub mod paths;
mod registry;
pub mod reliability;
pub mod small;
mod two_steps;

pub use adapter::{Adapter, Player, PolicyEntry, SelectedPolicy};
pub use games::{Cases, SimulateError, scores, scores_in_order, usual_cases};
pub use registry::{ADAPTERS, adapter, select};
