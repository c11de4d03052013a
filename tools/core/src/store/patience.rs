//! How long a history that another process has locked is waited for.
//!
//! SQLite's own time limit says nothing while it waits; this handler does.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long we wait for another process that is writing.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A longer wait is told.
const UNTOLD: Duration = Duration::from_secs(1);

/// Tells a wait; it takes how long it may last.
static TELL: OnceLock<fn(Duration)> = OnceLock::new();

/// A wait of this thread.
#[derive(Clone, Copy)]
struct Wait {
    begun: Instant,
    told: bool,
}

thread_local! {
    static WAIT: Cell<Option<Wait>> = const { Cell::new(None) };
}

/// From now on, calls `tell` once in each wait for a locked history that lasts longer than a second. The library itself
/// prints nothing. A second call changes nothing.
pub fn tell_waits(tell: fn(Duration)) {
    let _ = TELL.set(tell);
}

/// Called by SQLite each time that it finds a lock, with how often it has called before; whether it tries again.
pub(super) fn wait_again(before: i32) -> bool {
    let now = Instant::now();
    let new = Wait {
        begun: now,
        told: false,
    };
    let mut wait = WAIT.get().filter(|_| before > 0).unwrap_or(new);
    let waited = now - wait.begun;
    if waited >= UNTOLD && !wait.told {
        wait.told = true;
        TELL.get().inspect(|tell| tell(PATIENCE));
    }
    WAIT.set(Some(wait));
    if waited >= PATIENCE {
        return false;
    }
    // As SQLite's own: short at first, because most locks are.
    let pause = Duration::from_millis(1) * before.clamp(1, 100).unsigned_abs();
    std::thread::sleep(pause.min(PATIENCE - waited));
    true
}
