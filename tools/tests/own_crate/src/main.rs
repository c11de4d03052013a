//! `tester` with the worked example of `docs/adding-a-problem.md` as its only problem.

use std::process::ExitCode;

#[path = "../../../../docs/adding-a-problem/leak.rs"]
mod leak;

fn main() -> ExitCode {
    tester::main_with(&[&leak::LEAK])
}
