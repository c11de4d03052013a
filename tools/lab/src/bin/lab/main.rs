//! `lab`: strategies, articles, explanations, advice, pictures, proofs.
//!
//! `cli` is what you type, `cmd` has a file for each command, `terminal` has tables, bars and progress. Only these
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

mod cli;
mod cmd;
mod terminal;

fn main() -> ExitCode {
    let shown = match cli::Cli::try_parse() {
        Ok(cli) => dispatch(cli),
        Err(usage) if usage.use_stderr() => {
            let _ = usage.print();
            unquoted_problem();
            return ExitCode::from(2);
        }
        Err(help) => print_help(&help),
    };
    match shown {
        Ok(status) => status,
        // `| head` has read what it wanted.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("lab: {error:#}"));
            if unquoted_problem() {
                return ExitCode::from(2);
            }
            if let Some(hint) = terminal::hint::hint_of(&error) {
                note(&format!("hint: {hint}"));
            }
            ExitCode::from(2)
        }
    }
}

/// Prints a help text or the version. clap's own `exit` would not say that the output is full.
fn print_help(help: &clap::Error) -> Result<ExitCode> {
    use std::io::Write as _;
    let written = help.print().and_then(|()| std::io::stdout().flush());
    anyhow::Context::context(written, "failed to write the output")?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the output is no longer read.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        let error = cause.downcast_ref::<std::io::Error>();
        error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    };
    error.chain().any(closed)
}

/// Says that a problem is one argument, if one was typed as several; whether it said so.
fn unquoted_problem() -> bool {
    // The name of the program is none of a problem.
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let hint = terminal::hint::unquoted_problem(&words);
    hint.iter().for_each(|hint| note(&format!("hint: {hint}")));
    hint.is_some()
}

/// Prints a line on standard error; what a terminal would obey is escaped.
fn note(text: &str) {
    eprintln!("{}", tester::util::quote::printable(text));
}

fn dispatch(cli: cli::Cli) -> Result<ExitCode> {
    use cli::Command;
    match cli.command {
        Command::Policy(args) => cmd::policy::run(&args),
        Command::Compare(args) => cmd::compare::run(&args),
        Command::Articles(args) => cmd::articles::run(&args),
        Command::Bayes(args) => cmd::bayes::run(&args),
        Command::Entropy(args) => cmd::entropy::run(&args),
        Command::Explain(args) => cmd::explain::run(&args),
        Command::Advise(args) => cmd::advise::run(&args),
        Command::Exploit(args) => cmd::exploit::run(&args),
        Command::PriorCost(args) => cmd::prior_cost::run(&args),
        Command::Bound(args) => cmd::bound::run(&args),
        Command::Plot(args) => cmd::plot::run(&args),
        Command::Liar(args) => cmd::liar::run(&args),
        Command::Oil(args) => cmd::oil::run(&args),
        Command::Optimal(args) => cmd::optimal::run(&args),
        Command::Book(args) => cmd::book::run(&args),
        Command::Verify(args) => cmd::verify::run(&args),
        Command::Race(args) => cmd::race::run(&args),
        Command::Value(args) => cmd::value::run(&args),
        Command::Loss(args) => cmd::loss::run(&args),
        Command::Bounds(args) => cmd::bounds::run(&args),
        Command::Serve(args) => cmd::serve::run(&args),
    }
}
