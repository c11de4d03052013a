//! `tester report`: runs from the history as a page.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tools::files::create_page;
use tools::history::History;
use tools::report::gather::gather;
use tools::report::page::runs as page;

use crate::args;
use crate::rerun::tester_word;
use crate::show::print;

pub(crate) fn run(args: &args::Report) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    history.at_one_moment(|history| write_report(history, args))
}

fn write_report(history: &History, args: &args::Report) -> Result<ExitCode> {
    let runs = history.find_all(&args.runs)?;
    let report = gather(history, &runs, &tester_word(), false)?;
    let mut file = create_page(&args.to)?;
    page::write(&report, &mut file)
        .with_context(|| format!("failed to write {}", args.to.display()))?;
    file.finish()?;
    print(&format!("{}\n", args.to.display()))?;
    Ok(ExitCode::SUCCESS)
}
