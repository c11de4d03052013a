//! `tester source`, `tester diff`: the source of past runs.

use std::path::PathBuf;

use clap::Args;
use tester_core::store::LAST;

use super::contest_folder::ContestFolder;
use super::history::HistoryFile;

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} source                        the source of the last run's program
  {tester} source v2 > v2.rs             that of the newest run with this tag
  {tester} source best > best.rs         that of the best run on the same cases
  {tester} source 17 --dir old           all of its files, below the folder old

Each run of a batch or a duel keeps its program's source files as they were when it began. They are found by \
themselves: a script with what it imports from beside it; for other programs what cargo or a compiler (-MMD) lists \
beside the program, or main.cpp beside ./main with its headers. At most 2 MiB are kept; files with one content are \
kept once.")]
pub(crate) struct SourceOf {
    /// A run's number, a tag, last, or best
    #[arg(value_name = "RUN", default_value = LAST)]
    pub(crate) run: String,
    /// Which of its files, if it has several: the end of its path
    #[arg(value_name = "FILE")]
    pub(crate) file_of_run: Option<PathBuf>,
    /// Write all files below this folder, which must be empty or new
    #[arg(long, value_name = "DIR", conflicts_with = "file_of_run")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}

impl SourceOf {
    /// Reads the history of the contest's folder, from below it too; the folder to write stays where it was typed.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = ContestFolder::find() else {
            return Ok(());
        };
        if let Some(dir) = &mut self.dir {
            folder.path(dir);
        }
        self.file.rebase(&folder);
        folder.enter()
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} diff                          what changed since the run before
  {tester} diff best                     from the best other run to the last one
  {tester} diff v1 v2                    by tag
  {tester} diff 3 17 | delta             in colours

Prints what `diff -u` does, for the sources of both runs (see `{tester} source --help`). Exit status: 0 if the \
programs are the same, 1 if they differ, 2 if it cannot tell.")]
pub(crate) struct Diff {
    /// A run's number, a tag, last, or best [default: the run before B]
    #[arg(value_name = "A")]
    pub(crate) first: Option<String>,
    /// The same for the second run
    #[arg(value_name = "B", default_value = LAST)]
    pub(crate) second: String,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}
