//! A child's own steps, from its first instruction to the program's first.
//!
//! The child shares its parent's memory meanwhile, and the parent stands still: see `spawn`. So it makes system calls on
//! values that were prepared, and nothing else.

use std::ffi::CStr;
use std::ptr::null_mut;

use libc::{c_char, c_int, c_void};

use super::call_filter::CallFilter;

/// What the child needs, prepared before it exists: it must not allocate.
pub(super) struct ChildSetup<'a> {
    pub(super) path: &'a CStr,
    pub(super) argv: &'a [*const c_char],
    pub(super) envp: &'a [*const c_char],
    pub(super) stdio: [c_int; 3],
    /// Whether no signal is ignored or handled, because the parent's are as after a start from a shell.
    pub(super) signals_are_default: bool,
    /// The parent whose end ends the child, or 0 where the namespace does that.
    pub(super) parent: c_int,
    /// How many processes and threads its user may have at once, where that limit holds.
    pub(super) tasks: Option<libc::rlimit>,
    /// The limit on descriptors that we raised for ourselves, as it was before.
    pub(super) descriptors: Option<libc::rlimit>,
    /// The limit that is its owner tag, if it needs one.
    pub(super) tag: Option<libc::rlimit>,
    /// Landlock's rules, or -1.
    pub(super) rules: c_int,
    /// Whether it may not start without them.
    pub(super) rules_are_required: bool,
    /// The system calls that it may not make, where that is so.
    pub(super) filter: Option<&'a CallFilter>,
    /// The folder of its cgroup, or -1.
    pub(super) cgroup: c_int,
    /// What kept the child from executing the program; 0 if nothing did.
    pub(super) error: c_int,
}

/// The child runs a dozen system calls on it.
pub(super) const STACK: usize = 64 << 10;

/// The child, from its first instruction to the program's first. Only system calls.
pub(super) extern "C" fn execute(setup: *mut c_void) -> c_int {
    // SAFETY: the thread that starts us hands over its `ChildSetup` and stands still meanwhile.
    let setup = unsafe { &mut *setup.cast::<ChildSetup<'_>>() };
    // SAFETY: async-signal-safe system calls on values that `spawn` has prepared.
    unsafe {
        // A new session is a new group for the scheduler (autogroup). On a busy machine a group that was not there waits
        // for all others, so that a start takes 1.5 ms longer. In a namespace, the keeper's session will do.
        match setup.parent {
            0 => libc::setpgid(0, 0),
            _ => libc::setsid(),
        };
        if !setup.signals_are_default {
            reset_signals();
        }
        if let Some(limit) = &setup.descriptors {
            libc::setrlimit(libc::RLIMIT_NOFILE, limit);
        }
        if let Some(limit) = &setup.tasks {
            libc::setrlimit(libc::RLIMIT_NPROC, limit);
        }
        // Refused where a judge above us, with another clock, gave us a lower one: then it has none.
        if let Some(limit) = &setup.tag {
            libc::setrlimit(libc::RLIMIT_LOCKS, limit);
        }
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The judge may have died before the line above took effect.
        if setup.parent != 0 && libc::getppid() != setup.parent {
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
        if let Some(filter) = setup.filter
            && let Err(error) = filter.apply()
        {
            setup.error = error.raw_os_error().unwrap_or(libc::EPERM);
            libc::_exit(127);
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

/// Makes signals as after a start from a shell, also those that the judge ignores or handles.
pub(super) fn reset_signals() {
    // This is the kernel's own call and structure (all zeroes: the default action): the C library's may take a lock,
    // and we share its memory.
    let default_action = [0_u64; 4];
    for signal in 1..=64 {
        let nowhere = null_mut::<c_void>();
        // SAFETY: a structure that is valid to read, for a process whose signals are its own.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                &raw const default_action,
                nowhere,
                8,
            );
        }
    }
}

/// All signals, blocked for this thread until it is dropped. A thread that is started meanwhile never gets any.
pub struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    /// Blocks them.
    #[expect(clippy::new_without_default, reason = "it does something")]
    pub fn new() -> Self {
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
