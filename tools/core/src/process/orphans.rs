//! Orphans: processes that have lost their parent and have become our children. Which contestant started them?
//!
//! In a [signal scope](crate::process::landlock) the kernel knows: the thread that judges a contestant
//! can send signals to what it has started, and to nothing else. Elsewhere a contestant's processes are known by
//! their session, and by an [`OwnerTag`] that each inherits.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, test_kill_process};

use super::landlock::thread_has_signal_scope;
use super::procfs::Stat;
use super::spawn::Spawned;

/// The contestants whose processes must not be killed.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    leaders: BTreeMap::new(),
    starting: 0,
});

/// The contestants that are running.
struct Running {
    /// The tags of all, by the numbers of their leaders, which are those of their sessions as well.
    leaders: BTreeMap<i32, OwnerTag>,
    /// How many are being started, so that they may be our children already and not be known by number.
    starting: usize,
}

type Held = MutexGuard<'static, Running>;

fn running() -> Held {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a contestant with `spawn`, and remembers its tag.
pub(super) fn register(spawn: impl FnOnce(OwnerTag) -> io::Result<Spawned>) -> io::Result<Spawned> {
    running().starting += 1;
    let tag = OwnerTag::new();
    let started = spawn(tag);
    let mut running = running();
    if let Ok(Spawned { pid, .. }) = &started {
        running.leaders.insert(pid.as_raw_nonzero().get(), tag);
    }
    running.starting -= 1;
    started
}

/// A limit on processes and threads of this user under which a contestant can have `wanted` of its own. The user's other
/// programs count as well, so it allows all that there are on the machine, and as many for each contestant that runs.
///
/// It does not hold for root. `None` where the machine does not tell.
pub(super) fn task_limit(wanted: u64) -> Option<libc::rlimit> {
    let load = read_to_string("/proc/loadavg").ok()?;
    let (_, tasks) = load.split_ascii_whitespace().nth(3)?.split_once('/')?;
    let contestants = running().leaders.len() as u64 + 1;
    let most = tasks
        .parse::<u64>()
        .ok()?
        .saturating_add(contestants.saturating_mul(wanted));
    Some(libc::rlimit {
        rlim_cur: most,
        rlim_max: most,
    })
}

/// Forgets a contestant of which nothing is left.
pub(super) fn forget(leader: i32) {
    running().leaders.remove(&leader);
}

/// While this lives, the process number of a claimed child is not given to another process.
pub(super) struct Claim(#[allow(dead_code)] Option<Held>);

/// Claims `pid`, a child of ours, if `leader` has started it. With `strays`, also if no running contestant has.
///
/// Cost: a system call in a signal scope, else about 40 µs.
pub(super) fn claim(leader: i32, pid: i32, strays: bool) -> Option<Claim> {
    if pid == leader {
        return None;
    }
    if thread_has_signal_scope() {
        // A case may have two programs, which one thread has started.
        if running().leaders.contains_key(&pid) {
            return None;
        }
        let ours = Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid).is_ok());
        return ours.then_some(Claim(None));
    }
    // While the lock is held, no new contestant can get the number of one of our children.
    let running = running();
    if running.leaders.contains_key(&pid) {
        return None;
    }
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let stat = Stat::from_pid(pid).filter(|stat| stat.parent == own)?;
    let tag = OwnerTag::from_pid(pid);
    let has = |(other, its): (&i32, &OwnerTag)| stat.session == *other || tag == Some(*its);
    let is_own = running.leaders.get_key_value(&leader).is_some_and(has);
    let is_stray = || running.starting == 0 && !running.leaders.iter().any(has);
    (is_own || strays && is_stray()).then_some(Claim(Some(running)))
}

/// Identifies a contestant's processes when they have left its session. It is the limit on file locks, which every
/// process inherits and may only lower, and which the kernel has not used since Linux 2.4. Unlike an
/// environment variable it outlives `env -i`, and can be read of a process that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnerTag(u64);

impl OwnerTag {
    /// A number that no process of this machine has: the nanoseconds since boot, counted downwards, because
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

    /// The tag of a process, if it has one.
    fn from_pid(pid: i32) -> Option<Self> {
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
    fn tags_fall_and_are_read_of_others() {
        let (first, second) = (OwnerTag::new(), OwnerTag::new());
        assert!(second.0 < first.0);
        let untagged = OwnerTag::from_pid(std::process::id() as i32);
        assert!(untagged.is_none_or(|tag| tag.0 > first.0), "{untagged:?}");
        let limit = format!("ulimit -x {} 2>&1; exec sleep 60", second.0);
        let child = std::process::Command::new("bash")
            .args(["-c", &limit])
            .spawn();
        let Ok(mut child) = child else { return };
        let pid = child.id() as i32;
        while OwnerTag::from_pid(pid) != Some(second) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(OwnerTag::from_pid(pid), Some(second));
        child.kill().unwrap();
        // Of one that has ended, too.
        assert_eq!(OwnerTag::from_pid(pid), Some(second));
        child.wait().unwrap();
        assert_eq!(OwnerTag::from_pid(pid), None);
    }
}
