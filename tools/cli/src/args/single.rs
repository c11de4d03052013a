//! `tester PROGRAM`: one case.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use tester_core::judge::external::ExternalSpec;
use tester_core::process::Command;

use super::interactor::InteractorArgs;
use super::limits::LimitArgs;
use super::scores::ScoreArgs;
use super::values::seed;

/// What was typed when no subcommand was.
#[derive(Args, Default)]
pub(crate) struct Single {
    /// The program to judge, and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    pub(super) words: Vec<OsString>,
    /// Judge the case of this seed instead of the one on standard input
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = seed,
        conflicts_with = "interactor"
    )]
    pub(crate) seed: Option<u64>,
    /// Problem and parameters of the seed; see `{tester} problems` [default: {problem}]
    #[arg(long, value_name = "PROBLEM", requires = "seed")]
    pub(crate) problem: Option<String>,
    /// Write both sides of the session to FILE, a line each, with times
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Exit with status 1 unless the verdict is AC
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(super) interactor: InteractorArgs,
    #[command(flatten)]
    pub(super) scores: ScoreArgs,
}

impl Single {
    pub(crate) fn program(&self) -> Command {
        command(&self.words)
    }

    /// The interactor that judges, if one does.
    ///
    /// # Errors
    /// If options for an interactor were typed without one.
    pub(crate) fn interactor(&self) -> anyhow::Result<Option<ExternalSpec>> {
        if let Some(spec) = self.interactor.spec()? {
            return self.scores.applied(spec).map(Some);
        }
        match self.scores.given().into_iter().find(|(_, given)| *given) {
            None => Ok(None),
            Some((option, _)) => anyhow::bail!("{option} cannot be used without --interactor"),
        }
    }
}

/// A program and its arguments; there is at least one word.
pub(super) fn command(words: &[OsString]) -> Command {
    let (program, args) = words.split_first().expect("clap requires a program");
    Command {
        program: program.clone(),
        args: args.to_vec(),
    }
}
