//! What a meter (`meter.rs`) has heard of the programs of one case until some moment.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Pid;
use rustix::time::{ClockId, clock_gettime};

use super::ending::Ending;
use super::stage::message::{ENDED_BY_TESTER, Figures, START_ERROR};

/// What one program used, as the process that waited for it says. Of several: what each of them used at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Metered {
    /// How it ended: with status 0 also if it failed after nothing read its output any more, which is no crash of its own.
    pub ending: Ending,
    /// Whether that followed a signal of the process that had started it, and that asked it to end.
    pub is_ended_by_tester: bool,
    /// From its start to its end.
    pub wall: Duration,
    /// Its processor time, with that of children that it waited for.
    pub cpu: Duration,
    /// The most memory that was resident in one of these processes.
    pub memory_kib: u64,
    /// The times of the other programs together, if there were several.
    pub others: Duration,
    /// The error number if the first of them could not be started; 0 if it was.
    pub start_error: i32,
}

/// What was heard until some moment. Two looks at a meter may be of two moments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heard {
    /// The stage whose program has not ended.
    pub(super) running: Option<Running>,
    /// The programs that have ended.
    pub(super) ended: Option<Metered>,
    /// Whether a stage said that it starts its program.
    pub(super) has_started: bool,
    /// Whether a stage sent what is no figure.
    pub(super) is_damaged: bool,
}

/// A stage, and when it started its program: nanoseconds of the kernel's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) stage: Pid,
    pub(super) since_ns: u64,
}

impl Heard {
    /// What the programs used. A limit is for each of them, so this is what one of them used at most. `None` if there was
    /// none, or one runs or was killed with its stage.
    pub fn read(&self) -> Option<Metered> {
        let is_known = self.running.is_none() && !self.is_damaged;
        self.ended.filter(|_| is_known)
    }

    /// The same of the programs that have ended, also while another one runs.
    pub fn ended(&self) -> Option<Metered> {
        self.ended
    }

    /// Whether a program runs, or was killed with its stage, and none before it has failed by itself: after that, its tester
    /// may start it again, and that one decides nothing.
    pub fn is_undecided(&self) -> bool {
        self.running.is_some() && self.failed().is_none()
    }

    /// The program that failed by itself, also if its tester has started another one since.
    pub fn failed(&self) -> Option<Metered> {
        self.ended.filter(|ended| ended.has_failed())
    }

    /// For how long the program runs that was started and has not ended. `None` if no program runs. While the machine is
    /// suspended, no time passes.
    pub fn running_for(&self) -> Option<Duration> {
        let running = self.running?;
        Some(Duration::from_nanos(
            now_ns().saturating_sub(running.since_ns),
        ))
    }

    /// Whether a program was started.
    pub fn has_started(&self) -> bool {
        self.has_started
    }
}

impl Metered {
    /// Whether the program failed by itself.
    fn has_failed(&self) -> bool {
        self.ending != Ending::Exited(0) && !self.is_ended_by_tester
    }

    /// What a stage's message says; `None` if it is no such message.
    pub(super) fn parse(message: &[u8]) -> Option<Self> {
        let (numbers, rest) = message.as_chunks();
        let numbers: Vec<u64> = numbers.iter().copied().map(u64::from_ne_bytes).collect();
        let [status, wall_us, cpu_us, memory_kib] = Figures::try_from(numbers).ok()?;
        let is_ended_by_tester = status & ENDED_BY_TESTER != 0;
        let start_error = i32::try_from(status >> START_ERROR).ok()?;
        let status = status & !ENDED_BY_TESTER & ((1 << START_ERROR) - 1);
        let status = ExitStatus::from_raw(i32::try_from(status).ok()?);
        let ending = match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, signal) => Ending::Signaled(signal?),
        };
        rest.is_empty().then(|| Self {
            ending,
            is_ended_by_tester,
            wall: Duration::from_micros(wall_us),
            cpu: Duration::from_micros(cpu_us),
            memory_kib,
            others: Duration::ZERO,
            start_error,
        })
    }

    /// Why the machine did not start the first program of the case: for want of processes, memory or descriptors, or
    /// because its file was being written. No other program ran before that could have caused it.
    pub fn start_failure(&self) -> Option<io::Error> {
        let is_of_machine = matches!(
            self.start_error,
            libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE | libc::ETXTBSY | libc::EIO
        );
        is_of_machine.then(|| io::Error::from_raw_os_error(self.start_error))
    }

    /// The time that a limit is for.
    pub fn time(&self) -> Duration {
        self.wall.max(self.cpu)
    }

    /// This program and the next one: what one of them used at most, and the end of the first that did not end well.
    pub(super) fn with(self, next: Self) -> Self {
        let first = match self.ending {
            Ending::Exited(0) => next,
            _ => self,
        };
        Self {
            wall: self.wall.max(next.wall),
            cpu: self.cpu.max(next.cpu),
            memory_kib: self.memory_kib.max(next.memory_kib),
            others: self.others + next.others + self.time().min(next.time()),
            start_error: self.start_error,
            ..first
        }
    }
}

/// The time of the clock that stages tell, in nanoseconds.
pub(super) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
