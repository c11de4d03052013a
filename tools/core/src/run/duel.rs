//! Two contestants on the same cases, pair by pair, until the caller stops.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::case::LazyCase;
use crate::judge::record::JudgedCase;
use crate::process::{Containment, clear_orphans};

use super::cancel::CancelToken;
use super::executor::{BatchError, Executor};
use super::judge_case::judge_case;
use super::worker_pool::in_parallel;

/// Judges both on each case, one right after the other. They take turns in being first, so that a machine that
/// is busy for a while slows both alike. Hands over pairs in the order of the cases, so that the result
/// does not depend on how many run at once. After a `Break`, stops everything and hands over no more pairs.
///
/// # Errors
/// As [`crate::run::batch::run`].
pub fn run(
    executors: [&Executor; 2],
    cases: impl Iterator<Item = LazyCase> + Send,
    stop: &CancelToken,
    mut each: impl FnMut(&[JudgedCase; 2]) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let work = |(index, case)| (index, judge_pair(executors, index, &case, stop));
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut over = false;
    let mut failed = None;
    let done = in_parallel(
        executors[0].spec().jobs,
        cases.enumerate(),
        work,
        // A duel is decided by each pair.
        |_| false,
        |results| {
            // After the cases: what was judged by another program is not handed over.
            let checked = executors.into_iter().try_for_each(Executor::check_programs);
            if let Err(changed) = checked {
                over = true;
                failed = Some(changed);
            }
            for (index, pair) in results {
                match pair {
                    Ok(Some(pair)) => _ = early.insert(index, pair),
                    Ok(None) => over = true,
                    Err(error) => {
                        over = true;
                        failed.get_or_insert(error);
                    }
                }
            }
            while !over && let Some(pair) = early.remove(&next) {
                next += 1;
                over = each(&pair).is_break();
            }
            if over {
                stop.now();
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    );
    // It closes while the run is shown.
    Containment::begin_to_close();
    clear_orphans();
    done.map_err(BatchError::Thread)?;
    failed.map_or(Ok(()), Err)
}

fn judge_pair(
    executors: [&Executor; 2],
    index: usize,
    case: &LazyCase,
    stop: &CancelToken,
) -> Result<Option<[JudgedCase; 2]>, BatchError> {
    let case = case.open()?;
    let judge = |which: usize| judge_case(executors[which], &case, stop);
    let (a, b) = match index % 2 {
        0 => {
            let a = judge(0)?;
            (a, judge(1)?)
        }
        _ => {
            let b = judge(1)?;
            (judge(0)?, b)
        }
    };
    Ok(a.zip(b).map(|(a, b)| [a, b]))
}
