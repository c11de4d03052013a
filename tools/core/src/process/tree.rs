//! The process tree of a contestant: everything that it has started, and what that uses. `clear` clears it away.
//!
//! A contestant leads a session of its own, or in a namespace a process group. Its children can leave its process group and its session, and
//! lose their parent. Then they become children of the nearest *subreaper* above them, which is this
//! process once [`adopt_orphans`] was called. So all that a contestant has started stays below it or becomes a
//! child of ours, and can be found, counted, killed and reaped.

use std::collections::{BTreeMap, HashSet};
use std::fs::read_to_string;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rustix::process::Pid;

use super::orphans::claim;
use super::procfs::{Stat, stat_after_name, threads};
use super::wait::wait;

/// Whether orphans come to this process, and every child that is no contestant is one.
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// By leader: the processor time of its orphans that have ended.
static CPU_OF_REAPED: Mutex<BTreeMap<i32, Duration>> = Mutex::new(BTreeMap::new());

/// From now on, processes that a contestant leaves behind become children of this process, and are killed when
/// the contestant's case is over. Call it only in a process whose children are all contestants:
/// others would be killed too.
pub fn adopt_orphans() {
    // It fails on no kernel that has pidfds; without it, orphans go to init as usual.
    let adopted = rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok();
    ADOPTING.store(adopted, Ordering::Relaxed);
}

/// Whether orphans come to this process.
pub(super) fn adopts() -> bool {
    ADOPTING.load(Ordering::Relaxed)
}

/// While this value lives, orphans go to init as usual: what runs now is no contestant.
pub(super) struct AdoptionPaused(bool);

impl AdoptionPaused {
    pub(super) fn new() -> Self {
        let adopts = ADOPTING.swap(false, Ordering::Relaxed);
        if adopts {
            // It fails on no kernel on which it was allowed before.
            let _ = rustix::process::set_child_subreaper(None);
        }
        Self(adopts)
    }
}

impl Drop for AdoptionPaused {
    fn drop(&mut self) {
        if self.0 {
            adopt_orphans();
        }
    }
}

/// What a contestant and everything that it has started use at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeUsage {
    /// How many processes are alive.
    pub processes: u64,
    /// Resident memory, what is shared counted for each.
    pub memory_kib: u64,
    /// Processor time of all but the leader, and of those that the leader has waited for.
    pub cpu_of_others: Duration,
}

/// The children of all threads of a process.
pub(super) fn children(pid: i32) -> Vec<i32> {
    if !kernel_lists_children() {
        return children_of_all(pid);
    }
    // A thread that has just ended has none.
    let list = |thread| read_to_string(format!("/proc/{pid}/task/{thread}/children")).ok();
    let lists = threads(pid).filter_map(list);
    lists.flat_map(|list| numbers(&list)).collect()
}

fn kernel_lists_children() -> bool {
    static LISTED: OnceLock<bool> = OnceLock::new();
    *LISTED.get_or_init(|| std::path::Path::new("/proc/thread-self/children").exists())
}

fn numbers(list: &str) -> Vec<i32> {
    let words = list.split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Our own children: orphans, which the kernel gives to a process's first thread, and what this thread has
/// started, or what that has started as a sister of its own (`CLONE_PARENT`).
pub(super) fn own_children() -> io::Result<Vec<i32>> {
    let own = rustix::process::getpid();
    if !kernel_lists_children() {
        return Ok(children_of_all(own.as_raw_nonzero().get()));
    }
    let mut all = undisturbed_list(&format!("/proc/self/task/{own}/children"))?;
    if rustix::thread::gettid() != own {
        all.extend(undisturbed_list("/proc/thread-self/children")?);
    }
    Ok(all)
}

/// The kernel leaves some out where others are reaped while it writes the list; two lists that are the same
/// were not disturbed, and nothing is left out of an empty one.
fn undisturbed_list(path: &str) -> io::Result<Vec<i32>> {
    let mut last = read_to_string(path)?;
    for _ in 0..MOST_LISTS {
        if last.is_empty() {
            break;
        }
        let next = read_to_string(path)?;
        if next == last {
            break;
        }
        last = next;
    }
    Ok(numbers(&last))
}

/// How often a list that changes all the time is read.
pub(super) const MOST_LISTS: usize = 20;

/// The same on kernels that do not list children: looks at every process.
fn children_of_all(parent: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| Stat::from_pid(pid).is_some_and(|stat| stat.parent == parent))
        .collect()
}

/// The orphans that `leader` has started. Those that have ended are reaped, so that a contestant that leaves
/// thousands behind does not slow us down.
pub(super) fn orphans(leader: i32, most: u64) -> io::Result<Vec<(i32, Stat)>> {
    let mut living = Vec::new();
    if !adopts() {
        return Ok(living);
    }
    for pid in own_children()? {
        if living.len() as u64 > most {
            break;
        }
        let Some(claim) = claim(leader, pid, false) else {
            continue;
        };
        let Some(stat) = Stat::from_pid(pid) else {
            continue;
        };
        match stat.zombie.then(|| reap(pid)).flatten() {
            Some(cpu) => charge(leader, cpu),
            None => living.push((pid, stat)),
        }
        drop(claim);
    }
    Ok(living)
}

/// Reaps a child of ours if it has ended; the processor time of it and of what it had waited for.
pub(super) fn reap(pid: i32) -> Option<Duration> {
    let ended = wait(pid, libc::WNOHANG).ok().flatten();
    ended.map(|ended| ended.cpu)
}

/// Adds the processor time of an orphan that was reaped.
pub(super) fn charge(leader: i32, cpu: Duration) {
    let mut all = CPU_OF_REAPED.lock().unwrap_or_else(PoisonError::into_inner);
    *all.entry(leader).or_default() += cpu;
}

