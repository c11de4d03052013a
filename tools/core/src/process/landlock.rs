//! Landlock: the kernel's own rules for what a process may do.
//!
//! Every contestant runs in a *signal scope* where the kernel has them (Linux 6.12): it can send signals to, and
//! trace, only processes in the same scope. So it cannot kill the judge or read its memory. Nothing else is
//! forbidden. Only a program that becomes another user (`sudo`) notices it, since that would lift the rules.
//!
//! The judging thread enters a signal scope as well, and each contestant gets one inside it. So the thread can
//! signal what it has started, wherever that has gone, and nothing else. The file `orphans.rs` finds a
//! contestant's processes in this way.

use std::cell::Cell;
use std::io::{self, PipeWriter, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libc::{c_int, c_void};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope,
};

use super::wait::wait;

thread_local! {
    static IN_SIGNAL_SCOPE: Cell<bool> = const { Cell::new(false) };
    static SCOPE_IS_PROVED: Cell<bool> = const { Cell::new(false) };
}

/// The rules, made once; `None` where the kernel has none of this kind.
pub(crate) fn signal_scope() -> Option<BorrowedFd<'static>> {
    static RULES: OnceLock<Option<OwnedFd>> = OnceLock::new();
    RULES.get_or_init(make).as_ref().map(AsFd::as_fd)
}

/// Whether contestants cannot signal or read the judge, even without a sandbox.
pub fn has_signal_scope() -> bool {
    signal_scope().is_some()
}

/// Puts the calling thread into a signal scope, for as long as it lives, unless it is in one. Where the kernel
/// has none, nothing happens.
pub(crate) fn enter_signal_scope() {
    let Some(rules) = signal_scope().filter(|_| !thread_has_signal_scope()) else {
        return;
    };
    let outside = Bystander::start();
    let restricted = restrict_thread(rules);
    IN_SIGNAL_SCOPE.set(restricted);
    SCOPE_IS_PROVED.set(restricted && outside.is_ok_and(|process| process.is_out_of_reach()));
}

/// Puts the calling thread under these rules. Returns whether that worked.
fn restrict_thread(rules: BorrowedFd<'_>) -> bool {
    // SAFETY: system calls on numbers, which change only what this thread may do.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) == 0
    }
}

/// A process that was started before the thread entered the scope. It waits until it is not needed any more.
struct Bystander {
    pid: Pid,
    /// It ends when it reads a byte, for it cannot be killed from within the scope. That this is closed it might not see:
    /// one that another thread starts meanwhile has a copy.
    ends: PipeWriter,
    /// What it runs on.
    stack: Vec<u128>,
}

impl Bystander {
    /// Cost: 40 µs.
    fn start() -> io::Result<Self> {
        const STACK: usize = 16 << 10;
        let (waits, ends) = io::pipe()?;
        let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
        // SAFETY: the child has our memory and a stack of its own, of which this is the end. It makes four system
        // calls, which do not fail, and it is waited for before the stack is freed.
        let pid = unsafe {
            let end = stack.as_mut_ptr().add(stack.capacity()).cast();
            let waits = std::ptr::without_provenance_mut(waits.as_raw_fd() as usize);
            libc::clone(wait_for_the_end, end, libc::CLONE_VM | libc::SIGCHLD, waits)
        };
        Ok(Self {
            pid: started(pid)?,
            ends,
            stack,
        })
    }

    /// Whether the calling thread is not allowed to send it a signal. Before, it was: it is our child.
    fn is_out_of_reach(&self) -> bool {
        test_kill_process(self.pid) == Err(Errno::PERM)
    }
}

/// What the C library's `clone` returned: -1 where no process can be started.
fn started(pid: c_int) -> io::Result<Pid> {
    // `from_raw` takes no negative number.
    Pid::from_raw(pid.max(0)).ok_or_else(io::Error::last_os_error)
}

