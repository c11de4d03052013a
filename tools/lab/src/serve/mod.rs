//! A local page over the history and the lab: runs, cases with what was known at each turn, games to play.
//!
//! It listens on loopback only, answers questions and changes nothing. A request must mean this server. So a page of
//! another site that a browser has open cannot read it: its `Host` (another name for this address) or its `Origin`
//! differs.

mod answer;
mod cases;
mod connections;
mod drawn;
mod games;
mod messages;
mod pages;
mod pictures;
mod runs;
mod server;
mod shared;
mod strategies;

pub use answer::Failure;
pub use server::Server;
pub use shared::Shared;
