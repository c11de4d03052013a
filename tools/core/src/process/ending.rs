//! How a process ended.

/// How the contestant's process ended, as its reaped status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this status.
    Exited(i32),
    /// This signal killed it.
    Signaled(i32),
}
