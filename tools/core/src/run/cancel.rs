//! One way to stop everything that is being judged: by a signal to this process, or by our own decision.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{EventfdFlags, epoll, eventfd};

/// A descriptor that becomes readable, and stays readable, when judging must stop.
pub struct CancelToken {
    either: OwnedFd,
    button: OwnedFd,
}

impl CancelToken {
    /// Stops when `signals` becomes readable, or by [`CancelToken::now`].
    ///
    /// # Errors
    /// If the machine has no descriptors left.
    pub fn new(signals: Option<BorrowedFd<'_>>) -> io::Result<Self> {
        let button = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        // An epoll descriptor is itself readable when one of its own is.
        let either = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for fd in [Some(button.as_fd()), signals].into_iter().flatten() {
            let data = epoll::EventData::new_u64(0);
            epoll::add(&either, fd, data, epoll::EventFlags::IN)?;
        }
        Ok(Self { either, button })
    }

    /// The descriptor that `judge` polls.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.either.as_fd()
    }

    /// Stops now. Further calls change nothing.
    pub fn now(&self) {
        // Adding 1 fails only if the counter is full; then it is readable already.
        let _ = rustix::io::write(&self.button, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::Write;

    fn is_readable(fd: BorrowedFd<'_>) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).unwrap() > 0
    }

    #[test]
    fn either_side_stops_for_good() {
        let (signals, mut sender) = io::pipe().unwrap();
        let stop = CancelToken::new(Some(signals.as_fd())).unwrap();
        assert!(!is_readable(stop.fd()));
        sender.write_all(&[2]).unwrap();
        assert!(is_readable(stop.fd()) && is_readable(stop.fd()));
        let own = CancelToken::new(None).unwrap();
        assert!(!is_readable(own.fd()));
        (0..100_000).for_each(|_| own.now());
        assert!(is_readable(own.fd()));
    }
}
