//! The contestant's time: what passed since its start, less what is not charged to it.
//!
//! Time in which this process was stopped (Ctrl-Z, a suspended machine) is forgiven in full. Time in which we were
//! ready and had no processor, or wrote files, is forgiven up to an allowance only: a contestant can take the
//! processor from us, change our priority, or write until the disk is busy.
//!
//! How the two are told apart: the kernel counts the time for which a thread waits for a processor. A stopped thread
//! does not wait for one. On a kernel that does not count, a stop is forgiven up to the allowance too.
//!
//! A stop may fall into our own work as well, which is charged otherwise. Time of ours is then a stop only if we
//! neither computed nor waited for a processor, and if this process was continued. Without the latter, a contestant
//! gained time whenever a look at its memory has to wait for it. One that can continue us can stop us as well.
//!
//! Raising our own priority was considered: it needs privileges, and a program with those can do the same.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use crate::process::{Moment, was_continued_since};

/// If we wake up later than this after the time that we asked for, or work for longer, we were stopped or had no
/// processor. The contestant may have ended long ago.
const LATE: Duration = Duration::from_millis(50);

/// The least allowance; it is also a tenth of the time limit.
const LEAST_ALLOWANCE: Duration = Duration::from_millis(200);

/// The contestant's time.
///
/// Each look at it and each wait counts the stops before it, up to one moment, and the next one goes on from there. So
/// no stop falls in between.
pub(super) struct CaseClock {
    began: Instant,
    allowance: Duration,
    stopped: Cell<Duration>,
    starved: Cell<Duration>,
    /// What the thread had done and waited for when we last looked.
    before: Cell<Option<ThreadTimes>>,
    /// When our own work began: with the end of a wait, or when it was counted.
    working_since: Cell<Instant>,
    continued: Cell<u64>,
}

impl CaseClock {
    /// For a contestant with this time limit that began then. The calling thread judges it.
    pub(super) fn new(limit: Duration, began: Moment) -> Self {
        Self {
            began: began.at,
            allowance: LEAST_ALLOWANCE.max(limit / 10),
            stopped: Cell::default(),
            starved: Cell::default(),
            before: Cell::new(ThreadTimes::now()),
            working_since: Cell::new(began.at),
            continued: Cell::new(began.continued),
        }
    }

    /// What passed since the start, less what is forgiven; `blocked` is how long writing our own files took.
    pub(super) fn time(&self, blocked: Duration) -> Duration {
        let now = Moment::now();
        self.worked(now);
        self.time_at(now, blocked)
    }

    /// Remembers what the thread did until now, which is not part of a later delay.
    ///
    /// Cost: 1 µs.
    pub(super) fn look(&self) {
        self.worked(Moment::now());
        self.before.set(ThreadTimes::now());
    }

    /// Counts that a wait has ended which was to end at `until`. Our own work begins.
    pub(super) fn woke(&self, until: Duration, blocked: Duration) {
        let now = Moment::now();
        let late = self.time_at(now, blocked).saturating_sub(until);
        if late > LATE {
            let times = ThreadTimes::now();
            self.count(late, times, now);
            self.before.set(times);
            self.continued.set(now.continued);
        }
        self.working_since.set(now.at);
    }

    fn time_at(&self, moment: Moment, blocked: Duration) -> Duration {
        let passed = moment.at.saturating_duration_since(self.began);
        passed.saturating_sub(self.forgiven(blocked))
    }

    fn forgiven(&self, blocked: Duration) -> Duration {
        self.stopped.get() + (self.starved.get() + blocked).min(self.allowance)
    }

    /// Counts a stop that fell into our own work since it began.
    fn worked(&self, now: Moment) {
        let took = now.at.saturating_duration_since(self.working_since.get());
        if took <= LATE {
            return;
        }
        let times = ThreadTimes::now();
        let idle = self.idle(took, times);
        if idle > LATE && self.was_continued(now) {
            self.stopped.set(self.stopped.get() + idle);
        }
        self.before.set(times);
        self.working_since.set(now.at);
    }

