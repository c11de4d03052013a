//! Which cases a batch judges: those that were named, or the worst or failed ones of an earlier run.

use anyhow::Result;

use crate::case::{CaseId, CaseNumbers, Source};
use crate::cli::args::Batch;
use crate::cli::hint::with_hint;
use crate::judge::record::JudgedCase;
use crate::problem::Measure;
use crate::stats::worst::WorstCases;
use crate::store::{History, LAST, Run};

/// The cases of a batch.
pub(crate) fn source(args: &Batch) -> Result<Source> {
    if args.cases.worst.is_none() && !args.cases.failed {
        return args.source();
    }
    let history = History::open_existing(&args.run.kept.history())?;
    let run = history.find(args.cases.of.as_deref().unwrap_or(LAST))?;
    let spec = &run.about.spec;
    if spec.external.is_some() != args.external()?.is_some() {
        let judge = |external: bool| match external {
            true => "another judge's line",
            false => "a built-in problem",
        };
        return Err(with_hint(
            format!(
                "expected the judge of run {}, {}, found {}",
                run.id,
                judge(spec.external.is_some()),
                judge(spec.external.is_none())
            ),
            "--config FILE and --no-config choose the judge",
        ));
    }
    let numbers = numbers(&history, &run, args)?;
    let Some(cases) = CaseNumbers::new(numbers.into_iter().map(|number| number..=number)) else {
        let what = match args.cases.worst {
            Some(_) => "accepted",
            None => "failed",
        };
        return Err(with_hint(
            format!("run {} has no {what} case to judge again", run.id),
            "--of RUN names another run",
        ));
    };
    Ok(spec.source.clone().choose(cases))
}

/// The numbers of the cases of `run` that are judged again.
fn numbers(history: &History, run: &Run, args: &Batch) -> Result<Vec<u64>> {
    let measure = args.by.unwrap_or(run.about.spec.measure);
    let most = args.cases.worst.map_or(0, |most| most.get());
    let mut numbers = Vec::new();
    let worst = worst_cases(history, run, measure, most, |judged| {
        if args.cases.failed && !judged.accepted() {
            numbers.push(judged.case.id.0);
        }
    })?;
    numbers.extend(worst.iter().map(|id| id.0));
    Ok(numbers)
}

/// At most `most` of the worst accepted cases of a run, against the best score known for each. `each` gets every record
/// of the run.
///
/// # Errors
/// If the history cannot be read.
pub(crate) fn worst_cases(
    history: &History,
    run: &Run,
    measure: Measure,
    most: usize,
    mut each: impl FnMut(&JudgedCase),
) -> Result<Vec<CaseId>> {
    let mut worst = WorstCases::new(most, run.scoring(), measure);
    history.each_record_beside_best(run, |judged, best| {
        worst.add(&judged, best);
        each(&judged);
    })?;
    let cases = worst.cases().iter();
    Ok(cases.map(|case| case.judged.case.id).collect())
}
