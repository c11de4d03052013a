//! A program that stands in for one that you start yourself: the judge starts it, and it passes every byte on through
//! the FIFOs of a folder ([`Fifos`](super::Fifos)).
//!
//! Nothing waits when a FIFO is opened, so that your shell may open its two ends in any order and at any time:
//!
//! - `to-program` is opened for reading and writing at once. That needs no other end, and what is written waits there
//!   until your program reads.
//! - `from-program` is opened for reading without blocking. The kernel reports its end only after a writer has come and
//!   gone, so a program that was not started yet is not taken for one that has ended.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;

use super::fifo::{conversation, from_program, open_fifo, open_to_read, to_program};

/// The first argument of a relay; its folder follows.
pub(super) const WORD: &str = "__relay";

/// How much is kept that the other side has not taken yet, before no more is read.
const HELD: usize = 1 << 16;

/// After this time without a byte, a line without a newline is remarked on.
const PATIENCE: Timespec = Timespec {
    tv_sec: 2,
    tv_nsec: 0,
};

/// How often it is looked whether your program has opened its input, where the kernel does not tell.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// A pipe that is writable takes this much without blocking. The judge's pipes are as the judge has made them.
const PIECE: usize = 4096;

/// The places of the descriptors that are waited for.
const STDIN: usize = 0;
const STDOUT: usize = 1;
const TO_PROGRAM: usize = 2;
const FROM_PROGRAM: usize = 3;
const CONVERSATION: usize = 4;

/// The words that start a relay for a folder.
///
/// # Errors
/// If this program's own file, or the folder, is not known.
pub fn relay_command(folder: &Path) -> io::Result<Vec<OsString>> {
    let own = std::env::current_exe()?;
    let folder: PathBuf = std::path::absolute(folder)?;
    Ok(vec![own.into(), WORD.into(), folder.into()])
}

/// Is the relay of a folder until one side has ended, and ends the process.
pub(super) fn run(folder: &Path) -> ! {
    let relayed = Relay::open(folder).and_then(Relay::run);
    std::process::exit(match relayed {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("relay: {error}");
            1
        }
    })
}

struct Relay {
    stdin: io::Stdin,
    stdout: io::Stdout,
    /// Where your program reads, and whether we still have it open for reading.
    to_program: Option<(OwnedFd, bool)>,
    path: PathBuf,
    from_program: OwnedFd,
    /// Where the conversation is shown; nothing if it is not read.
    conversation: Option<OwnedFd>,
    /// What waits for your program, for the judge, and to be shown.
    held: [Vec<u8>; 3],
    /// The lines that have no newline yet: the judge's and your program's.
    lines: [Vec<u8>; 2],
    stdin_ended: bool,
    /// Whether your program has written something.
    has_spoken: bool,
    remarked: bool,
}

/// What is read next, and where it goes.
#[derive(Clone, Copy)]
enum From {
    Judge,
    Program,
}

impl Relay {
    fn open(folder: &Path) -> io::Result<Self> {
        let path = to_program(folder);
        // First its output: a program that has opened its input may write at once, and would get SIGPIPE.
        let from_program = open_to_read(&from_program(folder))?;
        Ok(Self {
            stdin: io::stdin(),
            stdout: io::stdout(),
            to_program: Some((open_fifo(&path, OFlags::RDWR)?, true)),
            path,
            from_program,
            conversation: open_fifo(&conversation(folder), OFlags::WRONLY).ok(),
            held: Default::default(),
            lines: Default::default(),
            stdin_ended: false,
            has_spoken: false,
            remarked: false,
        })
    }

    fn run(mut self) -> io::Result<()> {
        let any = PollFlags::IN | PollFlags::HUP | PollFlags::ERR;
        loop {
            self.close_input()?;
            let ready = self.wait()?;
            // The judge has closed our output: it has decided.
            if ready[STDOUT].contains(PollFlags::ERR) {
                return self.show_rest();
            }
            if ready[STDIN].intersects(any) {
                self.read(From::Judge)?;
            }
            if ready[FROM_PROGRAM].intersects(any) && !self.read(From::Program)? {
                return self.finish();
            }
            if !self.write_all_that_fits(ready[STDOUT].contains(PollFlags::OUT))? {
                return self.show_rest();
            }
        }
    }

