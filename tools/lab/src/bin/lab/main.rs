//! `lab`: strategies, articles, explanations, advice, pictures, proofs. Only this file and its neighbours
//! print or parse options.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

/// As `println!`, but an output that is full or closed is an error and not a panic.
macro_rules! out {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        anyhow::Context::context(writeln!(std::io::stdout(), $($text)*), "failed to write the output")?
    }};
}

mod advise;
mod args;
mod articles;
mod book;
mod explain;
mod exploit;
mod optimal;
mod parts;
mod played;
mod plot;
mod policy;
mod progress;
mod serve;
mod text;
mod verify;

fn main() -> ExitCode {
    match dispatch(args::Cli::parse()) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(cli: args::Cli) -> Result<ExitCode> {
    match cli.command {
        args::Command::Policy(args) => policy::run(&args),
        args::Command::Articles => articles::run(),
        args::Command::Explain(args) => explain::run(&args),
        args::Command::Advise(args) => advise::run(&args),
        args::Command::Exploit(args) => exploit::run(&args),
        args::Command::Plot(args) => plot::run(&args),
        args::Command::Optimal(args) => optimal::run(&args),
        args::Command::Book(args) => book::run(&args),
        args::Command::Verify(args) => verify::run(&args),
        args::Command::Serve(args) => serve::run(&args),
    }
}
