//! `tester package`: an interactive problem package as it lies.

use std::path::PathBuf;

use clap::Args;
use tester_core::process::Containment;
use tester_core::run::config::{Jobs, Mebibytes, Seconds};

const EXAMPLES: &str = "\
Examples:
  {tester} package problems/guess                     every submission, every case
  {tester} package guess --only wrong_answer          only that folder
  {tester} package guess --only guess.py --json
  {tester} package guess --time-limit 2

The package is in the format of Kattis, which DOMjudge and BAPCtools use, too: problem.yaml, data/, \
output_validator/ (or output_validators/), submissions/. Nothing in it is changed.

Exit status: 0 if each submission got the verdict that its folder promises, 1 if one did not or could not be judged, \
2 if the package could not be judged.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Package {
    /// The folder of the package
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Judge only submissions whose name contains this text; repeat it for more
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Programs that run at the same time [default: the number of physical cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) jobs: Option<Jobs>,
    /// Print one line of JSON instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Wall-clock time and processor time for a case [default: what the package says, or what follows from its slowest accepted submission]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Seconds>,
    /// Resident memory, in MiB [default: what the package says, or 2048]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true)]
    pub(crate) memory_limit: Option<Mebibytes>,
    /// Do not put submissions into a namespace of their own
    #[arg(long)]
    no_containment: bool,
}

impl Package {
    /// Whether the submission of this name is to be judged.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text))
    }

    /// What keeps a submission's processes together.
    pub(crate) fn containment(&self) -> Containment {
        match self.no_containment {
            true => Containment::Tree,
            false => Containment::Namespace,
        }
    }
}
