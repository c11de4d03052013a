//! Three pipes that never block: waiting for them, reading and writing them.
//!
//! One thread polls everything and blocks nowhere else. So a contestant that is silent, floods or never reads
//! cannot hold it. Reader threads and an async runtime were considered; with a pipe round trip of about 5 µs,
//! either would cost more than it saves.

use std::io::{self, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::error::JudgeError;
use crate::process::Contestant;

/// What a poll found.
pub(super) struct Ready {
    pub(super) interrupt: bool,
    pub(super) exited: bool,
    pub(super) stdin: bool,
    pub(super) stdout: bool,
    pub(super) stderr: bool,
}

/// Waits until something can be read, or written if we are `writing`, but no longer than `timeout`. Stdout is
/// left alone unless we are `reading`; what is `beside` the contestant's own streams only ends the wait.
pub(super) fn wait(
    contestant: &Contestant,
    (reading, writing): (bool, bool),
    (interrupt, beside): (Option<BorrowedFd<'_>>, Option<BorrowedFd<'_>>),
    timeout: Duration,
) -> io::Result<Ready> {
    let stdin = contestant.stdin.as_ref().filter(|_| writing);
    let stdout = contestant.stdout.as_ref().filter(|_| reading);
    let wanted = [
        (interrupt, PollFlags::IN),
        (Some(contestant.exit_fd()), PollFlags::IN),
        (stdin.map(AsFd::as_fd), PollFlags::OUT),
        (stdout.map(AsFd::as_fd), PollFlags::IN),
        (contestant.stderr.as_ref().map(AsFd::as_fd), PollFlags::IN),
        (beside, PollFlags::IN),
    ];
    let [interrupt, exited, stdin, stdout, stderr, _] = wait_for(wanted, timeout)?;
    Ok(Ready {
        interrupt,
        exited,
        stdin,
        stdout,
        stderr,
    })
}

/// A descriptor, if it is waited for, and for what.
pub(super) type Wanted<'a> = (Option<BorrowedFd<'a>>, PollFlags);

/// Waits until one of these descriptors is ready, but no longer than `timeout`; which of them are. None, if a signal comes
/// before: who waits has limits to look at, and many signals must not keep it from that.
pub(super) fn wait_for<const N: usize>(
    wanted: [Wanted<'_>; N],
    timeout: Duration,
) -> io::Result<[bool; N]> {
    let polled = |(fd, flags)| Some(PollFd::from_borrowed_fd(fd?, flags));
    let mut fds: Vec<PollFd<'_>> = wanted.into_iter().filter_map(polled).collect();
    let timeout = Timespec::try_from(timeout).expect("a limit is far below 2^63 seconds");
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let mut found = fds.iter().map(|fd| !fd.revents().is_empty());
    Ok(wanted.map(|(fd, _)| fd.is_some() && found.next().unwrap_or(false)))
}

/// Reads once, as much as `chunk` has room for, and returns how much; 0 if there is nothing now. At the
/// end of the stream, it is closed as well.
///
/// # Errors
/// If the system fails. A stream that was closed then would look as if the program had closed it.
pub(super) fn read<R: AsFd>(
    stream: &mut Option<R>,
    chunk: &mut Vec<u8>,
) -> Result<usize, JudgeError> {
    chunk.clear();
    let Some(open) = stream else { return Ok(0) };
    match rustix::io::read(open, rustix::buffer::spare_capacity(chunk)) {
        Ok(0) => *stream = None,
        Ok(read) => return Ok(read),
        Err(Errno::AGAIN | Errno::INTR) => {}
        Err(error) => {
            return Err(JudgeError::system(
                "read the program's output",
                error.into(),
            ));
        }
    }
    Ok(0)
}

/// Writes as much of `outbox` as the pipe takes, and removes that from it; false if the other side has closed
/// the pipe.
///
/// # Errors
/// If the system fails, as where it has no memory for what is in the pipe.
pub(super) fn write(pipe: &mut PipeWriter, outbox: &mut Vec<u8>) -> Result<bool, JudgeError> {
    let mut written = 0;
    let mut open = true;
    while written < outbox.len() {
        match pipe.write(&outbox[written..]) {
            Ok(n) => written += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                open = false;
                break;
            }
            Err(e) => return Err(JudgeError::system("write to the program", e)),
        }
    }
    outbox.drain(..written);
    Ok(open)
}

/// How many bytes can be read now.
pub(super) fn pending(pipe: Option<&impl AsFd>) -> u64 {
    pipe.map_or(0, |fd| rustix::io::ioctl_fionread(fd).unwrap_or(0))
}
