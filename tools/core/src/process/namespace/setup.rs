//! What the keeper does before the first contestant: maps the user, mounts `/proc` and `/dev/shm`, sets limits.
//!
//! It must not allocate: if it were killed while it held the allocator's lock, the judge would wait for that lock
//! without end. So it makes system calls on texts that are constant or on its stack.

use std::ffi::CStr;
use std::io::Write;
use std::os::fd::RawFd;
use std::ptr::null;
use std::sync::atomic::Ordering;

use libc::{c_int, c_ulong};

use super::super::exec::reset_signals;
use super::dumpable::DUMPABLE;
use super::leftovers::Inherited;
use super::shared::{Kind, Shared, Wanted};

/// What the keeper of a namespace can do.
pub(super) struct Tools {
    /// See [`Descriptors::last_pid`](super::shared::Descriptors::last_pid).
    last_pid: RawFd,
    /// Whether `/dev/shm` is the namespace's own now.
    pub(super) own_shm: bool,
    /// Whether System V objects and POSIX queues are the namespace's own.
    pub(super) own_ipc: bool,
    /// What contestants inherit from the keeper, once it is known.
    pub(super) inherited: Option<Inherited>,
    shm_kib: u64,
    /// The limit on numbers that is set, or 0.
    tasks: u64,
    /// Whether a contestant may make namespaces, as it is set.
    nests: bool,
    kind: Kind,
    /// Tells this namespace from others that are open at the same time.
    slot: u64,
    /// How many contestants were started.
    started: u64,
}

/// Where the kernel starts again when it has given away all process numbers.
const RESERVED_PIDS: u64 = 300;

/// The kernel accepts no larger `pid_max`.
const MOST_PIDS: u64 = 1 << 22;

/// Makes the namespace ready.
pub(super) fn enter(shared: &Shared) -> Result<Tools, c_int> {
    // Known before the keeper exists: looking it up would allocate.
    let kind = Kind::of_this_process();
    // SAFETY: system calls on numbers.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Otherwise `kill(-1)` would hit the machine.
        if libc::getpid() != 1 {
            return Err(libc::ENOSYS);
        }
        libc::setsid();
    }
    // Once, for all contestants: each would need 64 system calls for it.
    reset_signals();
    if let Kind::User { uid, gid } = kind {
        let mapped = map_user(uid, gid);
        // It was allowed for this alone.
        DUMPABLE.give_back();
        mapped?;
    }
    // Before our own `/proc` hides it.
    let children = open(c"/proc/thread-self/children", libc::O_RDONLY);
    if children < 0 {
        // Without it, programs would be started that cannot be followed.
        // SAFETY: this thread's own number.
        return Err(unsafe { *libc::__errno_location() });
    }
    shared.fds.children.store(children, Ordering::Relaxed);
    // Our mounts must not reach the machine's own tree.
    let private = mount(null(), c"/", null(), libc::MS_REC | libc::MS_SLAVE, null());
    let own = libc::MS_NOSUID | libc::MS_NODEV;
    let (mut own_shm, mut own_proc) = (false, false);
    if private {
        let proc = c"proc".as_ptr();
        // Refused in a container that hides parts of its own.
        own_proc = mount(proc, c"/proc", proc, own | libc::MS_NOEXEC, null());
        own_shm = mount_shm(own, Wanted::USUAL.memory_kib);
        protect(c"/sys/fs/cgroup");
    }
    if own_proc {
        let fd = open(c"/proc", libc::O_RDONLY | libc::O_DIRECTORY);
        shared.fds.proc.store(fd, Ordering::Relaxed);
    }
    let last_pid = open(c"/proc/sys/kernel/ns_last_pid", libc::O_WRONLY);
    shared.fds.last_pid.store(last_pid, Ordering::Relaxed);
    let mut tools = Tools {
        last_pid,
        own_shm,
        own_ipc: false,
        inherited: None,
        shm_kib: Wanted::USUAL.memory_kib,
        kind,
        tasks: 0,
        nests: true,
        slot: shared.slot,
        started: 0,
    };
    // The usual limits now, while the judge is still busy.
    tools.prepare(&Wanted::USUAL)?;
    Ok(tools)
}

/// A descriptor, or -1.
pub(super) fn open(path: &CStr, flags: c_int) -> RawFd {
    // SAFETY: a valid path.
    unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC) }
}

/// The kernel's mount call; true if it worked.
fn mount(
    source: *const libc::c_char,
    target: &CStr,
    kind: *const libc::c_char,
    flags: c_ulong,
    data: *const libc::c_char,
) -> bool {
    // SAFETY: texts that end with a zero, or null where that is allowed.
    unsafe { libc::mount(source, target.as_ptr(), kind, flags, data.cast()) == 0 }
}

