//! What a batch and a duel have in common: tasks judged on worker threads until one of them ends everything.

use std::ops::ControlFlow;

use crate::process::{Containment, clear_orphans};

use super::cancel::CancelToken;
use super::executor::{BatchError, Executor};
use super::worker_pool::in_parallel;

/// Judges every task on as many threads as the first executor has jobs; `None` means that it was stopped. What is judged
/// goes to `receive` on the calling thread, what `can_wait` together with others, and with it whether everything is over
/// already. It is over after a `Break`, an error, a stop, or when a program has changed: what was judged with another
/// program is not handed over.
///
/// # Errors
/// As [`crate::run::batch::run`].
pub(super) fn judge_all<T: Send, R: Send>(
    executors: &[&Executor],
    tasks: impl Iterator<Item = T> + Send,
    stop: &CancelToken,
    judge: impl Fn(T) -> Result<Option<R>, BatchError> + Sync,
    can_wait: impl Fn(&R) -> bool + Sync,
    mut receive: impl FnMut(Vec<R>, bool) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let mut failed = None;
    let mut is_over = false;
    let can_wait = |result: &_| matches!(result, Ok(Some(judged)) if can_wait(judged));
    let jobs = executors[0].spec().jobs;
    let done = in_parallel(jobs, tasks, judge, can_wait, |results| {
        // After the cases, because they may have been judged while it changed.
        let checked = executors.iter().try_for_each(|own| own.check_programs());
        if let Err(changed) = checked {
            failed = Some(changed);
            is_over = true;
            stop.now();
            return ControlFlow::Break(());
        }
        let mut judged = Vec::with_capacity(results.len());
        for result in results {
            is_over |= !matches!(result, Ok(Some(_)));
            match result {
                Ok(result) => judged.extend(result),
                Err(error) => _ = failed.get_or_insert(error),
            }
        }
        is_over |= receive(judged, is_over).is_break();
        if is_over {
            stop.now();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    // It closes while the run is shown.
    Containment::begin_to_close();
    clear_orphans();
    done.map_err(BatchError::Thread)?;
    failed.map_or(Ok(()), Err)
}
