//! What the judge and the keeper of a namespace tell each other, in memory that both have.

use std::cell::UnsafeCell;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::thread::futex;

use super::super::exec::ChildSetup;
use super::super::kernel::is_at_least;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum State {
    /// The keeper makes the namespace ready.
    Opening,
    /// The keeper waits for a request.
    Idle,
    /// The keeper starts a program.
    Requested,
    /// The program runs, or could not be started.
    Started,
    /// Nothing of the program is left.
    Ended,
    /// The namespace could not be made.
    Failed,
    /// The keeper has ended, and so has everything in the namespace.
    Gone,
}

impl State {
    const ALL: [Self; 7] = [
        Self::Opening,
        Self::Idle,
        Self::Requested,
        Self::Started,
        Self::Ended,
        Self::Failed,
        Self::Gone,
    ];
}

/// Whose namespace it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The machine's administrator, whom no limit on processes holds except the highest process number.
    Root {
        /// Whether a namespace has a highest process number of its own (Linux 6.14). Before, it is the machine's.
        limits: bool,
    },
    /// Another user, who needs a user namespace to make others.
    User { uid: u32, gid: u32 },
}

impl Kind {
    /// Whose namespaces this process can make; looked up at the first call.
    pub(super) fn of_this_process() -> Self {
        static KIND: OnceLock<Kind> = OnceLock::new();
        *KIND.get_or_init(Self::find)
    }

    fn find() -> Self {
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        if user.is_root() && owns_the_machine() {
            Self::Root {
                // Before, `pid_max` is the machine's, and must be left alone.
                limits: is_at_least(6, 14),
            }
        } else {
            Self::User {
                uid: user.as_raw(),
                gid: group.as_raw(),
            }
        }
    }
}

/// Whether the kernel limits processes in the namespaces that this process can make.
pub(in super::super) fn limits_processes() -> bool {
    Kind::of_this_process() != Kind::Root { limits: false }
}

/// Whether this process is in the machine's first user namespace.
fn owns_the_machine() -> bool {
    // One line, on the stack: a map of more lines is another one.
    let mut map = [0; 64];
    let file = File::open("/proc/self/uid_map");
    let length = file.and_then(|mut file| file.read(&mut map)).unwrap_or(0);
    let map = str::from_utf8(&map[..length]).unwrap_or_default();
    map.split_ascii_whitespace().eq(["0", "0", "4294967295"])
}

/// What a contestant may use in the namespace.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Wanted {
    /// Processes and threads at once, the keeper not counted.
    pub(in super::super) tasks: u64,
    /// The size of `/dev/shm`.
    pub(in super::super) memory_kib: u64,
    /// Whether it sees the machine's own `/dev/shm`.
    pub(in super::super) shares_shm: bool,
    /// Whether it may make namespaces itself. Otherwise only root can, so that no file system of its own (FUSE) can
    /// hold up the judge.
    pub(in super::super) nests: bool,
    /// Whether it is the last one, so that the namespace begins to close when it has ended.
    pub(in super::super) is_last: bool,
}

impl Wanted {
    /// The limits of most contestants.
    pub(super) const USUAL: Self = Self {
        tasks: 130,
        memory_kib: 1 << 20,
        shares_shm: false,
        nests: false,
        is_last: false,
    };
}

/// What the keeper is asked to start.
#[derive(Clone, Copy)]
pub(super) struct Request {
    /// The program, ready to be executed. It lives until the state is `Started`.
    pub(super) setup: *mut ChildSetup<'static>,
    pub(super) wanted: Wanted,
}

/// The memory that both sides use.
pub(super) struct Shared {
    /// Tells this namespace from others that are open at the same time.
    pub(super) slot: u64,
    state: AtomicU32,
    /// Belongs to the side whose turn it is.
    request: UnsafeCell<Request>,
    /// The keeper's number, for us.
    pub(super) keeper: AtomicI32,
    /// Why the namespace could not be made.
    pub(super) failure: AtomicI32,
    /// Why the program could not be started; 0 if nothing failed.
    pub(super) error: AtomicI32,
    /// The descriptor of the program's first process, or -1.
    pub(super) pidfd: AtomicI32,
    /// Its number for us; 0 if it has none, or the negative error number if it could not be read.
    pub(super) pid: AtomicI32,
    /// The status of the program's first process, or [`NO_STATUS`].
    pub(super) status: AtomicI32,
    /// The most memory that was resident in it or in a child that it waited for.
    pub(super) peak_kib: AtomicU64,
    /// Processor time of all that was reaped since the last request, in microseconds.
    pub(super) cpu_us: AtomicU64,
    /// How many processes were left when the first one ended.
    pub(super) left: AtomicU64,
    /// Whether the program left files in `/dev/shm`, or System V objects.
    pub(super) has_leftovers: AtomicBool,
    pub(super) fds: Descriptors,
}

/// How long a state is watched.
pub(super) const WATCHING: Duration = Duration::from_micros(1500);

/// Not a status that the kernel gives.
pub(super) const NO_STATUS: i32 = -1;

/// What the keeper has opened for as long as the namespace is open, or -1 each. Both sides have the same table.
pub(super) struct Descriptors {
    /// The namespace's `/proc`, if it has one of its own.
    pub(super) proc: AtomicI32,
    /// Its `/dev/shm`, likewise, where another contestant may follow.
    pub(super) shm: AtomicI32,
    /// Its POSIX queues, if it has an IPC namespace.
    pub(super) queues: AtomicI32,
    /// `/proc/sys/kernel/ns_last_pid`, which sets the next process number.
    pub(super) last_pid: AtomicI32,
    /// `/proc/self/autogroup`, the priority of the keeper's session, where another contestant may follow. Opening it for
    /// each takes longer than reading it.
    pub(super) session: AtomicI32,
    /// The list of the keeper's children in the judge's `/proc`, with the numbers that they have for us.
    pub(super) children: AtomicI32,
}

