//! Work for several threads, results for one.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

/// Results that wait for the receiver; beyond this, workers wait.
const BACKLOG: usize = 4096;

/// Runs `work` on every task on `jobs` threads. Runs `receive` on the calling thread, with all results that
/// came since its last call, in the order in which they became ready. After a `Break` no further task
/// begins; results of running tasks are still received. If the machine cannot start `jobs` threads, fewer
/// threads do the work.
///
/// Memory: tasks are taken one at a time, and at most 4096 results wait.
///
/// # Errors
/// If no thread can be started.
///
/// # Panics
/// If `work` or `receive` panics.
pub(crate) fn in_parallel<T: Send, R: Send>(
    jobs: NonZeroUsize,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut receive: impl FnMut(Vec<R>) -> ControlFlow<()>,
) -> io::Result<()> {
    let tasks = Mutex::new(tasks);
    let stopped = AtomicBool::new(false);
    let (sender, receiver) = mpsc::sync_channel(BACKLOG);
    let worker = |sender: mpsc::SyncSender<R>| {
        while !stopped.load(Ordering::Relaxed) {
            let task = tasks.lock().ok().and_then(|mut tasks| tasks.next());
            let Some(task) = task else { break };
            if sender.send(work(task)).is_err() {
                break;
            }
        }
    };
    let worker = &worker;
    std::thread::scope(|scope| {
        // Dropped when `receive` panics, so that no worker waits forever to hand over a result.
        let receiver = receiver;
        for number in 0..jobs.get() {
            let sender = sender.clone();
            let thread = std::thread::Builder::new().spawn_scoped(scope, || worker(sender));
            match thread {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
            }
        }
        drop(sender);
        while let Ok(first) = receiver.recv() {
            let results = std::iter::once(first).chain(receiver.try_iter().take(BACKLOG));
            if receive(results.collect()).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once() {
        let mut seen = Vec::new();
        let jobs = NonZeroUsize::new(4).unwrap();
        let receive = |results: Vec<i32>| {
            seen.extend(results);
            ControlFlow::Continue(())
        };
        in_parallel(jobs, 0..10_000, |n| n, receive).unwrap();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..10_000));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_everything() {
        let jobs = NonZeroUsize::new(2).unwrap();
        let work = |n: usize| assert!(n < 5, "at the fifth");
        in_parallel(jobs, 0..100_000, work, |_| ControlFlow::Continue(())).unwrap();
    }

    #[test]
    #[should_panic(expected = "the receiver")]
    fn a_receiver_that_panics_leaves_no_worker_waiting() {
        let jobs = NonZeroUsize::new(2).unwrap();
        in_parallel(jobs, 0..100_000, |n| n, |_| panic!("the receiver")).unwrap();
    }

    #[test]
    fn after_a_break_no_task_is_begun() {
        let begun = std::sync::atomic::AtomicUsize::new(0);
        let mut received = 0;
        let jobs = NonZeroUsize::new(2).unwrap();
        let work = |_| begun.fetch_add(1, Ordering::Relaxed);
        in_parallel(jobs, 0..1_000_000, work, |results| {
            received += results.len();
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(received, begun.into_inner());
        assert!(received < 1_000_000);
    }
}
