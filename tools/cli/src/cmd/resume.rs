//! Which unfinished run goes on, and whether it can: with the program and the cases with which it began.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use tester_core::case::{CaseId, Digest};
use tester_core::judge::external::ExternalSpec;
use tester_core::process::Command;
use tester_core::process::program::virtual_machine::unnamed_files;
use tester_core::run::executor::Executor;
use tester_core::run::program_source::SourceFile;
use tester_core::stats::paired::CaseScore;
use tester_core::store::{History, Kind, Run, State};
use tester_core::util::regular_file::read_regular;

use super::again;
use super::run_spec::spec;
use crate::args::Batch;
use crate::hint::with_hint;

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
                "run {} has other settings: {} on {:#}",
                run.id, run.about.spec.command, run.about.spec.source
            ),
            "--resume without the program and its options continues it with its own settings",
        )),
        State::Running => bail!("another process is judging run {}", run.id),
        State::Done => bail!("run {} is done: it has no case left to judge", run.id),
    }
}

/// Which of the files of a command may have changed since its run began, with the source files that were kept of it.
/// Of other files, only one hash for all is known.
fn program_change(command: &Command, source_files: &[SourceFile]) -> String {
    let kept = |path: &PathBuf| {
        let whole = std::path::absolute(path).ok();
        let is_same = |file: &&SourceFile| std::path::absolute(&file.path).ok() == whole;
        source_files.iter().find(is_same)
    };
    let program = command.find().ok();
    let arguments = command.args.iter().map(PathBuf::from);
    // A file may have been removed.
    let arguments = arguments.filter(|path| path.is_file() || looks_like_file(path));
    let named: Vec<PathBuf> = program
        .iter()
        .cloned()
        .chain(arguments)
        .chain(unnamed_files(command))
        .collect();
    let (known, unknown): (Vec<_>, Vec<_>) = named.iter().partition(|path| kept(path).is_some());
    let is_other =
        |path: &&PathBuf| kept(path).map(|file| &file.content) != read_regular(path).ok().as_ref();
    let changed: Vec<&PathBuf> = known.into_iter().filter(is_other).collect();
    let list = |paths: &[&PathBuf]| {
        let paths = paths.iter().map(|path| path.display().to_string());
        paths.collect::<Vec<_>>().join(", ")
    };
    match (&changed[..], &unknown[..]) {
        ([_, ..], _) => format!("{} has changed since the run began", list(&changed)),
        ([], [path]) if Some(*path) == program.as_ref() => {
            let name = command.program.display();
            let found = match path.as_os_str() == command.program {
                true => String::new(),
                false => format!(": it is found at {} now", path.display()),
            };
            format!("{name} is another program than when the run began{found}")
        }
        ([], [path]) => format!("{} has changed since the run began", path.display()),
        ([], []) => format!("{command} has changed since the run began"),
        ([], _) => format!(
            "{command} has changed since the run began: at least one of {}",
            list(&unknown)
        ),
    }
}

/// Whether a word has a suffix, and is no number such as `0.5`.
fn looks_like_file(word: &Path) -> bool {
    let is_number = word
        .to_str()
        .is_some_and(|text| text.parse::<f64>().is_ok());
    word.extension().is_some() && !is_number
}

/// Checks that program and cases are those with which the run began.
pub(super) fn same_program_and_cases(
    run: &Run,
    executor: &Executor,
    planned: usize,
    (done, source_files): (&[CaseScore], &[SourceFile]),
) -> Result<()> {
    let (about, spec, source) = (&run.about, &run.about.spec, &run.about.spec.source);
    if executor.fingerprint() != about.provenance.fingerprint {
        bail!(program_change(&spec.command, source_files));
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
