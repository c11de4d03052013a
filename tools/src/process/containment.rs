//! Containment: what keeps a contestant's processes together, so that all of them can be limited and ended.
//!
//! A ladder. The upper step is a [namespace](super::namespace) for each judging thread: the kernel limits processes
//! and ends all of them in one step. Where the kernel or the container allows none, the processes are followed as a
//! [tree](super::tree).

use std::io;
use std::sync::{Once, OnceLock};

use super::namespace::{self, Namespace};

/// A step of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// A PID namespace, and for other users than root a user namespace, with a limit that the kernel enforces.
    Namespace,
    /// The process tree is followed, sampled and killed.
    Tree,
}

/// Why this process can make no namespaces, once it is known.
static REFUSED: OnceLock<String> = OnceLock::new();

impl Containment {
    /// The highest step on this machine.
    ///
    /// Cost: the first call makes a namespace, about 0.2 ms, and leaves it for the first contestant.
    pub fn find() -> Self {
        let opened = Namespace::take().and_then(|namespace| {
            namespace.wait_until_open()?;
            namespace.put_back();
            Ok(())
        });
        match opened {
            Ok(()) => Self::Namespace,
            Err(error) => {
                refuse(&error);
                Self::Tree
            }
        }
    }

    /// The same step, or the highest below it that this machine has.
    pub fn available(self) -> Self {
        match self {
            Self::Namespace => Self::find(),
            Self::Tree => Self::Tree,
        }
    }

    /// Begins to open a namespace, which takes 0.2 ms, and returns at once. Only the first call does.
    pub fn prepare(self) {
        static ONCE: Once = Once::new();
        if self == Self::Namespace {
            ONCE.call_once(namespace::prepare);
        }
    }

    /// Why there is no higher step here; `None` if there is, or if none was tried.
    pub fn why_not_higher() -> Option<&'static str> {
        REFUSED.get().map(String::as_str)
    }

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::Tree => "none",
        }
    }

    /// Closes what was opened for contestants. Call it when no more are to be started.
    pub fn close() {
        namespace::close_all();
    }

    /// The namespace for one contestant; `None` if it starts without. It may still be opening.
    pub(super) fn enter(self) -> io::Result<Option<Namespace>> {
        match self {
            Self::Namespace if REFUSED.get().is_none() => Namespace::take().map(Some),
            _ => Ok(None),
        }
    }

    /// Whether a contestant should start without a namespace, because none could be opened. A shortage is no reason: it
    /// is over soon.
    pub(super) fn falls_back(namespace: &Namespace) -> bool {
        match namespace.failure() {
            Some(failure) if !is_shortage(&failure) => {
                refuse(&failure);
                true
            }
            _ => false,
        }
    }
}

fn is_shortage(error: &io::Error) -> bool {
    let short = [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE];
    error
        .raw_os_error()
        .is_some_and(|code| short.contains(&code))
        || error.kind() == io::ErrorKind::TimedOut
}

fn refuse(error: &io::Error) {
    let _ = REFUSED.set(error.to_string());
}
