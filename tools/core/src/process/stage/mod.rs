//! A stage between a contestant and the process that starts it, where that process is not the judge.
//!
//! In a sandbox bubblewrap starts the contestant, and a contest's own local tester starts it elsewhere. Both are
//! processes of the same user, so the contestant could trace them, write their memory and open their descriptors
//! (`/proc/PID/fd`). The judge puts a contestant that it starts itself into a scope; here it cannot. So the command
//! that the other process gets begins with a stage, which enters a scope of [`landlock`](super::landlock) and then
//! executes the contestant. In a contest's own tester, the stage stays outside the scope and waits, so that a meter
//! (`process/meter.rs`) learns what the contestant alone has used.
//!
//! The stage that waits is a program of its own, without the standard library and the C library: `tools/core/stage/main.rs`,
//! which the build script compiles and `program` carries. Its code is `watch` and `children` on `system`, and `message` is
//! what it tells the meter. This program can be the same stage, where the small one cannot be built or executed.
//!
//! Cost: the stage that waits takes 0.13 ms of processor time a start; this program would take 1.2 ms, because the
//! loader maps and binds its libraries. The other stage (`entry`) is this program: 0.9 ms. Filters of system calls would
//! cost nothing, but do not see who opens `/proc/PID/mem`.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod children;
mod entry;
pub(super) mod message;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod own_stderr;
mod program;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod socket;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod system;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod watch;

pub(super) use entry::WITHOUT_SOCKETS;
pub(crate) use entry::words;
pub use entry::{WORD, run_if_asked};
pub use program::{MeterStage, PROGRAM};
