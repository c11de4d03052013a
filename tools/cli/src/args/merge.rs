//! `tester merge`: combines the shards of a batch.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use tester_core::problem::Measure;
use tester_core::process::{Command, LineError};
use tester_core::stats::sequential::Rule;

use super::contest_folder::ContestFolder;
use super::output::{Format, KeptArgs, LineArgs};
use super::single::command;
use super::values::{alpha, measure, positive};
use crate::hint::with_hint;

const EXAMPLES: &str = "\
Examples:
  {tester} merge shards/*.jsonl
  {tester} merge --tag v2 --partial shards         all *.jsonl of a folder
  {tester} merge shards -- ./solver --policy map
  ssh host {tester} batch --shard 2/2 --json -- ./solver | {tester} merge 1.jsonl -
  {tester} merge a --against b -- './solver --policy map' ./solver

`{tester} batch --shard I/N` writes shards. They enter the history as one run, or not at all. Refused: \
shards that are missing, truncated or altered; shards of another program, or with other arguments, \
limits, cases or judge; a case that was judged twice with different results.

With --against, the shards are those of two programs on the same cases, and the result is that of \
`{tester} duel` after as many pairs: in the order of the cases, as far as both have them all, up to the \
pair that decides. Both runs are kept as those of a duel; --json prints one object.

Exit status: 0 if every case is AC, 1 if a case is not, 2 if the shards are not one run. With \
--against: 0 if the duel is decided, 1 if not, 2 if the shards are not two such runs.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// Files with one or more shards each; a folder means its *.jsonl files, - is standard input
    #[arg(value_name = "FILES", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The program's command in the history; its file must be the shards' program [default: the shards' command]. For a duel: both programs, each with its arguments in one word
    #[arg(value_name = "PROGRAM", last = true)]
    words: Vec<OsString>,
    /// Keep an unfinished run if shards are missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// Check the shards (or show the state of the duel) without writing to the history
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Hold a duel: FILES are of the first program, these are of the second
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["partial", "csv"], help_heading = "Duel")]
    pub(crate) against: Vec<PathBuf>,
    /// Probability of declaring one of two equal programs better
    #[arg(long, value_name = "P", default_value_t = 0.05, allow_negative_numbers = true, value_parser = alpha, requires = "against", help_heading = "Duel")]
    alpha: f64,
    /// What of a score counts: score, log, relative, or rank [default: that of the shards]
    #[arg(long, value_name = "MEASURE", value_parser = measure, requires = "against", help_heading = "Duel")]
    pub(crate) by: Option<Measure>,
    /// No difference, by this measure, is larger: decides sooner if one program is never or hardly ever worse [default: judged by the differences]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive, requires = "against", help_heading = "Duel")]
    max_difference: Option<f64>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    #[command(flatten)]
    lines: LineArgs,
}

impl Merge {
    /// Merges into the history of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = ContestFolder::find() else {
            return Ok(());
        };
        let files = self.files.iter_mut().chain(&mut self.against);
        folder.paths(files.filter(|file| *file != Path::new("-")));
        match self.against.is_empty() {
            true => folder.command(&mut self.words),
            false => self.words.iter_mut().for_each(|word| {
                let mut line = word.to_string_lossy().into_owned();
                folder.line(&mut line);
                *word = line.into();
            }),
        }
        self.kept.rebase(&folder);
        folder.enter()
    }

    /// The program, if it is named.
    pub(crate) fn program(&self) -> Option<Command> {
        (!self.words.is_empty()).then(|| command(&self.words))
    }

    /// When the duel is decided.
    pub(crate) fn rule(&self) -> Rule {
        Rule {
            alpha: self.alpha,
            max_difference: self.max_difference,
        }
    }

    /// The two of a duel.
    pub(crate) fn programs(&self) -> anyhow::Result<[Option<Command>; 2]> {
        let line = |word: &OsString| {
            Ok::<_, LineError>(Some(Command::from_line(&word.to_string_lossy())?))
        };
        match self.words.as_slice() {
            [] => Ok([None, None]),
            [first, second] => Ok([line(first)?, line(second)?]),
            words => Err(with_hint(
                format!("expected two programs after --, found {}", words.len()),
                "each program is one word, its arguments included: './a -x' ./b",
            )),
        }
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.lines.format()
    }
}
