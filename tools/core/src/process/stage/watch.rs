//! The stage that waits: starts the contestant, waits for it, tells the meter, and ends as it has ended.
//!
//! Our own ends of its pipes stay open until then. The tester would otherwise see the end of a pipe while there is no
//! exit status yet, and testers that then ask for the status without waiting would take a crash for a wrong answer.
//!
//! What the contestant leaves is ended before the meter is told: it could go on to answer after its time had been taken.
//!
//! Only `core`, and no memory that has to be asked for: `tools/core/stage/main.rs` is built of this file too. Starting a
//! program with the C library takes 0.3 ms more, with its libraries bound at the start 0.8 ms.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ptr::null_mut;

use super::children::{SIGCHLD, SIGKILL, Used, adopt_orphans, end_rest, set, wait_for};
use super::message::{ENDED_BY_TESTER, START_ERROR};
use super::own_stderr::OwnStderr;
use super::socket::{Socket, now_ns, sleep};
use super::system::{
    LANDLOCK_ADD_RULE, LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF, call, system, vfork,
};

/// Texts as a program gets them: each ends with a zero, and the list with a null pointer.
pub type Texts = *const *const u8;

/// `struct sigaction` of the kernel: all zeroes mean the default.
type Action = [usize; 4];

/// Signals that a tester may send to the contestant: SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM.
const PASSED_SIGNALS: u64 = ENDING_SIGNALS | set(10) | set(12);
/// Those of them that ask for its end, whatever it does then.
const ENDING_SIGNALS: u64 = set(1) | set(2) | set(3) | set(15);

/// How long we stay after a contestant whose output nothing reads any more has failed.
///
/// Testers that refuse a query close their pipes. If the contestant then fails before they have asked for its status,
/// they take the refusal for a crash, and say no reason.
const CUT_OFF_NS: u64 = 20_000_000;

/// The signal of a status; empty if there is none.
const fn set_of(signal: i32) -> u64 {
    if signal > 0 { set(signal as usize) } else { 0 }
}

/// What the child needs.
struct Start {
    own_stderr: OwnStderr,
    program: Texts,
    environment: Texts,
    /// The mask and the action that the tester has given us.
    mask: u64,
    on_child: Action,
    parent: isize,
    /// Why nothing was executed; 0 if it was.
    error: isize,
}

