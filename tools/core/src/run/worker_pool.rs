//! Work for several threads, results for one.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Results that wait for the receiver; beyond this, workers wait.
const BACKLOG: usize = 4096;

/// How long a result that can wait waits for others. To wake the receiver for each case of a millisecond, and to write
/// each record by itself, took a tenth of the machine.
const GATHERING: Duration = Duration::from_millis(10);

/// Runs `work` on every task on `jobs` threads. Runs `receive` on the calling thread, with all results that
/// came since its last call, in the order in which they became ready. A result that `can_wait` is received within 10 ms,
/// together with those that come until then; others, and the last ones, at once. After a `Break` no further task
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
    can_wait: impl Fn(&R) -> bool + Sync,
    mut receive: impl FnMut(Vec<R>) -> ControlFlow<()>,
) -> io::Result<()> {
    let tasks = Mutex::new(tasks);
    let stopped = AtomicBool::new(false);
    let queue = Queue::new();
    let worker = |_working: Working<'_, R>| {
        while !stopped.load(Ordering::Relaxed) {
            let task = tasks.lock().ok().and_then(|mut tasks| tasks.next());
            let Some(task) = task else { break };
            let result = work(task);
            let is_urgent = !can_wait(&result);
            if !queue.push(result, is_urgent) {
                break;
            }
        }
    };
    let worker = &worker;
    std::thread::scope(|scope| {
        // Dropped when `receive` panics, so that no worker waits forever to hand over a result.
        let receiver = Receiver(&queue);
        for number in 0..jobs.get() {
            let working = queue.begin();
            let thread = std::thread::Builder::new().spawn_scoped(scope, || worker(working));
            match thread {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
            }
        }
        while let Some(results) = receiver.take() {
            if receive(results).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    })
}

/// Results between the workers and the receiver.
struct Queue<R> {
    waiting: Mutex<Waiting<R>>,
    /// The receiver has something to do.
    filled: Condvar,
    /// There is room again.
    emptied: Condvar,
}

struct Waiting<R> {
    results: Vec<R>,
    /// Whether one of them must not wait.
    is_urgent: bool,
    /// How many workers have not ended.
    workers: usize,
    /// Whether nothing is received any more.
    is_over: bool,
}

impl<R> Queue<R> {
    fn new() -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                results: Vec::new(),
                is_urgent: false,
                workers: 0,
                is_over: false,
            }),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting<R>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more worker.
    fn begin(&self) -> Working<'_, R> {
        self.lock().workers += 1;
        Working(self)
    }

    /// Hands over a result; false if nothing is received any more.
    fn push(&self, result: R, is_urgent: bool) -> bool {
        let is_full =
            |waiting: &mut Waiting<R>| waiting.results.len() >= BACKLOG && !waiting.is_over;
        let room = self.emptied.wait_while(self.lock(), is_full);
        let mut waiting = room.unwrap_or_else(PoisonError::into_inner);
        if waiting.is_over {
            return false;
        }
        waiting.results.push(result);
        waiting.is_urgent |= is_urgent;
        // The receiver is woken for the first result, and when it need not wait longer for more.
        let wakes = is_urgent || [1, BACKLOG].contains(&waiting.results.len());
        drop(waiting);
        if wakes {
            self.filled.notify_one();
        }
        true
    }
}

/// Counts as a worker until it is dropped, also by a panic.
struct Working<'a, R>(&'a Queue<R>);

impl<R> Drop for Working<'_, R> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.filled.notify_one();
    }
}

/// The receiving side, until it is dropped.
struct Receiver<'a, R>(&'a Queue<R>);

impl<R> Receiver<'_, R> {
    /// What came since the last call; waits for it. `None` if nothing can come any more.
    fn take(&self) -> Option<Vec<R>> {
        let Queue {
            filled, emptied, ..
        } = self.0;
        let is_empty = |waiting: &mut Waiting<R>| waiting.results.is_empty() && waiting.workers > 0;
        let waiting = filled.wait_while(self.0.lock(), is_empty);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + GATHERING;
        while !waiting.is_urgent && waiting.workers > 0 && waiting.results.len() < BACKLOG {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = filled.wait_timeout(waiting, left);
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.is_urgent = false;
        let results = std::mem::take(&mut waiting.results);
        drop(waiting);
        emptied.notify_all();
        (!results.is_empty()).then_some(results)
    }
}

impl<R> Drop for Receiver<'_, R> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.emptied.notify_all();
    }
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
        in_parallel(jobs, 0..10_000, |n| n, |_| true, receive).unwrap();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..10_000));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_ends_everything() {
        let jobs = NonZeroUsize::new(2).unwrap();
        let work = |n: usize| assert!(n < 5, "at the fifth");
        let receive = |_| ControlFlow::Continue(());
        in_parallel(jobs, 0..100_000, work, |()| true, receive).unwrap();
    }

    #[test]
    #[should_panic(expected = "the receiver")]
    fn a_receiver_that_panics_leaves_no_worker_waiting() {
        let jobs = NonZeroUsize::new(2).unwrap();
        in_parallel(
            jobs,
            0..100_000,
            |n| n,
            |_| true,
            |_| panic!("the receiver"),
        )
        .unwrap();
    }

    #[test]
    fn after_a_break_no_task_is_begun() {
        let begun = std::sync::atomic::AtomicUsize::new(0);
        let mut received = 0;
        let jobs = NonZeroUsize::new(2).unwrap();
        let work = |_| begun.fetch_add(1, Ordering::Relaxed);
        in_parallel(
            jobs,
            0..1_000_000,
            work,
            |_| false,
            |results| {
                received += results.len();
                ControlFlow::Break(())
            },
        )
        .unwrap();
        assert_eq!(received, begun.into_inner());
        assert!(received < 1_000_000);
    }

    #[test]
    fn results_that_can_wait_come_together() {
        let mut together = 0;
        let jobs = NonZeroUsize::new(2).unwrap();
        let work = |_| std::thread::sleep(Duration::from_millis(1));
        let receive = |_| {
            together += 1;
            ControlFlow::Continue(())
        };
        let begun = Instant::now();
        in_parallel(jobs, 0..200, work, |()| true, receive).unwrap();
        let took = begun.elapsed();
        // One for each 10 ms, one that was woken at the end, and one that was on its way.
        let most = took.as_millis() / GATHERING.as_millis() + 2;
        assert!((1..=most).contains(&together), "{together} in {took:?}");
    }

    #[test]
    fn an_urgent_result_takes_those_before_it_along() {
        let queue = Queue::new();
        let working = queue.begin();
        for (result, is_urgent) in [(1, false), (2, false), (3, true)] {
            assert!(queue.push(result, is_urgent));
        }
        let receiver = Receiver(&queue);
        assert_eq!(receiver.take(), Some(vec![1, 2, 3]));
        assert!(queue.push(4, false));
        drop(working);
        assert_eq!(receiver.take(), Some(vec![4]));
        assert_eq!(receiver.take(), None);
        drop(receiver);
        assert!(!queue.push(5, false));
    }
}
