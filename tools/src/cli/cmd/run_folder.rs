//! The history and the folders of a run: opened, named, and shown at its end.

use std::path::PathBuf;

use anyhow::Result;

use crate::cli::args::KeptArgs;
use crate::run::executor::Executor;
use crate::run::outputs::copy_outputs;
use crate::store::{History, RunId};
use crate::util::atomic_file;

/// Opens the folder of the outputs and the history; afterwards both are known to be writable.
pub(super) fn open(args: &KeptArgs, executor: &Executor) -> Result<History> {
    executor.prepare()?;
    let path = args.history();
    atomic_file::make_dir(atomic_file::folder_of(&path))?;
    let mut history = History::open(&path)?;
    history.mark_crashed()?;
    Ok(history)
}

/// The executor with the run's folder, under a name that contestants cannot guess if they could look for it.
pub(super) fn in_folder(
    executor: Executor,
    history: &mut History,
    run: RunId,
    folder: PathBuf,
) -> Result<Executor> {
    let folder = match executor.must_conceal() {
        true => history.conceal(run)?,
        false => folder,
    };
    Ok(executor.with_folder(folder))
}

/// What [`in_folder`] has put off to the end of the run: the usual name of the folder, and copies of the outputs.
pub(super) fn reveal(executor: &Executor, history: &mut History, run: RunId) -> Result<()> {
    if executor.must_conceal() {
        let folder = history.reveal(run)?;
        copy_outputs(&folder, &executor.spec().out)?;
    }
    Ok(())
}
