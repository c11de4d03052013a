//! `tester edit`: what is corrected of past runs.

use clap::Args;
use tester_core::problem::Objective;

use super::history::HistoryFile;
use super::values::{objective, tag};

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} edit 17 --tag v2 --comment \"beam width 200\"
  {tester} edit last --comment \"\"        without a remark
  {tester} edit 1 2 3 --objective min   they were judged with the wrong one

Records never change. Either all of the runs are edited, or none.")]
pub(crate) struct Edit {
    /// Runs: numbers, tags, or last
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<String>,
    /// A short name by which you can find the run
    #[arg(short, long, value_name = "T", value_parser = tag)]
    pub(crate) tag: Option<String>,
    /// A remark about the run; an empty one removes it
    #[arg(short, long, value_name = "C")]
    pub(crate) comment: Option<String>,
    /// With another judge: whether less is better (min), or more (max)
    #[arg(long, value_name = "WHAT", value_parser = objective)]
    pub(crate) objective: Option<Objective>,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}
