//! `tester init`.

use clap::Args;

use super::values::objective;
use crate::problem::Objective;
use crate::run::config::Seconds;

const EXAMPLES: &str = "\
Examples:
  {tester} init --objective min
  {tester} init --interactive --name ahc030 --command ./target/release/main

Then look at tester.toml, and judge: {tester} batch";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// The contest's tester starts the program and talks to it
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Whether less is better, or more
    #[arg(long, value_name = "min|max", default_value = "max", value_parser = objective)]
    pub(crate) objective: Objective,
    /// The problem's name in the history
    #[arg(long, value_name = "NAME", default_value = "contest")]
    pub(crate) name: String,
    /// The program to judge
    #[arg(long, value_name = "PROGRAM", default_value = "./target/release/main")]
    pub(crate) command: String,
    /// Time limit for a case, the contest's tester included
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "4",
        allow_hyphen_values = true
    )]
    pub(crate) time_limit: Seconds,
    /// Replace an existing tester.toml
    #[arg(long)]
    pub(crate) force: bool,
}
