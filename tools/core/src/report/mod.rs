//! Output of figures: a file for each form. Nothing here computes a statistic; `stats` does.
//!
//! May import: everything from `process` to `store`. Start reading at [`console`], the table of a run; [`model`]
//! gathers what a page shows, and [`page`] writes it.

pub mod changes;
pub mod comparison;
pub mod comparison_json;
pub mod console;
pub mod duel;
mod error;
pub mod export;
pub mod figures;
pub mod hosts;
pub mod model;
pub mod package;
pub mod page;
pub mod parameter_effects;
mod run_pair;
pub mod runs;
pub mod runs_json;
pub mod text;

pub use error::ReportError;
pub use run_pair::{PairMeasure, RunPair, other_judge};
