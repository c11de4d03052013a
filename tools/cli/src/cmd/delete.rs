//! `tester delete`: removes past runs with everything that is kept of them.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use tester_core::store::{History, HistoryError, Run, near};
use tester_core::util::count::case_count;

use crate::args;
use crate::print::print;
use crate::terminal::progress::DeleteProgress;

pub(crate) fn run(args: &args::Delete) -> Result<ExitCode> {
    let mut history = History::open_to_change(&args.file.path)?;
    let runs = args.runs.iter().map(|word| history.find(word));
    let mut runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    runs.sort_by_key(|run| run.id);
    runs.dedup_by_key(|run| run.id);
    let frozen = frozen(&history, &runs)?;
    let cases: usize = runs.iter().map(|run| run.judged).sum();
    let mut progress = DeleteProgress::new(cases);
    let stay = history.delete(&runs, &mut || progress.pass())?;
    progress.clear();
    let deleted: String = runs.iter().map(line).collect();
    print(&(deleted + &frozen))?;
    for path in stay {
        say!("{} {}", near(&path).display(), what_became_of(&path));
    }
    Ok(ExitCode::SUCCESS)
}

/// Why the folder of a deleted run, or a copy of one of its outputs, stays; or that the copy is gone.
fn what_became_of(path: &Path) -> &'static str {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => "stays: other files are in it, or it cannot be removed",
        Ok(found) if found.is_symlink() => "stays: it is a link",
        Ok(_) => "stays: it cannot be changed",
        Err(_) => "was removed: the output of another run could not be copied there",
    }
}

/// What is said of a deleted run.
fn line(run: &Run) -> String {
    let cases = case_count(run.judged);
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
            "the best scores of {} of {problem} stay frozen in {}\n",
            case_count(count),
            file.display()
        );
        if count > 0 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_of_a_folder_it_is_said_that_files_are_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let [folder, file, link] = ["1", "0000.txt", "2"].map(|name| dir.path().join(name));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, "1 2 3\n").unwrap();
        std::os::unix::fs::symlink("1", &link).unwrap();
        let gone = dir.path().join("0001.txt");
        let became = [&folder, &file, &link, &gone].map(|path| what_became_of(path));
        assert_eq!(
            became,
            [
                "stays: other files are in it, or it cannot be removed",
                "stays: it cannot be changed",
                "stays: it is a link",
                "was removed: the output of another run could not be copied there"
            ]
        );
    }
}
