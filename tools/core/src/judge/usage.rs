//! Processor time, memory and processes of a contestant, sampled while it runs.

use std::io;
use std::time::Duration;

use super::verdict::{Flood, Limits, ProcessFacts, TimeoutState};
use super::watcher::Watcher;
use crate::process::{Contestant, Usage};

/// How often they are sampled. The first sample comes this long after the start, so that a short case pays
/// nothing.
const INTERVAL: Duration = Duration::from_millis(20);

/// Says how much more time a program gets whose time is up.
pub(super) type Extension<'a> = &'a dyn Fn() -> MoreTime;

/// More time.
pub(super) struct MoreTime {
    pub(super) time: Duration,
    /// Whether nothing follows: it is not asked again.
    pub(super) is_last: bool,
}

impl MoreTime {
    /// None at all.
    pub(super) const NONE: Self = Self {
        time: Duration::ZERO,
        is_last: true,
    };
}

/// The greatest values until now.
pub(super) struct UsageSampler {
    pub(super) cpu: Duration,
    pub(super) memory_kib: u64,
    pub(super) processes: u64,
    /// Bytes in a file that takes the place of its stdout.
    pub(super) written: u64,
    /// When the next sample is due.
    pub(super) due: Duration,
}

impl UsageSampler {
    pub(super) fn new() -> Self {
        Self {
            cpu: Duration::ZERO,
            memory_kib: 0,
            processes: 0,
            written: 0,
            due: INTERVAL,
        }
    }

    /// Takes a sample of the contestant and of everything that it has started.
    pub(super) fn sample(&mut self, contestant: &Contestant, limits: &Limits) -> io::Result<()> {
        let tree = contestant.tree_usage()?;
        let seen = contestant.cpu() + tree.cpu_of_others;
        self.cpu = self.cpu.max(seen).max(contestant.cpu_in_cgroup()?);
        self.processes = self.processes.max(tree.processes);
        self.memory_kib = self.memory_kib.max(contestant.peak_kib());
        // Memory that processes share is counted for each of them. The exact sum takes long, so it is taken only
        // where the simple one passes the limit.
        if tree.memory_kib > self.memory_kib {
            let within = tree.memory_kib <= limits.memory_kib;
            let exact = || contestant.unshared_kib();
            let all = Some(tree.memory_kib).filter(|_| within).or_else(exact);
            self.memory_kib = self.memory_kib.max(all.unwrap_or(tree.memory_kib));
        }
        self.memory_kib = contestant.memory_in_cgroup(self.memory_kib)?;
        Ok(())
    }

    /// Whether it has written too much to a file, looked at once more, or to a stderr of its own.
    pub(super) fn flood(&self, watcher: &dyn Watcher, limits: &Limits) -> Option<Flood> {
        let written = self.written.max(watcher.written().unwrap_or(0));
        let to_file = (written > limits.output_bytes).then_some(Flood::Stdout);
        let is_beside = watcher.stderr_beside() > limits.output_bytes;
        to_file.or(is_beside.then_some(Flood::Stderr))
    }

    /// The facts of a program that was reaped: the greatest values, those that the kernel tells at its end among them.
    /// `wall` is its time.
    pub(super) fn facts(&self, wall: Duration, used: &Usage) -> ProcessFacts {
        ProcessFacts {
            wall,
            cpu: self.cpu.max(used.cpu),
            memory_kib: self.memory_kib.max(used.memory_kib),
            // If its first process ended with others alive, it was one of them until then.
            processes: self.processes.max(used.left),
            killed_at_kib: used.killed_at_kib,
            flood: None,
            ending: used.ending,
            timeout: TimeoutState::default(),
        }
    }

    /// Looks at the memory of a contestant that exits soon. The kernel reports a peak above the judge's own at the end;
    /// this is for small programs.
    pub(super) fn sample_before_exit(&mut self, contestant: &Contestant) {
        self.memory_kib = self.memory_kib.max(contestant.resident_kib());
    }

    /// Says when the sample after one that ended `now` is due.
    pub(super) fn schedule(&mut self, now: Duration) {
        self.due = now + INTERVAL;
    }

    /// Whether a limit is passed; `wall` is the time since the start.
    pub(super) fn passes(&self, wall: Duration, limits: &Limits) -> bool {
        wall.max(self.cpu) > limits.time
            || self.memory_kib > limits.memory_kib
            || self.processes > limits.processes
            || self.written > limits.output_bytes
    }
}
