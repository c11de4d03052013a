//! Starting a contestant in what holds it, or outside where there is no such thing.

use std::io;
use std::os::fd::BorrowedFd;

use super::cgroup::Cgroup;
use super::containment::{Containment, Holders};
use super::landlock::{allow_reading, enter_signal_scope};
use super::namespace::{Namespace, Wanted};
use super::orphans;
use super::spawn::{self, LandlockRules, Program, Spawned};

/// Starts a program, and says what holds it.
///
/// # Errors
/// If it cannot be executed, or the machine has no room for it.
pub(super) fn start(
    program: &Program<'_>,
    containment: Containment,
    wanted: Wanted,
) -> io::Result<(Spawned, Holders)> {
    let mut holders = containment.enter(wanted)?;
    let mut started = start_in(program, &holders, wanted);
    if started.is_err()
        && holders
            .namespace
            .as_ref()
            .is_some_and(Containment::falls_back)
    {
        holders = containment.enter(wanted)?;
        started = start_in(program, &holders, wanted);
    }
    match started {
        Ok(spawned) => {
            if holders.namespace.is_some() {
                Containment::has_opened();
            }
            Ok((spawned, holders))
        }
        Err(error) => {
            holders.put_back();
            Err(error)
        }
    }
}

fn start_in(program: &Program<'_>, holders: &Holders, wanted: Wanted) -> io::Result<Spawned> {
    let cgroup = holders.cgroup.as_ref().map(Cgroup::fd);
    match &holders.namespace {
        Some(namespace) => start_in_namespace(program, namespace, cgroup, wanted),
        None => start_as_child(program, cgroup, wanted.tasks),
    }
}

fn start_in_namespace(
    program: &Program<'_>,
    namespace: &Namespace,
    cgroup: Option<BorrowedFd<'_>>,
    wanted: Wanted,
) -> io::Result<Spawned> {
    if let LandlockRules::Required(rules) = program.rules {
        // They were made before its `/proc` was there.
        let _ = namespace.wait_until_open();
        namespace
            .proc_fd()
            .into_iter()
            .for_each(|proc| allow_reading(rules, proc));
    }
    spawn::spawn_in(program, cgroup, namespace, wanted)
}

/// Starts a program as our own child, to be followed as a tree.
fn start_as_child(
    program: &Program<'_>,
    cgroup: Option<BorrowedFd<'_>>,
    tasks: u64,
) -> io::Result<Spawned> {
    if !matches!(program.rules, LandlockRules::None) {
        enter_signal_scope();
    }
    let tasks = orphans::task_limit(tasks);
    orphans::register(|tag| spawn::spawn(program, cgroup, tag.limit(), tasks))
}
