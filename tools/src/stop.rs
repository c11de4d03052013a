//! One way to stop everything that is being judged: somebody else's signals, or our own decision.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::epoll;

/// A descriptor that becomes readable, and stays so, when judging is to stop.
pub struct Stop {
    either: OwnedFd,
    _own: PipeReader,
    button: PipeWriter,
}

impl Stop {
    /// Stops when `signals` becomes readable, or by [`Stop::now`].
    ///
    /// # Errors
    /// If the machine has no descriptors left.
    pub fn new(signals: Option<BorrowedFd<'_>>) -> io::Result<Self> {
        let (own, button) = io::pipe()?;
        // An epoll descriptor is itself readable when one of its own is.
        let either = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for fd in [Some(own.as_fd()), signals].into_iter().flatten() {
            let data = epoll::EventData::new_u64(0);
            epoll::add(&either, fd, data, epoll::EventFlags::IN)?;
        }
        Ok(Self {
            either,
            _own: own,
            button,
        })
    }

    /// What `judge` is to poll.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.either.as_fd()
    }

    /// Stops now. Once is enough, more do no harm.
    pub fn now(&self) {
        // A pipe that is full has been written to.
        let _ = (&self.button).write(&[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    fn is_readable(fd: BorrowedFd<'_>) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec::default())).unwrap() > 0
    }

    #[test]
    fn either_side_stops_for_good() {
        let (signals, mut sender) = io::pipe().unwrap();
        let stop = Stop::new(Some(signals.as_fd())).unwrap();
        assert!(!is_readable(stop.fd()));
        sender.write_all(&[2]).unwrap();
        assert!(is_readable(stop.fd()) && is_readable(stop.fd()));
        let own = Stop::new(None).unwrap();
        assert!(!is_readable(own.fd()));
        own.now();
        own.now();
        assert!(is_readable(own.fd()));
    }
}
