//! `tester gen`: seeds to case files.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::case::{seeds_of_file, seeds_of_range, write_cases};
use tester_core::problem::{Spec, default_problem};
use tester_core::util::count::case_count;

use crate::args::Gen;
use crate::cmd::cautions::tell_other_gen;

pub(crate) fn run(args: &Gen) -> Result<ExitCode> {
    let spec = Spec::parse(&args.problem).context("failed to understand --problem")?;
    let seeds = match (&args.seeds, &args.seeds_file) {
        (Some(range), _) => seeds_of_range(range.clone()),
        (None, Some(path)) => seeds_of_file(path)?,
        (None, None) => unreachable!("clap requires one of the two"),
    };
    let done = write_cases(&args.dir, &spec, &seeds, args.force)?;
    note!(
        "{}: {} of {:?}: {} written, {} there already",
        args.dir.display(),
        case_count(seeds.len()),
        args.problem,
        done.written,
        done.unchanged
    );
    if args.problem == default_problem() {
        tell_other_gen(&args.problem);
    }
    Ok(ExitCode::SUCCESS)
}
