//! The first process of the namespace: starts contestants, reaps everything, and kills what is left.
//!
//! It runs in the judge's memory while the thread that has made it only waits, as between `vfork` and `exec`. So it
//! has that thread's `errno` for itself. It must not allocate, for the reason that `setup` gives.

use std::sync::atomic::{AtomicI32, Ordering};

use libc::{c_int, c_void};

use super::super::clone::{self, Start};
use super::super::exec::{STACK, execute};
use super::super::wait::wait;
use super::leftovers::{Inherited, has_objects, leave_ipc, open_queues, remove_segments};
use super::setup::{Tools, enter, open};
use super::shared::{Request, Shared, State};

/// Room for a contestant's first system calls, below the keeper's own.
pub(super) const STACKS: usize = 2 * STACK;

/// What the keeper begins with.
pub(super) struct Begin<'a> {
    pub(super) shared: &'a Shared,
    /// The judge, to see whether it has died before it could be heard of.
    pub(super) judge: c_int,
    /// The end of a contestant's stack.
    pub(super) stack: *mut c_void,
}

/// The keeper, from its first instruction.
pub(super) extern "C" fn keep(begin: *mut c_void) -> c_int {
    // SAFETY: the thread that made us waits until we have ended, with this on its stack.
    let begin = unsafe { &*begin.cast::<Begin<'_>>() };
    let shared = begin.shared;
    let mut tools = match enter(shared) {
        Ok(tools) => tools,
        Err(error) => return fail(shared, error),
    };
    let mut judge = libc::pollfd {
        fd: begin.judge,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one valid structure. The judge's end is a signal for us from now on; was it before?
    if unsafe { libc::poll(&raw mut judge, 1, 0) } > 0 {
        return 0;
    }
    // If there is a request already, it is served at once.
    shared.replace(State::Opening, State::Idle);
    loop {
        shared.wait_while(&[State::Idle, State::Started, State::Ended], None);
        let request = shared.request();
        if !request.wanted.is_last {
            tools.prepare_for_more(shared);
        }
        match tools.prepare(&request.wanted) {
            Ok(()) => serve(shared, &request, begin.stack, &tools),
            Err(error) => shared.error.store(error, Ordering::Relaxed),
        }
        shared.set(State::Ended);
        if request.wanted.is_last {
            return 0;
        }
    }
}

fn fail(shared: &Shared, error: c_int) -> c_int {
    shared.failure.store(error, Ordering::Relaxed);
    shared.set(State::Failed);
    0
}

/// Starts one contestant and stays with it until nothing is left.
fn serve(shared: &Shared, request: &Request, stack: *mut c_void, tools: &Tools) {
    // SAFETY: as in `spawn`: the child has this stack, and we stand still until it executes its program or ends. The
    // judge keeps the setup until the state says that the program was started.
    let started = unsafe {
        clone::start(&Start {
            entry: execute,
            argument: request.setup.cast::<c_void>(),
            stack,
            cgroup: (*request.setup).cgroup,
        })
    };
    let (pid, pidfd) = started.unwrap_or((-1, -1));
    // SAFETY: the setup, as above.
    let error = started.map_or_else(|error| error, |_| unsafe { (*request.setup).error });
    shared.error.store(error, Ordering::Relaxed);
    shared.pidfd.store(pidfd, Ordering::Relaxed);
    let children = shared.fds.children.load(Ordering::Relaxed);
    let pid_here = only_child(children).unwrap_or_else(|error| -error);
    shared.pid.store(pid_here, Ordering::Relaxed);
    shared.set(State::Started);
    if pid > 0 {
        reap_all(shared, pid);
    }
    if !tools.own_ipc {
        remove_segments();
    }
    let has_leftovers = !request.wanted.is_last && tools.has_leftovers(shared);
    shared.has_leftovers.store(has_leftovers, Ordering::Relaxed);
}

/// The number that our only child has for the judge; 0 if we have none. Read before it is reaped, so that no other
/// process has it.
fn only_child(list: c_int) -> Result<c_int, c_int> {
    let mut text = [0_u8; 16];
    // SAFETY: a buffer with this many bytes, a wrong descriptor is an error; and our own errno.
    unsafe {
        if libc::pread(list, text.as_mut_ptr().cast(), text.len(), 0) < 0 {
            return Err(*libc::__errno_location());
        }
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    Ok(digits.fold(0, |number, digit| number * 10 + c_int::from(digit - b'0')))
}

/// Reaps until nothing is left. Once the leader has ended, everything else is killed.
fn reap_all(shared: &Shared, leader: c_int) {
    const ANY: c_int = -1;
    let mut options = 0;
    loop {
        match wait(ANY, options) {
            Ok(Some(ended)) => {
                let cpu_us = ended.cpu.as_micros() as u64;
                shared.cpu_us.fetch_add(cpu_us, Ordering::Relaxed);
                if ended.pid == leader {
                    shared.peak_kib.store(ended.peak_kib, Ordering::Relaxed);
                    shared.status.store(ended.status, Ordering::Relaxed);
                    // If others live, we want to know it.
                    options = libc::WNOHANG;
                }
            }
            Ok(None) => {
                let left = count_processes(shared.fds.proc.load(Ordering::Relaxed));
                shared.left.store(left, Ordering::Relaxed);
                kill_all();
                options = 0;
            }
            // None is left.
            Err(_) => return,
        }
    }
}

/// Kills everything in the namespace except the keeper, in one step that no fork escapes.
fn kill_all() {
    // SAFETY: system calls on numbers. Anywhere but in a namespace of our own, it would hit the machine.
    unsafe {
        if libc::getpid() == 1 {
            libc::kill(-1, libc::SIGKILL);
        }
    }
}

impl Tools {
    /// Before the first of several contestants: prepares to find what one leaves for the next.
    fn prepare_for_more(&mut self, shared: &Shared) {
        if self.inherited.is_none() {
            let session = open(c"/proc/self/autogroup", libc::O_RDONLY);
            shared.fds.session.store(session, Ordering::Relaxed);
            self.inherited = Some(Inherited::read(session));
            if self.own_shm {
                let shm = open(c"/dev/shm", libc::O_RDONLY | libc::O_DIRECTORY);
                shared.fds.shm.store(shm, Ordering::Relaxed);
            }
        }
        // In an IPC namespace its objects can be listed, and no other process has any in it.
        if !self.own_ipc && leave_ipc() {
            self.own_ipc = true;
            shared.fds.queues.store(open_queues(), Ordering::Relaxed);
        }
    }

    /// Whether a contestant has left anything that the next one would find.
    fn has_leftovers(&self, shared: &Shared) -> bool {
        let fd = |fd: &AtomicI32| fd.load(Ordering::Relaxed);
        let files = |folder: &AtomicI32| has_files(fd(folder));
        self.own_shm && files(&shared.fds.shm)
            || self.own_ipc && (has_objects() || files(&shared.fds.queues))
            || self.inherited != Some(Inherited::read(fd(&shared.fds.session)))
    }
}

/// Whether a folder has entries.
fn has_files(dir: c_int) -> bool {
    let mut entries = 0;
    list(dir, |_| entries += 1);
    // "." and "..".
    entries > 2
}

/// How many processes the namespace has, the keeper not counted; 0 if it has no `/proc` of its own.
fn count_processes(proc: c_int) -> u64 {
    if proc < 0 {
        return 0;
    }
    let mut processes: u64 = 0;
    list(proc, |first| processes += u64::from(first.is_ascii_digit()));
    processes.saturating_sub(1)
}

/// Goes through a folder's entries; `each` gets the first letter of a name.
fn list(dir: c_int, mut each: impl FnMut(u8)) {
    // An entry: its number and offset of eight bytes each, its length of two, its kind of one, its name.
    const LENGTH: usize = 16;
    const NAME: usize = 19;
    let mut entries = [0_u8; 4096];
    // SAFETY: a descriptor of ours, and a buffer with this many bytes; a wrong descriptor is an error.
    unsafe { libc::lseek(dir, 0, libc::SEEK_SET) };
    loop {
        // SAFETY: as above.
        let read = unsafe {
            let (buffer, size) = (entries.as_mut_ptr(), entries.len());
            libc::syscall(libc::SYS_getdents64, dir, buffer, size)
        };
        let Some(mut left) = usize::try_from(read)
            .ok()
            .and_then(|read| entries.get(..read))
        else {
            return;
        };
        if left.is_empty() {
            return;
        }
        while let (Some(&[a, b]), Some(&first)) = (left.get(LENGTH..LENGTH + 2), left.get(NAME)) {
            each(first);
            let length = usize::from(u16::from_ne_bytes([a, b]));
            left = left
                .get(length..)
                .filter(|_| length > 0)
                .unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn a_list_of_children_that_cannot_be_read_is_not_an_empty_one() {
        let empty = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(only_child(empty.as_raw_fd()), Ok(0));
        let folder = std::fs::File::open("/").unwrap();
        assert_eq!(only_child(folder.as_raw_fd()), Err(libc::EISDIR));
    }
}
