//! `ahc022`: every command of the judge, for AtCoder Heuristic Contest 022.

use std::process::ExitCode;

use ahc022::problem::AHC022;

fn main() -> ExitCode {
    tester::main_with(&[&AHC022])
}
