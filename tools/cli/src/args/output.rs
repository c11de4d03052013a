//! Where a run is kept, and how it is printed.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use tester_core::process::shell_word;
use tester_core::run::config::{self, Jobs};
use tester_core::run::executor::RUNS;
use tester_core::store::HISTORY;

use super::config::Overlay;
use super::contest_folder::ContestFolder;
use super::values::tag;

/// The usual folder of the outputs.
const OUT: &str = "out";

/// The usual number of runs whose output files are kept.
const KEEP_RUNS: NonZeroUsize = NonZeroUsize::new(20).expect("not 0");

/// Options of every run that is judged on this machine.
#[derive(Args)]
pub(crate) struct RunArgs {
    /// Programs that run at the same time [default: the number of physical cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, help_heading = None)]
    pub(crate) jobs: Option<Jobs>,
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    /// Keep the output files of the last N runs; records of older runs stay in the history [default: 20]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = keep_runs,
        help_heading = "Output"
    )]
    keep_runs: Option<NonZeroUsize>,
}

impl RunArgs {
    /// The number of newest runs whose output files are kept.
    pub(crate) fn keep_runs(&self) -> NonZeroUsize {
        self.keep_runs.unwrap_or(KEEP_RUNS)
    }

    /// Takes what was not typed from the file.
    pub(super) fn overlay(&mut self, file: &config::Batch, overlay: &mut Overlay) {
        overlay.fill("out", &mut self.kept.out, file.out.clone());
        overlay.fill("jobs", &mut self.jobs, file.jobs);
        overlay.fill("keep-runs", &mut self.keep_runs, file.keep_runs);
    }
}

fn keep_runs(text: &str) -> Result<NonZeroUsize, String> {
    let refused = |_| "expected a number of runs, at least 1".to_owned();
    text.parse().map_err(refused)
}

/// Where a run is kept, and what it is called there.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct KeptArgs {
    /// Folder for outputs: DIR/runs/N for those of run N, DIR for copies of the newest [default: out]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The history that keeps the run [default: out/history.sqlite]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// A short name by which you can find the run
    #[arg(short, long, value_name = "T", value_parser = tag)]
    pub(crate) tag: Option<String>,
    /// A remark about the run
    #[arg(short, long, value_name = "C")]
    pub(crate) comment: Option<String>,
}

impl KeptArgs {
    /// Rewrites what was typed for the contest's folder.
    pub(super) fn rebase(&mut self, folder: &ContestFolder) {
        folder.paths(self.out.iter_mut().chain(&mut self.history));
    }

    /// The history that was typed.
    pub(crate) fn named_history(&self) -> Option<&Path> {
        self.history.as_deref()
    }

    /// The folder for outputs that was typed.
    pub(crate) fn named_out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    pub(crate) fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new(OUT))
    }

    /// The folder with the folders of all runs.
    pub(crate) fn runs(&self) -> PathBuf {
        self.out().join(RUNS)
    }

    /// The history: one file for all runs, whatever their output folders are.
    pub(crate) fn history(&self) -> PathBuf {
        self.history.clone().unwrap_or_else(|| HISTORY.into())
    }

    /// The options that say where the run is, as they would be typed; none for the usual places.
    pub(crate) fn typed(&self) -> String {
        let mut options = String::new();
        if self.out() != Path::new(OUT) {
            options.push_str(&format!("--out {} ", shell_word(self.out().as_os_str())));
        }
        if let Some(file) = &self.history {
            options.push_str(&format!("--history {} ", shell_word(file.as_os_str())));
        }
        options
    }

    /// The option that names this history, as it would be typed; none for the usual one.
    pub(crate) fn typed_history(&self) -> String {
        match self.history() {
            usual if usual == Path::new(HISTORY) => String::new(),
            other => format!("--history {} ", shell_word(other.as_os_str())),
        }
    }
}

/// How records are printed for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Csv,
}

/// What a run is printed as, besides its table.
#[derive(Args)]
#[command(group(ArgGroup::new("lines").args(["json", "csv"])))]
#[command(next_help_heading = "Output")]
pub(crate) struct LineArgs {
    /// Print a JSON object for each case on stdout; a table, if there is one, goes to stderr
    #[arg(long)]
    json: bool,
    /// Print comma-separated values, in the same way
    #[arg(long)]
    csv: bool,
}

impl LineArgs {
    pub(crate) fn format(&self) -> Option<Format> {
        match (self.json, self.csv) {
            (true, _) => Some(Format::Json),
            (_, true) => Some(Format::Csv),
            _ => None,
        }
    }
}
