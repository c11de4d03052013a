//! Runs in an SQLite database, each with all its records; and the folders with their output files.
//!
//! May import: everything from `process` to `stats`. Start reading at [`history`].

pub mod artifacts;
pub mod best;
mod clock;
mod column;
mod copies;
mod delete;
mod earlier;
mod edit;
mod error;
mod folders;
mod format6;
pub mod history;
mod import;
mod lock;
mod patience;
pub mod pictures;
mod ranking;
mod read;
pub mod repro;
mod run;
mod schema;
mod sources;
mod write;

#[cfg(test)]
mod delete_tests;
#[cfg(test)]
mod folder_tests;
#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod import_tests;
#[cfg(test)]
mod score_tests;
#[cfg(test)]
pub(crate) mod tests;

pub use best::FrozenBest;
pub use column::Damage;
pub use edit::Edit;
pub use error::HistoryError;
pub use folders::near;
pub use history::{BEST, HISTORY, History, LAST};
pub use import::{Import, RunSummary};
pub use patience::tell_waits;
pub use ranking::BestRun;
pub use run::{Kind, NewRun, Run, RunId, State};
pub use sources::SourceKey;
