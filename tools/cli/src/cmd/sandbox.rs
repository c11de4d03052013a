//! The sandbox of commands that judge, and what it hides.

use std::path::PathBuf;

use anyhow::Result;
use tester_core::process::Command;
use tester_core::process::sandbox::{PrivateFolder, Sandbox};
use tester_core::run::executor::Executor;
use tester_core::util::atomic_file::folder_of;

use crate::args::{KeptArgs, LimitArgs};

/// Makes the sandbox, and describes it on standard error. An interactor has files in a private folder.
pub(super) fn sandbox(
    program: &Command,
    hidden: &[PathBuf],
    private: Option<PrivateFolder>,
) -> Result<Sandbox> {
    let sandbox = Sandbox::find(program, hidden, private)?;
    note!("{}", sandbox.describe());
    Ok(sandbox)
}

/// A folder for the files of an interactor, where one judges programs in a sandbox.
pub(super) fn private_folder(executor: &Executor) -> Result<Option<PrivateFolder>> {
    let spec = executor.spec();
    let external = spec.external.as_ref().filter(|_| spec.sandbox.is_some());
    let has_interactor = external.is_some_and(|external| external.contract.is_some());
    Ok(has_interactor.then(PrivateFolder::new).transpose()?)
}

/// The same executor in a sandbox, if the options ask for one; the sandbox hides cases, outputs and history.
pub(super) fn in_sandbox(
    limits: &LimitArgs,
    kept: &KeptArgs,
    private: Option<&PrivateFolder>,
    executor: Executor,
) -> Result<Executor> {
    let containment = limits.containment().available();
    let executor = executor.with_containment(containment);
    if executor.spec().sandbox.is_none() {
        return Ok(executor);
    }
    let cases = executor.spec().source.files()?;
    // Both the paths as they were typed and the paths to which links lead.
    let real = cases
        .iter()
        .filter_map(|file| file.path.canonicalize().ok());
    let paths = cases.iter().map(|file| file.path.clone()).chain(real);
    let folders = paths.map(|path| folder_of(&path).to_owned());
    let mut hidden: Vec<PathBuf> = folders.collect();
    hidden.sort();
    hidden.dedup();
    hidden.extend(usual_folders());
    hidden.extend(hidden_of_run(kept));
    hidden.push(executor.spec().out.clone()); // the folder of a resumed run
    let sandbox = sandbox(&executor.spec().command, &hidden, private.cloned())?;
    Ok(executor.with_sandbox(sandbox))
}

/// What a sandbox always hides: the usual folders of cases, whose numbers may be the seeds that are played, and of
/// outputs, which may be those of other runs on the same cases.
pub(super) fn usual_folders() -> impl Iterator<Item = PathBuf> {
    ["in", "out", "tools/in", "tools/out"]
        .into_iter()
        .map(PathBuf::from)
}

/// Outputs and history.
fn hidden_of_run(args: &KeptArgs) -> Vec<PathBuf> {
    let history = args.history();
    let beside = |suffix: &str| {
        let mut name = history.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    vec![
        args.out().to_owned(),
        beside(""),
        beside("-wal"),
        beside("-shm"),
        beside("-lock"),
    ]
}
