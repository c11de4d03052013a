//! `tester history`, `tester show`, `tester compare`, `tester report`: runs of the history.

use std::path::PathBuf;

use clap::Args;
use tester_core::stats::paired::Measure;
use tester_core::store::{HISTORY, LAST};

use super::config::ConfigArgs;
use super::contest_folder::ContestFolder;
use super::output::{Format, LineArgs};
use super::values::{measure, whole};

/// The file of the history.
#[derive(Args)]
pub(crate) struct HistoryFile {
    /// The history to read
    #[arg(
        long = "history",
        value_name = "FILE",
        default_value = HISTORY
    )]
    pub(crate) path: PathBuf,
}

impl HistoryFile {
    /// Reads the history of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        self.enter(ContestFolder::find())
    }

    fn enter(&mut self, folder: Option<ContestFolder>) -> anyhow::Result<()> {
        let Some(folder) = folder else {
            return Ok(());
        };
        self.rebase(&folder);
        folder.enter()
    }

    pub(super) fn rebase(&mut self, folder: &ContestFolder) {
        folder.unless_usual(&mut self.path, HISTORY);
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} history                       the last 20 runs, newest first
  {tester} history --all --tag v2")]
pub(crate) struct History {
    #[command(flatten)]
    pub(crate) file: HistoryFile,
    /// Only runs with this tag
    #[arg(long, value_name = "T")]
    pub(crate) tag: Option<String>,
    /// List at most this many runs [default: 20, with --json all]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0..=u64::MAX), conflicts_with = "all")]
    pub(crate) limit: Option<usize>,
    /// List all runs
    #[arg(long)]
    pub(crate) all: bool,
    /// What the means are of: score, relative (100 x best known score / score), rank (among the listed runs on the same cases), or log (of the score) [default: that of the newest run]
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    pub(crate) by: Option<Measure>,
    /// Print a JSON object for each run
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

impl History {
    /// Takes the measure of `tester.toml` if none was typed.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(super) fn configure(&mut self) -> anyhow::Result<()> {
        self.file.enter(self.config.folder())?;
        self.config.fill_measure(&mut self.by)?;
        Ok(())
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} show                          the last run
  {tester} show v2                       the newest run with this tag
  {tester} show best                     the best run on the cases of the last one
  {tester} show 17 --json | jq 'select(.verdict != \"AC\")'

The mean relative score is over accepted cases: 100 x the best score that any run has had on the \
case / the score (the inverse if more is better). 100 is the best, as in pahcer.")]
pub(crate) struct Show {
    /// A run's number, a tag, last, or best
    #[arg(value_name = "RUN", default_value = LAST)]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
    #[command(flatten)]
    lines: LineArgs,
}

impl Show {
    pub(crate) fn format(&self) -> Option<Format> {
        self.lines.format()
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} compare                       the last run with the one before it
  {tester} compare best                  the last run with the best other one
  {tester} compare v1 v2                 by tag
  {tester} compare 3 17 --by log

Cases are paired by number and content. Cases that either run failed are listed apart and are in no mean.")]
pub(crate) struct Compare {
    /// A run's number, a tag, last, or best [default: the run before B]
    #[arg(value_name = "A")]
    pub(crate) first: Option<String>,
    /// The same for the second run; differences are B - A
    #[arg(value_name = "B", default_value = LAST)]
    pub(crate) second: String,
    /// What is averaged: score, relative (100 x best known score / score), rank (better run 1, worse run 2, both 1.5 if equal), or log (differences are ratios) [default: that of run B]
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    pub(crate) by: Option<Measure>,
    /// Print one object of JSON, with all figures
    #[arg(long)]
    pub(crate) json: bool,
    /// Whether tester.toml holds cases out.
    #[arg(skip)]
    pub(crate) holds_out: bool,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}

impl Compare {
    /// Takes the measure of `tester.toml` if none was typed, and whether it holds cases out.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub(super) fn configure(&mut self) -> anyhow::Result<()> {
        self.file.enter(self.config.folder())?;
        let file = self.config.fill_measure(&mut self.by)?;
        self.holds_out = file.is_some_and(|file| file.batch.held_out.is_some());
        Ok(())
    }
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  {tester} report                        the last run
  {tester} report v1 v2 v3               v2 and v3 compared with v1
  {tester} report last best              the last run and the best other one
  {tester} report --to /tmp/a.html 17

The file needs no network and no other file. It shows figures, pictures, a table that sorts and \
filters, and each case turn by turn while the run's output files are kept (see --keep-runs of `{tester} batch`).")]
pub(crate) struct Report {
    /// Runs by number or tag, last or best; each is compared with the first
    #[arg(value_name = "RUN", default_values = [LAST])]
    pub(crate) runs: Vec<String>,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = PAGE)]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) file: HistoryFile,
}

/// The usual file of a report.
const PAGE: &str = "out/report.html";

impl Report {
    /// Reports the runs of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = ContestFolder::find() else {
            return Ok(());
        };
        folder.unless_usual(&mut self.to, PAGE);
        self.file.rebase(&folder);
        folder.enter()
    }
}
