//! `tester report`: runs from the history as a page.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::report::model::Report;
use tester_core::report::page::report as page;
use tester_core::store::History;
use tester_core::util::atomic_file::create_page;
use tester_core::util::tester_word::tester_word;

use crate::args;
use crate::print::print;

pub(crate) fn run(args: &args::Report) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    history.with_snapshot(|history| write_report(history, args))
}

fn write_report(history: &History, args: &args::Report) -> Result<ExitCode> {
    let runs = history.find_all(&args.runs)?;
    let report = Report::from_history(history, &runs, &tester_word(), false)?;
    let mut file = create_page(&args.to)?;
    page::write(&report, &mut file)
        .with_context(|| format!("failed to write {}", args.to.display()))?;
    file.finish()?;
    print(&format!("{}\n", args.to.display()))?;
    Ok(ExitCode::SUCCESS)
}
