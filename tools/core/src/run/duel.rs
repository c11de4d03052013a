//! Two contestants on the same cases, pair by pair, until the caller stops.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::case::LazyCase;
use crate::judge::record::JudgedCase;

use super::cancel::CancelToken;
use super::executor::{BatchError, Executor};
use super::judge_case::judge_case;
use super::judging::judge_all;

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
    let judge = |(index, case)| {
        let pair = judge_pair(executors, index, &case, stop)?;
        Ok(pair.map(|pair| (index, pair)))
    };
    let mut early = BTreeMap::new();
    let mut next = 0;
    // A duel is decided by each pair.
    let can_wait = |_: &_| false;
    let cases = cases.enumerate();
    judge_all(
        &executors,
        cases,
        stop,
        judge,
        can_wait,
        |pairs, is_over| {
            early.extend(pairs);
            let mut flow = match is_over {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            while flow.is_continue()
                && let Some(pair) = early.remove(&next)
            {
                next += 1;
                flow = each(&pair);
            }
            flow
        },
    )
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
