//! `tester report`: runs from the history as a page.

use std::process::ExitCode;

use anyhow::{Context, Result};
use tools::files::create_page;
use tools::history::{History, Run};
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
    let runs = find_all(history, &args.runs)?;
    let report = gather(history, &runs, &tester_word(), false)?;
    let mut file = create_page(&args.to)?;
    page::write(&report, &mut file)
        .with_context(|| format!("failed to write {}", args.to.display()))?;
    file.finish()?;
    print(&format!("{}\n", args.to.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The runs that were asked for.
fn find_all(history: &History, words: &[String]) -> Result<Vec<Run>> {
    let best = |word: &String| args::Compare::asks_for_best(word);
    let anchor = words.iter().find(|word| !best(word));
    let anchor = history.find(anchor.map_or(tools::history::LAST, String::as_str))?;
    let find = |word: &String| match best(word) {
        true => history.best_on_cases_of(&anchor),
        false => history.find(word),
    };
    words.iter().map(|word| Ok(find(word)?)).collect()
}
