//! Pictures, as they are typed.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use lab::policy::Tie;
use tester::problem::default_problem;

use super::race::{BoundedArgs, LossArgs, RacersArgs};
use super::seed_range;

#[derive(Args)]
pub(crate) struct PlotArgs {
    #[command(subcommand)]
    pub(crate) picture: Picture,
}

#[derive(clap::Subcommand)]
pub(crate) enum Picture {
    /// Draw how many secrets take how many turns, policies side by side
    Turns(PictureArgs<TurnsArgs>),
    /// Draw mean turns against a number of the policy
    Sweep(PictureArgs<SweepArgs>),
    /// Draw the posterior before each guess of a noisy game
    Posterior(PictureArgs<PosteriorArgs>),
    /// Draw how often each strategy wins against each
    Race(PictureArgs<RacersArgs>),
    /// Draw the smallest position where greed loses turns: the policy's tree beside the best one
    Loss(PictureArgs<LossArgs>),
    /// Draw bounds by information beside the optimum
    Bounds(PictureArgs<BoundedArgs>),
    /// Draw how often codes of probability p are right
    Reliability(PictureArgs<ReliabilityArgs>),
}

/// What is drawn, and into which file.
#[derive(Args)]
pub(crate) struct PictureArgs<T: Args> {
    #[command(flatten)]
    pub(crate) of: T,
    /// File to write; its name ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// A noisy game.
const NOISY_PROBLEM: &str = "distance 3 10 10";

#[derive(Args)]
pub(crate) struct PosteriorArgs {
    /// Problem and parameters, distance or gap
    #[arg(long, default_value = NOISY_PROBLEM)]
    pub(crate) problem: String,
    /// Seed of the case
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Args)]
pub(crate) struct ReliabilityArgs {
    /// Problem and parameters, distance or gap
    #[arg(long, default_value = NOISY_PROBLEM)]
    pub(crate) problem: String,
    /// Seeds to play
    #[arg(long, value_name = "A..B", value_parser = seed_range, default_value = "0..2000")]
    pub(crate) seeds: Range<u64>,
}

#[derive(Args)]
pub(crate) struct TurnsArgs {
    /// Policies, with options in brackets, such as map "mi[tie=first,hit-bonus=2]"
    #[arg(required = true, value_name = "POLICY")]
    pub(crate) policies: Vec<String>,
    /// Problem and parameters
    #[arg(long, default_value = default_problem())]
    pub(crate) problem: String,
}

#[derive(Args)]
pub(crate) struct SweepArgs {
    /// Every integer C from A to B in log2(1/p + C)
    #[arg(
        long,
        value_name = "A..B",
        conflicts_with = "hit_bonus",
        required_unless_present = "hit_bonus"
    )]
    pub(crate) hit_gain: Option<String>,
    /// Every tenth of a bit from A to B
    #[arg(long, value_name = "A..B")]
    pub(crate) hit_bonus: Option<String>,
    /// Which of equally good guesses to take [default: candidate]
    #[arg(long, value_enum)]
    pub(crate) tie: Option<Tie>,
    /// Problem and parameters
    #[arg(long, default_value = default_problem())]
    pub(crate) problem: String,
}