    fn count(&self, late: Duration, times: Option<ThreadTimes>, now: Moment) {
        let starved = match (self.before.get(), times) {
            // Reading our own program from a disk is no stop either. But after a stop, that is part of it.
            (Some(before), Some(times))
                if times.page_reads == before.page_reads || self.was_continued(now) =>
            {
                times.for_processor.saturating_sub(before.for_processor)
            }
            _ => late,
        };
        let starved = starved.min(late);
        self.starved.set(self.starved.get() + starved);
        self.stopped.set(self.stopped.get() + late - starved);
    }

    /// For how much of the time that our work took we neither computed nor waited for a processor.
    fn idle(&self, took: Duration, now: Option<ThreadTimes>) -> Duration {
        let (Some(before), Some(now)) = (self.before.get(), now) else {
            return Duration::ZERO;
        };
        let busy = |times: ThreadTimes| times.on_processor + times.for_processor;
        took.saturating_sub(busy(now).saturating_sub(busy(before)))
    }

    /// Whether this process was continued since the last time. A stop after `now` stays to be found.
    fn was_continued(&self, now: Moment) -> bool {
        was_continued_since(self.continued.replace(now.continued))
    }
}

/// What this thread has done and waited for since its start.
#[derive(Clone, Copy)]
struct ThreadTimes {
    on_processor: Duration,
    for_processor: Duration,
    /// How often it waited for a page of memory to be read from a disk.
    page_reads: i64,
}

thread_local! {
    /// Kept open, because opening it takes longer than reading it.
    static SCHEDSTAT: Option<File> = File::open("/proc/thread-self/schedstat").ok();
}

impl ThreadTimes {
    /// `None` where the kernel does not count them.
    fn now() -> Option<Self> {
        let mut text = [0; 64];
        let read = SCHEDSTAT.with(|file| file.as_ref()?.read_at(&mut text, 0).ok())?;
        let text = str::from_utf8(&text[..read]).ok()?;
        let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
        // Time on a processor, time of waiting for one, and how often it had one.
        let (computed, waited, turns) = (
            numbers.next()?.ok()?,
            numbers.next()?.ok()?,
            numbers.next()?.ok()?,
        );
        // A kernel that does not count prints zeroes.
        (turns > 0).then(|| Self {
            on_processor: Duration::from_nanos(computed),
            for_processor: Duration::from_nanos(waited),
            page_reads: page_reads(),
        })
    }
}

