//! The contestant's process: started, watched, ended, reaped. It knows no game.
//!
//! It runs in a process group of its own, in a session of its own or of its namespace. So a Ctrl-C at the terminal does
//! not reach it, and one signal kills the whole group. The kernel kills it when the judge dies. Our ends of its three
//! pipes do not block. Dropping a [`Contestant`] in any state kills and reaps it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use super::cgroup::Cgroup;
use super::containment::{Containment, Holders};
use super::continued::Moment;
use super::ending::Ending;
use super::landlock::signal_scope;
use super::namespace::{DUMPABLE, Namespace, Wanted};
use super::nearness;
use super::program::{Command, StartError};
use super::reap;
use super::sandbox::Sandbox;
use super::shm::names_shm;
use super::spawn::{LandlockRules, Program};
use super::start::start;
use super::tree::{self, Root, TreeUsage};

/// A running (or ended, but not yet reaped) contestant, with which `judge_started` plays a case. If it is dropped, it is
/// killed.
pub struct Contestant {
    pid: Pid,
    pidfd: OwnedFd,
    /// Where it runs, until it was reaped.
    holders: Holders,
    inherited_kib: u64,
    /// Its limit on processes.
    processes: u64,
    started: Moment,
    cpu_clock: Option<libc::clockid_t>,
    reaped: bool,
    /// What the kernel said of it, if it was reaped before its case was over.
    used: Option<Usage>,
    sandbox: Option<Sandbox>,
    /// Our end of its stdin, until it is closed.
    pub(crate) stdin: Option<PipeWriter>,
    /// Our end of its stdout, until it ends.
    pub(crate) stdout: Option<PipeReader>,
    /// Our end of its stderr, until it ends.
    pub(crate) stderr: Option<PipeReader>,
}

/// What the kernel says of a reaped contestant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// How it ended.
    pub ending: Ending,
    /// Processor time, its own and that of children it waited for.
    pub cpu: Duration,
    /// The most memory that was resident in one of them; 0 if that is not known, because it was less
    /// than what our own process has had resident: the kernel counts that too, as the child shared
    /// our memory before it executed its program.
    pub memory_kib: u64,
    /// How many processes were left when its first one ended, itself not counted; 0 if that is not known.
    pub left: u64,
    /// If the kernel killed processes because its cgroup had no memory left: how much it then had.
    pub killed_at_kib: Option<u64>,
}

/// How a contestant is held, decided before it starts.
#[derive(Clone, Copy, Debug)]
pub struct Confinement<'a> {
    /// What keeps its processes together.
    pub containment: Containment,
    /// What it may see and change, if that is limited.
    pub sandbox: Option<&'a Sandbox>,
    /// How many processes it may have at once. In a namespace, the kernel allows two more processes and threads.
    pub processes: u64,
    /// How much memory it may use; in a namespace, its files in `/dev/shm` have no more.
    pub memory_kib: u64,
    /// Whether it may make user namespaces, as a contest's own tester may want to. A sandbox can in any case.
    pub nests: bool,
    /// Whether no contestant will be started after it, so that its namespace need not stay open.
    pub is_last: bool,
    /// A file instead of the pipe to its stdin.
    pub stdin: Option<BorrowedFd<'a>>,
    /// A file instead of the pipe from its stdout.
    pub stdout: Option<BorrowedFd<'a>>,
}

impl Confinement<'_> {
    /// Nothing that the kernel would enforce.
    #[cfg(test)]
    pub(crate) const NONE: Self = Self {
        containment: Containment::Tree,
        sandbox: None,
        processes: u64::MAX,
        memory_kib: u64::MAX,
        nests: true,
        is_last: false,
        stdin: None,
        stdout: None,
    };

    fn wanted(&self, command: &Command) -> Wanted {
        let not_its_own = self.sandbox.map_or(0, Sandbox::own_processes);
        Wanted {
            // Two more, so that it is seen when the limit is passed.
            tasks: self.processes.saturating_add(2 + not_its_own),
            memory_kib: self.memory_kib,
            shares_shm: names_shm(command),
            nests: self.nests || not_its_own > 0,
            is_last: self.is_last,
        }
    }
}

