//! A line of a shell that is no contestant, such as a build line. A signal to us ends it, and what it has started.
//!
//! It stays in our process group, so that a terminal is shared with it: Ctrl-Z stops both, and `sudo` may ask. A signal to
//! us alone would leave it behind. A group of its own would take the terminal from it.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::procfs::Stat;
use super::tree::{AdoptionPaused, below};

/// How a line has ended.
#[derive(Debug)]
pub enum LineEnd {
    /// By itself.
    Ended(ExitStatus),
    /// By us, because this signal came.
    Interrupted(i32),
}

/// Signals that end us. Held back while a line runs.
const SIGNALS: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// The line has this time to end by itself: a terminal sends Ctrl-C to it, too.
const OWN_END: Duration = Duration::from_millis(100);

/// What the line has started has this time after the signal, then it is killed.
const AFTER_SIGNAL: Duration = Duration::from_secs(2);

/// A killed process is waited for as long. One that waits for a disk may end later.
const AFTER_KILL: Duration = Duration::from_secs(2);

/// How many processes are looked for.
const MOST: u64 = 10_000;

/// Runs a line to its end, or until SIGINT, SIGTERM or SIGHUP comes to this thread. Then all that is below it gets the same
/// signal, and is killed if it does not end. Daemons that have left it stay.
///
/// # Errors
/// If it cannot be started or waited for.
pub fn run_line(command: &mut Command) -> io::Result<LineEnd> {
    // A server that a compiler has started is of use to the next line. It would be killed after the next case.
    let _paused = AdoptionPaused::new();
    let held = HeldSignals::new()?;
    let mask = held.before;
    // A program inherits what its parent holds back: a compiler would hear of no signal, and leave its files behind.
    let get_signals = move || {
        // SAFETY: a system call on our own value, which the child may make.
        match unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const mask, null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: it makes that system call and nothing else.
    let mut child = unsafe { command.pre_exec(get_signals) }.spawn()?;
    match wait_for(&child, &held) {
        Ok(None) => child.wait().map(LineEnd::Ended),
        Ok(Some(signal)) => {
            child.wait()?;
            Ok(LineEnd::Interrupted(signal))
        }
        // Without a descriptor, wait as for any other child.
        Err(_) => child.wait().map(LineEnd::Ended),
    }
}

/// Returns when the line has ended; the signal, if one has come before.
fn wait_for(child: &Child, held: &HeldSignals) -> io::Result<Option<i32>> {
    let pid = Pid::from_child(child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
    let ended = is_readable_first([pidfd.as_fd(), held.fd.as_fd()])?;
    if ended {
        return Ok(None);
    }
    let signal = held.next()?;
    if !has_ended(&pidfd, Instant::now() + OWN_END) {
        end_tree(pid.as_raw_nonzero().get(), signal);
    }
    Ok(Some(signal))
}

/// Ends a child of ours and all that is below it.
fn end_tree(leader: i32, signal: i32) {
    let all = stopped(leader);
    let sent = Signal::from_named_raw(signal).unwrap_or(Signal::TERM);
    for process in all.values() {
        let _ = pidfd_send_signal(process, sent);
        let _ = pidfd_send_signal(process, Signal::CONT);
    }
    let deadline = Instant::now() + AFTER_SIGNAL;
    let mut killed = Vec::new();
    for process in all.values() {
        if !has_ended(process, deadline) {
            let _ = pidfd_send_signal(process, Signal::KILL);
            killed.push(process);
        }
    }
    // A busy machine gives them no time to end at once, and nothing may be left when we have ended.
    let deadline = Instant::now() + AFTER_KILL;
    for process in killed {
        has_ended(process, deadline);
    }
}

/// All that is below a child of ours, stopped, so that none of it starts others meanwhile.
fn stopped(leader: i32) -> BTreeMap<i32, OwnedFd> {
    let mut all = BTreeMap::new();
    loop {
        let before = all.len();
        let found = below(leader, Vec::new(), MOST).unwrap_or_default();
        for (id, _) in found.into_iter().filter(|(_, stat)| !stat.zombie) {
            let pid = Pid::from_raw(id).filter(|_| !all.contains_key(&id));
            let process = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
            let Some(process) = process else { continue };
            // The number may be that of another process since: it has another parent then.
            let is_ours = |stat: Stat| all.contains_key(&stat.parent);
            if id == leader || Stat::from_pid(id).is_some_and(is_ours) {
                let _ = pidfd_send_signal(&process, Signal::STOP);
                all.insert(id, process);
            }
        }
        if all.len() == before {
            return all;
        }
        // A process that runs stops at its next tick.
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a process has ended, at most until then; whether it has.
fn has_ended(process: &OwnedFd, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).expect("some seconds");
        let mut fds = [PollFd::new(process, PollFlags::IN)];
        match poll(&mut fds, Some(&left)) {
            Err(rustix::io::Errno::INTR) => {}
            found => return found.is_ok_and(|count| count > 0),
        }
    }
}

/// Waits for either of two descriptors; whether the first is readable.
fn is_readable_first(both: [BorrowedFd<'_>; 2]) -> io::Result<bool> {
    loop {
        let mut fds = both.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(!fds[0].revents().is_empty()),
        }
    }
}

/// Signals that this thread does not get while this value lives; they are read from a descriptor.
struct HeldSignals {
    fd: OwnedFd,
    before: libc::sigset_t,
}

impl HeldSignals {
    fn new() -> io::Result<Self> {
        // SAFETY: a zeroed set is a valid one, and all pointers are to values of this function.
        unsafe {
            let mut before: libc::sigset_t = std::mem::zeroed();
            let mut held: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut held);
            libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &raw mut before);
            for signal in SIGNALS {
                // `nohup` has it ignored; one that is held back already is not ours to take.
                if !is_ignored(signal) && libc::sigismember(&raw const before, signal) == 0 {
                    libc::sigaddset(&raw mut held, signal);
                }
            }
            let fd = libc::signalfd(-1, &raw const held, libc::SFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            let fd = OwnedFd::from_raw_fd(fd);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const held, null_mut());
            Ok(Self { fd, before })
        }
    }

    /// The signal that has come.
    fn next(&self) -> io::Result<i32> {
        let mut bytes = [0; size_of::<libc::signalfd_siginfo>()];
        rustix::io::read(&self.fd, &mut bytes)?;
        // Its first field.
        let number = [bytes[0], bytes[1], bytes[2], bytes[3]];
        Ok(i32::from_ne_bytes(number))
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        // SAFETY: the mask is the one of this thread when this value was made. The value never leaves its function.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, null_mut());
        }
    }
}

/// Whether this process ignores a signal, because the process that started it does.
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: a zeroed sigaction is a valid one to write to; nothing is changed.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
