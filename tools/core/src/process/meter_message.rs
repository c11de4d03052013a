//! The next message that has come to a meter (`meter.rs`), with what the kernel says of its sender.

use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;

use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recvmsg};
use rustix::process::Pid;

/// Longer than any message of a stage, in bytes.
const LONGEST: usize = 64;

/// A message, who sent it, and a descriptor that came with it, if this process had room for one.
pub(super) type Message = (Pid, Vec<u8>, Result<Option<OwnedFd>, Errno>);

/// How many descriptors a message may have (`SCM_MAX_FD`). If there were room for fewer, we could not tell that we had none
/// left from a program that sends many.
const MOST_DESCRIPTORS: usize = 253;

/// The next message and its sender.
pub(super) fn receive(socket: &UnixDatagram) -> Option<Message> {
    loop {
        let mut bytes = [0; LONGEST];
        let mut space = [MaybeUninit::uninit();
            rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS), ScmCredentials(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut parts = [IoSliceMut::new(&mut bytes)];
        let received = recvmsg(socket, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC);
        let received = received.ok()?;
        let (mut sender, mut descriptor) = (None, Ok(None));
        for part in control.drain() {
            match part {
                RecvAncillaryMessage::ScmCredentials(from) => sender = Some(from.pid),
                RecvAncillaryMessage::ScmRights(mut all) => descriptor = Ok(all.next()),
                _ => {}
            }
        }
        if received.flags.contains(ReturnFlags::CTRUNC) {
            descriptor = Err(Errno::MFILE);
        }
        if let Some(sender) = sender {
            return Some((sender, bytes[..received.bytes].to_owned(), descriptor));
        }
    }
}