fn page_reads() -> i64 {
    // SAFETY: rusage is plain numbers, for which all zeroes is a value, and valid to write to.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
        usage.ru_majflt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::stay_on;

    const MS: Duration = Duration::from_millis(1);

    fn waits(ms: u32, page_reads: i64) -> Option<ThreadTimes> {
        Some(ThreadTimes {
            on_processor: Duration::ZERO,
            for_processor: ms * MS,
            page_reads,
        })
    }

    /// What is forgiven after a wake-up that was late by a second, at a limit of two.
    fn forgiven(before: Option<ThreadTimes>, now: Option<ThreadTimes>) -> Duration {
        let clock = CaseClock::new(2000 * MS, Moment::now());
        clock.before.set(before);
        clock.count(1000 * MS, now, Moment::now());
        clock.forgiven(Duration::ZERO)
    }

    #[test]
    fn a_stop_is_forgiven_in_full_and_a_wait_for_the_processor_up_to_the_allowance() {
        assert_eq!(forgiven(waits(500, 0), waits(500, 0)), 1000 * MS);
        assert_eq!(forgiven(waits(500, 0), waits(600, 0)), 1000 * MS);
        // 300 ms stopped, 700 ms without a processor, of which 200 are forgiven.
        assert_eq!(forgiven(waits(0, 0), waits(700, 0)), 500 * MS);
        assert_eq!(forgiven(waits(0, 0), waits(9000, 0)), 200 * MS);
        // If it is not known, or we waited for a disk as well, it is not called a stop.
        assert_eq!(forgiven(waits(0, 0), waits(0, 1)), 200 * MS);
        assert_eq!(forgiven(waits(0, 0), None), 200 * MS);
        assert_eq!(forgiven(None, waits(0, 0)), 200 * MS);
    }

    #[test]
    fn pages_that_are_read_again_after_a_stop_are_part_of_it() {
        let clock = CaseClock::new(2000 * MS, Moment::now());
        clock.before.set(waits(0, 0));
        clock.continued.set(clock.continued.get().wrapping_sub(1));
        clock.count(1000 * MS, waits(100, 9), Moment::now());
        assert_eq!(clock.forgiven(Duration::ZERO), 1000 * MS);
        // Until the next stop, reading pages is not forgiven.
        clock.count(1000 * MS, waits(100, 10), Moment::now());
        assert_eq!(clock.forgiven(Duration::ZERO), 1100 * MS);
    }

    #[test]
    fn a_stop_during_our_own_work_is_forgiven_and_other_delays_of_it_are_not() {
        let clock = CaseClock::new(2000 * MS, Moment::now());
        clock.before.set(waits(0, 0));
        // It computed for 100 ms and had no processor for 300 ms.
        let now = ThreadTimes {
            on_processor: 100 * MS,
            ..waits(300, 5).unwrap()
        };
        assert_eq!(clock.idle(1000 * MS, Some(now)), 600 * MS);
        assert_eq!(clock.idle(300 * MS, Some(now)), Duration::ZERO);
        assert_eq!(clock.idle(1000 * MS, None), Duration::ZERO);
    }

    #[test]
    fn work_that_waits_is_charged_unless_we_were_continued() {
        // Unit tests run in one process: no other one may continue it meanwhile.
        if ThreadTimes::now().is_none() {
            eprintln!("not tested, because this kernel does not count waits");
            return;
        }
        let slept = |continued: bool| {
            let clock = CaseClock::new(2000 * MS, Moment::now());
            clock.worked(Moment::now());
            std::thread::sleep(200 * MS);
            if continued {
                clock.continued.set(clock.continued.get().wrapping_sub(1));
            }
            clock.worked(Moment::now());
            clock.forgiven(Duration::ZERO)
        };
        assert!(slept(true) > 100 * MS);
        assert_eq!(slept(false), Duration::ZERO);
    }

    #[test]
    fn many_delays_and_slow_files_share_one_allowance() {
        let clock = CaseClock::new(10_000 * MS, Moment::now());
        for _ in 0..100 {
            clock.before.set(waits(0, 0));
            clock.count(60 * MS, waits(60, 0), Moment::now());
        }
        assert_eq!(clock.forgiven(Duration::ZERO), 1000 * MS);
        assert_eq!(clock.forgiven(5000 * MS), 1000 * MS);
        let clock = CaseClock::new(2000 * MS, Moment::now());
        assert_eq!(clock.forgiven(150 * MS), 150 * MS);
        assert_eq!(clock.forgiven(5000 * MS), 200 * MS);
    }

    #[test]
    fn a_thread_that_is_kept_from_its_processor_is_told_from_one_that_sleeps() {
        let Some(before) = ThreadTimes::now() else {
            eprintln!("not tested, because this kernel does not count waits");
            return;
        };
        std::thread::sleep(20 * MS);
        let slept = ThreadTimes::now().unwrap().for_processor - before.for_processor;
        assert!(slept < 20 * MS, "{slept:?}");
        // Another thread on the same processor, and both compute.
        let processor = rustix::thread::sched_getcpu();
        let compute = || {
            let begun = std::time::Instant::now();
            while begun.elapsed() < 200 * MS {}
        };
        std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| {
                scope.spawn(|| {
                    stay_on(processor).unwrap();
                    let before = ThreadTimes::now().unwrap().for_processor;
                    compute();
                    ThreadTimes::now().unwrap().for_processor - before
                })
            });
            let waited: Duration = threads.into_iter().map(|t| t.join().unwrap()).sum();
            assert!(waited > 100 * MS, "{waited:?}");
        });
    }
}
