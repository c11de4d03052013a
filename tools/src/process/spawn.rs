//! Starting a process, without copying ours.
//!
//! `std::process::Command` has to fork as soon as anything is to be done between fork and exec, as
//! here: a session of its own, and death when the judge dies. A fork copies our page tables, and
//! afterwards both sides pay a fault for every page they write: 150 µs of the millisecond that a
//! short case takes (see docs/design.md). So the child shares our memory until it executes the
//! program, while the calling thread stands still; that is what glibc's `posix_spawn` does.

use std::ffi::{CStr, CString, OsStr};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use libc::{c_char, c_int, c_void};
use rustix::process::Pid;

/// A process that has begun to execute its program.
pub(super) struct Spawned {
    pub(super) pid: Pid,
    pub(super) pidfd: OwnedFd,
    pub(super) stdin: PipeWriter,
    pub(super) stdout: PipeReader,
    pub(super) stderr: PipeReader,
}

/// Landlock's rules for a contestant.
#[derive(Clone, Copy)]
pub(super) enum LandlockRules<'a> {
    /// No rules.
    None,
    /// Rules that may fail: a kernel allows a limited number of layers on one process.
    BestEffort(BorrowedFd<'a>),
    /// Without these rules, the contestant is not started.
    Required(BorrowedFd<'a>),
}

impl LandlockRules<'_> {
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        match *self {
            Self::None => None,
            Self::BestEffort(fd) | Self::Required(fd) => Some(fd),
        }
    }
}

/// What the child needs, prepared before it exists: it must not allocate.
struct ChildSetup<'a> {
    path: &'a CStr,
    argv: &'a [*const c_char],
    envp: &'a [*const c_char],
    stdio: [c_int; 3],
    judge: c_int,
    /// The limit on descriptors that we raised for ourselves, as it was before.
    descriptors: Option<libc::rlimit>,
    /// The limit that is its owner tag.
    tag: libc::rlimit,
    /// Landlock's rules, or -1.
    rules: c_int,
    /// Whether it may not start without them.
    rules_are_required: bool,
    /// What kept the child from executing the program; 0 if nothing did.
    error: c_int,
}

/// The child runs a dozen system calls on it.
const STACK: usize = 64 << 10;

/// The limit on descriptors that contestants get back.
static DESCRIPTORS: OnceLock<libc::rlimit> = OnceLock::new();

/// Lets this process open as many files as the machine allows; contestants keep the limit that they
/// would have had. A job needs about ten, and the usual limit is far below what is allowed.
pub fn raise_descriptor_limit() {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is valid to write to.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } != 0 {
        return;
    }
    let raised = libc::rlimit {
        rlim_cur: limit.rlim_max,
        ..limit
    };
    // The first time only: afterwards it is our own limit that would be remembered.
    DESCRIPTORS.get_or_init(|| limit);
    // SAFETY: `raised` is valid to read. If this is refused, the usual limit may still do.
    unsafe {
        libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised);
    }
}

