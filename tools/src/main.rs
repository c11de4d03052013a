//! `tester`: the judge with its own problems.

use std::process::ExitCode;

fn main() -> ExitCode {
    tester::main_with(tester::problem::BUILT_IN)
}
