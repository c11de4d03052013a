//! A stage between a contestant and the process that starts it, where that process is not the judge.
//!
//! In a sandbox bubblewrap starts the contestant, and a contest's own local tester starts it elsewhere. Both are
//! processes of the same user, so the contestant could trace them, write their memory and open their descriptors
//! (`/proc/PID/fd`). The judge puts a contestant that it starts itself into a scope; here it cannot. So the command
//! that the other process gets is this program with the word [`WORD`], which enters a
//! scope of [`landlock`](super::landlock) and then executes the contestant. In a contest's own tester, the stage stays
//! outside the scope and waits, so that a meter (`process/meter.rs`) learns what the contestant alone has used.
//!
//! Cost: half a millisecond for each start, and as much again where it waits. Filters of system calls would cost
//! nothing, but do not see who opens `/proc/PID/mem`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command as Process, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::ending::Ending;
use super::landlock::{enter_trace_scope, has_trace_scope};
use super::meter::{Metered, STARTED};
use super::relay;
use super::wait::wait;

/// The first argument of a stage; the contestant's command follows.
pub const WORD: &str = "__scoped";

/// The first argument of a stage that waits for the contestant and tells a [`Meter`](super::Meter), whose name
/// follows.
const METERED: &str = "__metered";

/// Whether this program understands [`WORD`].
static UNDERSTOOD: AtomicBool = AtomicBool::new(false);

/// Becomes a stage if the command line asks for it, and does not return then. Call this first in `main`: without
/// that, no stage is used.
pub fn run_if_asked() {
    let mut words = std::env::args_os();
    let called = words.next().unwrap_or_default();
    let asked = words.next();
    let meter = match asked.as_ref().and_then(|word| word.to_str()) {
        Some(WORD) => None,
        Some(METERED) => words.next(),
        Some(relay::WORD) => relay::run(words.next().unwrap_or_default().as_ref()),
        _ => {
            UNDERSTOOD.store(true, Ordering::Relaxed);
            return;
        }
    };
    let program = words.next().unwrap_or_default();
    let mut command = Process::new(&program);
    command.args(words);
    let error = match meter {
        Some(meter) => watch(command, &meter.to_string_lossy()),
        None => {
            // The kernel allows a limited number of scopes within each other; a contestant without one still plays.
            let _ = enter_trace_scope();
            command.exec()
        }
    };
    let program = program.to_string_lossy();
    let name = Path::new(&called).file_name().unwrap_or_default().display();
    let _ = writeln!(io::stderr(), "{name}: failed to execute {program}: {error}");
    // As shells do.
    std::process::exit(match error.kind() {
        io::ErrorKind::NotFound => 127,
        _ => 126,
    });
}

/// The words in front of a contestant's command that put a stage before it which tells this meter; none where there can
/// be none.
pub(crate) fn metered_words(meter: &str) -> Vec<OsString> {
    let own = std::env::current_exe().ok().filter(|own| own.is_file());
    let own = own.filter(|_| UNDERSTOOD.load(Ordering::Relaxed));
    own.map_or(Vec::new(), |own| {
        vec![own.into(), METERED.into(), meter.into()]
    })
}

/// Starts the contestant, waits for it, tells the meter, and ends as it has ended. Returns only if it could not be
/// started.
///
/// Our own ends of its pipes stay open until then. The tester would otherwise see the end of a pipe while there is no
/// exit status yet, and testers that then ask for the status without waiting would take a crash for a wrong answer.
fn watch(mut command: Process, meter: &str) -> io::Error {
    let socket = connect(meter);
    let tell = |message: &str| {
        socket
            .as_ref()
            .map(|socket| socket.send(message.as_bytes()))
    };
    let _ = tell(STARTED);
    let own = std::process::id();
    // A signal that comes before the handlers are set waits for them.
    let unblocked = block_passed_signals();
    // SAFETY: this process has one thread, so its copy may do what any program may.
    unsafe {
        command.pre_exec(move || {
            set_signal_mask(&unblocked);
            // A tester that kills us means the contestant.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() != own as i32 {
                libc::_exit(127);
            }
            let _ = enter_trace_scope();
            Ok(())
        });
    }
    let begun = Instant::now();
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return error,
    };
    pass_signals_on(child.id() as i32);
    set_signal_mask(&unblocked);
    let ended = loop {
        match wait(child.id() as i32, 0) {
            Ok(Some(ended)) => break ended,
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return error,
        }
    };
    let wall = begun.elapsed();
    let status = ExitStatus::from_raw(ended.status);
    let ending = match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signaled(signal.unwrap_or(libc::SIGKILL)),
    };
    let is_cut_off = ending != Ending::Exited(0) && has_no_reader();
    let metered = Metered {
        ending: match is_cut_off {
            true => Ending::Exited(0),
            false => ending,
        },
        wall,
        cpu: ended.cpu,
        memory_kib: ended.peak_kib,
    };
    let _ = tell(&metered.message());
    if is_cut_off {
        std::thread::sleep(CUT_OFF);
    }
    end_as(ending)
}

