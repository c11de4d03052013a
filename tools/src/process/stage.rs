//! A stage between a contestant and the process that starts it, where that process is not the judge.
//!
//! In a sandbox bubblewrap starts the contestant, and a contest's own local tester starts it elsewhere. Both are
//! processes of the same user, so the contestant could trace them, write their memory and open their descriptors
//! (`/proc/PID/fd`). The judge puts a contestant that it starts itself into a scope; here it cannot. So the command
//! that the other process gets is this program with the word [`WORD`], which enters a
//! scope of [`landlock`](super::landlock) and then executes the contestant.
//!
//! Cost: half a millisecond for each start. Filters of system calls would cost nothing, but do not see who opens
//! `/proc/PID/mem`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command as Process;
use std::sync::atomic::{AtomicBool, Ordering};

use super::landlock::{enter_trace_scope, has_trace_scope};

/// The first argument of a stage; the contestant's command follows.
pub const WORD: &str = "__scoped";

/// Whether this program understands [`WORD`].
static UNDERSTOOD: AtomicBool = AtomicBool::new(false);

/// Becomes a stage if the command line asks for it, and does not return then. Call this first in `main`: without
/// that, no stage is used.
pub fn run_if_asked() {
    let mut words = std::env::args_os();
    let called = words.next().unwrap_or_default();
    if words.next().is_none_or(|word| word != WORD) {
        UNDERSTOOD.store(true, Ordering::Relaxed);
        return;
    }
    let program = words.next().unwrap_or_default();
    // The kernel allows a limited number of scopes within each other; a contestant without one still plays.
    let _ = enter_trace_scope();
    let error = Process::new(&program).args(words).exec();
    let program = program.to_string_lossy();
    let name = Path::new(&called).file_name().unwrap_or_default().display();
    let _ = writeln!(io::stderr(), "{name}: failed to execute {program}: {error}");
    // As shells do.
    std::process::exit(match error.kind() {
        io::ErrorKind::NotFound => 127,
        _ => 126,
    });
}

/// The words in front of a contestant's command that put a stage before it; `None` where there can be none.
pub(crate) fn words() -> Option<[OsString; 2]> {
    if !UNDERSTOOD.load(Ordering::Relaxed) || !has_trace_scope() {
        return None;
    }
    let own = std::env::current_exe().ok().filter(|own| own.is_file())?;
    Some([own.into(), WORD.into()])
}
