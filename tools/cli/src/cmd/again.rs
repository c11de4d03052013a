//! Which cases a batch judges: those that were named, or the worst or failed ones of an earlier run.

use anyhow::Result;
use tester_core::case::{CaseId, CaseNumbers, Source};
use tester_core::judge::record::JudgedCase;
use tester_core::problem::Measure;
use tester_core::run::config::FILE;
use tester_core::stats::worst::WorstCases;
use tester_core::store::{History, LAST, Run};

use super::cautions::held_out_caution;
use crate::args::Batch;
use crate::hint::with_hint;

/// The cases of a batch. Says which of them are held out, or left out for that.
pub(crate) fn source(args: &Batch) -> Result<Source> {
    let (source, remark) = find(args)?;
    remark.iter().for_each(|remark| note!("{remark}"));
    Ok(source)
}

/// The cases of a batch, and what there is to say of them.
pub(super) fn find(args: &Batch) -> Result<(Source, Option<String>)> {
    let held_out = args.held_out()?;
    if args.cases.worst.is_none() && !args.cases.failed {
        let source = args.source()?;
        let caution = held_out_caution(&source, held_out.as_ref())?;
        return Ok((source, caution));
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
    let held_out = held_out.map(|held_out| spec.source.shared_with(&held_out));
    let held_out = held_out.transpose()?.flatten();
    let numbers = numbers(&history, &run, args, held_out.as_ref())?;
    let Some(cases) = CaseNumbers::new(numbers.into_iter().map(|number| number..=number)) else {
        return Err(no_case(&run, args, held_out.is_some()));
    };
    let note = held_out.map(|held_out| {
        format!(
            "note: of run {}, the held-out cases are left out ({held_out})",
            run.id
        )
    });
    Ok((spec.source.clone().choose(cases), note))
}

/// The error for a run without a case to judge again.
fn no_case(run: &Run, args: &Batch, has_held_out: bool) -> anyhow::Error {
    let what = match args.cases.worst {
        Some(_) => "accepted",
        None => "failed",
    };
    match has_held_out {
        false => with_hint(
            format!("run {} has no {what} case to judge again", run.id),
            "--of RUN names another run",
        ),
        true => with_hint(
            format!(
                "run {} has no {what} case to judge again, except cases that {FILE} holds out",
                run.id
            ),
            "--of RUN names another run; only --held-out judges held-out cases",
        ),
    }
}

/// The numbers of the cases of `run` that are judged again. Those that are `held_out` are not.
fn numbers(
    history: &History,
    run: &Run,
    args: &Batch,
    held_out: Option<&CaseNumbers>,
) -> Result<Vec<u64>> {
    let measure = args.by.unwrap_or(run.about.spec.measure);
    let most = args.cases.worst.map_or(0, |most| most.get());
    let is_free = |id: CaseId| held_out.is_none_or(|held_out| !held_out.contains(id.0));
    // As many more as may be held out.
    let more = match most {
        0 => 0,
        _ => held_out.map_or(0, |held_out| held_out.count() as usize),
    };
    let mut numbers = Vec::new();
    let worst = worst_cases(history, run, measure, most.saturating_add(more), |judged| {
        if args.cases.failed && !judged.accepted() && is_free(judged.case.id) {
            numbers.push(judged.case.id.0);
        }
    })?;
    let worst = worst.into_iter().filter(|&id| is_free(id)).take(most);
    numbers.extend(worst.map(|id| id.0));
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
