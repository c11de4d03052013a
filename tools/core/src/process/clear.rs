//! Clearing away what a contestant leaves where it runs in no namespace: stop, kill, reap, until nothing is left.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::landlock::kill_scope;
use super::orphans::{claim, forget};
use super::procfs::Stat;
use super::tree::{
    MOST_LISTS, Root, adopts, below, charge, children, members, orphans, own_children, reap, settle,
};
use super::wait::PATIENCE;

/// How many processes are looked for in one go, to be stopped.
const MOST_FOUND: u64 = 10_000;

/// How long a process that was killed is left alone.
const REST: Duration = Duration::from_micros(200);

/// Kills everything of a contestant whose leader has not been reaped, and waits for nothing.
pub(super) fn kill_all(leader: Pid) {
    let root = Root {
        leader,
        keeper: None,
        counts_numbers: false,
        most: MOST_FOUND,
    };
    if !kill_scope() {
        // If they cannot be listed now, `clear_after` reports it.
        let _ = stop_and_kill(|| members(root));
    }
}

/// Kills everything that this process has started, and waits for nothing. Call it in a thread without a signal scope, right
/// before this process ends without clearing away.
pub fn kill_all_below() {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let found = || {
        let mut found = below(own, Vec::new(), MOST_FOUND)?;
        found.retain(|(pid, _)| *pid != own);
        Ok(found)
    };
    // If they cannot be listed, those of a namespace still end with us.
    let _ = stop_and_kill(found);
}

/// Stops everything until nothing new is found, then kills it. What is stopped does not fork.
fn stop_and_kill(find: impl Fn() -> io::Result<Vec<(i32, Stat)>>) -> io::Result<()> {
    let own = rustix::process::getpid().as_raw_nonzero().get();
    let mut stopped = BTreeMap::new();
    for _ in 0..MOST_LISTS {
        let before = stopped.len();
        for (pid, stat) in find()? {
            let Some(id) = Pid::from_raw(pid).filter(|_| !stopped.contains_key(&pid)) else {
                continue;
            };
            let Ok(process) = pidfd_open(id, PidfdFlags::empty()) else {
                continue;
            };
            // A bomb uses up numbers fast: it may be another's by now.
            let same = Stat::from_pid(pid).is_some_and(|now| {
                now.session == stat.session && (now.parent == stat.parent || now.parent == own)
            });
            if same {
                let _ = pidfd_send_signal(&process, Signal::STOP);
                stopped.insert(pid, process);
            }
        }
        if stopped.len() == before {
            break;
        }
    }
    for process in stopped.values() {
        let _ = pidfd_send_signal(process, Signal::KILL);
    }
    Ok(())
}

/// Kills and reaps the orphans of a contestant whose leader has ended, and strays that no running contestant has
/// started; the processor time of all its orphans. Nothing happens unless this process adopts orphans.
///
/// Cost: about 10 µs where nothing was left.
///
/// # Errors
/// If our own children cannot be listed: something may be left.
pub(super) fn clear_after(leader: Pid) -> io::Result<Duration> {
    let leader = leader.as_raw_nonzero().get();
    let cleared = kill_until_none_is_left(leader);
    let cpu = settle(leader);
    forget(leader);
    cleared.map(|()| cpu)
}

fn kill_until_none_is_left(leader: i32) -> io::Result<()> {
    let begun = Instant::now();
    if !adopts() {
        return Ok(());
    }
    let mut killed = HashSet::new();
    while let Leftovers::Some { new } = kill_leftovers(leader, &mut killed)? {
        if begun.elapsed() > PATIENCE {
            return Err(io::Error::other(
                "processes of the program were killed but do not end",
            ));
        }
        // Those that are not our children yet, too. The leader was reaped: its number may be another's.
        if new && !kill_scope() {
            stop_and_kill(|| {
                let orphans = orphans(leader, MOST_FOUND)?;
                let children = orphans.iter().flat_map(|(pid, _)| children(*pid));
                let below = children.map(|pid| below(pid, Vec::new(), MOST_FOUND));
                let below: Vec<_> = below.collect::<Result<_, _>>()?;
                Ok(orphans
                    .into_iter()
                    .chain(below.into_iter().flatten())
                    .collect())
            })?;
        }
        // A killed process needs a moment to end, and then we adopt its own children.
        if !new {
            std::thread::sleep(REST);
        }
    }
    Ok(())
}

/// Kills and reaps all orphans that no running contestant has started: those that were missed in their own case.
/// Call it in a thread that judges nothing.
pub fn clear_orphans() {
    // Each case has reported already if it could not.
    let _ = kill_until_none_is_left(NO_LEADER);
}

/// No leader has this number.
const NO_LEADER: i32 = 0;

/// What was left to clear away.
enum Leftovers {
    None,
    /// Some, and whether any of them had not been killed before.
    Some {
        new: bool,
    },
}

/// Kills leftovers once, and reaps those that have ended.
fn kill_leftovers(leader: i32, killed: &mut HashSet<i32>) -> io::Result<Leftovers> {
    let (mut any, mut new) = (false, false);
    for child in own_children()? {
        let Some(claim) = claim(leader, child, true) else {
            continue;
        };
        let pid = Pid::from_raw(child).expect("a child has a number");
        let _ = kill_process(pid, Signal::KILL);
        any = true;
        new |= match reap(child) {
            Some(cpu) => {
                charge(leader, cpu);
                !killed.remove(&child)
            }
            None => killed.insert(child),
        };
        drop(claim);
    }
    Ok(match any {
        true => Leftovers::Some { new },
        false => Leftovers::None,
    })
}
