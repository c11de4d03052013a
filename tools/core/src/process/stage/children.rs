//! The children of a stage: the contestant, and what that leaves when it ends. Processes that lose their parent come to
//! the stage, so that none of them goes on after the contestant's time was taken.
//!
//! Only `core`: `tools/core/stage/main.rs` is built of this file too.

use super::system::{call, system};

pub const SIGKILL: usize = 9;
pub const SIGCHLD: usize = 17;

/// A set with one signal.
pub const fn set(signal: usize) -> u64 {
    1 << (signal - 1)
}

/// What children used that have ended.
#[derive(Default)]
pub struct Used {
    /// The processor time of all of them.
    pub cpu_us: u64,
    /// The most memory that one of them had.
    pub memory_kib: u64,
}

/// The kernel's list of our children, an open file; an error number where there is none.
///
/// It is open before the contestant exists, which may set our limit on open files to 0.
#[derive(Clone, Copy)]
pub struct ChildList(isize);

/// Processes below this one that lose their parent become its children.
pub unsafe fn adopt_orphans() -> ChildList {
    const PR_SET_CHILD_SUBREAPER: usize = 36;
    const AT_FDCWD: usize = -100_isize as usize;
    const O_CLOEXEC: usize = 0o2_000_000;
    let path = c"/proc/thread-self/children".as_ptr().addr();
    // SAFETY: numbers, and a path.
    unsafe {
        system(call::PRCTL, [PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0]);
        let words = [AT_FDCWD, path, O_CLOEXEC, 0, 0, 0];
        ChildList(system(call::OPENAT, words))
    }
}

/// Waits for a child, and hands the signals on to it that are `waited` for. Its status, and these signals.
pub unsafe fn wait_for(pid: usize, waited: u64, used: &mut Used) -> (i32, u64) {
    let mut sent = 0;
    loop {
        // SAFETY: pointers to our own values.
        unsafe {
            let signals = (&raw const waited).addr();
            let signal = system(call::RT_SIGTIMEDWAIT, [signals, 0, 0, 8, 0, 0]);
            if signal > 0 && signal as usize != SIGCHLD {
                // It has not been waited for. A signal to the whole group may have ended it already: it counts too.
                system(call::KILL, [pid, signal as usize, 0, 0, 0, 0]);
                sent |= set(signal as usize);
            }
            // One signal may stand for several ends.
            while let Some((ended, status)) = reap(NOT_WAITING, used) {
                if ended == pid {
                    return (status, sent);
                }
            }
        }
    }
}

/// Kills and reaps all children until none is left. A process that has been sent SIGKILL starts no other one.
pub unsafe fn end_rest(list: ChildList, used: &mut Used) {
    // SAFETY: numbers, and our own values.
    unsafe {
        loop {
            while reap(NOT_WAITING, used).is_some() {}
            // What cannot be killed is not waited for.
            if kill_children(list) == 0 {
                return;
            }
            reap(0, used);
        }
    }
}

const NOT_WAITING: usize = 1;

/// The number and the status of a child that has ended; `None` if there is none.
///
/// A child that only stops is killed: it has asked to be traced by us, and nothing would wake it. A contestant could hide
/// its crash so.
unsafe fn reap(options: usize, used: &mut Used) -> Option<(usize, i32)> {
    const ALL: usize = 0x4000_0000;
    const ANY: usize = usize::MAX;
    const STOPPED: i32 = 0x7f;
    let mut status = 0_i32;
    // `struct rusage`: two times of seconds and microseconds, then the memory.
    let mut usage = [0_u64; 18];
    let (to_status, to_usage) = ((&raw mut status).addr(), (&raw mut usage).addr());
    let words = [ANY, to_status, options | ALL, to_usage, 0, 0];
    loop {
        // SAFETY: pointers to our own values, which are read after the kernel has written them.
        unsafe {
            let pid = system(call::WAIT4, words);
            let status = (&raw const status).read_volatile();
            if pid <= 0 {
                return None;
            }
            if status & 0xff == STOPPED {
                system(call::KILL, [pid as usize, SIGKILL, 0, 0, 0, 0]);
                continue;
            }
            let usage = (&raw const usage).read_volatile();
            used.cpu_us += (usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3];
            used.memory_kib = used.memory_kib.max(usage[4]);
            return Some((pid as usize, status));
        }
    }
}

/// Kills the first children that the kernel names. How many there were.
unsafe fn kill_children(ChildList(file): ChildList) -> usize {
    let mut list = [0_u8; 4096];
    let (to_list, room) = ((&raw mut list).addr(), size_of_val(&list));
    // SAFETY: our own list. From its beginning, for it changes.
    let length = unsafe { system(call::PREAD64, [file as usize, to_list, room, 0, 0, 0]) };
    let length = length.max(0) as usize;
    let (mut pid, mut killed) = (0_usize, 0);
    for at in 0..length {
        // SAFETY: within the list. Byte by byte: to read all of it at once takes 100 KB of code.
        let byte = unsafe { (&raw const list).cast::<u8>().add(at).read_volatile() };
        // A blank ends each number; one that was cut off comes with the next list.
        match byte {
            b'0'..=b'9' => pid = pid * 10 + usize::from(byte - b'0'),
            _ => {
                // SAFETY: numbers. It is a child that nothing else waits for, so the number is still its own.
                let is_sent = |pid| unsafe { system(call::KILL, [pid, SIGKILL, 0, 0, 0, 0]) == 0 };
                killed += usize::from(pid != 0 && is_sent(pid));
                pid = 0;
            }
        }
    }
    killed
}
