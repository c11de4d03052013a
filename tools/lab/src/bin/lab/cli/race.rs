//! Races, values of games, losses and bounds, as they are typed.

use std::path::PathBuf;

use clap::Args;
use lab::race::Role;
use tester::problem::default_problem;

use super::policy::{PolicyOptionArgs, TREES};

fn strategies_help() -> String {
    format!(
        "Strategies:\n  mi[hit-bonus=2]   a policy, with its options in brackets (lab policy --help)\n{TREES}"
    )
}

/// Who races.
#[derive(Args)]
#[command(after_help = strategies_help())]
pub(crate) struct RacersArgs {
    /// Strategies, see below; each races each, and itself
    #[arg(required = true, value_name = "STRATEGY")]
    pub(crate) strategies: Vec<String>,
    /// Problem and parameters
    #[arg(long, default_value = default_problem())]
    pub(crate) problem: String,
    /// Find the strategies that win most often against this one, moving first, second, and in rounds
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) best_against: Vec<String>,
}

#[derive(Args)]
#[command(after_help = strategies_help())]
pub(crate) struct RaceArgs {
    #[command(flatten)]
    pub(crate) racers: RacersArgs,
    /// Find how to play so that no strategy gains
    #[arg(long, value_enum, value_name = "ROLE")]
    pub(crate) equilibrium: Vec<Role>,
    /// Play that many games of each pair too, with the judge's replies, and compare
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Check")]
    pub(crate) games: u64,
    /// Seed of the first game's secret
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Check")]
    pub(crate) seed: u64,
    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write the tree of each strategy that was found into this folder
    #[arg(long, help_heading = "Output", value_name = "DIR")]
    pub(crate) trees: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ValueArgs {
    /// Problem and parameters
    #[arg(default_value = default_problem())]
    pub(crate) problem: String,
    /// Print one JSON object instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct LossArgs {
    /// Name of the policy, optimal-worst or tree:FILE, see lab policy --help
    pub(crate) policy: String,
    /// Problem and parameters
    #[arg(long, default_value = default_problem())]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) choice: PolicyOptionArgs,
}

/// Games with a policy whose mean stands beside their bounds.
#[derive(Args)]
pub(crate) struct BoundedArgs {
    /// Problems and parameters
    #[arg(value_name = "PROBLEM", default_values_t = BOUNDED.map(str::to_owned))]
    pub(crate) problems: Vec<String>,
    /// Policy whose mean stands beside the optimum, with its options in brackets, or optimal-worst
    #[arg(long, value_name = "POLICY", default_value = "mi[hit-bonus=1.5]")]
    pub(crate) policy: String,
    /// Longest search for the optimum of a game, which takes hours where there are many codes; 0 searches none
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    pub(crate) search_seconds: u64,
}

#[derive(Args)]
pub(crate) struct BoundsArgs {
    #[command(flatten)]
    pub(crate) bounded: BoundedArgs,
    /// Print one JSON array instead of the table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Ten games whose optimum takes less than a second.
const BOUNDED: [&str; 10] = [
    "hitblow 2 10",
    "hitblow 3 6",
    "hitblow 3 8",
    "hitblow 3 9",
    "hitblow 3 10",
    "hitblow 4 6",
    "hitblow 4 8",
    "mastermind 3 8",
    "mastermind 4 4",
    "mastermind 4 6",
];
