//! How often this process went on after a stop (Ctrl-Z, then `fg`; `kill -STOP`, then `-CONT`).

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGCONT;
use signal_hook::low_level::register;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// For how long we wait to hear that we were continued.
const HEARING: Duration = Duration::from_millis(20);

/// How long it may take to start a program until its time counts.
const LONGEST_START: Duration = Duration::from_millis(100);

/// How often this process was continued since the first call. The signal's handler does nothing else, and what the
/// process was continued for goes on as before.
///
/// Right after a stop, the signal may not have been counted yet: see [`was_continued_since`].
///
/// Cost: some nanoseconds; the first call, some microseconds.
fn times_continued() -> u64 {
    static LISTENS: Once = Once::new();
    LISTENS.call_once(|| {
        let count = || {
            COUNT.fetch_add(1, Ordering::Relaxed);
        };
        // Where that is not allowed, the count stays zero: stops during our own work are charged then.
        // SAFETY: the handler adds to an atomic, which a signal handler may do.
        let _ = unsafe { register(SIGCONT, count) };
    });
    COUNT.load(Ordering::Relaxed)
}

/// A moment, and how often this process had been continued by then.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) at: Instant,
    pub(crate) continued: u64,
}

impl Moment {
    pub(crate) fn now() -> Self {
        // First, because its first call takes time, in which a stop would not be counted.
        let continued = times_continued();
        let at = Instant::now();
        Self { at, continued }
    }

    /// When the time of a program counts from, whose start began at this moment and has just ended.
    pub(super) fn after_start(self) -> Self {
        let (now, latest) = (Instant::now(), self.at + LONGEST_START);
        // If the judge had no processor meanwhile, that is not all forgiven. If it was stopped, that is.
        let at = match now > latest && !was_continued_since(self.continued) {
            true => latest,
            false => now,
        };
        Self { at, ..self }
    }
}

/// Whether this process was continued since that many times.
///
/// Cost: up to 20 ms if it was not, because another thread may still be about to count it. So ask only if time passed
/// that nothing else explains.
pub(crate) fn was_continued_since(count: u64) -> bool {
    let begun = Instant::now();
    while times_continued() == count && begun.elapsed() < HEARING {
        std::thread::sleep(Duration::from_millis(1));
    }
    times_continued() != count
}
