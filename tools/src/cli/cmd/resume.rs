//! Which unfinished run goes on, and whether it can: with the program and the cases with which it began.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, bail};

use super::again;
use super::run_spec::spec;
use crate::case::{CaseId, Digest};
use crate::cli::args::Batch;
use crate::cli::hint::with_hint;
use crate::judge::external::ExternalSpec;
use crate::run::executor::Executor;
use crate::stats::paired::CaseScore;
use crate::store::{History, Kind, Run, State};

/// How long a tester that was killed may seem to judge its run: its lock is held until the keepers of its namespaces have
/// ended.
const PATIENCE: Duration = Duration::from_secs(2);

/// The run that `--resume` means.
pub(super) fn find_unfinished(args: &Batch, word: &str) -> Result<Run> {
    let history = History::open_existing(&args.run.kept.history())?;
    args.check_resumption()?;
    let wanted = match args.names_what_is_judged() {
        false => None,
        true => {
            let source = again::source(args)?;
            let problem = source.problem()?;
            Some(spec(args, source, problem)?)
        }
    };
    let fits = |run: &Run| {
        wanted
            .as_ref()
            .is_none_or(|spec| spec.is_like(&run.about.spec))
    };
    if word.is_empty() {
        return Ok(history.unfinished(PATIENCE, fits)?);
    }
    let run = history.find_ended(PATIENCE, word)?;
    match run.state {
        State::Unfinished if run.about.kind == Kind::Duel => {
            let cause = format!("run {} is part of a duel, which cannot be resumed", run.id);
            Err(with_hint(cause, "hold the duel again"))
        }
        State::Unfinished if fits(&run) => Ok(run),
        State::Unfinished => Err(with_hint(
            format!(
                "run {} has other settings: {} on {}",
                run.id, run.about.spec.command, run.about.spec.source
            ),
            "--resume without the program and its options continues it with its own settings",
        )),
        State::Running => bail!("another process is judging run {}", run.id),
        State::Done => bail!("run {} is done: it has no case left to judge", run.id),
    }
}

/// Checks that program and cases are those with which the run began.
pub(super) fn same_program_and_cases(
    run: &Run,
    executor: &Executor,
    planned: usize,
    done: &[CaseScore],
) -> Result<()> {
    let (about, spec, source) = (&run.about, &run.about.spec, &run.about.spec.source);
    if executor.fingerprint() != about.provenance.fingerprint {
        bail!(
            "{} has changed since the run began: the program, or a file among its arguments",
            spec.command
        );
    }
    let files = executor.external_with_files().and_then(|now| now.files);
    let has_other_files =
        |external: &&ExternalSpec| external.files.is_some() && external.files != files;
    if let Some(external) = spec.external.as_ref().filter(has_other_files) {
        bail!(
            "a file in {:?} has changed since the run began",
            external.line
        );
    }
    if planned != about.planned {
        bail!(
            "expected {} cases in {source}, found {planned}",
            about.planned
        );
    }
    if !source.is_files() {
        return Ok(()); // a seed's case never changes
    }
    let mut missing: BTreeMap<CaseId, Digest> = done.iter().map(|s| (s.id, s.digest)).collect();
    for case in source.tickets()? {
        if let Some(known) = missing.remove(&case.id)
            && case.open()?.key.digest != known
        {
            bail!("case {} has changed since it was judged", case.id);
        }
    }
    match missing.keys().next() {
        None => Ok(()),
        Some(id) => bail!("case {id} was judged, but is no longer in {source}"),
    }
}
