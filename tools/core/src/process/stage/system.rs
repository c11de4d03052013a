//! System calls of a stage, without the C library. Numbers and structures are the kernel's.
//!
//! Only `core`: `tools/core/stage/main.rs` is built of this file too.

use core::arch::asm;
use core::ffi::c_void;

/// The numbers of system calls.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub mod call {
    #[allow(dead_code, reason = "only stage/main.rs writes")]
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const RT_SIGACTION: usize = 13;
    pub const RT_SIGPROCMASK: usize = 14;
    pub const IOCTL: usize = 16;
    pub const PREAD64: usize = 17;
    pub const NANOSLEEP: usize = 35;
    pub const GETPID: usize = 39;
    pub const SOCKET: usize = 41;
    pub const SENDMSG: usize = 46;
    pub const CLONE: usize = 56;
    pub const EXECVE: usize = 59;
    pub const EXIT: usize = 60;
    pub const WAIT4: usize = 61;
    pub const KILL: usize = 62;
    pub const FCNTL: usize = 72;
    pub const GETPPID: usize = 110;
    pub const RT_SIGTIMEDWAIT: usize = 128;
    pub const PRCTL: usize = 157;
    pub const SETRLIMIT: usize = 160;
    pub const CLOCK_GETTIME: usize = 228;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const PPOLL: usize = 271;
    pub const DUP3: usize = 292;
    pub const PIPE2: usize = 293;
}

/// The numbers of system calls.
#[cfg(target_arch = "aarch64")]
#[rustfmt::skip]
pub mod call {
    pub const DUP3: usize = 24;
    pub const FCNTL: usize = 25;
    pub const IOCTL: usize = 29;
    pub const OPENAT: usize = 56;
    pub const CLOSE: usize = 57;
    pub const PIPE2: usize = 59;
    #[allow(dead_code, reason = "only stage/main.rs writes")]
    pub const WRITE: usize = 64;
    pub const PREAD64: usize = 67;
    pub const PPOLL: usize = 73;
    pub const EXIT: usize = 93;
    pub const EXIT_GROUP: usize = 94;
    pub const NANOSLEEP: usize = 101;
    pub const CLOCK_GETTIME: usize = 113;
    pub const KILL: usize = 129;
    pub const RT_SIGACTION: usize = 134;
    pub const RT_SIGPROCMASK: usize = 135;
    pub const RT_SIGTIMEDWAIT: usize = 137;
    pub const SETRLIMIT: usize = 164;
    pub const PRCTL: usize = 167;
    pub const GETPID: usize = 172;
    pub const GETPPID: usize = 173;
    pub const SOCKET: usize = 198;
    pub const SENDMSG: usize = 211;
    pub const CLONE: usize = 220;
    pub const EXECVE: usize = 221;
    pub const WAIT4: usize = 260;
}

/// These have the same number everywhere.
pub const LANDLOCK_CREATE_RULESET: usize = 444;
pub const LANDLOCK_ADD_RULE: usize = 445;
pub const LANDLOCK_RESTRICT_SELF: usize = 446;

/// Makes a system call; a negative error number if it failed.
///
/// # Safety
/// What the call needs: valid pointers above all.
#[cfg(target_arch = "x86_64")]
pub unsafe fn system(number: usize, words: [usize; 6]) -> isize {
    let done: isize;
    // SAFETY: as the caller promises; the kernel changes rax, rcx and r11 only.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => done,
            in("rdi") words[0],
            in("rsi") words[1],
            in("rdx") words[2],
            in("r10") words[3],
            in("r8") words[4],
            in("r9") words[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    done
}

/// The same for another processor.
///
/// # Safety
/// As above.
#[cfg(target_arch = "aarch64")]
pub unsafe fn system(number: usize, words: [usize; 6]) -> isize {
    let done: isize;
    // SAFETY: as the caller promises; the kernel changes x0 only.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") words[0] as isize => done,
            in("x1") words[1],
            in("x2") words[2],
            in("x3") words[3],
            in("x4") words[4],
            in("x5") words[5],
            options(nostack),
        );
    }
    done
}

/// The first function of a child. It never returns.
pub type Entry = extern "C" fn(*mut c_void) -> !;

/// The memory is shared, this process stands still until the child executes a program or ends, and the child's end is
/// `SIGCHLD`.
const VFORK: usize = 0x100 | 0x4000 | 17;

/// Starts a child as `vfork` does, on a stack of its own; its number, or a negative error number.
///
/// # Safety
/// `stack` is the end of a stack that nothing else uses, a multiple of 16. The child shares our memory: it makes system
/// calls only.
#[cfg(target_arch = "x86_64")]
pub unsafe fn vfork(entry: Entry, argument: *mut c_void, stack: *mut c_void) -> isize {
    let pid: isize;
    // SAFETY: the child touches registers and its own stack until it calls `entry`. The fifth word of the call (r8) means
    // nothing without CLONE_SETTLS.
    unsafe {
        asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r9",
            "call r8",
            "ud2",
            "2:",
            inlateout("rax") call::CLONE as isize => pid,
            in("rdi") VFORK,
            in("rsi") stack,
            in("rdx") 0,
            in("r10") 0,
            in("r8") entry,
            in("r9") argument,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    pid
}

/// The same for another processor.
///
/// # Safety
/// As above.
#[cfg(target_arch = "aarch64")]
pub unsafe fn vfork(entry: Entry, argument: *mut c_void, stack: *mut c_void) -> isize {
    let pid: isize;
    // SAFETY: as above.
    unsafe {
        asm!(
            "svc 0",
            "cbnz x0, 2f",
            "mov x29, xzr",
            "mov x0, x10",
            "blr x9",
            "brk 1",
            "2:",
            in("x8") call::CLONE,
            inlateout("x0") VFORK as isize => pid,
            in("x1") stack,
            in("x2") 0,
            in("x3") 0,
            in("x4") 0,
            in("x9") entry,
            in("x10") argument,
        );
    }
    pid
}
