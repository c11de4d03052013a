//! `tester gen`, `tester judge`, `tester play`: case files, and one case without a batch.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use tester_core::problem::default_problem;
use tester_core::process::{Command, LineError};
use tester_core::run::config::{Config, Judge as OtherJudge};

use super::config::ConfigArgs;
use super::values::{seed, seed_range, whole};

const GEN_EXAMPLES: &str = "\
Examples:
  {tester} gen --seeds 0..100                         in/0000.txt to in/0099.txt
  {tester} gen --seeds 0..20 --problem \"{other}\" --dir mm
  {tester} gen seeds.txt --dir in                     one case for each line

The same seed and problem give the same bytes on every machine, in every version. \
A file that exists with another content is replaced only with --force; without it, nothing is written.";

#[derive(Args)]
#[command(group(ArgGroup::new("which").args(["seeds_file", "seeds"]).required(true)))]
#[command(after_help = GEN_EXAMPLES)]
pub(crate) struct Gen {
    /// A file with one seed in each line; case 0000 is that of the first line
    #[arg(value_name = "SEEDS_FILE")]
    pub(crate) seeds_file: Option<PathBuf>,
    /// Seeds, each the number of its case: A..B (B is not one of them), A..=B, or one seed
    #[arg(long, value_name = "A..B", value_parser = seed_range, allow_hyphen_values = true)]
    pub(crate) seeds: Option<RangeInclusive<u64>>,
    /// Folder for the case files; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "in")]
    pub(crate) dir: PathBuf,
    /// Problem and parameters; see `{tester} problems`
    #[arg(long, value_name = "PROBLEM", default_value = default_problem())]
    pub(crate) problem: String,
    /// Replace case files that exist with another content
    #[arg(long)]
    pub(crate) force: bool,
}

const JUDGE_EXAMPLES: &str = "\
Examples:
  {tester} judge --seed 0                             type the lines yourself
  {tester} judge in/0000.txt
  oj t/r -c ./solver '{tester} judge --seed 0'        inside online-judge-tools
  mkfifo f; ./solver < f | {tester} judge --seed 0 > f

No program is started, so there is no limit of time or memory here.

Exit status: 0 for AC, 1 for any other verdict, 2 if the case could not be read.";

#[derive(Args)]
#[command(group(ArgGroup::new("which").args(["file", "seed"]).required(true)))]
#[command(after_help = JUDGE_EXAMPLES)]
pub(crate) struct Judge {
    /// The case to judge
    #[arg(value_name = "FILE", conflicts_with = "problem")]
    pub(crate) file: Option<PathBuf>,
    /// Judge the case of this seed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Problem and parameters; see `{tester} problems`
    #[arg(long, value_name = "PROBLEM", default_value = default_problem())]
    pub(crate) problem: String,
    /// Turns that are answered; one more is WA [default: 1000, or what the problem sets]
    #[arg(long, value_name = "TURNS", allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) turn_limit: Option<u64>,
}

const PLAY_EXAMPLES: &str = "\
Examples:
  {tester} play                                       a random game
  {tester} play in/0000.txt
  {tester} play --seed 3 --problem \"{other}\"

Type what a program would print, hint, or give up. A code needs no blanks: 135 is 1 3 5.

Exit status: 0 if you found the answer, 1 if not.";

#[derive(Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub(crate) struct Play {
    /// The case to play
    #[arg(value_name = "FILE", conflicts_with_all = ["seed", "problem"])]
    pub(crate) file: Option<PathBuf>,
    /// Play the case of this seed [default: a random one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Problem and parameters; see `{tester} problems`
    #[arg(long, value_name = "PROBLEM", default_value = default_problem())]
    pub(crate) problem: String,
    /// Then show how this program plays the same case; put its arguments into the same word [default: the command in
    /// tester.toml, or ./solver]
    #[arg(long, value_name = "PROGRAM")]
    solver: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Play {
    /// Takes the program of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        let Some(folder) = self.config.folder() else {
            return Ok(());
        };
        folder.paths(&mut self.file);
        if let Some(solver) = &mut self.solver {
            folder.line(solver);
        }
        folder.enter()
    }

    /// The program that plays the same case. Where `tester.toml` names another judge, its program plays another game.
    ///
    /// # Errors
    /// If the file cannot be understood; within that, if what was typed is no command.
    pub(crate) fn solver(&self) -> anyhow::Result<Result<Command, LineError>> {
        let config = self.config.read()?.map(|(_, config)| config);
        let is_ours = |config: &Config| !config.judge.as_ref().is_some_and(OtherJudge::is_named);
        let usual = config
            .filter(is_ours)
            .and_then(|config| config.batch.command);
        Ok(match (&self.solver, usual) {
            (Some(typed), _) => Command::from_line(typed),
            (None, Some(command)) => Ok(command),
            (None, None) => Command::from_line("./solver"),
        })
    }
}
