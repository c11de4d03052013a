//! Starting a child that shares our memory, in a cgroup of its own if one is given.
//!
//! The C library has no function for `clone3`, the only call that puts a child into a cgroup before its first
//! instruction. Two other ways fail. A child that writes itself into `cgroup.procs` waits for a grace period of the
//! kernel, which takes milliseconds. And a keeper that stands in the cgroup itself would be killed with the
//! contestant when memory runs out, and with it the judge, whose memory it shares. So this file has the one piece of
//! assembly of the project: the child begins on another stack, where compiled code cannot follow it.

use std::io;

use libc::{c_int, c_void};

use super::exec::STACK;

/// A child's first function.
pub(super) type Entry = extern "C" fn(*mut c_void) -> c_int;

/// How a child starts.
pub(super) struct Start {
    /// What it executes; it must not return.
    pub(super) entry: Entry,
    /// What that gets.
    pub(super) argument: *mut c_void,
    /// The end of its stack of [`STACK`] bytes.
    pub(super) stack: *mut c_void,
    /// The folder of its cgroup, or -1 for ours.
    pub(super) cgroup: c_int,
}

const FLAGS: c_int = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD;

/// Starts a child and stands still until it executes a program or ends. Its number and its descriptor.
///
/// # Errors
/// The kernel's error number.
///
/// # Safety
/// As for `vfork`: the child shares our memory, so it may make system calls only. The stack is valid and not used
/// otherwise, and a descriptor of a cgroup is one.
pub(super) unsafe fn start(start: &Start) -> Result<(c_int, c_int), c_int> {
    let mut pidfd: c_int = -1;
    let pid = match start.cgroup {
        // SAFETY: as the caller promises.
        0.. => unsafe { start_in_cgroup(start, &raw mut pidfd) },
        _ => {
            let (flags, pidfd) = (FLAGS | libc::SIGCHLD, &raw mut pidfd);
            // SAFETY: as the caller promises; and our own errno.
            unsafe {
                match libc::clone(start.entry, start.stack, flags, start.argument, pidfd) {
                    ..0 => -*libc::__errno_location(),
                    pid => pid,
                }
            }
        }
    };
    match pid {
        ..0 => Err(-pid),
        _ => Ok((pid, pidfd)),
    }
}

/// Whether a child can be started in a cgroup: the machine is one that [`start`] knows, and nothing (such as a
/// container's filter of system calls) refuses `clone3`.
pub(super) fn can_enter_cgroup() -> io::Result<()> {
    if !KNOWN {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // SAFETY: no structure is read, because its size is 0; a kernel that has the call refuses the size.
    unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<c_void>(), 0) };
    match io::Error::last_os_error() {
        error if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
        error => Err(error),
    }
}

const KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// `struct clone_args` of the kernel, as of Linux 5.7.
#[repr(C)]
struct CloneArgs {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
    cgroup: u64,
}

/// The number of the child, or a negative error number.
unsafe fn start_in_cgroup(start: &Start, pidfd: *mut c_int) -> c_int {
    const CLONE_INTO_CGROUP: u64 = 1 << 33;
    let args = CloneArgs {
        flags: FLAGS as u64 | CLONE_INTO_CGROUP,
        pidfd: pidfd as u64,
        child_tid: 0,
        parent_tid: 0,
        exit_signal: libc::SIGCHLD as u64,
        stack: start.stack as u64 - STACK as u64,
        stack_size: STACK as u64,
        tls: 0,
        set_tid: 0,
        set_tid_size: 0,
        cgroup: start.cgroup as u64,
    };
    // SAFETY: as the caller of `start` promises.
    unsafe { clone3(&args, start.entry, start.argument) }
}

