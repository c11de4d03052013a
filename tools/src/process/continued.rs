//! How often this process went on after a stop (Ctrl-Z, then `fg`; `kill -STOP`, then `-CONT`).

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use signal_hook::consts::SIGCONT;
use signal_hook::low_level::register;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// How often this process was continued since the first call. The signal's handler does nothing else, and what the
/// process was continued for goes on as before.
///
/// Right after a stop, the signal may not have been counted yet: another thread may be about to do it.
///
/// Cost: some nanoseconds; the first call, some microseconds.
pub(crate) fn times_continued() -> u64 {
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
