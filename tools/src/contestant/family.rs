//! Everything that a contestant has started: what it uses, and that nothing of it is left.
//!
//! A contestant leads a session of its own. Its children can leave its process group and its session, and
//! lose their parent; then they become children of the nearest *subreaper* above them, which is this
//! process once [`adopt_orphans`] was called. So whatever a contestant has started stays below it or comes
//! to us, and can be found, counted, killed and reaped.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::read_to_string;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::process::stat_behind_name;

/// Whether orphans come to this process, and every child that is no contestant is one.
static ADOPTING: AtomicBool = AtomicBool::new(false);
/// Who is not to be cleared away.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    leaders: BTreeMap::new(),
    starting: 0,
});

/// The contestants that are running.
struct Running {
    /// The numbers of their leaders, which are those of their sessions as well, and their marks.
    leaders: BTreeMap<i32, Mark>,
    /// How many are being started, so that they may be our children already and not be known by number.
    starting: usize,
}

/// From now on, whatever a contestant leaves behind becomes a child of this process, and is killed when
/// the contestant's case is over. To be called by a process that starts no children but contestants:
/// others would be killed too.
pub fn adopt_orphans() {
    // It fails on no kernel that has pidfds; without it, orphans go to init as ever.
    let adopted = rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok();
    ADOPTING.store(adopted, Ordering::Relaxed);
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What tells a contestant's processes from another's when they have left its session: a number in their
/// environment. Whoever removes it there is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(u64);

const MARK: &str = "TESTER_CONTESTANT";

impl Mark {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let own = u64::from(std::process::id()) << 32;
        Self(own + NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// As it stands in an environment.
    pub(super) fn variable(self) -> String {
        format!("{MARK}={}", self.0)
    }

    /// That of a process, if it has one and lets us see it.
    fn of(pid: i32) -> Option<Self> {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        let mut variables = environment.split(|&byte| byte == 0);
        let value = variables.find_map(|v| v.strip_prefix(MARK.as_bytes())?.strip_prefix(b"="))?;
        Some(Self(str::from_utf8(value).ok()?.parse().ok()?))
    }
}

/// Starts a contestant with `spawn`, which returns its leader's number.
pub(super) fn join<T, E>(spawn: impl FnOnce(Mark) -> Result<(Pid, T), E>) -> Result<(Pid, T), E> {
    running().starting += 1;
    let mark = Mark::new();
    let started = spawn(mark);
    let mut running = running();
    if let Ok((leader, _)) = &started {
        running.leaders.insert(leader.as_raw_nonzero().get(), mark);
    }
    running.starting -= 1;
    started
}

/// What a contestant and everything that it has started use at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FamilyUsage {
    /// How many processes are alive.
    pub processes: u64,
    /// Resident memory, what is shared counted for each.
    pub memory_kib: u64,
    /// Processor time of all but the leader, and of those that the leader has waited for.
    pub cpu_of_others: Duration,
}

/// What is under `/proc/PID/stat`.
struct Stat {
    zombie: bool,
    parent: i32,
    session: i32,
    cpu: Duration,
    cpu_of_waited: Duration,
    resident_pages: u64,
}

impl Stat {
    fn of(pid: i32) -> Option<Self> {
        let rest = stat_behind_name(pid.try_into().ok()?)?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let hertz = rustix::param::clock_ticks_per_second();
        let time = |a, b| {
            let ticks = number(a)? + number(b)?;
            Some(Duration::from_millis(ticks * 1000 / hertz))
        };
        Some(Self {
            zombie: matches!(*fields.first()?, "Z" | "X"),
            parent: fields.get(1)?.parse().ok()?,
            session: fields.get(3)?.parse().ok()?,
            cpu: time(14, 15)?,
            cpu_of_waited: time(16, 17)?,
            resident_pages: number(24)?,
        })
    }
}

/// The children of all threads of a process.
fn children(pid: i32) -> Vec<i32> {
    static TOLD: OnceLock<bool> = OnceLock::new();
    if !*TOLD.get_or_init(|| std::path::Path::new("/proc/thread-self/children").exists()) {
        return children_of_all(pid);
    }
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.into_iter().flatten().flatten();
    // A thread that has just ended has none.
    let lists = threads.filter_map(|thread| read_to_string(thread.path().join("children")).ok());
    let parse = |list: String| -> Vec<i32> {
        let words = list.split_ascii_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    };
    lists.flat_map(parse).collect()
}

/// The same on kernels that do not list children: looks at every process.
fn children_of_all(parent: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| Stat::of(pid).is_some_and(|stat| stat.parent == parent))
        .collect()
}

