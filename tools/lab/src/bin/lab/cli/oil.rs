//! `lab oil`, as it is typed.

use std::ops::Range;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use lab::oil::calibration::{Belief, Turns};

use super::seed_range;

#[derive(Args)]
#[command(group = ArgGroup::new("studied").required(true).args(["case", "calibration", "policies"]))]
pub(crate) struct OilArgs {
    /// Case file of AHC030
    #[arg(value_name = "CASE")]
    pub(crate) case: Option<PathBuf>,
    /// What a contestant printed on this case, or its transcript [default: the submission plays]
    #[arg(value_name = "SESSION", requires = "case", conflicts_with_all = ["calibration", "policies"])]
    pub(crate) session: Option<PathBuf>,
    /// Print what was known before this operation, instead of a page of all
    #[arg(long, value_name = "N", requires = "case", conflicts_with_all = ["calibration", "policies", "out"])]
    pub(crate) turn: Option<usize>,
    /// Compare the probabilities of cells with the truth, over many cases
    #[arg(long)]
    pub(crate) calibration: bool,
    /// Where the probabilities come from
    #[arg(
        long,
        value_name = "BELIEF",
        value_enum,
        requires = "calibration", conflicts_with_all = ["case", "policies"],
        default_value = "pool"
    )]
    pub(crate) belief: Vec<Belief>,
    /// Which turns count
    #[arg(long, value_enum, requires = "calibration", conflicts_with_all = ["case", "policies"], default_value = "all")]
    pub(crate) turns: Vec<Turns>,
    /// Compare what cases cost with each policy
    #[arg(long)]
    pub(crate) policies: bool,
    /// Seeds of the official cases to play [default: 0..100]
    #[arg(long, value_name = "A..B", value_parser = seed_range, conflicts_with = "case")]
    pub(crate) seeds: Option<Range<u64>>,
    /// Work of the submission, as a share of what it has in the contest
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 1.0)]
    pub(crate) work: f64,
    /// Games to play at a time [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "case")]
    pub(crate) jobs: Option<u16>,
    /// File to write: a page for a case [default: oil.html], a picture (.svg or .png) for many
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// A share of the work: some, and not so much that a case would never end.
fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (1e-6..=1e3).contains(share))
        .ok_or_else(|| "expected a number from 0.000001 to 1000".to_owned())
}
