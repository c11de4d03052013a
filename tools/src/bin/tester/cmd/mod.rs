//! What each command does: a file for each.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::{Cli, Subcommand};

mod batch;
mod compare;
mod duel;
mod r#gen;
mod init;
mod judge;
mod merge;
mod merge_duel;
mod play;
mod report;
mod shard;
mod show;
mod single;
mod vis;

pub(crate) use init::read as read_config;

/// Runs the command that was typed.
pub(crate) fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        None => single::run(&cli.run),
        Some(Subcommand::Gen(args)) => r#gen::run(&args),
        Some(Subcommand::Judge(args)) => judge::run(&args),
        Some(Subcommand::Batch(args)) => batch::run(&args),
        Some(Subcommand::Init(args)) => init::init(&args),
        Some(Subcommand::Duel(args)) => duel::run(&args),
        Some(Subcommand::Merge(args)) => merge::run(&args),
        Some(Subcommand::History(args)) => show::history(&args),
        Some(Subcommand::Show(args)) => show::show(&args),
        Some(Subcommand::Compare(args)) => compare::run(&args),
        Some(Subcommand::Report(args)) => report::run(&args),
        Some(Subcommand::Play(args)) => play::run(&args),
        Some(Subcommand::Vis(args)) => vis::run(&args),
    }
}