/// The leader, all below it, and orphans of its session or with its mark.
fn members(leader: i32) -> Vec<(i32, Stat)> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let orphans = match ADOPTING.load(Ordering::Relaxed) {
        true => children(own),
        false => Vec::new(),
    };
    let (leaders, mark) = {
        let running = running();
        let leaders: BTreeSet<i32> = running.leaders.keys().copied().collect();
        (leaders, running.leaders.get(&leader).copied())
    };
    let is_ours = |pid: &i32| {
        let in_session = Stat::of(*pid).is_some_and(|stat| stat.session == leader);
        in_session || mark.is_some() && Mark::of(*pid) == mark
    };
    let orphans = orphans.into_iter().filter(|pid| !leaders.contains(pid));
    let mut queue: Vec<i32> = orphans.filter(is_ours).collect();
    queue.push(leader);
    while let Some(pid) = queue.pop() {
        if !seen.insert(pid) {
            continue;
        }
        if let Some(stat) = Stat::of(pid) {
            queue.extend(children(pid));
            found.push((pid, stat));
        }
    }
    found
}

/// What the family of `leader` uses now.
///
/// Cost: about 40 µs for a single process, 20 more for each other one.
pub(super) fn usage(leader: Pid) -> FamilyUsage {
    let leader = leader.as_raw_nonzero().get();
    let page_kib = rustix::param::page_size() as u64 / 1024;
    let mut usage = FamilyUsage::default();
    for (pid, stat) in members(leader) {
        if !stat.zombie {
            usage.processes += 1;
            usage.memory_kib += stat.resident_pages * page_kib;
        }
        usage.cpu_of_others += stat.cpu_of_waited;
        if pid != leader {
            usage.cpu_of_others += stat.cpu;
        }
    }
    usage
}

/// Resident memory of the family, what several of them share counted once; `None` where the kernel does
/// not tell. Takes milliseconds for a large process.
pub(super) fn unshared_kib(leader: Pid) -> Option<u64> {
    let mut sum = 0;
    for (pid, stat) in members(leader.as_raw_nonzero().get()) {
        if stat.zombie {
            continue;
        }
        let text = read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
        let pss = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        sum += pss.trim().trim_end_matches(" kB").parse::<u64>().ok()?;
    }
    Some(sum)
}

/// How long clearing away may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Kills and reaps what a contestant, whose leader has ended, has left: orphans of its session or with its
/// mark, and those that are no running contestant's, whosever they were. Nothing happens unless orphans
/// come to us.
///
/// Cost: about 10 µs for each thread of ours where nothing was left.
pub(super) fn leave(leader: Pid) {
    let leader = leader.as_raw_nonzero().get();
    let begun = Instant::now();
    if ADOPTING.load(Ordering::Relaxed) {
        while clear_away(leader, begun) && begun.elapsed() < PATIENCE {
            // A killed process needs a moment to end, and then its own children come to us.
            std::thread::sleep(Duration::from_micros(200));
        }
    }
    running().leaders.remove(&leader);
}

/// Whether there was something to clear away.
fn clear_away(leader: i32, begun: Instant) -> bool {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let mut found = false;
    for pid in children(own) {
        if begun.elapsed() > PATIENCE {
            return true;
        }
        let running = running();
        if running.leaders.contains_key(&pid) {
            continue;
        }
        let Some(stat) = Stat::of(pid).filter(|stat| stat.parent == own) else {
            continue;
        };
        let is_anothers = || {
            let mark = Mark::of(pid);
            let others = running
                .leaders
                .iter()
                .filter(|(other, _)| **other != leader);
            let mut marks = others.map(|(_, mark)| Some(*mark));
            running.leaders.contains_key(&stat.session)
                || running.starting > 0
                || mark.is_some() && marks.any(|other| other == mark)
        };
        if stat.session != leader && is_anothers() {
            continue;
        }
        // While the lock is held, no number of ours becomes a new contestant's.
        let pid = Pid::from_raw(pid).expect("a child has a number");
        let _ = kill_process(pid, Signal::KILL);
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        found = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_either_way() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let (own, pid) = (std::process::id() as i32, child.id() as i32);
        assert!(children(own).contains(&pid));
        assert!(children_of_all(own).contains(&pid));
        let stat = Stat::of(pid).unwrap();
        assert_eq!((stat.parent, stat.zombie), (own, false));
        child.kill().unwrap();
        while !Stat::of(pid).unwrap().zombie {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(Stat::of(pid).is_none());
    }
}
