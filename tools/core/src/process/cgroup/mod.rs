//! A cgroup (version 2) of its own for each contestant that runs, where one is delegated to us.
//!
//! May import: `exec`, `clone`, `wait`. Start reading at `group`, one cgroup from case to case; `place` finds the
//! folder where we may make some; `counters` reads what the kernel counts.
//!
//! What it adds to a namespace: memory in files, sockets and pipes has a limit and is counted, so is processor time
//! that no process has waited for, and `cgroup.kill` ends all in one step. It holds without a namespace as well.

mod counters;
mod group;
mod place;

pub(super) use group::{Cgroup, Limits, check, close_all};