impl Contestant {
    /// Starts `command` with three pipes.
    ///
    /// The kernel kills it when the judge dies; without a namespace, when the *thread* that calls this ends, so judge it
    /// in the same one. The first call makes this process unreadable for others of the same user, and SIGCHLD its
    /// default. Without a namespace, and where the kernel has signal scopes (Linux 6.12), the thread can from then on
    /// signal only what it starts itself, and cannot start programs as another user.
    ///
    /// Cost: about 0.5 ms, nearly all of it the kernel's and the dynamic linker's.
    ///
    /// # Errors
    /// If the program cannot be executed, the machine has no room for it, or there is no `/proc`.
    pub fn start(command: &Command, confinement: &Confinement<'_>) -> Result<Self, StartError> {
        command.check_proc()?;
        prepare_judge();
        let sandbox = confinement.sandbox;
        let wrapped = sandbox.map(|sandbox| sandbox.wrap(command));
        let command = wrapped.as_ref().unwrap_or(command);
        let path = command.find()?;
        let rules = match sandbox {
            Some(sandbox) => sandbox
                .rules()
                .map_or(LandlockRules::None, LandlockRules::Required),
            None => signal_scope().map_or(LandlockRules::None, LandlockRules::BestEffort),
        };
        let words = std::iter::once(&command.program).chain(&command.args);
        let program = Program {
            path: &path,
            words: words.map(OsString::as_os_str).collect(),
            rules,
            filter: sandbox.and_then(Sandbox::filter),
            files: [confinement.stdin, confinement.stdout],
        };
        let wanted = confinement.wanted(command);
        let before = Moment::now();
        let started = start(&program, confinement.containment, wanted);
        let (spawned, holders) = started.map_err(|error| command.start_error(error))?;
        let contestant = Self {
            pid: spawned.pid,
            pidfd: spawned.pidfd,
            holders,
            inherited_kib: own_peak_kib(),
            processes: confinement.processes,
            started: before.after_start(),
            cpu_clock: cpu_clock(spawned.pid),
            reaped: false,
            used: None,
            sandbox: sandbox.cloned(),
            stdin: Some(spawned.stdin),
            stdout: Some(spawned.stdout),
            stderr: Some(spawned.stderr),
        };
        contestant
            .unblock_pipes()
            .map_err(|source| StartError::System {
                program: command.program.clone(),
                source,
            })?;
        Ok(contestant)
    }

