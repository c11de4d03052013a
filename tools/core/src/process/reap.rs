//! Reaping a contestant: its first process, then what is left of it, until nothing is.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::cgroup::Cgroup;
use super::clear;
use super::containment::Holders;
use super::namespace::Namespace;
use super::wait::{PATIENCE, does_not_end, wait};

/// What the kernel says of a process that was reaped.
pub(super) struct Reaped {
    /// As `wait4` gives it.
    pub(super) status: i32,
    /// Processor time, with that of children that were waited for.
    pub(super) cpu: Duration,
    /// The most memory that was resident in one of them.
    pub(super) peak_kib: u64,
    /// See [`Usage::left`](super::child::Usage::left).
    pub(super) left: u64,
    /// See [`Usage::killed_at_kib`](super::child::Usage::killed_at_kib).
    pub(super) killed_at_kib: Option<u64>,
}

/// Waits for a contestant whose first process was killed or has ended, and kills and reaps what it has started. What
/// held it is kept for the next one.
///
/// # Errors
/// If another thread has reaped it, or something does not end within ten seconds.
pub(super) fn reap(holders: Holders, pid: Pid, pidfd: &OwnedFd) -> io::Result<Reaped> {
    let reaped = match holders.namespace {
        Some(namespace) => reap_namespace(namespace, pid),
        None => reap_tree(pid, pidfd),
    };
    let Some(cgroup) = holders.cgroup else {
        return reaped;
    };
    match reaped {
        Ok(reaped) => reap_cgroup(cgroup, reaped),
        Err(error) => {
            cgroup.abandon();
            Err(error)
        }
    }
}

/// Waits until the namespace is empty, and keeps it for the next contestant.
fn reap_namespace(namespace: Namespace, leader: Pid) -> io::Result<Reaped> {
    match namespace.wait_until_empty(|| kill_tracer(leader)) {
        Ok(ended) => {
            namespace.put_back();
            Ok(Reaped {
                // Otherwise the namespace itself was killed.
                status: ended.status.unwrap_or(libc::SIGKILL),
                cpu: ended.cpu,
                peak_kib: ended.peak_kib,
                left: ended.left,
                killed_at_kib: None,
            })
        }
        Err(error) => {
            namespace.abandon();
            Err(error)
        }
    }
}

/// The same for a cgroup, with what it has counted.
fn reap_cgroup(mut cgroup: Cgroup, reaped: Reaped) -> io::Result<Reaped> {
    match cgroup.end() {
        Ok(ended) => {
            cgroup.put_back();
            Ok(Reaped {
                cpu: reaped.cpu.max(ended.cpu),
                killed_at_kib: ended.killed_at_kib,
                ..reaped
            })
        }
        Err(error) => {
            cgroup.abandon();
            Err(error)
        }
    }
}

/// Waits for a process that was killed or has ended, then kills and reaps what it has started.
fn reap_tree(pid: Pid, pidfd: &OwnedFd) -> io::Result<Reaped> {
    let started = Instant::now();
    loop {
        match try_reap(pid) {
            Ok(Some(reaped)) => {
                let cpu = reaped.cpu + clear::clear_after(pid)?;
                return Ok(Reaped { cpu, ..reaped });
            }
            Ok(None) => {}
            Err(error) => {
                let _ = clear::clear_after(pid);
                return Err(error);
            }
        }
        if started.elapsed() > PATIENCE {
            let _ = clear::clear_after(pid);
            return Err(does_not_end());
        }
        // Now, so that all of it ends at the same time.
        clear::kill_all(pid);
        kill_tracer(pid);
        let _ = rustix::process::pidfd_send_signal(pidfd, Signal::KILL);
        // The pidfd is readable at once if the process has ended but a tracer holds it; so sleep.
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Takes the status if the process has ended.
fn try_reap(pid: Pid) -> io::Result<Option<Reaped>> {
    let ended = match wait(pid.as_raw_nonzero().get(), libc::WNOHANG) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
        ended => ended?,
    };
    Ok(ended.map(|ended| Reaped {
        status: ended.status,
        cpu: ended.cpu,
        peak_kib: ended.peak_kib,
        left: 0,
        killed_at_kib: None,
    }))
}

/// A traced process that has ended is its tracer's to wait for, until the tracer has ended too:
/// a grandchild that left the group and traces its parent would hold us without end.
fn kill_tracer(pid: Pid) {
    let path = format!("/proc/{}/status", pid.as_raw_nonzero());
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let tracer = status
        .lines()
        .find_map(|line| line.strip_prefix("TracerPid:"));
    let tracer = tracer.and_then(|pid| Pid::from_raw(pid.trim().parse().ok()?));
    if let Some(tracer) = tracer.filter(|&pid| pid != rustix::process::getpid()) {
        let _ = rustix::process::kill_process(tracer, Signal::KILL);
    }
}
