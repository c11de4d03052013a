//! `tester compare`: two runs, case by case.

use std::process::ExitCode;

use anyhow::{Result, bail};
use tester_core::report::{RunPair, comparison, comparison_json};
use tester_core::store::{BEST, History, Run};
use tester_core::util::count::case_count;
use tester_core::util::tester_word::tester_word;

use crate::args;
use crate::hint::with_hint;
use crate::print::print;

pub(crate) fn run(args: &args::Compare) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    history.with_snapshot(|history| compare_in(history, args))
}

fn compare_in(history: &History, args: &args::Compare) -> Result<ExitCode> {
    let (first, second) = find_two(history, args)?;
    let measure = args.by.unwrap_or(second.about.spec.measure);
    let pair = RunPair::from_history(history, &first, &second, measure)?;
    print(&match args.json {
        true => comparison_json::json(&pair),
        false => comparison::text(&pair, args.holds_out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The two runs that were asked for.
fn find_two(history: &History, args: &args::Compare) -> Result<(Run, Run)> {
    let best = |word: &str| word == BEST;
    match &args.first {
        Some(first) if best(first) && best(&args.second) => {
            bail!("best cannot be compared with best")
        }
        Some(first) if best(first) => {
            let second = history.find(&args.second)?;
            Ok((best_beside(history, &second, args)?, second))
        }
        Some(first) => {
            let first = history.find(first)?;
            let second = match best(&args.second) {
                true => best_beside(history, &first, args)?,
                false => history.find(&args.second)?,
            };
            if first.id == second.id {
                return Err(with_hint(
                    format!("run {} cannot be compared with itself", first.id),
                    format!("`{} history` lists all runs", tester_word()),
                ));
            }
            Ok((first, second))
        }
        None => {
            let mut last = history.runs(None, 2)?.into_iter();
            match (last.next(), last.next()) {
                (Some(second), Some(first)) => Ok((first, second)),
                _ => bail!(
                    "two runs are needed to compare; {} has {}",
                    history.path().display(),
                    history.count()?
                ),
            }
        }
    }
}

/// The best other run on the cases of `run`; says by what it was chosen.
fn best_beside(history: &History, run: &Run, args: &args::Compare) -> Result<Run> {
    let measure = args.by.unwrap_or(run.about.spec.measure);
    let best = history.best_on_cases_of(run, measure)?;
    let on = match best.run.judged == run.judged {
        true => String::new(),
        false => format!(" on the {} of run {}", case_count(run.judged), run.id),
    };
    say!(
        "best is run {}{on}: fewest failed cases, then the best mean by {}",
        best.run.id,
        best.measure.name()
    );
    Ok(best.run)
}
