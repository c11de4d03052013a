//! Starting a process, without copying ours.
//!
//! `std::process::Command` has to fork as soon as anything is to be done between fork and exec, as
//! here: a session of its own, and death when the judge dies. A fork copies our page tables, and
//! afterwards both sides pay a fault for every page they write: 150 µs of the millisecond that a
//! short case takes (see docs/design.md). So the child shares our memory until it executes the
//! program, while the calling thread stands still; that is what glibc's `posix_spawn` does.

use std::ffi::{CString, OsStr};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null;
use std::sync::OnceLock;

use libc::{c_char, c_void};
use rustix::process::Pid;

use super::call_filter::CallFilter;
use super::clone::{self, Start};
use super::environment;
use super::exec::{BlockedSignals, ChildSetup, STACK, execute};
use super::namespace::{Namespace, Wanted};
use super::stage::message::STDERR_MARK;
use super::wait::wait;

/// Which signal tells of an open file; the C library's own name is not among those of `libc`.
const F_SETSIG: libc::c_int = 10;

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

/// What is started, and under which limits.
pub(super) struct Program<'a> {
    /// The file.
    pub(super) path: &'a Path,
    /// Its name and its arguments.
    pub(super) words: Vec<&'a OsStr>,
    /// What it may do.
    pub(super) rules: LandlockRules<'a>,
    /// The system calls that it may not make, where that is so.
    pub(super) filter: Option<&'a CallFilter>,
    /// Files instead of the pipes of stdin and stdout.
    pub(super) files: [Option<BorrowedFd<'a>>; 2],
}

/// Starts a program as a child of the calling thread, in the cgroup of this folder if there is one, with one limit as
/// its owner tag, and one on its tasks.
///
/// # Errors
/// If it cannot be executed, or the machine has no room for it.
pub(super) fn spawn(
    program: &Program<'_>,
    cgroup: Option<BorrowedFd<'_>>,
    tag: libc::rlimit,
    tasks: Option<libc::rlimit>,
) -> io::Result<Spawned> {
    with_pipes(program, cgroup, |setup| {
        setup.parent = rustix::process::getpid().as_raw_nonzero().get();
        setup.tag = Some(tag);
        setup.tasks = tasks;
        start(setup)
    })
}

/// Starts a program in a namespace.
///
/// # Errors
/// As [`spawn`], and if the namespace could not be opened.
pub(super) fn spawn_in(
    program: &Program<'_>,
    cgroup: Option<BorrowedFd<'_>>,
    namespace: &Namespace,
    wanted: Wanted,
) -> io::Result<Spawned> {
    with_pipes(program, cgroup, |setup| namespace.start(setup, wanted))
}

/// Prepares a program for a session of its own. It gets three pipes and no other descriptor, and our environment.
fn with_pipes(
    program: &Program<'_>,
    cgroup: Option<BorrowedFd<'_>>,
    start: impl FnOnce(&mut ChildSetup<'_>) -> io::Result<(Pid, OwnedFd)>,
) -> io::Result<Spawned> {
    let text = |word: &OsStr| CString::new(word.as_bytes());
    let path = text(program.path.as_os_str())?;
    let words = program.words.iter().map(|word| text(word));
    let words = words.collect::<Result<Vec<CString>, _>>()?;
    let environment = environment::variables();
    let pointers = |texts: &[CString]| -> Vec<*const c_char> {
        texts
            .iter()
            .map(|text| text.as_ptr())
            .chain([null()])
            .collect()
    };
    let (argv, envp) = (pointers(&words), pointers(environment));
    let (child_stdin, stdin) = io::pipe()?;
    let (stdout, child_stdout) = io::pipe()?;
    let (stderr, child_stderr) = io::pipe()?;
    mark(&child_stderr);
    let mut setup = ChildSetup {
        path: &path,
        argv: &argv,
        envp: &envp,
        stdio: [
            program.files[0].map_or(child_stdin.as_raw_fd(), |file| file.as_raw_fd()),
            program.files[1].map_or(child_stdout.as_raw_fd(), |file| file.as_raw_fd()),
            child_stderr.as_raw_fd(),
        ],
        signals_are_default: false,
        parent: 0,
        tasks: None,
        descriptors: DESCRIPTORS.get().copied(),
        tag: None,
        rules: program.rules.fd().map_or(-1, |fd| fd.as_raw_fd()),
        rules_are_required: matches!(program.rules, LandlockRules::Required(_)),
        filter: program.filter,
        cgroup: cgroup.map_or(-1, |fd| fd.as_raw_fd()),
        error: 0,
    };
    let (pid, pidfd) = start(&mut setup)?;
    Ok(Spawned {
        pid,
        pidfd,
        stdin,
        stdout,
        stderr,
    })
}

/// Marks the stderr of a program, so that a stage below it knows it from other pipes. Without a mark, a contest's tester
/// and its program share it.
fn mark(stderr: &PipeWriter) {
    // SAFETY: numbers, and a descriptor that is open.
    unsafe { libc::fcntl(stderr.as_raw_fd(), F_SETSIG, STDERR_MARK) };
}

/// Starts it as a child of the calling thread.
fn start(setup: &mut ChildSetup<'_>) -> io::Result<(Pid, OwnedFd)> {
    let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
    let signals = BlockedSignals::new();
    // SAFETY: the child runs `execute` on a stack of its own, of which this is the end, and the
    // calling thread goes on only when the child has executed a program or has ended (CLONE_VFORK),
    // so that everything borrowed outlives its use. The child neither allocates nor takes a lock,
    // and no signal handler can run in it, for all signals are blocked until it has reset them.
    let started = unsafe {
        clone::start(&Start {
            entry: execute,
            argument: (&raw mut *setup).cast::<c_void>(),
            stack: stack.as_mut_ptr().add(stack.capacity()).cast::<c_void>(),
            cgroup: setup.cgroup,
        })
    };
    drop(signals);
    let (pid, pidfd) = started.map_err(io::Error::from_raw_os_error)?;
    let pid = Pid::from_raw(pid).expect("the parent gets a number");
    // SAFETY: the kernel has just made this descriptor for us.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    if setup.error != 0 {
        // It has ended, so that this does not block; only its zombie is left to be cleared away.
        let _ = wait(pid.as_raw_nonzero().get(), 0);
        return Err(io::Error::from_raw_os_error(setup.error));
    }
    Ok((pid, pidfd))
}
