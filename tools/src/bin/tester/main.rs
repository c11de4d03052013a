//! `tester`: generates cases, judges contestants, prints tables. Only this file and its neighbours
//! print or parse options; everything else is in the library.

use std::process::ExitCode;

/// As `eprintln!`, but a closed standard error is no failure, and what a terminal would obey is escaped.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let text = format!($($text)*) + "\n";
        let _ = std::io::stderr().write_all(tester::util::quote::printable(&text).as_bytes());
    }};
}

mod cli;
mod cmd;
mod exit;
mod hint;
mod terminal;

fn main() -> ExitCode {
    tester::process::stage::run_if_asked();
    let done = cli::Cli::read().and_then(cmd::dispatch);
    // A command that fails may have opened a namespace or made a cgroup, and used neither.
    tester::process::Containment::close();
    match done {
        Ok(status) => status,
        Err(error) => match error.downcast_ref() {
            // Everything is cleared away. Ending by the signal itself tells a shell to end its loop.
            Some(&terminal::interrupt::Interrupted(signal)) => {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                ExitCode::from(exit::OUR_FAULT)
            }
            None => {
                note!("tester: {error:#}");
                if let Some(hint) = hint::hint_of(&error) {
                    note!("hint: {hint}");
                }
                ExitCode::from(exit::OUR_FAULT)
            }
        },
    }
}
