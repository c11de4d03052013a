//! `tester` with problems whose scores have decimals.

mod problem;

use std::process::ExitCode;

fn main() -> ExitCode {
    tester::main_with(&[&problem::FARE, &problem::PURSE, &problem::FORGED])
}
