//! `tester init`.

use clap::Args;
use tester_core::problem::Objective;
use tester_core::run::config::Seconds;

use super::values::objective;

const EXAMPLES: &str = "\
Examples:
  {tester} init
  {tester} init --objective min
  {tester} init --interactive --name ahc030 --command ./target/release/main

It looks for your program, the contest's tools (tools/Cargo.toml), their visualizer and the case files, and says what \
it has found, what it has not, and what must be built first. It builds nothing.

Then look at tester.toml, and judge: {tester} batch";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// The contest's tester starts the program and talks to it [default: if the tools have a program called tester]
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Whether less is better, or more [default: max]
    #[arg(long, value_name = "min|max", value_parser = objective)]
    pub(crate) objective: Option<Objective>,
    /// The problem's name in the history [default: that of the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The program to judge, or its source file [default: that of the Cargo package, main.cpp, main.py or another source file here]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) command: Option<String>,
    /// Time limit of the program for a case; the contest's tester has 10 s more [default: 4]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Seconds>,
    /// Look again and write tester.toml anew; other settings stay, and the old file as tester.toml.old
    #[arg(long)]
    pub(crate) force: bool,
}