/// Starts the file at `path` in a session of its own. It gets three pipes and no other descriptor, our
/// environment, this limit as its owner `tag`, and under these Landlock `rules`.
///
/// # Errors
/// If it cannot be executed, or the machine has no room for it.
pub(super) fn spawn<'a>(
    path: &Path,
    words: impl Iterator<Item = &'a OsStr>,
    tag: libc::rlimit,
    rules: LandlockRules<'_>,
) -> io::Result<Spawned> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let words: Vec<CString> = words
        .map(|word| CString::new(word.as_bytes()))
        .collect::<Result<_, _>>()?;
    let argv: Vec<*const c_char> = words
        .iter()
        .map(|word| word.as_ptr())
        .chain([null()])
        .collect();
    let environment: Vec<CString> = std::env::vars_os()
        .map(|(key, value)| CString::new([key.as_bytes(), value.as_bytes()].join(&b'=')))
        .collect::<Result<_, _>>()?;
    let envp: Vec<*const c_char> = environment
        .iter()
        .map(|variable| variable.as_ptr())
        .chain([null()])
        .collect();
    let (child_stdin, stdin) = io::pipe()?;
    let (stdout, child_stdout) = io::pipe()?;
    let (stderr, child_stderr) = io::pipe()?;
    let mut setup = ChildSetup {
        path: &path,
        argv: &argv,
        envp: &envp,
        stdio: [
            child_stdin.as_raw_fd(),
            child_stdout.as_raw_fd(),
            child_stderr.as_raw_fd(),
        ],
        judge: rustix::process::getpid().as_raw_nonzero().get(),
        descriptors: DESCRIPTORS.get().copied(),
        tag,
        rules: rules.fd().map_or(-1, |fd| fd.as_raw_fd()),
        rules_are_required: matches!(rules, LandlockRules::Required(_)),
        error: 0,
    };
    let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    let signals = BlockedSignals::new();
    // SAFETY: the child runs `execute` on a stack of its own, of which this is the end, and the
    // calling thread goes on only when the child has executed a program or has ended (CLONE_VFORK),
    // so that everything borrowed outlives its use. The child neither allocates nor takes a lock,
    // and no signal handler can run in it, for all signals are blocked until it has reset them.
    let pid = unsafe {
        let end = stack.as_mut_ptr().add(stack.capacity()).cast::<c_void>();
        let setup = (&raw mut setup).cast::<c_void>();
        libc::clone(execute, end, flags, setup, &raw mut pidfd)
    };
    let failed = io::Error::last_os_error();
    drop(signals);
    if pid < 0 {
        return Err(failed);
    }
    let pid = Pid::from_raw(pid).expect("the parent gets a number");
    // SAFETY: the kernel has just made this descriptor for us.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    if setup.error != 0 {
        // It has ended, so that this does not block; only its zombie is left to be cleared away.
        let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
        return Err(io::Error::from_raw_os_error(setup.error));
    }
    Ok(Spawned {
        pid,
        pidfd,
        stdin,
        stdout,
        stderr,
    })
}

/// The child, from its first instruction to the program's first. Only system calls.
extern "C" fn execute(setup: *mut c_void) -> c_int {
    // SAFETY: `spawn` hands over its `ChildSetup` and stands still meanwhile.
    let setup = unsafe { &mut *setup.cast::<ChildSetup<'_>>() };
    // SAFETY: async-signal-safe system calls on values that `spawn` has prepared.
    unsafe {
        libc::setsid();
        // Signals are as after a start from a shell, also those that the judge ignores or handles. This is the
        // kernel's own call and structure (all zeroes: the default action): the C library's may take a lock, and
        // we share its memory.
        let default_action = [0_u64; 4];
        for signal in 1..=64 {
            let nowhere = null_mut::<c_void>();
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                &raw const default_action,
                nowhere,
                8,
            );
        }
        if let Some(limit) = &setup.descriptors {
            libc::setrlimit(libc::RLIMIT_NOFILE, limit);
        }
        // Refused where a judge above us, with another clock, gave us a lower one: then it has none.
        libc::setrlimit(libc::RLIMIT_LOCKS, &raw const setup.tag);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The judge may have died before the line above took effect.
        if libc::getppid() != setup.judge {
            setup.error = libc::ECHILD;
            libc::_exit(127);
        }
        for (from, to) in setup.stdio.iter().zip(0..) {
            if libc::dup2(*from, to) < 0 {
                setup.error = *libc::__errno_location();
                libc::_exit(127);
            }
        }
        if setup.rules >= 0 {
            // Without this, a program that changes its user could lift the rules.
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            let restricted = libc::syscall(libc::SYS_landlock_restrict_self, setup.rules, 0);
            if restricted != 0 && setup.rules_are_required {
                setup.error = *libc::__errno_location();
                libc::_exit(127);
            }
        }
        // Descriptors that our parent process left open are not for the contestant. Older kernels do not have
        // this call; our own descriptors close themselves there too.
        let close_on_exec = libc::CLOSE_RANGE_CLOEXEC;
        libc::syscall(libc::SYS_close_range, 3, c_int::MAX, close_on_exec);
        // Last of all: until here a signal would have hit the judge's memory.
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, null_mut());
        libc::execve(
            setup.path.as_ptr(),
            setup.argv.as_ptr(),
            setup.envp.as_ptr(),
        );
        setup.error = *libc::__errno_location();
        libc::_exit(127)
    }
}

/// All signals, blocked for this thread until it is dropped.
struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    fn new() -> Self {
        // SAFETY: both sets are valid to write to; a zeroed one is a valid value.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before = all;
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            Self(before)
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set is the one that the kernel gave us.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, null_mut());
        }
    }
}
