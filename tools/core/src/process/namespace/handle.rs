//! The judge's side of a namespace: opens it, starts contestants in it, waits until nothing of them is left.

use std::ffi::c_void;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid,
};

use super::super::exec::{BlockedSignals, ChildSetup};
use super::super::wait::{PATIENCE, does_not_end};
use super::dumpable::DUMPABLE;
use super::keeper::{Begin, STACKS, keep};
use super::shared::{Kind, NO_STATUS, Request, Shared, State, Wanted};

/// An open namespace. Dropping it kills everything in it.
pub(in super::super) struct Namespace {
    shared: Arc<Shared>,
}

/// What is known of a contestant of which nothing is left.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Ended {
    /// The status of its first process; `None` if the namespace had to be killed to end it.
    pub(in super::super) status: Option<i32>,
    /// Processor time of everything that it has started.
    pub(in super::super) cpu: Duration,
    /// The most memory that was resident in its first process or a child that it waited for.
    pub(in super::super) peak_kib: u64,
    /// How many processes were left when its first one ended; 0 if that is not known.
    pub(in super::super) left: u64,
}

/// Namespaces that nothing runs in.
static IDLE: Pool = Pool(Mutex::new(Vec::new()));

/// Namespaces that are closing by themselves.
static CLOSING: Pool = Pool(Mutex::new(Vec::new()));

/// Namespaces that are kept.
struct Pool(Mutex<Vec<Namespace>>);

impl Pool {
    fn list(&self) -> MutexGuard<'_, Vec<Namespace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_all(&self) -> Vec<Namespace> {
        std::mem::take(&mut *self.list())
    }
}

/// How long a namespace may take to open. The machine may be very busy.
const OPENING: Duration = Duration::from_secs(20);

/// Begins to open a namespace for the first contestant, and returns at once.
pub(in super::super) fn prepare() {
    if let Ok(namespace) = Namespace::open() {
        namespace.put_back();
    }
}

/// Begins to close all namespaces that nothing runs in, and returns at once. The kernel takes 10 to 30 ms for each.
pub(in super::super) fn begin_to_close_all() {
    let idle = IDLE.take_all();
    idle.iter().for_each(Namespace::kill_keeper);
    let mut closing = CLOSING.list();
    closing.retain(|namespace| !matches!(namespace.shared.state(), State::Failed | State::Gone));
    closing.extend(idle);
}

/// Closes all namespaces that nothing runs in. Call it when no more contestants are to be started.
pub(in super::super) fn close_all() {
    let (idle, closing) = (IDLE.take_all(), CLOSING.take_all());
    // All at once, before the first is waited for.
    idle.iter().for_each(Namespace::kill_keeper);
    drop((idle, closing));
}

impl Namespace {
    /// One that is idle, or one that is being opened.
    ///
    /// # Errors
    /// If the machine has no room for another thread.
    pub(in super::super) fn take() -> io::Result<Self> {
        let idle = IDLE.list().pop();
        idle.map_or_else(Self::open, Ok)
    }

