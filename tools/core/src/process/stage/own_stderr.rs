//! A pipe for the contestant's stderr, where it would share that of its tester.
//!
//! Both write a line in several pieces, and a tester need not wait for its program before it says the score. So
//! `Score = ` and `12` may have a line of the program in between, or even read as the score what the program has printed.
//! The judge puts whole lines together instead. Where the tester or a shell of its own listens to the program's stderr, or
//! writes it elsewhere, that is another pipe, which stays.
//!
//! Only `core`: `tools/core/stage/main.rs` is built of this file too.

use super::message::STDERR_MARK;
use super::system::{call, system};

/// Both ends of the pipe; negative where there is none.
pub struct OwnStderr {
    pub reader: isize,
    writer: isize,
}

impl OwnStderr {
    /// A pipe, if our stderr is the one that the judge has given to the whole line. Both ends close themselves in what we
    /// execute.
    pub unsafe fn new() -> Self {
        const F_GETSIG: usize = 11;
        const CLOSE_ON_EXEC: usize = 0o2_000_000;
        let mut ends = [-1_i32; 2];
        // SAFETY: numbers, and our own value, which is read after the kernel has written it.
        unsafe {
            if system(call::FCNTL, [2, F_GETSIG, 0, 0, 0, 0]) == STDERR_MARK as isize {
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
