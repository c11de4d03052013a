//! What a stage that waits sends to its meter. Only `core`: the stage is built without the standard library.

/// What it sends before it starts its program: this, and the time in eight bytes in the order of the machine, in
/// nanoseconds of the kernel's monotonic clock.
pub const STARTED: &[u8] = b"started";

/// What it may send then, to learn whether its meter has been read: nothing follows from it.
pub const ASKED: &[u8] = b"asked";

/// What it sends when its program has ended, as eight bytes each in the order of the machine: the status as `wait4`
/// gives it, wall-clock time and processor time in microseconds, and the most resident memory in KiB.
///
/// The status may have [`ENDED_BY_TESTER`] set. Of a program that was not started, it has the error number as well.
pub type Figures = [u64; 4];

/// Set if the tester sent the program a signal of which it died, or one that asks for its end.
pub const ENDED_BY_TESTER: u64 = 1 << 32;

/// The error number of a program that was not started begins at this bit of the status.
pub const START_ERROR: u32 = 40;

/// A signal's number, by which a stage knows the pipe that the judge has given to the whole line as stderr (`F_SETSIG`).
/// The kernel keeps it with the open file, through all programs and shells. It sends the signal only where a process asks
/// to be told of that file.
pub const STDERR_MARK: i32 = 61;
