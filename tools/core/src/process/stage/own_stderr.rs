//! A pipe for the contestant's stderr, where it would share that of its tester.
//!
//! Both write a line in several pieces, and a tester need not wait for its program before it says the score. So
//! `Score = ` and `12` may have a line of the program in between, or even read as the score what the program has printed.
//! The judge puts whole lines together instead. A tester that listens to its program's stderr goes on to do so.
//!
//! Only `core`: `tools/core/stage/main.rs` is built of this file too.

use super::system::{call, system};

const AT_FDCWD: usize = -100_isize as usize;

/// What a link to an open pipe has room in.
type Link = [u8; 64];

/// Both ends of the pipe; negative where there is none.
pub struct OwnStderr {
    pub reader: isize,
    writer: isize,
}

impl OwnStderr {
    /// A pipe, if our stderr is one that we share with our `parent`. Both ends close themselves in what we execute.
    pub unsafe fn new(parent: usize) -> Self {
        const CLOSE_ON_EXEC: usize = 0o2_000_000;
        let mut ends = [-1_i32; 2];
        // SAFETY: our own values, which are read after the kernel has written them.
        unsafe {
            let own = link_of(c"/proc/self/fd/2".as_ptr().cast());
            if is_shared_pipe(&own, &link_of(path_of(parent).as_ptr())) {
                let words = [ends.as_mut_ptr().addr(), CLOSE_ON_EXEC, 0, 0, 0, 0];
                system(call::PIPE2, words);
            }
            let [reader, writer] = (&raw const ends).read_volatile();
            Self {
                reader: reader as isize,
                writer: writer as isize,
            }
        }
    }

    /// Makes it the stderr of this process, the contestant's.
    pub unsafe fn take(&self) {
        if self.writer >= 0 {
            // SAFETY: numbers.
            unsafe { system(call::DUP3, [self.writer as usize, 2, 0, 0, 0, 0]) };
        }
    }

    /// Closes our ends: the judge and the contestant have their own, or nothing reads it.
    pub unsafe fn close(&mut self) {
        for end in [&mut self.reader, &mut self.writer] {
            if *end >= 0 {
                // SAFETY: it is our own, and not used any more.
                unsafe { system(call::CLOSE, [*end as usize, 0, 0, 0, 0, 0]) };
            }
            *end = -1;
        }
    }
}

/// `/proc/PID/fd/2`, with its zero.
fn path_of(process: usize) -> Link {
    let mut path = [0; 64];
    let mut digits = [0_u8; 20];
    let (mut rest, mut first) = (process, digits.len());
    while first == digits.len() || rest > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let bytes = b"/proc/".iter().chain(&digits[first..]).chain(b"/fd/2");
    path.iter_mut()
        .zip(bytes)
        .for_each(|(to, from)| *to = *from);
    path
}

/// Where a link leads; zeroes if that cannot be read.
unsafe fn link_of(path: *const u8) -> Link {
    let mut link: Link = [0; 64];
    let (to, room) = (link.as_mut_ptr().addr(), link.len() - 1);
    // SAFETY: a path, and our own value, which is read after the kernel has written it.
    unsafe {
        system(call::READLINKAT, [AT_FDCWD, path.addr(), to, room, 0, 0]);
        (&raw const link).read_volatile()
    }
}

/// Whether two links are those of one pipe.
fn is_shared_pipe(own: &Link, other: &Link) -> bool {
    let is_pipe = own.iter().zip(b"pipe:").all(|(own, pipe)| own == pipe);
    is_pipe && own.iter().zip(other).all(|(own, other)| own == other)
}
