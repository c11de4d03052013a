//! Every command of `tester`, with the problem of this package.

use std::process::ExitCode;

use new_contest::problem::PROBLEM;

fn main() -> ExitCode {
    tester::main_with(&[&PROBLEM])
}
