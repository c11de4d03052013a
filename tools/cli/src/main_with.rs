//! The whole program, with any list of problems.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use tester_core::case::CaseInProgress;
use tester_core::problem::{Problem, use_problems};
use tester_core::process::{Containment, stage};
use tester_core::store;
use tester_core::util::tester_word::call_this_process_tester;

use super::args::Cli;
use super::ending_error::print_error;
use super::terminal::interrupt::{Interrupted, hear_of_children, outlive_file_size_limit};
use super::{cmd, exit};

/// Says in a terminal why nothing happens, in the place of the progress line.
fn tell_wait(most: Duration) {
    let stderr = std::io::stderr();
    if stderr.is_terminal() {
        let _ = (&stderr).write_all(b"\r\x1b[2K");
        let most = most.as_secs();
        say!("the history is locked by another process: waiting for it, at most {most} s");
    }
}

/// Says after a panic which case was judged: one alone is soon looked into. The code of a problem may be at fault, too.
fn name_case_on_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        if let Some(case) = CaseInProgress::of_this_thread() {
            say!(
                "this was in {case}, in the code of the problem or of the judge, not in the program"
            );
        }
    }));
}

/// The whole program `tester`, with these problems instead of its own: `main` of a package that brings a problem.
///
/// Every command works with them. The first problem of the list is the one that is used unless you name another.
/// Messages call the program as it was called.
pub fn main_with(problems: &[&'static dyn Problem]) -> ExitCode {
    stage::run_if_asked();
    outlive_file_size_limit();
    hear_of_children();
    call_this_process_tester();
    name_case_on_panic();
    store::tell_waits(tell_wait);
    let problems = use_problems(problems).map_err(anyhow::Error::from);
    let done = problems.and_then(|()| Cli::read()).and_then(cmd::dispatch);
    // A command that fails may have opened a namespace or made a cgroup, and used neither.
    Containment::close();
    match done {
        Ok(status) => status,
        Err(error) => match error.downcast_ref() {
            // Everything is cleared away. Ending by the signal itself tells a shell to end its loop.
            Some(&Interrupted(signal)) => {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                ExitCode::from(exit::OUR_FAULT)
            }
            None => {
                print_error(&error);
                ExitCode::from(exit::OUR_FAULT)
            }
        },
    }
}
