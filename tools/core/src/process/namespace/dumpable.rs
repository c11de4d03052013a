//! The judge is not dumpable, so that others cannot read its memory; for a moment it must be.
//!
//! A process without privileges may map its user into a new user namespace only through a file in `/proc` that
//! belongs to it, and those of a process that is not dumpable belong to root. In that moment nothing of a contestant
//! can read our memory: contestants run in user namespaces below ours, which gives them no right to ours.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The right to be dumpable, for one thread at a time.
pub(in super::super) static DUMPABLE: Dumpable = Dumpable {
    taken: AtomicBool::new(false),
};

pub(in super::super) struct Dumpable {
    taken: AtomicBool,
}

impl Dumpable {
    /// Waits for the right, and makes this process dumpable.
    pub(super) fn take(&self) {
        self.wait();
        // SAFETY: a system call on numbers.
        unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 1) };
    }

    /// Makes this process unreadable, as soon as no thread has the right.
    pub(in super::super) fn forbid(&self) {
        self.wait();
        self.give_back();
    }

    fn wait(&self) {
        while self.taken.swap(true, Ordering::Acquire) {
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// Makes this process unreadable again, and gives the right back.
    pub(super) fn give_back(&self) {
        // SAFETY: as above.
        unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0) };
        self.taken.store(false, Ordering::Release);
    }
}
