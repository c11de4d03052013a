//! The socket on which a stage tells its meter, and the time.
//!
//! Only `core`: `tools/core/stage/main.rs` is built of this file too.

use super::message::{ASKED, Figures, STARTED};
use super::own_stderr::OwnStderr;
use super::system::{call, system};

/// How often we look whether the meter was read, how many times, and how long we sleep in between.
const LOOKS: u64 = 500;
const LOOK_NS: u64 = 1_000_000;

/// There is no room.
const AGAIN: isize = -11;

/// A socket that leads to a meter. The meter has room for few messages, and is read every 20 ms: where there is no room,
/// we wait as long as for a look. The contestant may have filled it.
pub struct Socket {
    fd: usize,
    /// `struct sockaddr_un`: the family in two bytes, a zero, the name.
    address: [u8; 110],
    length: usize,
}

impl Socket {
    pub unsafe fn to(name: &[u8]) -> Self {
        const UNIX: usize = 1;
        const DATAGRAM: usize = 2;
        const NONBLOCK_CLOEXEC: usize = 0o2_004_000;
        // SAFETY: numbers.
        let fd = unsafe {
            let words = [UNIX, DATAGRAM | NONBLOCK_CLOEXEC, 0, 0, 0, 0];
            system(call::SOCKET, words)
        };
        let mut address = [0; 110];
        address[0] = UNIX as u8;
        let room = address[3..].iter_mut();
        room.zip(name).for_each(|(to, from)| *to = *from);
        Self {
            fd: fd as usize,
            address,
            length: 3 + name.len().min(107),
        }
    }

    /// Sends how the program ended, and what it used.
    pub unsafe fn tell(&self, figures: &Figures) {
        let length = size_of::<Figures>();
        // SAFETY: the bytes of these numbers.
        unsafe { self.send(core::slice::from_raw_parts(figures.as_ptr().cast(), length)) };
    }

    /// Sends a message that means nothing, and waits until it was read, half a second at most.
    pub unsafe fn wait_for_reader(&self) {
        /// How many bytes were sent and are not read.
        const SIOCOUTQ: usize = 0x5411;
        // SAFETY: pointers to our own values, one of which the kernel writes.
        unsafe {
            self.send(ASKED);
            look_until(|| {
                let mut left = 0_i32;
                let words = [self.fd, SIOCOUTQ, (&raw mut left).addr(), 0, 0, 0];
                system(call::IOCTL, words) != 0 || (&raw const left).read_volatile() == 0
            });
        }
    }

    /// Sends that the program starts now, and where its stderr is read. Returns the time. A pipe that nothing would read is
    /// closed.
    pub unsafe fn tell_start(&self, own_stderr: &mut OwnStderr) -> u64 {
        let mut begun = 0;
        let mut sent = AGAIN;
        // SAFETY: our own values.
        unsafe {
            look_until(|| {
                begun = now_ns();
                sent = self.sent(&started(begun), own_stderr.reader);
                sent != AGAIN
            });
            if sent < 0 {
                own_stderr.close();
                if sent != AGAIN {
                    // Some systems may pass no descriptors on.
                    self.sent(&started(begun), own_stderr.reader);
                }
            }
        }
        begun
    }

    unsafe fn send(&self, message: &[u8]) {
        // SAFETY: our own values.
        unsafe { look_until(|| self.has_sent(message)) };
    }

    /// Sends a message if there is room for it. If there is no meter, nothing happens.
    unsafe fn has_sent(&self, message: &[u8]) -> bool {
        // SAFETY: our own values.
        unsafe { self.sent(message, -1) != AGAIN }
    }

    /// Sends a message, and a descriptor with it if there is one. A negative error number if that failed.
    unsafe fn sent(&self, message: &[u8], descriptor: isize) -> isize {
        const NOSIGNAL: usize = 0x4000;
        /// `SOL_SOCKET` and `SCM_RIGHTS`, 32 bits each.
        const RIGHTS: u64 = 1 << 32 | 1;
        // `struct cmsghdr` with its length, and the descriptor after it.
        let control = [20, RIGHTS, descriptor as u32 as u64];
        let control_length = match descriptor {
            0.. => size_of_val(&control),
            _ => 0,
        };
        let part = [message.as_ptr().addr(), message.len()];
        // `struct msghdr`. All processors here begin with the small end.
        let header = [
            self.address.as_ptr().addr(),
            self.length,
            part.as_ptr().addr(),
            1,
            control.as_ptr().addr(),
            control_length,
            0,
        ];
        let words = [self.fd, header.as_ptr().addr(), NOSIGNAL, 0, 0, 0];
        // SAFETY: pointers to values of this length.
        unsafe { system(call::SENDMSG, words) }
    }
}

/// The message before the program starts.
fn started(begun_ns: u64) -> [u8; STARTED.len() + 8] {
    let mut message = [0; STARTED.len() + 8];
    let (text, time) = message.split_at_mut(STARTED.len());
    text.copy_from_slice(STARTED);
    time.copy_from_slice(&begun_ns.to_ne_bytes());
    message
}

/// Sleeps, less than a second.
pub unsafe fn sleep(nanoseconds: u64) {
    let time = [0, nanoseconds];
    // SAFETY: a pointer to our own value.
    unsafe { system(call::NANOSLEEP, [time.as_ptr().addr(), 0, 0, 0, 0, 0]) };
}

/// Nanoseconds of a clock that only goes on.
pub unsafe fn now_ns() -> u64 {
    const MONOTONIC: usize = 1;
    let mut now = [0_u64; 2];
    // SAFETY: our own value, which is read after the kernel has written it.
    unsafe {
        system(
            call::CLOCK_GETTIME,
            [MONOTONIC, (&raw mut now).addr(), 0, 0, 0, 0],
        );
        let [seconds, nanoseconds] = (&raw const now).read_volatile();
        seconds * 1_000_000_000 + nanoseconds
    }
}

/// Looks every millisecond until something is so, half a second at most.
unsafe fn look_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..LOOKS {
        if is_so() {
            return;
        }
        // SAFETY: a number.
        unsafe { sleep(LOOK_NS) };
    }
}
