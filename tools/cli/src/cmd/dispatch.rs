//! Which command was typed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use tester_core::util::tester_word::tester_word;

use super::{
    attach, batch, best, compare, delete, doctor, duel, edit, generate, init, judge, merge,
    merge_duel, new_package, package, play, problems, report, shard, show, single, source, tune,
    vis, watch,
};
use crate::args::{Cli, Late, Single, Subcommand, similar_command};
use crate::hint::with_hint;

/// Runs the command that was typed.
pub(crate) fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        None => single::run(&cli.single).map_err(|error| guess_command(&cli.single, error)),
        Some(Subcommand::Gen(Late(args))) => generate::run(&args),
        Some(Subcommand::Judge(Late(args))) => judge::run(&args),
        Some(Subcommand::Attach(Late(args))) => attach::run(&args),
        Some(Subcommand::Batch(Late(args))) => match args.sharding.shard {
            None if args.watch => watch::run(&args),
            None => batch::run(&args),
            Some(part) => shard::run(&args, part),
        },
        Some(Subcommand::Init(Late(args))) => init::run(&args),
        Some(Subcommand::New(Late(args))) => new_package::run(&args),
        Some(Subcommand::Package(Late(args))) => package::run(&args),
        Some(Subcommand::Duel(Late(args))) => duel::run(&args),
        Some(Subcommand::Tune(Late(args))) => tune::run(&args),
        Some(Subcommand::Merge(Late(args))) => match args.against.is_empty() {
            true => merge::run(&args),
            false => merge_duel::run(&args),
        },
        Some(Subcommand::History(Late(args))) => show::history(&args),
        Some(Subcommand::Show(Late(args))) => show::show(&args),
        Some(Subcommand::Compare(Late(args))) => compare::run(&args),
        Some(Subcommand::Source(Late(args))) => source::source(&args),
        Some(Subcommand::Diff(Late(args))) => source::diff(&args),
        Some(Subcommand::Edit(Late(args))) => edit::run(&args),
        Some(Subcommand::Delete(Late(args))) => delete::run(&args),
        Some(Subcommand::Best(Late(args))) => best::run(&args),
        Some(Subcommand::Report(Late(args))) => report::run(&args),
        Some(Subcommand::Play(Late(args))) => play::run(&args),
        Some(Subcommand::Vis(Late(args))) => vis::run(&args),
        Some(Subcommand::Problems(Late(args))) => problems::run(&args),
        Some(Subcommand::Doctor(Late(args))) => doctor::run(&args),
    }
}

/// A misspelt command is parsed as a program, which does not exist.
fn guess_command(args: &Single, error: anyhow::Error) -> anyhow::Error {
    let program = args.program();
    let word = program.program.to_string_lossy();
    match (program.find(), similar_command(&word)) {
        (Err(cause), Some(command)) if !word.contains('/') && !Path::new(&*word).exists() => {
            with_hint(
                cause.to_string(),
                format!("did you mean `{} {command}`?", tester_word()),
            )
        }
        _ => error,
    }
}