/// The processor time of the orphans that were reaped, which is forgotten then.
pub(super) fn settle(leader: i32) -> Duration {
    let mut all = CPU_OF_REAPED.lock().unwrap_or_else(PoisonError::into_inner);
    all.remove(&leader).unwrap_or_default()
}

/// Where the processes of a contestant are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    /// Its first process.
    pub(super) leader: Pid,
    /// The keeper of its namespace, below which all of them are.
    pub(super) keeper: Option<i32>,
    /// Whether the namespace limits numbers. Groups and sessions hold theirs when their leaders have ended.
    pub(super) counts_numbers: bool,
    /// How many processes are looked for. A bomb adds them faster than they are found.
    pub(super) most: u64,
}

/// All processes of a contestant.
pub(super) fn members(root: Root) -> io::Result<Vec<(i32, Stat)>> {
    let leader = root.leader.as_raw_nonzero().get();
    let Some(keeper) = root.keeper else {
        return below(leader, orphans(leader, root.most)?, root.most);
    };
    let all = below(keeper, Vec::new(), root.most)?;
    Ok(all.into_iter().filter(|(pid, _)| *pid != keeper).collect())
}

/// The process, all below it, and those that were found already with all below them.
pub(super) fn below(
    leader: i32,
    mut found: Vec<(i32, Stat)>,
    most: u64,
) -> io::Result<Vec<(i32, Stat)>> {
    let mut queue: Vec<i32> = found.iter().flat_map(|(pid, _)| children(*pid)).collect();
    let mut seen: HashSet<i32> = found.iter().map(|(pid, _)| *pid).collect();
    queue.push(leader);
    while let Some(pid) = queue.pop()
        && found.len() as u64 <= most
    {
        if !seen.insert(pid) {
            continue;
        }
        if let Some(stat) = Stat::from_pid(pid) {
            queue.extend(children(pid));
            found.push((pid, stat));
        }
    }
    Ok(found)
}

/// What a contestant's processes use now, and orphans of its that were reaped.
///
/// Cost: about 40 µs for a single process, 20 more for each other one.
///
/// # Errors
/// If our own children cannot be listed.
pub(super) fn usage(root: Root) -> io::Result<TreeUsage> {
    let leader = root.leader.as_raw_nonzero().get();
    let page_kib = rustix::param::page_size() as u64 / 1024;
    let mut usage = TreeUsage::default();
    let mut numbers = HashSet::new();
    for (pid, stat) in members(root)? {
        numbers.extend([pid, stat.group, stat.session]);
        // One that has ended and was not waited for holds its number, and takes our time.
        usage.processes += 1;
        usage.memory_kib += stat.resident_pages * page_kib;
        usage.cpu_of_others += stat.cpu_of_waited;
        if pid != leader {
            usage.cpu_of_others += stat.cpu;
        }
    }
    if root.counts_numbers {
        // Its session is not the contestant's.
        root.keeper.map(|keeper| numbers.remove(&keeper));
        usage.processes = usage.processes.max(numbers.len() as u64);
    }
    let reaped = CPU_OF_REAPED.lock().unwrap_or_else(PoisonError::into_inner);
    usage.cpu_of_others += reaped.get(&leader).copied().unwrap_or_default();
    Ok(usage)
}

/// Whether a thread of the process tree is running, or would if a processor were free.
pub(super) fn is_running(root: Root) -> bool {
    has_thread_in(root, &['R'])
}

/// The same, or whether one waits for something that no other process can hold up, such as a disk.
pub(super) fn is_busy(root: Root) -> bool {
    has_thread_in(root, &['R', 'D'])
}

fn has_thread_in(root: Root, states: &[char]) -> bool {
    let members = members(root).into_iter().flatten();
    let runs = |thread: i32| {
        let stat = thread.try_into().ok().and_then(stat_after_name);
        stat.is_some_and(|rest| rest.starts_with(states))
    };
    members.flat_map(|(pid, _)| threads(pid)).any(runs)
}

/// Resident memory of the process tree, shared memory counted once; `None` where the kernel does not report it.
/// Takes milliseconds for a large process.
pub(super) fn unshared_kib(root: Root) -> Option<u64> {
    let mut sum = 0;
    let members = members(root).ok()?;
    for (pid, stat) in &members {
        // Until a new process executes its program (vfork), it has its parent's memory and none of its own.
        let borrowed = members.iter().any(|(other, _)| *other == stat.parent)
            && share_memory(*pid, stat.parent);
        if stat.zombie || borrowed {
            continue;
        }
        let text = match read_to_string(format!("/proc/{pid}/task/{}/smaps_rollup", stat.thread)) {
            Ok(text) => text,
            // It has ended since, and its memory is free.
            Err(error) if is_gone(&error) => continue,
            Err(_) => return None,
        };
        let pss = text.lines().find_map(|line| line.strip_prefix("Pss:"));
        let kib = pss.and_then(|pss| pss.trim().trim_end_matches(" kB").parse::<u64>().ok());
        sum += kib.unwrap_or(0);
    }
    Some(sum)
}

/// Whether a process's file cannot be read because there is no such process any more.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(libc::ESRCH)
}

/// Whether two processes share one memory; false where the kernel does not say.
fn share_memory(one: i32, other: i32) -> bool {
    const VM: i32 = 1;
    // SAFETY: a system call on numbers, which changes nothing.
    unsafe { libc::syscall(libc::SYS_kcmp, one, other, VM, 0, 0) == 0 }
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
        let stat = Stat::from_pid(pid).unwrap();
        assert_eq!((stat.parent, stat.zombie), (own, false));
        child.kill().unwrap();
        while !Stat::from_pid(pid).unwrap().zombie {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(Stat::from_pid(pid).is_none());
    }
}
