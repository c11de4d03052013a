//! Options for one part of a batch, which any machine can judge.

use std::path::PathBuf;

use clap::Args;
use tester_core::shard::Part;

use super::values::calibration;

/// What may be typed about a part.
#[derive(Args)]
#[command(next_help_heading = "Sharding")]
pub(crate) struct ShardArgs {
    /// Judge only the I-th of N parts of the cases, for `{tester} merge`; no history is kept
    #[arg(
        long,
        value_name = "I/N",
        allow_hyphen_values = true,
        conflicts_with_all = ["resume", "fail_fast", "shuffle", "csv", "history", "tag", "comment"]
    )]
    pub(crate) shard: Option<Part>,
    /// Write the shard to FILE (or --json: to standard output); a complete shard in FILE is not judged again
    #[arg(long, value_name = "FILE", requires = "shard", conflicts_with = "json")]
    pub(crate) to: Option<PathBuf>,
    /// Scale the time limit to this machine's speed; MS is the calibration of the machine for which the limit was chosen
    #[arg(long, value_name = "MS", requires = "shard", allow_negative_numbers = true, value_parser = calibration)]
    pub(crate) scale_time_limit: Option<f64>,
}