/// The child's stack. It holds one path at most.
#[repr(align(16))]
struct Stack(#[allow(dead_code)] [u8; 16 << 10]);

/// The longest path, with its zero.
const LONGEST: usize = 4096;

/// Is the stage for a program with its arguments. Ends this process, unless the program cannot be executed: then
/// the error number.
///
/// # Safety
/// The texts are valid. This process has one thread, and calls this once.
pub unsafe fn watch(meter: *const u8, program: Texts, environment: Texts) -> i32 {
    // SAFETY: the texts, as the caller promises; pointers to our own values otherwise.
    unsafe {
        let socket = Socket::to(text(meter));
        let mut own_stderr = OwnStderr::new();
        let begun = socket.tell_start(&mut own_stderr);
        let mut start = Start {
            own_stderr,
            program,
            environment,
            mask: 0,
            on_child: [0; 4],
            parent: system(call::GETPID, [0; 6]),
            error: 0,
        };
        // They wait until we ask for them. What is ignored would not, nor leave a status.
        let waited = PASSED_SIGNALS | set(SIGCHLD);
        change_mask(BLOCK, &raw const waited, &raw mut start.mask);
        let default: Action = [0; 4];
        change_action(SIGCHLD, &raw const default, &raw mut start.on_child);
        let children = adopt_orphans();
        let mut stack = MaybeUninit::<Stack>::uninit();
        let argument = (&raw mut start).cast::<c_void>();
        let pid = vfork(execute, argument, stack.as_mut_ptr().add(1).cast());
        start.own_stderr.close();
        // The child has written it.
        let error = (&raw const start.error).read_volatile();
        if pid < 0 || error != 0 {
            let failed = if pid < 0 { -pid } else { error };
            // As shells do: it is a program that failed, not one that still runs.
            let status: u64 = if failed == ENOENT { 127 } else { 126 };
            socket.tell(&[status << 8 | (failed as u64) << START_ERROR, 0, 0, 0]);
            return failed as i32;
        }
        let mut used = Used::default();
        let (status, sent) = wait_for(pid as usize, waited, &mut used);
        end_rest(children, &mut used);
        // What it has left may have answered until now.
        let wall_us = (now_ns() - begun) / 1000;
        let is_ended = sent & (ENDING_SIGNALS | set_of(status & 0x7f)) != 0;
        let mut is_cut_off = status != 0 && has_no_reader();
        if status != 0 && !is_cut_off && !is_ended && has_no_writer() {
            // The tester may be about to close the other pipe, and may have said before why it did so: the judge hears
            // that first. After its first look it begins another, and with the second look it has heard everything.
            socket.wait_for_reader();
            socket.wait_for_reader();
            is_cut_off = has_no_reader();
        }
        let told = if is_cut_off { 0 } else { status as u64 };
        let by_tester = if is_ended { ENDED_BY_TESTER } else { 0 };
        socket.tell(&[told | by_tester, wall_us, used.cpu_us, used.memory_kib]);
        if is_cut_off {
            sleep(CUT_OFF_NS);
        }
        end_as(status)
    }
}

/// The child, until it is the contestant.
extern "C" fn execute(start: *mut c_void) -> ! {
    let start = start.cast::<Start>();
    // SAFETY: our parent stands still, and this is its own. System calls only.
    unsafe {
        // A tester that kills the stage means the contestant.
        const PR_SET_PDEATHSIG: usize = 1;
        system(call::PRCTL, [PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0]);
        if system(call::GETPPID, [0; 6]) == (*start).parent {
            (*start).own_stderr.take();
            enter_trace_scope();
            change_action(SIGCHLD, &raw const (*start).on_child, null_mut());
            change_mask(SET, &raw const (*start).mask, null_mut());
            let error = execute_found(&*start);
            (&raw mut (*start).error).write_volatile(error);
        }
        loop {
            system(call::EXIT, [127, 0, 0, 0, 0, 0]);
        }
    }
}

const ENOENT: isize = 2;
const EACCES: isize = 13;
const ENOTDIR: isize = 20;

/// Executes the program, which is looked for in `PATH` if its name has no slash. Returns only an error number.
unsafe fn execute_found(start: &Start) -> isize {
    // SAFETY: the texts of `watch`, and a path that ends with a zero.
    unsafe {
        let execute = |path: *const u8| {
            let words = [path.addr(), start.program.addr(), start.environment.addr()];
            -system(call::EXECVE, [words[0], words[1], words[2], 0, 0, 0])
        };
        let name = text(*start.program);
        if name.contains(&b'/') {
            return execute(*start.program);
        }
        let mut error = ENOENT;
        for folder in path_of(start.environment).split(|&b| b == b':') {
            let mut path = MaybeUninit::<[u8; LONGEST]>::uninit();
            let folder = if folder.is_empty() { b"." } else { folder };
            if folder.len() + name.len() + 2 > LONGEST {
                continue;
            }
            let first = path.as_mut_ptr().cast::<u8>();
            let mut end = first;
            for &byte in folder.iter().chain(b"/").chain(name).chain(b"\0") {
                end.write(byte);
                end = end.add(1);
            }
            match execute(first) {
                ENOENT | ENOTDIR => {}
                EACCES => error = EACCES,
                other => return other,
            }
        }
        error
    }
}

/// The variable `PATH`.
unsafe fn path_of(environment: Texts) -> &'static [u8] {
    let mut at = environment;
    // SAFETY: a list of texts that ends with a null pointer.
    unsafe {
        while !(*at).is_null() {
            if let Some(path) = text(*at).strip_prefix(b"PATH=") {
                return path;
            }
            at = at.add(1);
        }
    }
    b"/bin:/usr/bin"
}

/// A text without its zero.
unsafe fn text(first: *const u8) -> &'static [u8] {
    // SAFETY: it ends with a zero, and lives as long as this process.
    unsafe { core::ffi::CStr::from_ptr(first.cast()).to_bytes() }
}

