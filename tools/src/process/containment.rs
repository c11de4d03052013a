//! Containment: what keeps a contestant's processes together, so that all of them can be limited and ended.
//!
//! A ladder. The upper step is a [namespace](super::namespace) for each judging thread: the kernel limits processes
//! and ends all of them in one step. Where the kernel or the container allows none, the processes are followed as a
//! [tree](super::tree).

use std::io;
use std::sync::OnceLock;

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
        match Namespace::take() {
            Ok(namespace) => {
                namespace.put_back();
                Self::Namespace
            }
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

    /// Begins to open a namespace, which takes 0.2 ms, and returns at once.
    pub fn prepare(self) {
        if self == Self::Namespace {
            namespace::prepare();
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

    /// The namespace for one contestant; `None` if it starts without.
    pub(super) fn enter(self) -> io::Result<Option<Namespace>> {
        if self == Self::Tree || REFUSED.get().is_some() {
            return Ok(None);
        }
        match Namespace::take() {
            Ok(namespace) => Ok(Some(namespace)),
            // Not now, rather than never.
            Err(error) if is_shortage(&error) => Err(error),
            Err(error) => {
                refuse(&error);
                Ok(None)
            }
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
