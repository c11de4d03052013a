//! This program as a stage, if the command line says so.

use std::ffi::{CString, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command as Process;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::call_filter::CallFilter;
use super::super::landlock::{enter_trace_scope, has_trace_scope};
use super::super::relay;

/// The first argument of a stage; the contestant's command follows.
pub const WORD: &str = "__scoped";

/// The same in bubblewrap, which has no filter for services of the machine.
pub(in super::super) const WITHOUT_SOCKETS: &str = "__without_sockets";

/// The first argument of a stage that waits for the contestant and tells a [`Meter`](crate::process::Meter), whose name
/// follows.
pub(super) const METERED: &str = "__metered";

/// Whether this program understands [`WORD`].
static UNDERSTOOD: AtomicBool = AtomicBool::new(false);

/// Becomes a stage if the command line asks for it, and does not return then. Call this first in `main`: without
/// that, no stage is used.
pub fn run_if_asked() {
    let mut words = std::env::args_os();
    let called = words.next().unwrap_or_default();
    let asked = words.next();
    let asked = asked.as_ref().and_then(|word| word.to_str());
    let meter = match asked {
        Some(WORD | WITHOUT_SOCKETS) => None,
        Some(METERED) => words.next(),
        Some(relay::WORD) => relay::run(words.next().unwrap_or_default().as_ref()),
        _ => {
            UNDERSTOOD.store(true, Ordering::Relaxed);
            return;
        }
    };
    let words: Vec<OsString> = words.collect();
    let program = words.first().cloned().unwrap_or_default();
    let error = match meter {
        Some(meter) => watch(meter, words),
        None => {
            // The kernel allows a limited number of scopes within each other; a contestant without one still plays.
            let _ = enter_trace_scope();
            if asked == Some(WITHOUT_SOCKETS) {
                // bubblewrap's own way would need the filter in an open file.
                let _ = CallFilter::of_sockets().map(|filter| filter.apply());
            }
            Process::new(&program).args(words.iter().skip(1)).exec()
        }
    };
    let program = program.to_string_lossy();
    let name = Path::new(&called).file_name().unwrap_or_default().display();
    let _ = writeln!(io::stderr(), "{name}: failed to execute {program}: {error}");
    // As shells do.
    std::process::exit(match error.kind() {
        io::ErrorKind::NotFound => 127,
        _ => 126,
    });
}

/// The stage that waits, in this process; returns only if the program could not be executed.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn watch(meter: OsString, words: Vec<OsString>) -> io::Error {
    let variables = std::env::vars_os().map(|(mut name, value)| {
        name.push("=");
        name.push(value);
        name
    });
    let text = |word: OsString| CString::new(word.into_vec()).expect("arguments have no zeroes");
    let list = |texts: &[CString]| -> Vec<*const u8> {
        let texts = texts.iter().map(|text| text.as_ptr().cast());
        texts.chain([std::ptr::null()]).collect()
    };
    let meter = text(meter);
    let words: Vec<CString> = words.into_iter().map(text).collect();
    let variables: Vec<CString> = variables.map(text).collect();
    if words.is_empty() {
        return io::ErrorKind::NotFound.into();
    }
    // SAFETY: this process has one thread, and the texts live until the end of this function. A program of this language
    // ignores SIGPIPE, which a contestant must not inherit.
    let error = unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let (words, variables) = (list(&words), list(&variables));
        super::watch::watch(meter.as_ptr().cast(), words.as_ptr(), variables.as_ptr())
    };
    io::Error::from_raw_os_error(error)
}

/// For other processors, no such stage is used: see `program`.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn watch(_: OsString, _: Vec<OsString>) -> io::Error {
    io::ErrorKind::Unsupported.into()
}

/// Whether `main` has called [`run_if_asked`].
pub(super) fn is_understood() -> bool {
    UNDERSTOOD.load(Ordering::Relaxed)
}

/// The words in front of a contestant's command that put a stage before it; `None` where there can be none.
pub(crate) fn words() -> Option<[OsString; 2]> {
    if !is_understood() || !has_trace_scope() {
        return None;
    }
    let own = std::env::current_exe().ok().filter(|own| own.is_file())?;
    Some([own.into(), WORD.into()])
}