    /// What each descriptor is ready for.
    fn wait(&mut self) -> io::Result<[PollFlags; 5]> {
        let if_room = |held: &Vec<u8>, flag| match held.len() < HELD {
            true => flag,
            false => PollFlags::empty(),
        };
        let if_held = |held: &Vec<u8>, flag| match held.is_empty() {
            true => PollFlags::empty(),
            false => flag,
        };
        let [for_program, for_judge, to_show] = &self.held;
        let mut watched = vec![
            (
                STDOUT,
                PollFd::new(&self.stdout, if_held(for_judge, PollFlags::OUT)),
            ),
            (
                FROM_PROGRAM,
                PollFd::new(&self.from_program, if_room(for_judge, PollFlags::IN)),
            ),
        ];
        if !self.stdin_ended && for_program.len() < HELD {
            watched.push((STDIN, PollFd::new(&self.stdin, PollFlags::IN)));
        }
        // Without a reader, the kernel would report an error again and again.
        let has_no_reader = matches!(self.to_program, Some((_, false)));
        if let Some((fd, true)) = &self.to_program {
            let flags = if_held(for_program, PollFlags::OUT);
            watched.push((TO_PROGRAM, PollFd::new(fd, flags)));
        }
        // Nor with nothing to be shown.
        if let Some(fd) = self.conversation.as_ref().filter(|_| !to_show.is_empty()) {
            watched.push((CONVERSATION, PollFd::new(fd, PollFlags::OUT)));
        }
        let is_partial = !self.lines[From::Program as usize].is_empty() && !self.remarked;
        let limit = match (has_no_reader, is_partial) {
            (true, _) => Some(&LOOK),
            (false, true) => Some(&PATIENCE),
            (false, false) => None,
        };
        let (places, mut fds): (Vec<usize>, Vec<PollFd<'_>>) = watched.into_iter().unzip();
        let count = poll(&mut fds, limit);
        let mut ready = [PollFlags::empty(); 5];
        for (place, fd) in places.into_iter().zip(&fds) {
            ready[place] = fd.revents();
        }
        match count {
            Ok(0) if !has_no_reader => self.remark(),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(ready)
    }

    /// Reads what is there; false at the end.
    fn read(&mut self, from: From) -> io::Result<bool> {
        let mut bytes = [0; 1 << 14];
        let fd: BorrowedFd<'_> = match from {
            From::Judge => self.stdin.as_fd(),
            From::Program => self.from_program.as_fd(),
        };
        let read = match rustix::io::read(fd, &mut bytes) {
            Ok(read) => read,
            Err(Errno::AGAIN | Errno::INTR) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        match from {
            From::Judge => self.stdin_ended |= read == 0,
            From::Program => self.has_spoken |= read > 0,
        }
        self.held[from as usize].extend_from_slice(&bytes[..read]);
        self.show(from, &bytes[..read]);
        self.remarked = false;
        Ok(read > 0)
    }

    /// Writes what the other sides take now; false once the judge takes nothing more.
    fn write_all_that_fits(&mut self, judge_takes: bool) -> io::Result<bool> {
        // First what is shown: the judge may end us as soon as it has read a line.
        if let Some(fd) = &self.conversation {
            // Nothing is lost but the picture if its reader has gone.
            if !matches!(write_some(fd.as_fd(), &mut self.held[2]), Ok(true)) {
                self.conversation = None;
            }
        }
        if let Some((fd, _)) = &self.to_program {
            write_some(fd.as_fd(), &mut self.held[0])?;
        }
        match judge_takes {
            true => write_some(self.stdout.as_fd(), &mut self.held[1]),
            false => Ok(true),
        }
    }

    /// Your program's input ends after the judge's output has. It ends for good only once your program has opened it:
    /// before that, what waits in the pipe would be lost with its last end.
    fn close_input(&mut self) -> io::Result<()> {
        if !self.stdin_ended || !self.held[0].is_empty() {
            return Ok(());
        }
        match &mut self.to_program {
            // It runs. A later one must not find this end open, and then see it closed.
            _ if self.has_spoken => self.to_program = None,
            Some((fd, reads @ true)) => {
                *fd = open_fifo(&self.path, OFlags::WRONLY)?;
                *reads = false;
            }
            Some((fd, false)) => {
                let mut fds = [PollFd::new(&*fd, PollFlags::OUT)];
                poll(&mut fds, Some(&Timespec::default()))?;
                let has_reader = !fds[0].revents().contains(PollFlags::ERR);
                if has_reader {
                    self.to_program = None;
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Adds complete lines to what is shown.
    fn show(&mut self, from: From, bytes: &[u8]) {
        if self.conversation.is_none() {
            return;
        }
        let mark = [b"> ", b"< "][from as usize];
        let line = &mut self.lines[from as usize];
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.held[2].extend_from_slice(mark);
                self.held[2].append(line);
            }
        }
    }

    /// Says that a line has no newline.
    fn remark(&mut self) {
        self.remarked = true;
        self.held[2].extend_from_slice(b"! the program printed \"");
        self.held[2].extend_from_slice(&self.lines[1]);
        self.held[2].extend_from_slice(b"\" without a newline\n");
    }

    /// The program has ended: passes on what is left.
    fn finish(mut self) -> io::Result<()> {
        // At once: if the next one opens it now, it would see its end.
        self.to_program = None;
        while !self.held[1].is_empty() && write_some(self.stdout.as_fd(), &mut self.held[1])? {}
        self.show_rest()
    }

    /// Shows what is left.
    fn show_rest(&mut self) -> io::Result<()> {
        let last = std::mem::take(&mut self.lines[1]);
        if !last.is_empty() {
            self.held[2].extend_from_slice(b"< ");
            self.held[2].extend_from_slice(&last);
            self.held[2].push(b'\n');
        }
        let Some(fd) = self.conversation.take() else {
            return Ok(());
        };
        while !self.held[2].is_empty() && write_some(fd.as_fd(), &mut self.held[2])? {
            let mut fds = [PollFd::new(&fd, PollFlags::OUT)];
            poll(&mut fds, None)?;
        }
        Ok(())
    }
}

/// Writes what fits, and keeps the rest. False if there is no reader any more.
fn write_some(fd: BorrowedFd<'_>, held: &mut Vec<u8>) -> io::Result<bool> {
    if held.is_empty() {
        return Ok(true);
    }
    match rustix::io::write(fd, &held[..held.len().min(PIECE)]) {
        Ok(written) => {
            held.drain(..written);
            Ok(true)
        }
        Err(Errno::AGAIN | Errno::INTR) => Ok(true),
        Err(Errno::PIPE) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
