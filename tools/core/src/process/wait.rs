//! Waiting for children: the one `wait4`, and how long we are patient with a process that was killed.

use std::io;
use std::time::Duration;

use libc::c_int;

/// How long a killed process may take to end.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// A child that has ended and was reaped.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndedChild {
    pub(super) pid: c_int,
    /// As `wait4` gives it.
    pub(super) status: c_int,
    /// Processor time, with that of children that it has waited for. The kernel's account is exact, where `/proc` counts
    /// hundredths of a second.
    pub(super) cpu: Duration,
    /// The most memory that was resident in one of them.
    pub(super) peak_kib: u64,
}

/// Reaps a child, or any child if `pid` is -1; `None` if none has ended, where `options` has `WNOHANG`.
///
/// It does not allocate, as the [keeper](super::namespace) calls it. A signal does not interrupt it: its callers would
/// take that for the end of all children.
///
/// # Errors
/// If there is no such child.
pub(super) fn wait(pid: c_int, options: c_int) -> io::Result<Option<EndedChild>> {
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all zeroes is a value; both are valid to write to. And our own errno.
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let options = options | libc::__WALL;
        loop {
            let waited = libc::wait4(pid, &raw mut status, options, &raw mut usage);
            if waited >= 0 || *libc::__errno_location() != libc::EINTR {
                break (waited, usage);
            }
        }
    };
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    match waited {
        0 => Ok(None),
        pid @ 1.. => Ok(Some(EndedChild {
            pid,
            status,
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            peak_kib: usage.ru_maxrss as u64,
        })),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What is reported when a process has not ended in time.
pub(super) fn does_not_end() -> io::Error {
    io::Error::other("the program was killed but does not end")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    static SIGNALS: AtomicU32 = AtomicU32::new(0);

    extern "C" fn count(_: c_int) {
        SIGNALS.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn a_signal_does_not_end_the_wait() {
        // SAFETY: a handler that only counts, without SA_RESTART; no other test uses this signal.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = count as extern "C" fn(c_int) as usize;
            libc::sigaction(libc::SIGUSR2, &raw const action, std::ptr::null_mut());
        }
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let pid = child.id() as c_int;
        // SAFETY: the number of this thread.
        let waiter = unsafe { libc::pthread_self() } as usize;
        let is_over = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            scope.spawn(|| {
                for sent in 1.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    // SAFETY: the thread lives until this one has ended.
                    unsafe { libc::pthread_kill(waiter as libc::pthread_t, libc::SIGUSR2) };
                    std::thread::sleep(Duration::from_millis(1));
                    if sent == 50 {
                        drop(child.stdin.take()); // it ends now
                    }
                }
            });
            let ended = wait(pid, 0);
            is_over.store(true, Ordering::Relaxed);
            ended
        });
        let ended = ended.unwrap().unwrap();
        assert_eq!((ended.pid, ended.status), (pid, 0));
        assert!(SIGNALS.load(Ordering::Relaxed) > 0);
        assert!(child.wait().is_err(), "it was reaped");
    }
}
