//! The history and the folders of a run: opened, named, and shown at its end.

use std::path::PathBuf;

use anyhow::Result;
use tester_core::run::executor::Executor;
use tester_core::run::outputs::copy_outputs;
use tester_core::store::{History, RunId};
use tester_core::util::atomic_file::{folder_of, make_dir};
use tester_core::util::output_dir::make_output_dir;

use crate::args::KeptArgs;

/// Opens the folder of the outputs and the history; afterwards both are known to be writable.
pub(super) fn open(args: &KeptArgs, executor: &Executor) -> Result<History> {
    executor.prepare()?;
    make_folder_of_history(args)?;
    let mut history = History::open(&args.history())?;
    history.mark_crashed()?;
    Ok(history)
}

/// Makes the folder of the history if it is missing. Git sees a history that was typed: it may be there to be committed.
pub(super) fn make_folder_of_history(args: &KeptArgs) -> Result<()> {
    match args.named_history() {
        Some(typed) => make_dir(folder_of(typed))?,
        None => make_output_dir(folder_of(&args.history()))?,
    }
    Ok(())
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
