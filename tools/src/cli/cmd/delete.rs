//! `tester delete`: removes past runs with everything that is kept of them.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::args;
use crate::cli::cmd::show::print;
use crate::store::{History, HistoryError, Run, near};

pub(crate) fn run(args: &args::Delete) -> Result<ExitCode> {
    let mut history = History::open_to_change(&args.file.path)?;
    let runs = args.runs.iter().map(|word| history.find(word));
    let mut runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    runs.sort_by_key(|run| run.id);
    runs.dedup_by_key(|run| run.id);
    let frozen = frozen(&history, &runs)?;
    let stay = history.delete(&runs)?;
    let deleted: String = runs.iter().map(line).collect();
    print(&(deleted + &frozen))?;
    for path in stay {
        say!(
            "{} stays: other files are in it, or it cannot be removed",
            near(&path).display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// What is said of a deleted run.
fn line(run: &Run) -> String {
    let cases = match run.judged {
        1 => "1 case".to_owned(),
        judged => format!("{judged} cases"),
    };
    let folder = run.folder.as_ref();
    let folder = folder.map(|folder| format!(", {}", near(folder).display()));
    let folder = folder.unwrap_or_default();
    let command = &run.about.spec.command;
    format!("deleted run {}, {cases}{folder}: {command}\n", run.title())
}

/// A line for each problem of these runs that has frozen best scores.
fn frozen(history: &History, runs: &[Run]) -> Result<String, HistoryError> {
    let mut lines: Vec<String> = Vec::new();
    let file = history.best_file_in_use();
    for run in runs {
        let problem = &run.about.problem;
        let count = history.frozen_best(problem, run.scoring())?.count();
        let line = format!(
            "the best scores of {count} cases of {problem} stay frozen in {}\n",
            file.display()
        );
        if count > 0 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(lines.concat())
}
