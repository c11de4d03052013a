//! Cases: numbered instances, as files, from seeds, or one for each secret.
//!
//! May import: `process`, `util`, `problem`. Start reading at [`source`], which says which cases a run is of.

mod chosen;
pub mod digest;
pub mod error;
pub mod files;
pub mod id;
mod in_progress;
mod lazy_case;
mod misnamed;
pub mod numbers;
pub mod parameter_rule;
pub mod parameters;
pub mod seed_range;
pub mod seeds;
pub mod source;

pub use crate::problem::rng::Seed;
pub use digest::Digest;
pub use error::{CaseError, SourceError};
pub use files::{
    CaseFile, WriteCounts, list_cases, literally, read_case, read_case_file, write_cases,
};
pub use id::{CaseId, CaseKey};
pub use in_progress::CaseInProgress;
pub use lazy_case::{Case, Content, LazyCase};
pub use misnamed::misnamed;
pub use numbers::CaseNumbers;
pub use parameter_rule::{ParameterRule, RuleError, number};
pub use parameters::Parameters;
pub(crate) use parameters::{number_text, parameter_names, short_text};
pub use seed_range::{MAX_CASES, SeedRange};
pub use seeds::{Seeds, parse_seeds, seeds_of_file, seeds_of_range};
pub use source::Source;
