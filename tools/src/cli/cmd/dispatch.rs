//! Which command was typed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use super::{
    attach, batch, best, compare, delete, doctor, duel, edit, generate, init, judge, merge,
    merge_duel, new_package, package, play, problems, report, shard, show, single, source, tune,
    vis, watch,
};
use crate::cli::args::{Cli, Single, Subcommand, similar_command};
use crate::cli::hint::with_hint;
use crate::util::tester_word::tester_word;

/// Runs the command that was typed.
pub(in crate::cli) fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        None => single::run(&cli.single).map_err(|error| guess_command(&cli.single, error)),
        Some(Subcommand::Gen(args)) => generate::run(&args),
        Some(Subcommand::Judge(args)) => judge::run(&args),
        Some(Subcommand::Attach(args)) => attach::run(&args),
        Some(Subcommand::Batch(args)) => match args.sharding.shard {
            None if args.watch => watch::run(&args),
            None => batch::run(&args),
            Some(part) => shard::run(&args, part),
        },
        Some(Subcommand::Init(args)) => init::run(&args),
        Some(Subcommand::New(args)) => new_package::run(&args),
        Some(Subcommand::Package(args)) => package::run(&args),
        Some(Subcommand::Duel(args)) => duel::run(&args),
        Some(Subcommand::Tune(args)) => tune::run(&args),
        Some(Subcommand::Merge(args)) => match args.against.is_empty() {
            true => merge::run(&args),
            false => merge_duel::run(&args),
        },
        Some(Subcommand::History(args)) => show::history(&args),
        Some(Subcommand::Show(args)) => show::show(&args),
        Some(Subcommand::Compare(args)) => compare::run(&args),
        Some(Subcommand::Source(args)) => source::source(&args),
        Some(Subcommand::Diff(args)) => source::diff(&args),
        Some(Subcommand::Edit(args)) => edit::run(&args),
        Some(Subcommand::Delete(args)) => delete::run(&args),
        Some(Subcommand::Best(args)) => best::run(&args),
        Some(Subcommand::Report(args)) => report::run(&args),
        Some(Subcommand::Play(args)) => play::run(&args),
        Some(Subcommand::Vis(args)) => vis::run(&args),
        Some(Subcommand::Problems(args)) => problems::run(&args),
        Some(Subcommand::Doctor(args)) => doctor::run(&args),
    }
}

/// A misspelt command is parsed as a program, which does not exist.
fn guess_command(args: &Single, error: anyhow::Error) -> anyhow::Error {
    let program = args.program();
    let word = program.program.to_string_lossy();
    match (program.check(), similar_command(&word)) {
        (Err(cause), Some(command)) if !word.contains('/') && !Path::new(&*word).exists() => {
            with_hint(
                cause.to_string(),
                format!("did you mean `{} {command}`?", tester_word()),
            )
        }
        _ => error,
    }
}
