//! Fork bombs, one for each kind: `bomb KIND`. They start only where `BOMB=armed` says that a PID namespace with few
//! numbers is around them, and end by themselves after 20 seconds.
//!
//! `tools/tests/it/bombs_inside.rs` lists the kinds, and what must be said of each.

use std::ffi::{CString, c_char, c_long, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI64, Ordering};

const CLONE_VM: i32 = 0x100;
const CLONE_VFORK: i32 = 0x4000;
const CLONE_PARENT: i32 = 0x8000;
const CLONE_NEWUSER: i32 = 0x1000_0000;
const CLONE_NEWPID: i32 = 0x2000_0000;
const SIGUSR1: i32 = 10;
const SIGSTOP: i32 = 19;
const SIGCHLD: i32 = 17;
const PR_SET_PDEATHSIG: i32 = 1;
const PR_SET_CHILD_SUBREAPER: i32 = 36;

#[cfg(target_arch = "x86_64")]
const SYS_CLONE: c_long = 56;
#[cfg(target_arch = "x86_64")]
const SYS_EXIT: c_long = 60;
#[cfg(not(target_arch = "x86_64"))]
const SYS_CLONE: c_long = 220;
#[cfg(not(target_arch = "x86_64"))]
const SYS_EXIT: c_long = 93;

#[repr(C)]
struct Time {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
    fn setpgid(pid: i32, group: i32) -> i32;
    fn getpid() -> i32;
    fn getppid() -> i32;
    fn kill(pid: i32, signal: i32) -> i32;
    fn signal(signal: i32, action: usize) -> usize;
    fn sigfillset(set: *mut [u64; 16]) -> i32;
    fn sigprocmask(how: i32, set: *const [u64; 16], old: *mut c_void) -> i32;
    fn clone(run: extern "C" fn(*mut c_void) -> i32, stack: *mut c_void, flags: i32, ...) -> i32;
    fn syscall(number: c_long, ...) -> c_long;
    fn mmap(
        at: *mut c_void,
        len: usize,
        access: i32,
        flags: i32,
        fd: i32,
        from: i64,
    ) -> *mut c_void;
    fn munmap(at: *mut c_void, len: usize) -> i32;
    fn execv(path: *const c_char, words: *const *const c_char) -> i32;
    fn prctl(option: i32, ...) -> i32;
    fn ptrace(request: i64, pid: i64, address: i64, data: i64) -> i64;
    fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    fn usleep(microseconds: u32) -> i32;
    fn _exit(status: i32) -> !;
}

/// When all of it ends, in seconds since the machine started.
static END: AtomicI64 = AtomicI64::new(0);

fn now() -> i64 {
    let mut time = Time {
        seconds: 0,
        nanoseconds: 0,
    };
    unsafe { clock_gettime(1, &mut time) };
    time.seconds
}

fn end_in_time() {
    if now() >= END.load(Ordering::Relaxed) {
        unsafe { _exit(3) };
    }
}

/// Forks without end; every child does `then`, and forks too.
fn burst(then: impl Fn()) -> ! {
    loop {
        end_in_time();
        if unsafe { fork() } == 0 {
            then();
        }
    }
}

fn own_session() {
    unsafe { setsid() };
}

fn own_group() {
    unsafe { setpgid(0, 0) };
}

/// A process with these flags, or an error.
fn clone_process(flags: i32) -> c_long {
    unsafe {
        syscall(
            SYS_CLONE,
            c_long::from(flags),
            0_usize,
            0_usize,
            0_usize,
            0_usize,
        )
    }
}

const STACK: usize = 64 << 10;

/// A process or thread of this memory, on a stack of its own.
fn clone_in_memory(run: extern "C" fn(*mut c_void) -> i32, flags: i32) {
    unsafe {
        let stack = mmap(null_mut(), STACK, 3, 0x22, -1, 0);
        if stack as isize == -1 {
            return;
        }
        if clone(
            run,
            stack.cast::<u8>().add(STACK).cast(),
            CLONE_VM | flags,
            null_mut::<c_void>(),
        ) < 0
        {
            munmap(stack, STACK);
        }
    }
}

extern "C" fn vfork_chain(_: *mut c_void) -> i32 {
    loop {
        end_in_time();
        clone_in_memory(vfork_chain, CLONE_VFORK | SIGCHLD);
    }
}

extern "C" fn in_one_memory(_: *mut c_void) -> i32 {
    loop {
        end_in_time();
        clone_in_memory(in_one_memory, SIGCHLD);
    }
}

fn clones(flags: &[i32]) -> ! {
    loop {
        end_in_time();
        for flags in flags {
            clone_process(*flags);
        }
    }
}

fn slow(microseconds: u32, then: impl Fn()) -> ! {
    loop {
        end_in_time();
        unsafe {
            if fork() == 0 {
                then();
            }
            usleep(microseconds);
        }
    }
}

/// Two threads in each process, which fork.
fn threads_fork() {
    for _ in 0..2 {
        // It fails at the limit.
        let _ = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(|| burst(threads_fork));
    }
}

