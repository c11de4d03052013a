//! `ahc030`: every command of the judge, for AtCoder Heuristic Contest 030.

use std::process::ExitCode;

use ahc030::problem::AHC030;

fn main() -> ExitCode {
    tester::main_with(&[&AHC030])
}