/// Puts this process into a scope: it can trace only processes in it and, since Linux 6.12, signal only these. Where the
/// kernel has none, or allows no more of them within each other, nothing happens.
unsafe fn enter_trace_scope() {
    /// What a ruleset is about: files, network, signals.
    const SIGNALS: [u64; 3] = [0, 0, 1 << 1];
    /// Moving files between folders. Tracing is limited by any rules, so these allow all that they are about.
    const REFER: [u64; 1] = [1 << 13];
    const AT_FDCWD: usize = -100_isize as usize;
    const O_PATH: usize = 0o10_000_000;
    const O_CLOEXEC: usize = 0o2_000_000;
    const PATH_BENEATH: usize = 1;
    const PR_SET_NO_NEW_PRIVS: usize = 38;
    // SAFETY: system calls on our own values.
    unsafe {
        let make = |rules: &[u64]| {
            let words = [rules.as_ptr().addr(), size_of_val(rules), 0, 0, 0, 0];
            system(LANDLOCK_CREATE_RULESET, words)
        };
        let mut rules = make(&SIGNALS);
        if rules < 0 {
            rules = make(&REFER);
            let root = [AT_FDCWD, c"/".as_ptr().addr(), O_PATH | O_CLOEXEC, 0, 0, 0];
            let root = system(call::OPENAT, root);
            // As the kernel takes it: 12 bytes, without room in between.
            let rule = [REFER[0] as u32, 0, root as u32];
            let rule = (&raw const rule).addr();
            let words = [rules as usize, PATH_BENEATH, rule, 0, 0, 0];
            if rules < 0 || system(LANDLOCK_ADD_RULE, words) < 0 {
                return;
            }
        }
        system(call::PRCTL, [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0]);
        system(LANDLOCK_RESTRICT_SELF, [rules as usize, 0, 0, 0, 0, 0]);
    }
}

/// Whether the contestant's stdout is a pipe that the tester has closed.
unsafe fn has_no_reader() -> bool {
    const POLLERR: u64 = 8;
    // SAFETY: a number.
    unsafe { state_of(1) & POLLERR != 0 }
}

/// Whether the contestant's stdin is a pipe that the tester has closed.
unsafe fn has_no_writer() -> bool {
    const POLLHUP: u64 = 16;
    // SAFETY: a number.
    unsafe { state_of(0) & POLLHUP != 0 }
}

/// What `poll` says of a descriptor that is asked for nothing: whether its other end is closed.
unsafe fn state_of(fd: u64) -> u64 {
    // `struct pollfd`: the descriptor, what is waited for, what has come. All processors here begin with the small end.
    let mut asked = fd;
    let now = [0_u64; 2];
    let words = [(&raw mut asked).addr(), 1, now.as_ptr().addr(), 0, 8, 0];
    // SAFETY: pointers to our own values, one of which the kernel may have written.
    unsafe {
        system(call::PPOLL, words);
        (&raw const asked).read_volatile() >> 48
    }
}

/// Ends this process by a status of `wait4`.
unsafe fn end_as(status: i32) -> ! {
    let signal = (status & 0x7f) as usize;
    // SAFETY: system calls on our own values.
    unsafe {
        if signal != 0 {
            // The core of the contestant is enough.
            const CORE: usize = 4;
            let (none, default, one) = ([0_u64; 2], [0; 4], set(signal));
            system(call::SETRLIMIT, [CORE, none.as_ptr().addr(), 0, 0, 0, 0]);
            change_action(signal, &raw const default, null_mut());
            change_mask(UNBLOCK, &raw const one, null_mut());
            let own = system(call::GETPID, [0; 6]) as usize;
            system(call::KILL, [own, signal, 0, 0, 0, 0]);
        }
        let code = if signal == 0 {
            status >> 8 & 0xff
        } else {
            128 + signal as i32
        };
        loop {
            system(call::EXIT_GROUP, [code as usize, 0, 0, 0, 0, 0]);
        }
    }
}

const BLOCK: usize = 0;
const UNBLOCK: usize = 1;
const SET: usize = 2;

unsafe fn change_mask(how: usize, mask: *const u64, before: *mut u64) {
    // SAFETY: the caller's own values, or null.
    unsafe {
        system(
            call::RT_SIGPROCMASK,
            [how, mask.addr(), before.addr(), 8, 0, 0],
        )
    };
}

unsafe fn change_action(signal: usize, action: *const Action, before: *mut Action) {
    // SAFETY: as above.
    unsafe {
        system(
            call::RT_SIGACTION,
            [signal, action.addr(), before.addr(), 8, 0, 0],
        )
    };
}
