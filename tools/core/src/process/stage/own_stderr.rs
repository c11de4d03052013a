//! A pipe for the contestant's stderr, where it would share that of its tester.
//!
//! Both write a line in several pieces, and a tester need not wait for its program before it says the score. So
//! `Score = ` and `12` may have a line of the program in between, or even read as the score what the program has printed.
//! The judge puts whole lines together instead. A tester that listens to its program's stderr goes on to do so.
//!
//! Only `core`: `tools/core/stage/main.rs` is built of this file too.

use core::mem::MaybeUninit;

use super::system::{call, system};

const AT_FDCWD: usize = -100_isize as usize;

/// A link to an open pipe has room in it: `pipe:[` and a number. Words, because each loop over bytes takes 1 KB of code.
type Link = [u64; 4];

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
            let parents = with_path_of(parent, |path| link_of(path));
            if is_shared_pipe(own, parents) {
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

/// What `look` finds of `/proc/PID/fd/2`.
unsafe fn with_path_of(process: usize, look: impl FnOnce(*const u8) -> Link) -> Link {
    const ROOM: usize = 48;
    let mut path = MaybeUninit::<[u8; ROOM]>::uninit();
    // From its end. By pointers: the code for an index that is too large would be larger than this program.
    // SAFETY: a number has 20 digits at most, so that there is room for all of it.
    unsafe {
        let mut first = path.as_mut_ptr().cast::<u8>().add(ROOM);
        let mut put = |byte: u8| {
            first = first.sub(1);
            first.write(byte);
        };
        b"\x002/df/".iter().for_each(|&byte| put(byte));
        let mut rest = process;
        while rest > 0 {
            put(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
        b"/corp/".iter().for_each(|&byte| put(byte));
        look(first)
    }
}

/// Where a link leads; its beginning, if it is longer than that to a pipe; zeroes if it cannot be read.
unsafe fn link_of(path: *const u8) -> Link {
    let mut link: Link = [0; 4];
    let (to, room) = (link.as_mut_ptr().addr(), size_of_val(&link));
    // SAFETY: a path, and our own value, which is read after the kernel has written it.
    unsafe {
        system(call::READLINKAT, [AT_FDCWD, path.addr(), to, room, 0, 0]);
        (&raw const link).read_volatile()
    }
}

/// Whether two links are those of one pipe.
fn is_shared_pipe([first, second, third, last]: Link, other: Link) -> bool {
    const PIPE: u64 = u64::from_ne_bytes(*b"pipe:\0\0\0");
    const MASK: u64 = u64::from_ne_bytes(*b"\xff\xff\xff\xff\xff\0\0\0");
    let differ = first ^ other[0] | second ^ other[1] | third ^ other[2] | last ^ other[3];
    first & MASK == PIPE && differ == 0
}
