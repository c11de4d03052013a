//! Containment: what keeps a contestant's processes together, so that all of them can be limited and ended.
//!
//! A ladder. The upper steps are a cgroup and a namespace for each judging thread:
//! the kernel limits what is in them and ends all of it in one step. Both together are best, because a cgroup counts
//! memory in files, and a namespace has process numbers and `/dev/shm` of its own. Where the kernel or the container
//! allows neither, the processes are followed as a [tree](super::tree).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

use super::cgroup::{self, Cgroup};
use super::namespace::{self, Namespace, Wanted};

/// A step of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// A cgroup and a namespace.
    CgroupAndNamespace,
    /// A cgroup of version 2 with limits on processes and memory.
    Cgroup,
    /// A PID namespace, and for other users than root a user namespace, with a limit that the kernel enforces. Where
    /// there is none, a cgroup if there is one.
    Namespace,
    /// The process tree is followed, sampled and killed.
    Tree,
}

/// What holds one contestant.
#[derive(Default)]
pub(super) struct Holders {
    pub(super) namespace: Option<Namespace>,
    pub(super) cgroup: Option<Cgroup>,
}

/// Whether a namespace was opened.
static OPENED: AtomicBool = AtomicBool::new(false);

/// Why this process can make no namespaces, once it is known.
static NO_NAMESPACE: OnceLock<String> = OnceLock::new();

/// The same for cgroups; `None` if it can.
static NO_CGROUP: OnceLock<Option<String>> = OnceLock::new();

impl Containment {
    /// The highest step on this machine.
    ///
    /// Cost: the first call makes a cgroup (see `cgroup::check`) and a namespace, about 0.2 ms, and leaves them for
    /// the first contestant.
    pub(crate) fn find() -> Self {
        // First, because this process may have to leave its cgroup, and must be the only one there.
        let cgroup = has_cgroups();
        let namespace = Namespace::take().and_then(|namespace| {
            namespace.wait_until_open()?;
            namespace.put_back();
            Self::has_opened();
            Ok(())
        });
        let namespace = namespace.inspect_err(refuse_namespace).is_ok();
        match (cgroup, namespace) {
            (true, true) => Self::CgroupAndNamespace,
            (true, false) => Self::Cgroup,
            (false, true) => Self::Namespace,
            (false, false) => Self::Tree,
        }
    }

    /// The highest step on this machine, unless this is the lowest.
    pub fn available(self) -> Self {
        match self {
            Self::Tree => Self::Tree,
            _ => Self::find(),
        }
    }

    /// Begins to open a namespace, which takes 0.2 ms, and returns at once. Only the first call does.
    pub fn prepare(self) {
        static ONCE: Once = Once::new();
        if self.wants_namespace() {
            ONCE.call_once(namespace::prepare);
        }
    }

    /// Why this machine has no cgroups for contestants; `None` if it has, or if none was tried.
    pub(crate) fn why_no_cgroup() -> Option<&'static str> {
        NO_CGROUP.get()?.as_deref()
    }

    /// The same for namespaces.
    pub(crate) fn why_no_namespace() -> Option<&'static str> {
        NO_NAMESPACE.get().map(String::as_str)
    }

    /// Its name in records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CgroupAndNamespace => "cgroup and namespace",
            Self::Cgroup => "cgroup",
            Self::Namespace => "namespace",
            Self::Tree => "none",
        }
    }

    /// Begins to close what was opened for contestants, so that it closes while you go on. Others may be started.
    /// [`Containment::close`] waits for the end.
    pub fn begin_to_close() {
        namespace::begin_to_close_all();
    }

    /// Closes what was opened for contestants. Call it when no more are to be started.
    pub fn close() {
        namespace::close_all();
        cgroup::close_all();
    }

    /// What holds one contestant, with its limits. The namespace may still be opening.
    pub(super) fn enter(self, wanted: Wanted) -> io::Result<Holders> {
        let namespace = match self.wants_namespace() && NO_NAMESPACE.get().is_none() {
            true => Some(Namespace::take()?),
            false => None,
        };
        let wants_cgroup = match self {
            Self::CgroupAndNamespace | Self::Cgroup => true,
            // The only means that is left. Making one for a single case takes longer than a namespace.
            Self::Namespace => namespace.is_none(),
            Self::Tree => false,
        };
        let limits = cgroup::Limits {
            tasks: wanted.tasks,
            memory_kib: wanted.memory_kib,
        };
        let cgroup = match wants_cgroup && has_cgroups() {
            true => Some(Cgroup::take(limits)),
            false => None,
        };
        match cgroup.transpose() {
            Ok(cgroup) => Ok(Holders { namespace, cgroup }),
            Err(error) => {
                namespace.into_iter().for_each(Namespace::put_back);
                Err(error)
            }
        }
    }

    /// Remembers that this process can open namespaces.
    pub(super) fn has_opened() {
        OPENED.store(true, Ordering::Relaxed);
    }

    /// Whether a contestant should start without a namespace, because none could be opened. A shortage is no reason: it
    /// is over soon. Nor is a failure after the first one was opened: a run does not change its means without a word.
    pub(super) fn falls_back(namespace: &Namespace) -> bool {
        match namespace.failure() {
            Some(failure) if !is_shortage(&failure) && !OPENED.load(Ordering::Relaxed) => {
                refuse_namespace(&failure);
                true
            }
            _ => false,
        }
    }

    fn wants_namespace(self) -> bool {
        matches!(self, Self::CgroupAndNamespace | Self::Namespace)
    }
}

impl Holders {
    /// Keeps them for the next contestant. Nothing was started in them.
    pub(super) fn put_back(self) {
        self.namespace.into_iter().for_each(Namespace::put_back);
        self.cgroup.into_iter().for_each(Cgroup::put_back);
    }
}

fn has_cgroups() -> bool {
    let check = || cgroup::check().err().map(|error| error.to_string());
    NO_CGROUP.get_or_init(check).is_none()
}

fn is_shortage(error: &io::Error) -> bool {
    let short = [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE];
    error
        .raw_os_error()
        .is_some_and(|code| short.contains(&code))
        || error.kind() == io::ErrorKind::TimedOut
}

fn refuse_namespace(error: &io::Error) {
    let _ = NO_NAMESPACE.set(error.to_string());
}
