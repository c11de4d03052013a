//! What a run is, from the options of `tester batch` and the like.

use std::num::NonZeroUsize;

use anyhow::Result;
use tester_core::case::Source;
use tester_core::judge::external::ExternalSpec;
use tester_core::problem::{Measure, Problem, Scoring};
use tester_core::process::Command;
use tester_core::run::config::Jobs;
use tester_core::run::spec::RunSpec;

use crate::args::{Batch, LimitArgs, RunArgs};

/// The specification of a run, from the options.
pub(crate) fn spec(
    args: &Batch,
    source: Source,
    problem: Option<&'static dyn Problem>,
) -> Result<RunSpec> {
    let external = args.external()?;
    let shell = |external: &ExternalSpec| Command::shell(external.line.clone());
    // If there is no program, the external judge's line is what is judged.
    let alone = external.as_ref().map(shell);
    let command = args.program().or(alone);
    let command = command.expect("required by the parser");
    Ok(RunSpec {
        external,
        scale_time_limit_ms: args.sharding.scale_time_limit,
        transcripts: args.transcripts,
        ..common(&args.limits, &args.run, args.by, problem, command, source)
    })
}

/// What batches and duels have in common.
pub(super) fn common(
    limits: &LimitArgs,
    run: &RunArgs,
    by: Option<Measure>,
    problem: Option<&'static dyn Problem>,
    command: Command,
    source: Source,
) -> RunSpec {
    RunSpec {
        scoring: problem.map_or_else(Scoring::default, Scoring::from_problem),
        measure: by.unwrap_or_default(),
        limits: limits.limits(problem),
        jobs: run.jobs.map_or_else(physical_cores, Jobs::get),
        sandbox: limits.sandbox.then(String::new),
        out: run.kept.out().to_owned(),
        ..RunSpec::new(command, source)
    }
}

/// Two programs on one physical core disturb each other's times.
pub(crate) fn physical_cores() -> NonZeroUsize {
    let usable = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(num_cpus::get_physical().min(usable)).unwrap_or(NonZeroUsize::MIN)
}
