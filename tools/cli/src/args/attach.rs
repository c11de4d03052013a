//! `tester attach`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};
use tester_core::case::Source;
use tester_core::judge::external::ExternalSpec;
use tester_core::judge::verdict::Limits;
use tester_core::problem::default_problem;
use tester_core::process::Command;

use super::config::ConfigArgs;
use super::contest_folder::ContestFolder;
use super::contest_settings::ContestSettings;
use super::single::command;
use super::values::seed;
use crate::hint::with_hint;

const ATTACH_EXAMPLES: &str = "\
Examples:
  {tester} attach in/0000.txt                         says what to type
  {tester} attach --seed 3 --problem \"{other}\"
  {tester} attach in/0000.txt -- ./debug/solver --verbose
  {tester} attach 7                                   case 0007
  {tester} attach in/0000.txt /tmp/pipes --once

It makes two pipes with names (FIFOs), prints the commands for gdb, lldb and VS Code, and waits. You start the program yourself. Where tester.toml names a contest's tester, that judges. \
There is no time limit: a breakpoint is no timeout. Both sides are printed on standard output, a line each: > the \
judge's, < the program's, ! a remark. When the program has ended, you can run it again on the same case. Ctrl-C ends \
this and removes the pipes. It builds nothing: build the program with debug information first.

Exit status: with --once, 0 for AC and 1 for any other verdict; 2 if the case could not be judged.";

#[derive(Args)]
#[command(group(ArgGroup::new("which").args(["case", "seed"]).required(true).multiple(true)))]
#[command(after_help = ATTACH_EXAMPLES)]
pub(crate) struct Attach {
    /// The case: its file, or its number
    #[arg(value_name = "CASE")]
    pub(crate) case: Option<PathBuf>,
    /// The folder for the pipes; made if it does not exist
    #[arg(value_name = "DIR", default_value = FOLDER)]
    pub(crate) folder: PathBuf,
    /// The case of this seed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Problem and parameters of the seed; see `{tester} problems`
    #[arg(long, value_name = "PROBLEM", default_value = default_problem(), requires = "seed")]
    pub(crate) problem: String,
    /// End after the program has ended once
    #[arg(long)]
    pub(crate) once: bool,
    /// The program and its arguments, for the commands that are printed [default: that of tester.toml, or ./solver]
    #[arg(value_name = "PROGRAM", last = true)]
    words: Vec<OsString>,
    #[command(flatten)]
    config: ConfigArgs,
}

/// The usual folder of the pipes.
const FOLDER: &str = "out/attach";

/// What `tester.toml` and the command line say together.
pub(crate) struct AttachSettings {
    /// The contest's own tester, if there is one.
    pub(crate) external: Option<ExternalSpec>,
    /// Where a case with a number is looked for.
    pub(crate) cases: Source,
    /// The program to be started by hand.
    pub(crate) program: Command,
    /// How much memory the contest's tester may use, in KiB.
    pub(crate) memory_kib: u64,
}

impl Attach {
    /// Takes the settings of the contest's folder, from below it too.
    ///
    /// # Errors
    /// If a case was typed beside a seed, or the folder may not be entered.
    pub(super) fn enter_folder(&mut self) -> anyhow::Result<()> {
        self.take_folder_after_seed()?;
        let Some(folder) = self.config.folder() else {
            return Ok(());
        };
        if let Some(case) = &mut self.case {
            folder.case(case);
        }
        folder.unless_usual(&mut self.folder, FOLDER);
        folder.command(&mut self.words);
        folder.enter()
    }

    /// After a seed, the first word is the folder for the pipes, as after a case the second.
    fn take_folder_after_seed(&mut self) -> anyhow::Result<()> {
        let word = self.case.take_if(|_| self.seed.is_some());
        let Some(word) = word else { return Ok(()) };
        let is_case = word.is_file() || ContestFolder::is_number(&word);
        let has_folder = self.folder != Path::new(FOLDER);
        anyhow::ensure!(
            !is_case && !has_folder,
            "--seed cannot be used with a case, {}",
            word.display()
        );
        self.folder = word;
        Ok(())
    }

    /// Looks into `tester.toml`.
    ///
    /// # Errors
    /// If the file cannot be understood, or does not fit what was typed.
    pub(crate) fn settings(&self) -> anyhow::Result<AttachSettings> {
        let config = self.config.read()?.map(|(_, config)| config);
        let judge = config.as_ref().and_then(|config| config.judge.as_ref());
        if judge.is_some_and(|judge| judge.interactor.is_some()) {
            return Err(with_hint(
                "attach cannot be used where tester.toml names an interactor",
                "start the program and the interactor yourself, or ignore the file: --no-config",
            ));
        }
        let contest = ContestSettings::new(config)?;
        if contest.external.is_some() && self.seed.is_some() {
            return Err(with_hint(
                "--seed cannot be used where tester.toml names another judge",
                "name a case, or ignore the file: --no-config",
            ));
        }
        let usual = || command(&["./solver".into()]);
        Ok(AttachSettings {
            external: contest.external,
            cases: contest.cases,
            program: match self.words.is_empty() {
                true => contest.program.unwrap_or_else(usual),
                false => command(&self.words),
            },
            memory_kib: contest.limits.memory_kib,
        })
    }
}

impl AttachSettings {
    /// What a case may use: any time.
    pub(crate) fn limits(&self, usual: Limits) -> Limits {
        Limits {
            time: Duration::from_secs(365 * 24 * 3600),
            memory_kib: self.memory_kib,
            ..usual
        }
    }
}
