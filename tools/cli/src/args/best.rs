//! `tester best`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tester_core::store::HISTORY;
use tester_core::store::LAST;

use super::contest_folder::ContestFolder;

/// The word for standard input or output instead of a file.
pub(crate) const STREAM: &str = "-";

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} best                          which best scores are frozen
  {tester} best freeze                   the best of all runs, on the cases of the last run
  {tester} best import pahcer/best_scores.json
  {tester} best export best_scores.json
  {tester} best export - | jq length
  {tester} best thaw                     use the best of all runs again

Relative scores and the worst cases of a run are against the best score of each case: the frozen one, or \
the best that any run of the history has had. With frozen ones, a figure of today can be compared with one of \
last week; a better score than the frozen one has more than 100. They are in a file beside the history \
(out/history.best.json). RUN names the problem; pahcer's file has the best score of each seed.")]
pub(crate) struct Best {
    #[command(subcommand)]
    pub(crate) action: Option<BestAction>,
    /// The history, beside which frozen best scores are
    #[arg(
        long,
        value_name = "FILE",
        default_value = HISTORY,
        global = true
    )]
    pub(crate) history: PathBuf,
}

impl Best {
    /// Takes the history of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = ContestFolder::find() else {
            return Ok(());
        };
        folder.unless_usual(&mut self.history, HISTORY);
        if let Some(BestAction::Import { path, .. } | BestAction::Export { path, .. }) =
            &mut self.action
            && path != Path::new(STREAM)
        {
            folder.path(path);
        }
        folder.enter()
    }
}

/// What is done with the best scores of a problem.
#[derive(Clone, Subcommand)]
#[command(disable_help_subcommand = true)]
pub(crate) enum BestAction {
    /// Keep the best scores of all runs so far on the cases of RUN
    Freeze(BestOf),
    /// Forget the frozen best scores
    Thaw(BestOf),
    /// Freeze the best scores of a file, such as pahcer/best_scores.json
    Import {
        /// The file; - for standard input
        #[arg(value_name = "FILE")]
        path: PathBuf,
        #[command(flatten)]
        of: BestOf,
    },
    /// Write the best scores as pahcer keeps them
    Export {
        /// The file to write; - for standard output
        #[arg(value_name = "FILE")]
        path: PathBuf,
        #[command(flatten)]
        of: BestOf,
    },
}

/// A run on the problem.
#[derive(Args, Clone)]
pub(crate) struct BestOf {
    /// A run on the problem: a number, a tag, or last
    #[arg(value_name = "RUN", default_value = LAST)]
    pub(crate) run: String,
}