    /// Begins to open one.
    fn open() -> io::Result<Self> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        // Two judges at the same time should have different numbers as well.
        let slot = u64::from(std::process::id()) * 16 + number;
        let shared = Arc::new(Shared::new(slot));
        start_thread(Box::new(Loan {
            shared: Arc::clone(&shared),
            stacks: Vec::with_capacity(STACKS / size_of::<u128>()),
        }))?;
        Ok(Self { shared })
    }

    /// Waits until it is open.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(in super::super) fn wait_until_open(&self) -> io::Result<()> {
        match self.shared.wait_while(&[State::Opening], Some(OPENING)) {
            State::Opening => Err(io::ErrorKind::TimedOut.into()),
            State::Failed => Err(self.shared.failure()),
            _ => Ok(()),
        }
    }

    /// Why it could not be opened, or was closed by others.
    pub(in super::super) fn failure(&self) -> Option<io::Error> {
        match self.shared.state() {
            State::Failed => Some(self.shared.failure()),
            // Unless it has served its last contestant, and ended before we looked.
            State::Gone if !self.has_served() => {
                Some(io::Error::other("the keeper of the namespace was killed"))
            }
            _ => None,
        }
    }

    /// Whether the last request was served, with a program or an error.
    fn has_served(&self) -> bool {
        let [error, pidfd] = [&self.shared.error, &self.shared.pidfd];
        error.load(Ordering::Relaxed) != 0 || pidfd.load(Ordering::Relaxed) >= 0
    }

    /// The keeper's number.
    pub(in super::super) fn keeper_pid(&self) -> i32 {
        self.shared.keeper.load(Ordering::Relaxed)
    }

    /// Whether it limits the numbers that the kernel gives to processes, groups and sessions.
    pub(in super::super) fn limits_numbers(&self) -> bool {
        Kind::of_this_process() == Kind::Root { limits: true }
    }

    /// The namespace's own `/proc`, if it has one.
    pub(in super::super) fn proc_fd(&self) -> Option<BorrowedFd<'_>> {
        let fd = self.shared.fds.proc.load(Ordering::Relaxed);
        // SAFETY: the keeper has opened it, and it stays open until the keeper has ended.
        (fd >= 0).then(|| unsafe { BorrowedFd::borrow_raw(fd) })
    }

    /// The limit on processes and threads of this user that holds in the namespace, where it is one of a user.
    fn task_limit(&self, wanted: Wanted) -> Option<libc::rlimit> {
        let Kind::User { .. } = Kind::of_this_process() else {
            return None;
        };
        // The keeper counts.
        let most = wanted.tasks.saturating_add(1);
        Some(libc::rlimit {
            rlim_cur: most,
            rlim_max: most,
        })
    }

    /// Starts a program; the number that its first process has for us, and the process.
    ///
    /// # Errors
    /// If it cannot be executed, or the machine has no room for it. Nothing of it is left then.
    pub(in super::super) fn start(
        &self,
        setup: &mut ChildSetup<'_>,
        wanted: Wanted,
    ) -> io::Result<(Pid, OwnedFd)> {
        setup.tasks = self.task_limit(wanted);
        setup.signals_are_default = true; // the keeper's
        let setup: *mut ChildSetup<'_> = setup;
        self.shared.ask(Request {
            setup: setup.cast(),
            wanted,
        });
        self.wait_while(State::Requested, None);
        if let Some(failure) = self.failure() {
            return Err(failure);
        }
        let error = self.shared.error.load(Ordering::Relaxed);
        let pidfd = self.shared.pidfd.load(Ordering::Relaxed);
        // SAFETY: the keeper has just made this descriptor, which is ours alone: we share one table.
        let pidfd = (pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(pidfd) });
        let pid = self.shared.pid.load(Ordering::Relaxed);
        let error = match (error, pidfd, Pid::from_raw(pid.max(0))) {
            (0, Some(pidfd), Some(pid)) => return Ok((pid, pidfd)),
            (0, ..) => {
                // The program runs, but cannot be followed.
                self.kill_keeper();
                if pid < 0 { -pid } else { libc::ENOSYS }
            }
            // Nothing runs that would have to be killed.
            (error, ..) => error,
        };
        let _ = self.wait_until_empty(|| {});
        Err(io::Error::from_raw_os_error(error))
    }

    /// Waits for the keeper; the state afterwards.
    fn wait_while(&self, state: State, timeout: Option<Duration>) -> State {
        // Both sides only read the request in these states.
        match self.shared.request().wanted.is_last {
            true => self.shared.watch_while(&[state], timeout),
            false => self.shared.wait_while(&[state], timeout),
        }
    }

    /// Processor time of everything that was reaped until now.
    pub(in super::super) fn cpu(&self) -> Duration {
        Duration::from_micros(self.shared.cpu_us.load(Ordering::Relaxed))
    }

    /// Waits until nothing is left of a contestant whose first process has ended or was killed. Calls `help` now and
    /// then while that takes long.
    ///
    /// # Errors
    /// If something does not end within ten seconds after it was killed. It is the kernel's fault, or that of a file
    /// system: processes wait for it and cannot be woken up.
    pub(in super::super) fn wait_until_empty(&self, help: impl Fn()) -> io::Result<Ended> {
        let begun = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match self.wait_while(State::Started, Some(pause)) {
                State::Started => {}
                _ => return Ok(self.ended()),
            }
            let waited = begun.elapsed();
            if waited > PATIENCE {
                return Err(does_not_end());
            } else if waited > SHORT {
                self.kill_keeper();
            } else {
                help();
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn ended(&self) -> Ended {
        let status = self.shared.status.load(Ordering::Relaxed);
        Ended {
            status: Some(status).filter(|status| *status != NO_STATUS),
            cpu: self.cpu(),
            peak_kib: self.shared.peak_kib.load(Ordering::Relaxed),
            left: self.shared.left.load(Ordering::Relaxed),
        }
    }

    /// The keeper, unless it has ended.
    fn keeper(&self) -> Option<OwnedFd> {
        let keeper = pidfd_open(Pid::from_raw(self.keeper_pid())?, PidfdFlags::empty());
        // It is reaped at once when it has ended, and then its number may be another's.
        keeper.ok().filter(|_| self.shared.state() != State::Gone)
    }

    /// Kills the namespace.
    fn kill_keeper(&self) {
        if let Some(keeper) = self.keeper() {
            let _ = pidfd_send_signal(keeper, Signal::KILL);
        }
    }

    /// Leaves it as it is, with something in it that does not end.
    pub(in super::super) fn abandon(self) {
        std::mem::forget(self);
    }

    /// Keeps it for the next contestant if it is clean, or closes it.
    pub(in super::super) fn put_back(self) {
        let is_open = matches!(
            self.shared.state(),
            State::Opening | State::Idle | State::Ended
        );
        if is_open && self.shared.request().wanted.is_last {
            CLOSING.list().push(self);
        } else if is_open && !self.shared.has_leftovers.load(Ordering::Relaxed) {
            IDLE.list().push(self);
        }
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // One that does not open closes by itself when this process ends.
        if self.wait_until_open().is_err() {
            return;
        }
        let Some(keeper) = self.keeper() else { return };
        let _ = pidfd_send_signal(&keeper, Signal::KILL);
        // Not until the thread has woken up that reaps it: that takes as long again.
        let mut ended = [PollFd::new(&keeper, PollFlags::IN)];
        let patience = PATIENCE.try_into().expect("a short time");
        let _ = retry_on_intr(|| poll(&mut ended, Some(&patience)));
        // The thread may do it first, but this process must not end before it is done.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        let _ = waitid(WaitId::PidFd(keeper.as_fd()), options);
    }
}

/// After this time without news we help.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// How long everything in the namespace is killed, before the namespace is.
const SHORT: Duration = Duration::from_secs(5);

/// The memory of a thread that makes a keeper.
struct Loan {
    shared: Arc<Shared>,
    /// The keeper's, and below it a contestant's.
    stacks: Vec<u128>,
}

/// Starts the thread that makes a keeper. A thread of the standard library would prepare to report a stack that
/// overflows, and would allocate, for which the C library first sets memory apart: ten system calls more, for which a
/// single case waits.
fn start_thread(loan: Box<Loan>) -> io::Result<()> {
    extern "C" fn run(loan: *mut c_void) -> *mut c_void {
        // SAFETY: it was made of a box, for this thread alone.
        let mut loan = unsafe { Box::from_raw(loan.cast::<Loan>()) };
        // Nothing is freed until the end, which would set memory apart as well.
        lend_memory(&loan.shared, &mut loan.stacks);
        null_mut()
    }
    let loan = Box::into_raw(loan);
    // SAFETY: both structures are valid to write to, and the thread owns the loan. The size is a multiple of a page.
    let error = unsafe {
        let mut thread: libc::pthread_t = std::mem::zeroed();
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&raw mut attributes);
        libc::pthread_attr_setstacksize(&raw mut attributes, 64 << 10);
        libc::pthread_attr_setdetachstate(&raw mut attributes, libc::PTHREAD_CREATE_DETACHED);
        let error = libc::pthread_create(&raw mut thread, &raw const attributes, run, loan.cast());
        libc::pthread_attr_destroy(&raw mut attributes);
        error
    };
    if error != 0 {
        // SAFETY: there is no thread that owns it.
        drop(unsafe { Box::from_raw(loan) });
        return Err(io::Error::from_raw_os_error(error));
    }
    Ok(())
}

