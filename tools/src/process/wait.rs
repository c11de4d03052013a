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
/// It does not allocate, as the [keeper](super::namespace) calls it.
///
/// # Errors
/// If there is no such child.
pub(super) fn wait(pid: c_int, options: c_int) -> io::Result<Option<EndedChild>> {
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all zeroes is a value; both are valid to write to.
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let options = options | libc::__WALL;
        let waited = libc::wait4(pid, &raw mut status, options, &raw mut usage);
        (waited, usage)
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