/// A bystander's life.
extern "C" fn wait_for_the_end(waits: *mut c_void) -> c_int {
    let waits = waits.addr() as c_int;
    let mut byte = 0_u8;
    // SAFETY: its own copies of descriptors, and a byte of its stack. It keeps one: with copies of others, it would wait
    // for itself, or keep another thread's bystander from ending.
    unsafe {
        // Should we die before we tell it to end.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::syscall(libc::SYS_close_range, 0, waits - 1, 0);
        libc::syscall(libc::SYS_close_range, waits + 1, c_int::MAX, 0);
        libc::read(waits, (&raw mut byte).cast(), 1);
    }
    0
}

impl Drop for Bystander {
    fn drop(&mut self) {
        // A pipe that is empty takes a byte at once, if the kernel has memory for it.
        match self.ends.write_all(&[0]) {
            Ok(()) => _ = wait(self.pid.as_raw_nonzero().get(), 0),
            // It ends later, when all copies of the pipe are closed, or with this thread. Until then it needs its stack.
            Err(_) => std::mem::forget(std::mem::take(&mut self.stack)),
        }
    }
}

/// Kills everything that the calling thread has started, wherever it has gone, in one step that no fork escapes; false
/// if nothing was done.
///
/// `kill(-1)` reaches all that the kernel lets us signal, so it is sent only where the scope was seen to hold: a child of
/// ours from before this thread entered it is out of reach.
pub(super) fn kill_scope() -> bool {
    if !SCOPE_IS_PROVED.get() {
        return false;
    }
    // SAFETY: a system call on numbers. It does not reach this process itself.
    unsafe { libc::kill(-1, libc::SIGKILL) };
    true
}

/// Whether [`enter_signal_scope`] has worked in this thread.
pub(crate) fn thread_has_signal_scope() -> bool {
    IN_SIGNAL_SCOPE.get()
}

/// What each version of Landlock has added that matters here.
const REFER: i32 = 2;
pub(super) const TRUNCATION: i32 = 3;
pub(super) const NETWORK: i32 = 4;
pub(super) const SIGNALS: i32 = 6;

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

/// Whether this kernel has what [`enter_trace_scope`] needs.
pub(crate) fn has_trace_scope() -> bool {
    landlock_version() >= REFER
}

/// Puts the calling thread, and what it executes, into a scope: it can trace only processes in the same scope or
/// within it, and, where the kernel has it, signal only these. Nothing else is forbidden, except mounting and
/// becoming another user. Returns whether that worked.
pub(crate) fn enter_trace_scope() -> bool {
    if let Some(rules) = signal_scope() {
        // It executes another program next, so nothing needs the proof of `enter_signal_scope`, a process more.
        return restrict_thread(rules);
    }
    // Tracing is limited by any rules, so these allow all that they are about.
    let rules = || -> Result<RestrictionStatus, Box<dyn std::error::Error>> {
        let root = PathBeneath::new(PathFd::new("/")?, AccessFs::Refer);
        let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let rules = rules.handle_access(AccessFs::Refer)?.create()?;
        Ok(rules.add_rule(root)?.restrict_self()?)
    };
    rules().is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}

