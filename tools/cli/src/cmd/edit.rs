//! `tester edit`: corrects what a user has said of past runs.

use std::process::ExitCode;

use anyhow::Result;
use tester_core::store::{Edit, History, Run};

use crate::args;
use crate::hint::with_hint;

pub(crate) fn run(args: &args::Edit) -> Result<ExitCode> {
    if args.tag.is_none() && args.comment.is_none() && args.objective.is_none() {
        return Err(with_hint(
            "expected what is to be corrected, found nothing",
            "--tag T, --comment C or --objective min",
        ));
    }
    let mut history = History::open_to_change(&args.file.path)?;
    let runs = args.runs.iter().map(|word| history.find(word));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    runs.iter().try_for_each(|run| check(args, run))?;
    let edit = Edit {
        tag: args.tag.clone(),
        comment: args.comment.clone(),
        objective: args.objective,
    };
    history.edit(&runs, &edit)?;
    let names: Vec<String> = runs.iter().map(|run| run.id.to_string()).collect();
    say!("edited: run {}", names.join(", "));
    Ok(ExitCode::SUCCESS)
}

fn check(args: &args::Edit, run: &Run) -> Result<()> {
    let id = run.id;
    if args.objective.is_some() && run.about.spec.external.is_none() {
        let problem = &run.about.problem;
        let cause =
            format!("run {id} is of {problem}, whose objective never changes; nothing was edited");
        return Err(with_hint(cause, "--objective is for runs of another judge"));
    }
    Ok(())
}
