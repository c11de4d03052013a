//! What a contestant can leave without a process: objects of the IPC namespace, and limits and priorities of the keeper,
//! which later contestants would inherit. Where anything is found, the namespace is not used again.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use libc::{c_int, c_long, c_uint};

/// The keeper's limits and priorities. A contestant of the same user can change them (`prlimit`), as the keeper is
/// process 1 for it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Inherited {
    limits: [[u64; 2]; LIMITS],
    priority: c_int,
    policy: c_int,
    io_priority: c_long,
    processors: [u64; 16],
    /// The priority of the session, with its name: `/autogroup-7 nice 0`.
    group: [u8; 64],
}

/// How many kinds of limits the kernel has.
const LIMITS: usize = 16;

impl Inherited {
    /// Those of this process; `session` is its open `/proc/self/autogroup`, or -1. Cost: 5 µs.
    pub(super) fn read(session: c_int) -> Self {
        const IOPRIO_WHO_PROCESS: c_int = 1;
        let mut limits = [[0; 2]; LIMITS];
        let mut processors = [0; 16];
        let mut group = [0; 64];
        // SAFETY: system calls on numbers, and on arrays as long as is said. What fails leaves zeroes.
        unsafe {
            for (limit, kind) in limits.iter_mut().zip(0 as c_long..) {
                let none = null::<[u64; 2]>();
                libc::syscall(libc::SYS_prlimit64, 0, kind, none, limit.as_mut_ptr());
            }
            let size = size_of_val(&processors);
            libc::syscall(
                libc::SYS_sched_getaffinity,
                0,
                size,
                processors.as_mut_ptr(),
            );
            libc::pread(session, group.as_mut_ptr().cast(), group.len(), 0);
            Self {
                limits,
                priority: libc::getpriority(libc::PRIO_PROCESS, 0),
                policy: libc::sched_getscheduler(0),
                io_priority: libc::syscall(libc::SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0),
                processors,
                group,
            }
        }
    }
}

/// Moves this process into an IPC namespace of its own, which takes 100 µs; true if it worked.
pub(super) fn leave_ipc() -> bool {
    // SAFETY: a system call on numbers.
    unsafe { libc::unshare(libc::CLONE_NEWIPC) == 0 }
}

/// The folder of this namespace's POSIX queues, or -1. It is mounted nowhere.
pub(super) fn open_queues() -> c_int {
    const CREATE: c_uint = 6;
    const CLOSE_ON_EXEC: c_uint = 1;
    let name: &CStr = c"mqueue";
    // SAFETY: texts that end with a zero, null where that is allowed, and our own descriptors.
    unsafe {
        let system = libc::syscall(libc::SYS_fsopen, name.as_ptr(), CLOSE_ON_EXEC) as c_int;
        let none = null_mut::<u8>();
        libc::syscall(libc::SYS_fsconfig, system, CREATE, none, none, 0);
        let mount = libc::syscall(libc::SYS_fsmount, system, CLOSE_ON_EXEC, 0) as c_int;
        let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
        let folder = match mount {
            ..0 => -1,
            _ => libc::openat(mount, c".".as_ptr(), flags),
        };
        for fd in [system, mount] {
            if fd >= 0 {
                libc::close(fd);
            }
        }
        folder
    }
}

/// Whether this IPC namespace has segments of memory, queues or semaphores of System V. The kernel keeps them, whether
/// or not a process uses them.
pub(super) fn has_objects() -> bool {
    let segments = Segments::find();
    // SAFETY: structures of plain numbers, valid to write to.
    unsafe {
        let mut queues: libc::msginfo = std::mem::zeroed();
        let mut sets: libc::seminfo = std::mem::zeroed();
        libc::msgctl(0, libc::MSG_INFO, (&raw mut queues).cast());
        libc::semctl(0, 0, libc::SEM_INFO, &raw mut sets);
        // With these commands, two fields say how many there are.
        segments.exist || queues.msgpool > 0 || sets.semusz > 0
    }
}

/// Removes System V segments of shared memory that were made in this PID namespace. For the only contestant of a
/// namespace: an IPC namespace takes 100 µs to open and to close.
pub(super) fn remove_segments() {
    // The C library's header has it, the crate does not.
    const SHM_STAT_ANY: c_int = 15;
    let segments = Segments::find();
    if !segments.exist {
        return;
    }
    for index in 0..=segments.highest {
        // SAFETY: a structure of plain numbers, valid to write to. `SHM_STAT_ANY` takes an index, and returns the
        // number, also of one that we may not read.
        unsafe {
            let mut segment: libc::shmid_ds = std::mem::zeroed();
            let number = libc::shmctl(index, SHM_STAT_ANY, &raw mut segment);
            // Its maker has a number here only if it was in this namespace.
            if number >= 0 && segment.shm_cpid > 0 {
                libc::shmctl(number, libc::IPC_RMID, null_mut());
            }
        }
    }
}

/// The System V segments of shared memory of this IPC namespace.
struct Segments {
    exist: bool,
    /// The highest index that one has.
    highest: c_int,
}

impl Segments {
    fn find() -> Self {
        // The C library's header has it, the crate does not: the first field of `struct shm_info`, of six numbers, is
        // how many segments there are.
        const SHM_INFO: c_int = 14;
        let mut info = [0_u64; 6];
        // SAFETY: a structure of plain numbers, valid to write to.
        let highest = unsafe { libc::shmctl(0, SHM_INFO, info.as_mut_ptr().cast()) };
        Self {
            exist: info[0] as u32 > 0,
            highest,
        }
    }
}
