//! `tester` with the problem of `tester new` as its only one.

use std::process::ExitCode;

use new_contest::problem::PROBLEM;

fn main() -> ExitCode {
    tester::main_with(&[&PROBLEM])
}