    /// Makes our ends of the pipes return at once where there is nothing to read or no room.
    fn unblock_pipes(&self) -> io::Result<()> {
        let pipes = [
            self.stdin.as_ref().map(AsFd::as_fd),
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(())
    }

    /// Becomes readable when the process ends.
    pub(crate) fn exit_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// Whether its status was taken. Its number may be that of another process since.
    pub(crate) fn is_reaped(&self) -> bool {
        self.reaped
    }

    /// When it was started; how often this process had been continued is from before the start.
    pub(crate) fn started(&self) -> Moment {
        self.started
    }

    /// Processor time of its threads so far; zero where the kernel does not report it.
    pub(crate) fn cpu(&self) -> Duration {
        let Some(clock) = self.cpu_clock else {
            return Duration::ZERO;
        };
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` is a valid timespec to write to.
        match unsafe { libc::clock_gettime(clock, &raw mut time) } {
            0 => Duration::new(time.tv_sec as u64, time.tv_nsec as u32),
            _ => Duration::ZERO,
        }
    }

    /// Moves this thread to the processor on which it ran last.
    pub(crate) fn move_beside(&self) {
        nearness::move_beside(self.pid);
    }

    /// Memory that is used now; zero where the kernel does not report it. A third of the cost of
    /// [`Contestant::peak_kib`].
    pub(crate) fn resident_kib(&self) -> u64 {
        let path = format!("/proc/{}/statm", self.pid.as_raw_nonzero());
        // Seven numbers, in one read.
        let mut text = [0; 160];
        let read = File::open(path).and_then(|mut file| file.read(&mut text));
        let text = str::from_utf8(&text[..read.unwrap_or(0)]).unwrap_or_default();
        let resident = text.split_ascii_whitespace().nth(1);
        let pages = resident.and_then(|pages| pages.parse::<u64>().ok());
        let resident_kib = pages.unwrap_or(0) * (rustix::param::page_size() as u64 / 1024);
        self.memory_in_cgroup(resident_kib).unwrap_or(resident_kib)
    }

    /// Memory that the kernel counts for all its processes, files in memory among it; `known_kib` if that is more, or
    /// if it has no cgroup.
    pub(crate) fn memory_in_cgroup(&self, known_kib: u64) -> io::Result<u64> {
        match &self.holders.cgroup {
            Some(cgroup) => cgroup.memory_kib(known_kib),
            None => Ok(known_kib),
        }
    }

    /// Processor time that the kernel counts for all that it has started, waited for or not; zero if it has no cgroup.
    pub(crate) fn cpu_in_cgroup(&self) -> io::Result<Duration> {
        let cgroup = self.holders.cgroup.as_ref();
        cgroup.map_or(Ok(Duration::ZERO), Cgroup::cpu)
    }

    /// The most memory that was resident so far; zero where the kernel does not report it.
    pub(crate) fn peak_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.pid.as_raw_nonzero());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
        kib.unwrap_or(0)
    }

    /// Whether a thread in its process tree is running, or would if a processor were free.
    pub(crate) fn is_running(&self) -> bool {
        tree::is_running(self.root())
    }

    /// Whether a thread in its process tree is running, would if a processor were free, or waits for a disk.
    pub(crate) fn is_busy(&self) -> bool {
        tree::is_busy(self.root())
    }

    /// Whether its stdin is closed, so that nothing we send can be read.
    pub(crate) fn stdin_closed(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        self.stdin.as_ref().is_none_or(|pipe| {
            let mut fds = [PollFd::new(pipe, PollFlags::empty())];
            let polled = poll(&mut fds, Some(&Timespec::default()));
            polled.is_ok() && fds[0].revents().contains(PollFlags::ERR)
        })
    }

    /// Bytes that were sent and not yet read.
    pub(crate) fn unread_bytes(&self) -> u64 {
        let pending = |pipe: &PipeWriter| rustix::io::ioctl_fionread(pipe).unwrap_or(0);
        self.stdin.as_ref().map_or(0, pending)
    }

    /// What it and everything that it has started use now.
    ///
    /// Cost: about 40 µs for a single process, 20 more for each other one.
    ///
    /// # Errors
    /// If `/proc` cannot be read, because no more files can be opened.
    pub(crate) fn tree_usage(&self) -> io::Result<TreeUsage> {
        let mut usage = tree::usage(self.root())?;
        let namespace = self.holders.namespace.as_ref();
        usage.cpu_of_others += namespace.map_or(Duration::ZERO, Namespace::cpu);
        let not_its_own = self.sandbox.as_ref().map_or(0, Sandbox::own_processes);
        usage.processes = usage.processes.saturating_sub(not_its_own);
        Ok(usage)
    }

    /// Resident memory of the process tree, shared memory counted once; `None` where the kernel does not
    /// report it. Takes milliseconds where it is large.
    pub(crate) fn unshared_kib(&self) -> Option<u64> {
        tree::unshared_kib(self.root())
    }

    /// Kills its first process, and what can be reached at once. Processes that have ended already are no error.
    pub(crate) fn kill(&self) {
        if !self.reaped {
            // In a namespace the keeper kills the rest, when it has counted them.
            if self.holders.namespace.is_none() {
                if let Some(cgroup) = &self.holders.cgroup {
                    cgroup.kill_several();
                }
                // Not reaped, so the number is still its own. It may have left its group, hence both.
                let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
            }
            let _ = rustix::process::pidfd_send_signal(&self.pidfd, Signal::KILL);
        }
    }

    /// Kills what is left of it, waits until nothing is, and takes its status.
    ///
    /// # Errors
    /// If another thread has reaped it, or it cannot be reaped within ten seconds: it was killed and does not
    /// end, or a tracer that we may not kill holds it.
    pub(crate) fn reap(&mut self) -> io::Result<Usage> {
        if let Some(used) = self.used.take() {
            return Ok(used);
        }
        self.kill();
        self.reaped = true; // not to be signalled any more, and not to be waited for once more
        let holders = std::mem::take(&mut self.holders);
        let used = reap::reap(holders, self.pid, &self.pidfd)?;
        let peak_kib = Some(used.peak_kib).filter(|peak| *peak > self.inherited_kib);
        Ok(Usage {
            ending: self.ending(used.status),
            cpu: used.cpu,
            memory_kib: peak_kib.max(used.killed_at_kib).unwrap_or(0),
            left: used.left,
            killed_at_kib: used.killed_at_kib,
        })
    }

    /// How it ended, once [`Contestant::exit_fd`] is readable, although another program of this thread still runs.
    ///
    /// In a namespace, nothing of it is left afterwards. Elsewhere, what it has started may run until
    /// [`Contestant::reap`], which would end the other program as well.
    ///
    /// # Errors
    /// As [`Contestant::reap`].
    pub(crate) fn early_ending(&mut self) -> io::Result<Ending> {
        if self.holders.namespace.is_none()
            && let Some(status) = self.peek_status()
        {
            return Ok(self.ending(status));
        }
        let used = self.reap()?;
        self.used = Some(used);
        Ok(used.ending)
    }

    /// The status of a child of ours that has ended, which stays to be reaped.
    fn peek_status(&self) -> Option<i32> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok()??;
        let exited = ended.exit_status().map(|status| status << 8);
        exited.or_else(|| ended.terminating_signal())
    }

    fn ending(&self, status: i32) -> Ending {
        if libc::WIFSIGNALED(status) {
            return Ending::Signaled(libc::WTERMSIG(status));
        }
        let status = libc::WEXITSTATUS(status);
        let signal = self.sandbox.as_ref().and_then(|s| s.signal_of(status));
        signal.map_or(Ending::Exited(status), Ending::Signaled)
    }

    fn root(&self) -> Root {
        let namespace = self.holders.namespace.as_ref();
        Root {
            // One more than its limit, and what the sandbox adds.
            most: self.processes.saturating_add(3),
            leader: self.pid,
            keeper: namespace.map(Namespace::keeper_pid),
            counts_numbers: namespace.is_some_and(Namespace::limits_numbers),
        }
    }
}

/// Once for this process, before the first contestant exists.
///
/// Other processes of the same user may not read our memory, where the secret is, or trace us. And we wait for
/// our children ourselves, even if our parent process ignored SIGCHLD, which would reap them at once.
fn prepare_judge() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        DUMPABLE.forbid();
        // SAFETY: the default action is a valid one, and no handler of ours is replaced.
        unsafe {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    });
}

/// The most memory that this process has had resident.
fn own_peak_kib() -> u64 {
    // SAFETY: rusage is plain numbers, for which all zeroes is a value, and valid to write to.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage.ru_maxrss as u64
    }
}

impl Drop for Contestant {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.reap();
        }
    }
}

/// The clock that counts a process's processor time.
fn cpu_clock(pid: Pid) -> Option<libc::clockid_t> {
    let mut clock = 0;
    // SAFETY: `clock` is valid to write to.
    let error = unsafe { libc::clock_getcpuclockid(pid.as_raw_nonzero().get(), &raw mut clock) };
    (error == 0).then_some(clock)
}
