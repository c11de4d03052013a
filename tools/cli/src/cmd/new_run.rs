//! From the options of a batch, or of a shard of one, to a run that can begin.

use std::time::SystemTime;

use anyhow::Result;
use tester_core::case::{LazyCase, Source};
use tester_core::problem::rng::{CaseRng, Seed};
use tester_core::run::executor::Executor;
use tester_core::store::{Kind, NewRun};
use tester_core::util::random_name::random_number;

use super::again;
use super::build::{build, check_before_compiling};
use super::cautions::tell_of_source;
use super::run_spec::spec;
use super::sandbox::{in_sandbox, private_folder};
use crate::args::Batch;

/// The number of cases, and their different opening lines.
type Checked = (usize, Vec<String>);

/// Refuses what needs no build to be refused, then runs the build lines of a batch or a shard. Returns when the last
/// one began, if there is one.
pub(super) fn prepare(args: &Batch) -> Result<Option<SystemTime>> {
    if let Some(word) = args.misplaced() {
        let word = word.display();
        say!("note: {word} comes after the program, so the program gets it");
    }
    // A run that is resumed has its own judge.
    if args.resume.is_none() {
        args.external()?;
    }
    args.check_program()?;
    let lines = args.external.build();
    // The cases of a run that is resumed are its own.
    if args.resume.is_none() {
        check_before_compiling(lines, args.program(), || {
            again::find(args).map(|(source, _)| source)
        })?;
    }
    build(lines)
}

/// The executor of a run on these cases, and what a check of them has found: their number and their openings.
pub(super) fn executor(args: &Batch, source: Source) -> Result<(Executor, Checked)> {
    let checked = source.check()?;
    tell_of_source(&source);
    let problem = source.first_of(&checked.1);
    let spec = spec(args, source, problem)?;
    let executor = Executor::new(spec.with_parameters_of(&checked.1))?;
    Ok((executor, checked))
}

/// The executor, in its sandbox, and the description of the run; the source was `checked`.
pub(super) fn new_run(
    args: &Batch,
    executor: Executor,
    checked: Checked,
) -> Result<(Executor, NewRun)> {
    let private = private_folder(&executor)?;
    let executor = in_sandbox(&args.limits, &args.run.kept, private.as_ref(), executor)?;
    let (planned, openings) = checked;
    let new = NewRun {
        kind: Kind::Batch,
        provenance: executor.provenance(),
        spec: executor.spec_with_files(),
        planned,
        problem: openings.join("; "),
        tag: args.run.kept.tag.clone(),
        comment: args.run.kept.comment.clone(),
    };
    Ok((executor, new))
}

/// The cases as they come, or shuffled.
pub(super) fn in_order(
    cases: Box<dyn Iterator<Item = LazyCase> + Send>,
    shuffle: bool,
) -> Box<dyn Iterator<Item = LazyCase> + Send> {
    if !shuffle {
        return cases;
    }
    let mut cases: Vec<LazyCase> = cases.collect();
    CaseRng::new(Seed(random_number())).shuffle(&mut cases);
    Box::new(cases.into_iter())
}