fn threads_alone() -> ! {
    loop {
        end_in_time();
        let wait = || loop {
            end_in_time();
            unsafe { usleep(100_000) };
        };
        let _ = std::thread::Builder::new().stack_size(STACK).spawn(wait);
    }
}

fn ignore_everything() {
    unsafe {
        let mut all = [0_u64; 16];
        sigfillset(&mut all);
        for number in 1..65 {
            signal(number, 1);
        }
        sigprocmask(2, &all, null_mut());
    }
}

/// Children that end at once: left to us as zombies, or to the process that adopts them.
fn zombies(adopted: bool) -> ! {
    loop {
        end_in_time();
        unsafe {
            if fork() == 0 {
                if adopted {
                    fork();
                }
                _exit(0);
            }
            if adopted {
                signal(SIGCHLD, 1);
            }
        }
    }
}

fn hoard() {
    let mut all = Vec::<u8>::with_capacity(2 << 20);
    all.resize(2 << 20, 1);
    std::mem::forget(std::hint::black_box(all));
}

fn execute_again(kind: &str) -> ! {
    let path = CString::new("/proc/self/exe").unwrap();
    let end = CString::new(END.load(Ordering::Relaxed).to_string()).unwrap();
    let kind = CString::new(kind).unwrap();
    let words = [path.as_ptr(), kind.as_ptr(), end.as_ptr(), null()];
    loop {
        end_in_time();
        unsafe {
            fork();
            execv(path.as_ptr(), words.as_ptr());
        }
    }
}

/// Traces whatever it reaches: its first process, its parent, the namespace's first.
fn trace(leader: i32) {
    const PTRACE_SEIZE: i64 = 0x4206;
    unsafe {
        setsid();
        for pid in [1, leader, getppid()] {
            ptrace(PTRACE_SEIZE, pid.into(), 0, 0);
        }
    }
}

/// Signals that no process can ignore, for all that it reaches.
fn stop_everything() {
    unsafe {
        if fork() == 0 {
            setsid();
            kill(1, SIGSTOP);
            kill(1, SIGUSR1);
            kill(getppid(), SIGSTOP);
        }
    }
}

fn escape_parent() {
    unsafe {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_PDEATHSIG, 0);
        setsid();
    }
}

/// The first thread ends, another one forks.
fn headless() -> ! {
    std::thread::spawn(|| burst(|| ()));
    loop {
        unsafe { syscall(SYS_EXIT, 0) };
    }
}

fn answer() {
    println!("8 2 5");
}

fn explode(kind: &str) -> ! {
    let own = unsafe { getpid() };
    match kind {
        "dud" => {
            answer();
            unsafe { _exit(0) }
        }
        "plain" => burst(|| ()),
        "sessions" => burst(own_session),
        "groups" => burst(own_group),
        "double" => burst(|| unsafe {
            if fork() != 0 {
                _exit(0);
            }
            setsid();
        }),
        "vfork" => {
            vfork_chain(null_mut());
            unreachable!()
        }
        "sisters" => clones(&[CLONE_PARENT | SIGCHLD, CLONE_PARENT]),
        "memory" => {
            in_one_memory(null_mut());
            unreachable!()
        }
        "signals" => clones(&[0, SIGUSR1, 64, SIGCHLD]),
        "namespaces" => clones(&[
            CLONE_NEWPID | SIGCHLD,
            CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD,
            CLONE_NEWUSER | SIGCHLD,
            SIGCHLD,
        ]),
        "threads-fork" => {
            threads_fork();
            burst(threads_fork)
        }
        "threads" => threads_alone(),
        "slow-1ms" => slow(1_000, || ()),
        "slow-5ms" => slow(5_000, own_session),
        "after-answer" => {
            answer();
            burst(own_session)
        }
        "daemon" => {
            if unsafe { fork() } == 0 {
                burst(own_session)
            }
            answer();
            unsafe { _exit(0) }
        }
        "slow-daemon" => {
            if unsafe { fork() } == 0 {
                own_session();
                slow(5_000, own_session)
            }
            answer();
            unsafe { _exit(0) }
        }
        "ignoring" => {
            ignore_everything();
            burst(own_session)
        }
        "zombies" => zombies(false),
        "adopted" => zombies(true),
        "hogs" => burst(hoard),
        "executes" => execute_again(kind),
        "tracers" => burst(|| trace(own)),
        "stops" => burst(stop_everything),
        "reapers" => burst(escape_parent),
        "headless" => headless(),
        other => panic!("no kind of bomb: {other}"),
    }
}

fn main() {
    assert_eq!(
        std::env::var("BOMB").as_deref(),
        Ok("armed"),
        "it would hit the machine"
    );
    let mut words = std::env::args().skip(1);
    let kind = words.next().expect("a kind");
    let end = words
        .next()
        .map_or(now() + 20, |text| text.parse().unwrap());
    END.store(end, Ordering::Relaxed);
    explode(&kind);
}