impl Descriptors {
    /// Closes all.
    ///
    /// # Safety
    /// The keeper must have ended.
    pub(super) unsafe fn close(&self) {
        let Self {
            proc,
            shm,
            queues,
            last_pid,
            session,
            children,
        } = self;
        for fd in [proc, shm, queues, last_pid, session, children] {
            let fd = fd.swap(-1, Ordering::Relaxed);
            if fd >= 0 {
                // SAFETY: the keeper has opened it in our table, and nothing else closes it.
                drop(unsafe { OwnedFd::from_raw_fd(fd) });
            }
        }
    }
}

// SAFETY: the cell is read and written only by the side whose turn it is, and `state` orders that. The pointer in it is
// used while its owner waits.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    pub(super) fn new(slot: u64) -> Self {
        Self {
            slot,
            state: AtomicU32::new(State::Opening as u32),
            request: UnsafeCell::new(Request {
                setup: std::ptr::null_mut(),
                wanted: Wanted::USUAL,
            }),
            keeper: AtomicI32::new(0),
            failure: AtomicI32::new(libc::ENOSYS),
            error: AtomicI32::new(0),
            pidfd: AtomicI32::new(-1),
            pid: AtomicI32::new(0),
            status: AtomicI32::new(NO_STATUS),
            peak_kib: AtomicU64::new(0),
            cpu_us: AtomicU64::new(0),
            left: AtomicU64::new(0),
            has_leftovers: AtomicBool::new(false),
            fds: Descriptors {
                proc: AtomicI32::new(-1),
                shm: AtomicI32::new(-1),
                queues: AtomicI32::new(-1),
                last_pid: AtomicI32::new(-1),
                session: AtomicI32::new(-1),
                children: AtomicI32::new(-1),
            },
        }
    }

    pub(super) fn state(&self) -> State {
        let state = self.state.load(Ordering::Acquire) as usize;
        State::ALL.get(state).copied().unwrap_or(State::Gone)
    }

    /// Gives the turn to the other side.
    pub(super) fn set(&self, state: State) {
        self.state.store(state as u32, Ordering::Release);
        let _ = futex::wake(&self.state, futex::Flags::PRIVATE, u32::MAX);
    }

    /// Waits while the state is one of `these`, but no longer than `timeout`; the state afterwards.
    pub(super) fn wait_while(&self, these: &[State], timeout: Option<Duration>) -> State {
        let until = timeout.map(|timeout| Instant::now() + timeout);
        loop {
            let state = self.state();
            if !these.contains(&state) {
                return state;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return state;
            }
            let left = left.and_then(|left| left.try_into().ok());
            match futex::wait(
                &self.state,
                futex::Flags::PRIVATE,
                state as u32,
                left.as_ref(),
            ) {
                Ok(()) | Err(Errno::AGAIN | Errno::INTR | Errno::TIMEDOUT) => {}
                // It cannot fail otherwise; if it does, waiting goes on without it.
                Err(_) => std::thread::yield_now(),
            }
        }
    }

    /// The same as [`Shared::wait_while`], but looks again and again for a moment first, and lets others run between the
    /// looks. An idle processor needs 50 µs to wake up, which a single case would pay for three times. Looking without
    /// letting others run costs more than it saves: the keeper may wait for this very processor. In a batch, others need
    /// it.
    pub(super) fn watch_while(&self, these: &[State], timeout: Option<Duration>) -> State {
        let until = Instant::now() + WATCHING;
        while these.contains(&self.state()) && Instant::now() < until {
            std::thread::yield_now();
        }
        self.wait_while(these, timeout)
    }

    /// The request, for the side whose turn it is.
    pub(super) fn request(&self) -> Request {
        // SAFETY: the other side touches it in other states only.
        unsafe { *self.request.get() }
    }

    /// Leaves a request, and forgets what became of the last one. If the namespace is still being opened, it is served
    /// as soon as it is open. If it could not be opened, or is closed, nothing happens.
    pub(super) fn ask(&self, request: Request) {
        let state = self.state();
        if matches!(state, State::Failed | State::Gone) {
            return;
        }
        // SAFETY: as above; while the namespace opens, the keeper does not look.
        unsafe { *self.request.get() = request };
        self.error.store(0, Ordering::Relaxed);
        self.pidfd.store(-1, Ordering::Relaxed);
        self.pid.store(0, Ordering::Relaxed);
        self.status.store(NO_STATUS, Ordering::Relaxed);
        self.peak_kib.store(0, Ordering::Relaxed);
        self.cpu_us.store(0, Ordering::Relaxed);
        self.left.store(0, Ordering::Relaxed);
        // While it opens, it may become idle or fail at any moment.
        if !self.replace(state, State::Requested) {
            self.replace(State::Idle, State::Requested);
        }
    }

    /// Gives the turn to the other side if the state is what we believe; true if it was.
    pub(super) fn replace(&self, before: State, after: State) -> bool {
        let (before, after) = (before as u32, after as u32);
        let order = (Ordering::AcqRel, Ordering::Relaxed);
        let replaced = self.state.compare_exchange(before, after, order.0, order.1);
        if replaced.is_ok() {
            let _ = futex::wake(&self.state, futex::Flags::PRIVATE, u32::MAX);
        }
        replaced.is_ok()
    }

    /// Why the namespace could not be made.
    pub(super) fn failure(&self) -> io::Error {
        io::Error::from_raw_os_error(self.failure.load(Ordering::Relaxed))
    }
}
