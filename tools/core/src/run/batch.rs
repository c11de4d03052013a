//! Many cases on worker threads: one judge process, many children.
//!
//! Workers judge; only the calling thread receives the records, so that printing and storing need no lock.
//! This module writes no output except the files of the cases.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::case::LazyCase;
use crate::judge::record::JudgedCase;

use super::cancel::CancelToken;
use super::executor::{BatchError, Executor};
use super::judge_case::judge_case;
use super::judging::judge_all;

/// The record of a case with as many bytes of output does not wait for others.
const GATHERED_OUTPUT: u64 = 1 << 14;

/// Judges all cases and hands each to `each` when it is judged, in any order; a `Break` from `each` stops everything, and
/// `each` is not called again. Cases that end within 10 ms are handed over together. A case that was being judged at the
/// stop is not handed over. A case that `is_last` stops everything too, and no case begins after it: its worker sees it
/// before `each` does.
///
/// A case that the machine could not judge (no process or memory left) becomes a record with verdict IE.
///
/// Memory does not grow with the number of cases. What held the contestants is still closing:
/// [`Containment::close`](crate::process::Containment::close) waits for that.
///
/// # Errors
/// If a case cannot be read, the contestant cannot be started, an output cannot be written, or a program has changed.
/// The files of the cases judged until then are whole.
pub fn run(
    executor: &Executor,
    cases: impl Iterator<Item = LazyCase> + Send,
    stop: &CancelToken,
    is_last: impl Fn(&JudgedCase) -> bool + Sync,
    mut each: impl FnMut(&[JudgedCase]) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let mut is_enough = false;
    let is_over = AtomicBool::new(false);
    let cases = cases.take_while(|_| !is_over.load(Ordering::Relaxed));
    let judge = |case: LazyCase| {
        let judged = judge_case(executor, &case.open()?, stop)?;
        if judged.as_ref().is_some_and(&is_last) {
            is_over.store(true, Ordering::Relaxed);
        }
        Ok(judged)
    };
    // The last case is told at once. So is a case that wrote much: if the disk is full soon, its record is kept before.
    let can_wait = |judged: &JudgedCase| {
        let output = std::fs::metadata(executor.file(judged.case.id, "txt"));
        !is_last(judged) && output.is_ok_and(|output| output.len() < GATHERED_OUTPUT)
    };
    judge_all(&[executor], cases, stop, judge, can_wait, |judged, _| {
        // Cases that ended before they heard of the stop still come.
        is_enough = is_enough || !judged.is_empty() && each(&judged).is_break();
        match is_enough || judged.iter().any(&is_last) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::time::Duration;

    use super::*;
    use crate::case::Source;
    use crate::process::Command;
    use crate::run::spec::RunSpec;
    use crate::run::spec::tests::spec;

    #[test]
    fn after_a_break_nothing_is_handed_over() {
        let dir = tempfile::tempdir().unwrap();
        let source = Source::Seeds {
            problem: "hitblow 1 10".to_owned(),
            seeds: 0..=199,
        };
        let executor = Executor::new(RunSpec {
            command: Command::from_line("true").unwrap(),
            source: source.clone(),
            jobs: NonZeroUsize::new(4).unwrap(),
            out: dir.path().join("out"),
            ..spec()
        });
        let executor = executor.unwrap();
        executor.prepare().unwrap();
        let mut calls = 0;
        let cases = source.tickets().unwrap();
        let stop = CancelToken::new(None).unwrap();
        let each = |_: &[JudgedCase]| {
            calls += 1;
            // Meanwhile the other workers end cases.
            std::thread::sleep(Duration::from_millis(50));
            ControlFlow::Break(())
        };
        run(&executor, cases, &stop, |_| false, each).unwrap();
        assert_eq!(calls, 1);
    }
}
