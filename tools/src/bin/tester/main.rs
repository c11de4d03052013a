//! `tester`: generates cases, judges contestants, prints tables. Only this file and its neighbours
//! print or parse options; everything else is in the library.

use std::process::ExitCode;

use anyhow::Result;

/// As `eprintln!`, but nobody need be there to read it.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod args;
mod batch;
mod compare;
mod config;
mod duel;
mod r#gen;
mod hide_argv;
mod interrupt;
mod interruptible_writer;
mod judge;
mod merge;
mod merge_duel;
mod play;
mod progress;
mod report;
mod rerun;
mod run;
mod shard;
mod show;
mod vis;

/// The exit status for a usage error, an unreadable case, a contestant that cannot be started, or
/// our own fault.
const OUR_FAULT: u8 = 2;

fn main() -> ExitCode {
    match args::Cli::of_words().and_then(dispatch) {
        Ok(status) => status,
        Err(error) => match error.downcast_ref() {
            // Everything is cleared away. Ending by the signal itself tells a shell to end its loop.
            Some(&interrupt::Interrupted(signal)) => {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                ExitCode::from(OUR_FAULT)
            }
            None => {
                note!("tester: {error:#}");
                ExitCode::from(OUR_FAULT)
            }
        },
    }
}

fn dispatch(cli: args::Cli) -> Result<ExitCode> {
    match cli.command {
        None => run::run(&cli.run),
        Some(args::Subcommand::Gen(args)) => r#gen::run(&args),
        Some(args::Subcommand::Judge(args)) => judge::run(&args),
        Some(args::Subcommand::Batch(args)) => batch::run(&args),
        Some(args::Subcommand::Init(args)) => config::init(&args),
        Some(args::Subcommand::Duel(args)) => duel::run(&args),
        Some(args::Subcommand::Merge(args)) => merge::run(&args),
        Some(args::Subcommand::History(args)) => show::history(&args),
        Some(args::Subcommand::Show(args)) => show::show(&args),
        Some(args::Subcommand::Compare(args)) => compare::run(&args),
        Some(args::Subcommand::Report(args)) => report::run(&args),
        Some(args::Subcommand::Play(args)) => play::run(&args),
        Some(args::Subcommand::Vis(args)) => vis::run(&args),
    }
}