/// Rules that allow reading and executing everything but what is hidden, and the kernel's version.
pub(super) fn file_rules(hidden: &[PathBuf]) -> Result<(OwnedFd, i32), String> {
    let version = landlock_version();
    if version < 1 {
        return Err("not in this kernel, or not switched on".to_owned());
    }
    let made = || -> Result<Option<OwnedFd>, RulesetError> {
        let newest = ABI::V6;
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(newest))?
            .handle_access(AccessNet::from_all(newest))?
            .scope(Scope::from_all(newest))?
            .create()?;
        let mut rules = rules;
        let readable = readable(hidden).into_iter();
        let readable = readable.map(|path| (path, AccessFs::from_read(newest)));
        for (path, access) in readable.chain(devices()) {
            // What cannot be opened now cannot be read later either.
            if let Ok(fd) = PathFd::new(&path) {
                rules = rules.add_rule(PathBeneath::new(fd, access))?;
            }
        }
        Ok(rules.into())
    };
    match made() {
        Ok(Some(rules)) => Ok((rules, version)),
        Ok(None) => Err("the kernel gave no rules".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The fewest paths that together are everything that may be read and executed. `/dev` has disks, and terminals,
/// which may be the user's; programs can lie in `/dev/shm`.
fn readable(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let dev = [hidden, &["/dev".into()]].concat();
    let mut paths = all_but(Path::new("/"), &dev);
    paths.extend(all_but(Path::new("/dev/shm"), hidden));
    paths
}

/// What else may be done in `/dev`: it can be listed, and has devices that programs need.
fn devices() -> impl Iterator<Item = (PathBuf, BitFlags<AccessFs>)> {
    let names = ["null", "zero", "full", "random", "urandom"].into_iter();
    let access = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    let devices = names.map(move |name| (Path::new("/dev").join(name), access));
    devices.chain([("/dev".into(), AccessFs::ReadDir.into())])
}

/// Adds to the rules that files beneath an open folder may be read.
///
/// The namespace of a contestant has a `/proc` of its own, which did not exist when the rules were made.
pub(super) fn allow_reading(rules: BorrowedFd<'_>, folder: BorrowedFd<'_>) {
    const PATH_BENEATH: u32 = 1;
    // As the kernel takes it: 12 bytes, without room in between.
    let mut rule = [0_u8; 12];
    let access = AccessFs::from_read(ABI::V1).bits();
    rule[..8].copy_from_slice(&access.to_ne_bytes());
    rule[8..].copy_from_slice(&folder.as_raw_fd().to_ne_bytes());
    // SAFETY: a valid rule. If it is refused, the folder stays forbidden.
    unsafe {
        let rules = rules.as_raw_fd();
        libc::syscall(
            libc::SYS_landlock_add_rule,
            rules,
            PATH_BENEATH,
            rule.as_ptr(),
            0,
        );
    }
}

/// The version of Landlock that the kernel has; less than 1 if none.
pub(super) fn landlock_version() -> i32 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no memory and only returns the version.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0,
            VERSION,
        )
    };
    i32::try_from(version).unwrap_or(0)
}

/// The fewest paths that together are everything under `dir` but what is hidden.
fn all_but(dir: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    if hidden.iter().any(|path| path == dir) {
        return Vec::new();
    }
    if !hidden.iter().any(|path| path.starts_with(dir)) {
        return vec![dir.to_owned()];
    }
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| all_but(&entry.path(), hidden))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_what_is_hidden() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["a/in", "a/out", "a/b", "c"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        std::fs::write(at("a/program"), "").unwrap();
        let mut left = all_but(dir.path(), &[at("a/in"), at("a/out")]);
        left.sort();
        assert_eq!(left, [at("a/b"), at("a/program"), at("c")]);
        assert_eq!(all_but(dir.path(), &[]), [dir.path()]);
    }

    #[test]
    fn a_bystander_that_cannot_be_started_is_an_error() {
        assert!(started(-1).is_err());
        assert_eq!(started(7).unwrap().as_raw_nonzero().get(), 7);
    }

    #[test]
    fn threads_that_enter_a_scope_at_once_do_not_wait_for_each_other() {
        const THREADS: usize = 4;
        const ROUNDS: usize = 500;
        let (sender, receiver) = std::sync::mpsc::channel();
        for _ in 0..ROUNDS {
            let together = std::sync::Arc::new(std::sync::Barrier::new(THREADS));
            for _ in 0..THREADS {
                let (sender, together) = (sender.clone(), std::sync::Arc::clone(&together));
                std::thread::spawn(move || {
                    together.wait();
                    enter_signal_scope();
                    sender.send(SCOPE_IS_PROVED.get()).unwrap();
                });
            }
        }
        let patience = std::time::Duration::from_secs(60);
        for _ in 0..THREADS * ROUNDS {
            let is_proved = receiver.recv_timeout(patience).unwrap();
            assert_eq!(is_proved, signal_scope().is_some());
        }
    }
}