/// The child leaves this function by ending; only the parent goes on after the label.
#[cfg(target_arch = "x86_64")]
unsafe fn clone3(args: &CloneArgs, entry: Entry, argument: *mut c_void) -> c_int {
    let pid: isize;
    // SAFETY: the child touches registers and its own stack until it calls `entry`. The kernel changes rax, rcx and
    // r11 only.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r9",
            "call r8",
            "mov edi, eax",
            "mov eax, {exit}",
            "syscall",
            "ud2",
            "2:",
            exit = const libc::SYS_exit,
            inlateout("rax") libc::SYS_clone3 as isize => pid,
            in("rdi") args,
            in("rsi") size_of::<CloneArgs>(),
            in("r8") entry,
            in("r9") argument,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    pid as c_int
}

/// The same for another processor.
#[cfg(target_arch = "aarch64")]
unsafe fn clone3(args: &CloneArgs, entry: Entry, argument: *mut c_void) -> c_int {
    let pid: isize;
    // SAFETY: the child touches registers and its own stack until it calls `entry`. The kernel changes x0 only.
    unsafe {
        std::arch::asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x10",
            "blr x9",
            "mov x8, {exit}",
            "svc 0",
            "brk 1",
            "2:",
            exit = const libc::SYS_exit,
            in("x8") libc::SYS_clone3,
            inlateout("x0") args => pid,
            in("x1") size_of::<CloneArgs>(),
            in("x9") entry,
            in("x10") argument,
        );
    }
    pid as c_int
}

/// Never called: see [`can_enter_cgroup`].
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn clone3(_: &CloneArgs, _: Entry, _: *mut c_void) -> c_int {
    -libc::ENOSYS
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn store_and_exit(value: *mut c_void) -> c_int {
        // SAFETY: the test hands over a number of its own.
        unsafe {
            *value.cast::<u64>() += 1;
            libc::_exit(7);
        }
    }

    /// The cgroup that this process is in, if it may start a child there.
    fn own_cgroup() -> Option<std::fs::File> {
        let text = std::fs::read_to_string("/proc/self/cgroup").ok()?;
        let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let mounts = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
        let mut folders = mounts.iter().map(std::path::Path::new);
        let mount = folders.find(|mount| mount.join("cgroup.controllers").exists())?;
        let folder = mount.join(path);
        // The kernel asks for this even where the child stays in the cgroup of its parent.
        let procs = folder.join("cgroup.procs");
        std::fs::File::options().write(true).open(procs).ok()?;
        std::fs::File::open(folder).ok()
    }

    #[test]
    fn a_child_runs_on_its_own_stack_in_our_memory() {
        use std::os::fd::AsRawFd;
        let own = own_cgroup().filter(|_| can_enter_cgroup().is_ok());
        if own.is_none() {
            eprintln!(
                "only without a cgroup: there is none of version 2 here that we may write to"
            );
        }
        let own = own.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        for cgroup in [-1, own] {
            let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
            let mut value = 41_u64;
            let signals = super::super::exec::BlockedSignals::new();
            // SAFETY: the child stores a number and ends.
            let started = unsafe {
                start(&Start {
                    entry: store_and_exit,
                    argument: (&raw mut value).cast(),
                    stack: stack.as_mut_ptr().add(stack.capacity()).cast(),
                    cgroup,
                })
            };
            drop(signals);
            let (pid, pidfd) = started.unwrap();
            let mut status = 0;
            // SAFETY: a number and a descriptor that are ours.
            unsafe {
                libc::waitpid(pid, &raw mut status, 0);
                libc::close(pidfd);
            }
            assert_eq!((libc::WEXITSTATUS(status), value), (7, 42));
        }
    }

    #[test]
    fn an_error_of_the_kernel_is_returned() {
        if can_enter_cgroup().is_err() {
            return;
        }
        let file = std::fs::File::open("/dev/null").unwrap();
        let mut stack = Vec::<u128>::with_capacity(STACK / size_of::<u128>());
        // SAFETY: nothing is started, because the descriptor is not a cgroup's.
        let started = unsafe {
            start(&Start {
                entry: store_and_exit,
                argument: std::ptr::null_mut(),
                stack: stack.as_mut_ptr().add(stack.capacity()).cast(),
                cgroup: std::os::fd::AsRawFd::as_raw_fd(&file),
            })
        };
        assert_eq!(started, Err(libc::EBADF));
    }
}
