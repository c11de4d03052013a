//! What every contestant is kept from, asked for or not, where the kernel does it for nothing: signals to
//! the judge, and a look at its memory and descriptors.
//!
//! Both are Landlock's (Linux 6.12): a process under its rules may signal, and trace, only processes under the
//! same, whoever its user is. Nothing else is forbidden, so that no honest program meets it, but for one that
//! would become another user (`sudo`), since the rules must not be shaken off.
//!
//! The thread that judges is put on a leash as well, and the contestant on another within that one. So the
//! thread reaches what it has started, wherever that has gone, and nothing else: which is how
//! `contestant::whose` knows a contestant's processes.

use std::cell::Cell;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use landlock::{CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetError, Scope};

use super::{SIGNALS, landlock_version};

thread_local! {
    static LEASHED: Cell<bool> = const { Cell::new(false) };
}

/// The rules, made once; `None` where the kernel has none of this kind.
pub(crate) fn leash() -> Option<BorrowedFd<'static>> {
    static LEASH: OnceLock<Option<OwnedFd>> = OnceLock::new();
    LEASH.get_or_init(make).as_ref().map(AsFd::as_fd)
}

/// Whether contestants are kept from signalling and reading the judge without a sandbox.
pub fn is_leashed() -> bool {
    leash().is_some()
}

/// Puts the calling thread on a leash, for as long as it lives, unless it is on one. Where the kernel does
/// not do it, nothing happens.
pub(crate) fn leash_thread() {
    let Some(rules) = leash().filter(|_| !thread_is_leashed()) else {
        return;
    };
    // SAFETY: system calls on numbers, which change only what this thread may do.
    let restricted = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) == 0
    };
    LEASHED.set(restricted);
}

/// Whether [`leash_thread`] has worked in this thread.
pub(crate) fn thread_is_leashed() -> bool {
    LEASHED.get()
}

fn make() -> Option<OwnedFd> {
    if landlock_version() < SIGNALS {
        return None;
    }
    let rules = || -> Result<Option<OwnedFd>, RulesetError> {
        let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        Ok(rules.scope(Scope::Signal)?.create()?.into())
    };
    rules().ok().flatten()
}
