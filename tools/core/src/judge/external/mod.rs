//! Other judges: a contest's own local tester, run for each case; and the contest's visualizer.
//!
//! A tester is a line for the shell, with placeholders. The contestant runs somewhere inside it; limits are those
//! of all that the line starts. The score is what it prints. Start reading at `spec`. An interactor is described here
//! too, and `contract` says what its exit status means; the folder `interactor` runs it.

mod contract;
mod data_lines;
mod deadline;
mod direct;
mod error;
mod evidence;
mod likely_score;
mod line;
mod local_tester;
mod message;
mod programs;
mod score;
mod speakers;
mod spec;
mod tails;
mod tap;
mod visualizer;
mod whole_lines;

pub use contract::Contract;
pub(in crate::judge) use contract::{Claim, Findings};
pub(crate) use data_lines::DataLines;
pub(crate) use direct::DirectLine;
pub use error::ExternalError;
pub use likely_score::LikelyScore;
pub(crate) use line::quote_for_sh;
pub use local_tester::External;
pub(in crate::judge) use message::Said;
pub use score::{Stream, USUAL_SCORE};
pub use spec::ExternalSpec;
pub(in crate::judge) use tails::Tails;
pub(crate) use tap::{StreamListener, Tap};
pub use visualizer::{LARGEST_PICTURE, Visualizer, VisualizerEnd};
