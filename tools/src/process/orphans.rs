//! Whose is a process that has lost its parent and has come to us?
//!
//! Where a contestant is on a [leash](crate::process::sandbox), the kernel itself tells: the thread that judges it
//! can send signals to what it has started, and to nothing else. Elsewhere its processes are told by their
//! session, and by a mark that each inherits.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, test_kill_process};

use super::landlock::thread_has_signal_scope;
use super::procfs::Stat;
use super::spawn::Spawned;

/// Who is not to be cleared away.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    leaders: BTreeMap::new(),
    starting: 0,
});

/// The contestants that are running.
struct Running {
    /// The marks of all, by the numbers of their leaders, which are those of their sessions as well.
    leaders: BTreeMap<i32, OwnerTag>,
    /// How many are being started, so that they may be our children already and not be known by number.
    starting: usize,
}

type Held = MutexGuard<'static, Running>;

fn running() -> Held {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a contestant with `spawn`.
pub(super) fn join(spawn: impl FnOnce(OwnerTag) -> io::Result<Spawned>) -> io::Result<Spawned> {
    running().starting += 1;
    let mark = OwnerTag::new();
    let started = spawn(mark);
    let mut running = running();
    if let Ok(Spawned { pid, .. }) = &started {
        running.leaders.insert(pid.as_raw_nonzero().get(), mark);
    }
    running.starting -= 1;
    started
}

/// Forgets a contestant of which nothing is left.
pub(super) fn forget(leader: i32) {
    running().leaders.remove(&leader);
}

/// A child of ours, for as long as this lives: its number does not become another's.
pub(super) struct Claim(#[allow(dead_code)] Option<Held>);

/// Whether `pid`, a child of ours, is an orphan of `leader`'s; or, among `strays`, of nobody who is running.
///
/// Cost: a system call on a leash, else about 40 µs.
pub(super) fn claim(leader: i32, pid: i32, strays: bool) -> Option<Claim> {
    if pid == leader {
        return None;
    }
    if thread_has_signal_scope() {
        let ours = Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid).is_ok());
        return ours.then_some(Claim(None));
    }
    // While the lock is held, no number of ours becomes a new contestant's.
    let running = running();
    if running.leaders.contains_key(&pid) {
        return None;
    }
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let stat = Stat::of(pid).filter(|stat| stat.parent == own)?;
    let mark = OwnerTag::of(pid);
    let has = |(other, its): (&i32, &OwnerTag)| stat.session == *other || mark == Some(*its);
    let its_own = running.leaders.get_key_value(&leader).is_some_and(has);
    let nobodys = || running.starting == 0 && !running.leaders.iter().any(has);
    (its_own || strays && nobodys()).then_some(Claim(Some(running)))
}

/// What tells a contestant's processes from another's when they have left its session: a limit that every
/// process inherits and may only lower, on file locks, which the kernel has not looked at since Linux 2.4.
/// Unlike a variable of the environment it outlives `env -i`, and can be read of one that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnerTag(u64);

impl OwnerTag {
    /// A number that no process of this machine has: the nanoseconds since boot, counted downwards, for
    /// a judge that is itself judged may only lower the limit.
    fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(u64::MAX);
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        let since_boot = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
        let wanted = (1 << 62) - since_boot;
        let lower = |last: u64| Some(wanted.min(last - 1));
        let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, lower);
        Self(wanted.min(last.expect("it is always lowered") - 1))
    }

    /// As the kernel takes it.
    pub(super) fn limit(self) -> libc::rlimit {
        libc::rlimit {
            rlim_cur: self.0,
            rlim_max: self.0,
        }
    }

    /// That of a process, if it has one.
    fn of(pid: i32) -> Option<Self> {
        let limits = read_to_string(format!("/proc/{pid}/limits")).ok()?;
        let mut lines = limits.lines();
        let locks = lines.find_map(|line| line.strip_prefix("Max file locks"))?;
        Some(Self(locks.split_ascii_whitespace().nth(1)?.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_fall_and_are_read_of_others() {
        let (first, second) = (OwnerTag::new(), OwnerTag::new());
        assert!(second.0 < first.0);
        let unmarked = OwnerTag::of(std::process::id() as i32);
        assert!(unmarked.is_none_or(|mark| mark.0 > first.0), "{unmarked:?}");
        let limit = format!("ulimit -x {} 2>&1; exec sleep 60", second.0);
        let child = std::process::Command::new("bash")
            .args(["-c", &limit])
            .spawn();
        let Ok(mut child) = child else { return };
        let pid = child.id() as i32;
        while OwnerTag::of(pid) != Some(second) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(OwnerTag::of(pid), Some(second));
        child.kill().unwrap();
        // Of one that has ended, too.
        assert_eq!(OwnerTag::of(pid), Some(second));
        child.wait().unwrap();
        assert_eq!(OwnerTag::of(pid), None);
    }
}