/// Makes a folder read-only, with all that is mounted below. A contestant could otherwise raise the limits of its
/// cgroup, or leave it, because the files belong to its user. Before Linux 5.12 nothing happens.
fn protect(folder: &CStr) {
    const READ_ONLY: u64 = 1;
    const RECURSIVE: c_int = 0x8000;
    // `struct mount_attr`: flags to set, flags to clear, propagation, a user namespace.
    let attributes: [u64; 4] = [READ_ONLY, 0, 0, 0];
    // SAFETY: a valid path and a structure of this size. It changes this namespace's own mounts.
    unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            folder.as_ptr(),
            RECURSIVE,
            &raw const attributes,
            size_of_val(&attributes),
        );
    }
}

fn mount_shm(flags: c_ulong, kib: u64) -> bool {
    // A file without content takes 1 KB of the kernel's memory.
    let tmpfs = c"tmpfs".as_ptr();
    let options = Text::new(format_args!("mode=1777,nr_inodes=10000,size={kib}k\0"));
    mount(
        tmpfs,
        c"/dev/shm",
        tmpfs,
        flags,
        options.bytes.as_ptr().cast(),
    )
}

/// A new user namespace knows no user. This user stays who it is; the kernel allows one user and one group.
fn map_user(uid: u32, gid: u32) -> Result<(), c_int> {
    write_file(c"/proc/self/setgroups", format_args!("deny"))?;
    write_file(c"/proc/self/uid_map", format_args!("{uid} {uid} 1"))?;
    write_file(c"/proc/self/gid_map", format_args!("{gid} {gid} 1"))
}

/// A text on the stack.
struct Text {
    bytes: [u8; 64],
    len: usize,
}

impl Text {
    fn new(text: std::fmt::Arguments<'_>) -> Self {
        let mut bytes = [0; 64];
        let mut left = &mut bytes[..];
        // A number or two always fit.
        let _ = left.write_fmt(text);
        let left = left.len();
        Self {
            bytes,
            len: 64 - left,
        }
    }
}

fn write_file(path: &CStr, text: std::fmt::Arguments<'_>) -> Result<(), c_int> {
    let text = Text::new(text);
    // SAFETY: a valid path, our own descriptor, and bytes that are there.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if fd < 0 {
            return Err(*libc::__errno_location());
        }
        let written = libc::write(fd, text.bytes.as_ptr().cast(), text.len);
        let error = *libc::__errno_location();
        libc::close(fd);
        if written > 0 { Ok(()) } else { Err(error) }
    }
}

impl Tools {
    /// Sets limits for the next contestant; they hold before it exists.
    pub(super) fn prepare(&mut self, wanted: &Wanted) -> Result<(), c_int> {
        self.number(wanted.tasks)?;
        self.size_shm(wanted.memory_kib, wanted.shares_shm);
        self.allow_nesting(wanted.nests);
        Ok(())
    }

    /// Sets how many user namespaces may be made below ours. Root needs none to make others.
    fn allow_nesting(&mut self, nests: bool) {
        if matches!(self.kind, Kind::User { .. }) && self.nests != nests {
            let most = if nests { 1000 } else { 0 };
            // Where it is refused, they can be made.
            let _ = write_file(
                c"/proc/sys/user/max_user_namespaces",
                format_args!("{most}"),
            );
            self.nests = nests;
        }
    }

    /// Limits the numbers of processes where that is how processes are limited, and chooses the next one.
    ///
    /// Contestants of two namespaces run at the same time and may call a file in `/tmp` by their number, so those of
    /// one namespace differ from those of another.
    fn number(&mut self, tasks: u64) -> Result<(), c_int> {
        self.started += 1;
        let last = match self.kind {
            Kind::Root { limits: true } => {
                // The first 300 numbers are not given away again, so that this many are left.
                if self.tasks != tasks {
                    let most = RESERVED_PIDS.saturating_add(tasks).min(MOST_PIDS);
                    write_file(c"/proc/sys/kernel/pid_max", format_args!("{most}"))?;
                    self.tasks = tasks;
                }
                RESERVED_PIDS + self.slot % tasks.max(1)
            }
            _ => 1000 + self.slot % 300 * 100 + self.started % 100,
        };
        if self.last_pid >= 0 {
            let text = Text::new(format_args!("{last}"));
            // SAFETY: our own descriptor. If it fails, numbers are as they come.
            unsafe { libc::pwrite(self.last_pid, text.bytes.as_ptr().cast(), text.len, 0) };
        }
        Ok(())
    }

    fn size_shm(&mut self, memory_kib: u64, shares_shm: bool) {
        if !self.own_shm || !shares_shm && self.shm_kib == memory_kib {
            return;
        }
        if shares_shm {
            // SAFETY: a valid path.
            unsafe { libc::umount2(c"/dev/shm".as_ptr(), libc::MNT_DETACH) };
            self.own_shm = false;
            return;
        }
        let size = Text::new(format_args!("size={memory_kib}k\0"));
        let flags = libc::MS_REMOUNT | libc::MS_NOSUID | libc::MS_NODEV;
        let size = size.bytes.as_ptr().cast();
        if mount(null(), c"/dev/shm", null(), flags, size) {
            self.shm_kib = memory_kib;
        }
    }
}
