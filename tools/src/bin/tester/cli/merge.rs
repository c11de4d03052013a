//! `tester merge`: shards of a batch, put together.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use tester::process::{Command, LineError};

use super::batch::{Format, KeptArgs, LineArgs, alpha};
use super::command;

#[derive(Args)]
#[command(after_help = "\
Examples:
  tools/tester merge shards/*.jsonl                    or, where they are too many for a shell: shards
  tools/tester merge --tag v2 --partial shards/*.jsonl
  tools/tester merge shards/*.jsonl -- ./solver --policy map
  ssh host tools/tester batch --shard 2/2 --json -- ./solver | tools/tester merge 1.jsonl -
  tools/tester merge a/*.jsonl --against b/*.jsonl -- './solver --policy map' ./solver

Shards are what tester batch --shard I/N writes. They are entered into the history as one run, all of
it or nothing: refused is what is missing, truncated or altered, what is of another program, with
other arguments, limits, cases or judge, and a case that was judged twice with different results.
Exit status: 0 if every case is AC, 1 if one is not, 2 if they are not one run.

With --against it is a duel, from shards of two programs over the same cases: what tester duel would have said
after as many pairs, taken in the order of the cases as far as both have all of them, and no further than
the pair that decides. Both runs are kept as a duel's; --json prints one object. Exit status: 0 if it is decided, 1 if not, 2 if the
shards are not those of two such runs.")]
pub(crate) struct Merge {
    /// Files with shards, one or several in each; a folder is all its *.jsonl; - is standard input
    #[arg(value_name = "FILES", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    /// Hold a duel: FILES are of the first program, these of the second
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["partial", "csv"])]
    pub(crate) against: Vec<PathBuf>,
    /// In a duel: how probable it may be that one of two equals is declared better
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = alpha, requires = "against")]
    pub(crate) alpha: f64,
    /// Enter what is there as an unfinished run, where shards are missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// Look whether the shards belong together (or how the duel stands), and keep nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    lines: LineArgs,
    /// Under which words the run is kept; it must be the shards' program [default: as it was called there]. In a
    /// duel: both programs, each with its arguments in one word
    #[arg(value_name = "PROGRAM", last = true)]
    words: Vec<OsString>,
}

impl Merge {
    /// The program, if it is named.
    pub(crate) fn program(&self) -> Option<Command> {
        (!self.words.is_empty()).then(|| command(&self.words))
    }

    /// The two of a duel.
    pub(crate) fn programs(&self) -> anyhow::Result<[Option<Command>; 2]> {
        let line = |word: &OsString| {
            Ok::<_, LineError>(Some(Command::from_line(&word.to_string_lossy())?))
        };
        match self.words.as_slice() {
            [] => Ok([None, None]),
            [first, second] => Ok([line(first)?, line(second)?]),
            words => anyhow::bail!(
                "expected two programs behind --, each with its arguments in one word, found {}",
                words.len()
            ),
        }
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.lines.format()
    }
}
