//! `tester merge`: shards of a batch, put together.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use tools::contestant::Command;

use super::batch::{Format, KeptArgs};
use super::command;

#[derive(Args)]
#[command(group(ArgGroup::new("lines").args(["json", "csv"])))]
#[command(after_help = "\
Examples:
  tools/tester merge shards/*.jsonl
  tools/tester merge --tag v2 --partial shards/*.jsonl
  tools/tester merge shards/*.jsonl -- ./solver --policy map
  ssh host tools/tester batch --shard 2/2 --json -- ./solver | tools/tester merge 1.jsonl -

Shards are what tester batch --shard I/N writes. They are entered into the history as one run, all of
it or nothing: refused is what is missing, truncated or altered, what is of another program, with
other arguments, limits, cases or judge, and a case that was judged twice with different results.
Exit status: 0 if every case is AC, 1 if one is not, 2 if they are not one run.")]
pub(crate) struct Merge {
    /// Files with shards, one or several in each; - is standard input
    #[arg(value_name = "FILES", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    /// Enter what is there as an unfinished run, where shards are missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// Print a JSON object for each case on standard output; the table goes to standard error
    #[arg(long)]
    json: bool,
    /// The same as comma separated values
    #[arg(long)]
    csv: bool,
    /// Under which words the run is kept; it must be the shards' program [default: as it was called there]
    #[arg(value_name = "PROGRAM", last = true)]
    words: Vec<OsString>,
}

impl Merge {
    pub(crate) fn program(&self) -> Option<Command> {
        (!self.words.is_empty()).then(|| command(&self.words))
    }

    pub(crate) fn format(&self) -> Option<Format> {
        Format::chosen(self.json, self.csv)
    }
}