/// Waits while the keeper uses this thread's memory, then reaps the keeper.
///
/// As after `vfork`, this thread does nothing meanwhile. But it waits in `waitpid`: the kernel stops no process (Ctrl-Z)
/// of which a thread waits in `vfork`, and the shell that has started us would never hear of it.
fn lend_memory(shared: &Shared, stacks: &mut Vec<u128>) {
    let judge = match pidfd_open(rustix::process::getpid(), PidfdFlags::empty()) {
        Ok(judge) => judge,
        // A shortage of descriptors is over soon, and no reason to judge without a namespace.
        Err(error) => return fail(shared, error.raw_os_error()),
    };
    let signals = BlockedSignals::new();
    let spaces = libc::CLONE_NEWPID | libc::CLONE_NEWNS;
    let memory = libc::CLONE_VM | libc::CLONE_FILES;
    let mut flags = spaces | memory | libc::CLONE_PARENT_SETTID | libc::SIGCHLD;
    let kind = Kind::of_this_process();
    if let Kind::User { .. } = kind {
        DUMPABLE.take();
        flags |= libc::CLONE_NEWUSER;
    }
    let size = stacks.capacity();
    let mut stack_end = |end: usize| stacks.as_mut_ptr().wrapping_add(end).cast::<c_void>();
    let mut begin = Begin {
        shared,
        judge: judge.as_raw_fd(),
        stack: stack_end(size / 2),
    };
    // SAFETY: the keeper runs on stacks of its own, of which these are the ends. `begin`, `shared` and the stacks live
    // until it has ended. It neither allocates nor takes a lock, and it has this thread's `errno` for itself: until it
    // has ended, this thread makes no system call but `waitpid`, and no signal interrupts it.
    let pid = unsafe {
        let begin = (&raw mut begin).cast::<c_void>();
        libc::clone(keep, stack_end(size), flags, begin, shared.keeper.as_ptr())
    };
    if pid < 0 {
        let failed = io::Error::last_os_error();
        if let Kind::User { .. } = kind {
            DUMPABLE.give_back();
        }
        return fail(shared, failed.raw_os_error().unwrap_or(libc::ENOSYS));
    }
    let keeper = Pid::from_raw(pid).expect("the parent gets a number");
    let _ = rustix::process::waitpid(Some(keeper), rustix::process::WaitOptions::empty());
    drop(signals);
    // SAFETY: it has ended.
    unsafe { shared.fds.close() };
    if shared.state() != State::Failed {
        shared.set(State::Gone);
    }
}

fn fail(shared: &Shared, error: i32) {
    shared.failure.store(error, Ordering::Relaxed);
    shared.set(State::Failed);
}