/// How long we stay after a contestant whose output nothing reads any more has failed.
///
/// Testers that refuse a query close their pipes. If the contestant then fails before they have asked for its status,
/// they take the refusal for a crash, and say no reason.
const CUT_OFF: Duration = Duration::from_millis(20);

/// Whether the contestant's stdout is a pipe that the tester has closed.
fn has_no_reader() -> bool {
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let polled = poll(&mut fds, Some(&Timespec::default()));
    polled.is_ok() && fds[0].revents().contains(PollFlags::ERR)
}

/// A socket that leads to the meter. It never waits: the contestant may have filled the meter with messages.
fn connect(meter: &str) -> Option<UnixDatagram> {
    let socket = UnixDatagram::unbound().ok()?;
    let address = SocketAddr::from_abstract_name(meter).ok()?;
    socket.connect_addr(&address).ok()?;
    socket.set_nonblocking(true).ok()?;
    Some(socket)
}

/// The contestant of [`pass_signals_on`].
static CONTESTANT: AtomicI32 = AtomicI32::new(0);

/// Signals that a tester may send to the contestant.
const PASSED_SIGNALS: [libc::c_int; 6] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
];

/// Hands signals that a tester sends on to the contestant.
fn pass_signals_on(contestant: i32) {
    extern "C" fn pass_on(signal: libc::c_int) {
        // SAFETY: a system call on numbers. The contestant has not been waited for, or we are ending.
        unsafe { libc::kill(CONTESTANT.load(Ordering::Relaxed), signal) };
    }
    CONTESTANT.store(contestant, Ordering::Relaxed);
    for signal in PASSED_SIGNALS {
        let handler: extern "C" fn(libc::c_int) = pass_on;
        // SAFETY: the handler makes one system call.
        unsafe { libc::signal(signal, handler as libc::sighandler_t) };
    }
}

/// Lets signals that would be passed on wait; returns the mask of before.
fn block_passed_signals() -> libc::sigset_t {
    // SAFETY: calls on valid values, of which the first makes the set.
    unsafe {
        let (mut set, mut before) = std::mem::zeroed::<(libc::sigset_t, libc::sigset_t)>();
        libc::sigemptyset(&raw mut set);
        for signal in PASSED_SIGNALS {
            libc::sigaddset(&raw mut set, signal);
        }
        libc::sigprocmask(libc::SIG_BLOCK, &raw const set, &raw mut before);
        before
    }
}

fn set_signal_mask(mask: &libc::sigset_t) {
    // SAFETY: a system call on a valid value.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) };
}

/// Ends this process with an exit status or by a signal.
fn end_as(ending: Ending) -> ! {
    let status = match ending {
        Ending::Exited(status) => status,
        Ending::Signaled(signal) => {
            // SAFETY: system calls on numbers and on a valid value. The core of the contestant is enough.
            unsafe {
                let none = libc::rlimit {
                    rlim_cur: 0,
                    rlim_max: 0,
                };
                libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            128 + signal
        }
    };
    std::process::exit(status)
}

/// The words in front of a contestant's command that put a stage before it; `None` where there can be none.
pub(crate) fn words() -> Option<[OsString; 2]> {
    if !UNDERSTOOD.load(Ordering::Relaxed) || !has_trace_scope() {
        return None;
    }
    let own = std::env::current_exe().ok().filter(|own| own.is_file())?;
    Some([own.into(), WORD.into()])
}
