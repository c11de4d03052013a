//! Hides our own command line: every process can read it, and a seed in it reveals the secret.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Overwrites all of it except the program's name. Call this after the options are parsed and before a
/// contestant exists. Does nothing if the kernel does not say where the command line is.
pub(crate) fn hide() {
    let name = std::env::args_os().next().unwrap_or_default();
    let Some((start, end)) = place() else { return };
    let start = start + OsStr::as_bytes(&name).len() + 1;
    if start < end {
        let rest = std::ptr::with_exposed_provenance_mut::<u8>(start);
        // SAFETY: the kernel has put the arguments there. The memory is ours to write and lives as long as the
        // process. `std::env::args_os` returns copies, which are empty words from now on.
        unsafe { std::ptr::write_bytes(rest, 0, end - start) };
    }
}

/// Where the arguments begin and end.
fn place() -> Option<(usize, usize)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    // Fields 48 and 49; the rest begins with the third.
    let mut fields = rest.split(' ').skip(45);
    let mut next = || fields.next()?.parse().ok().filter(|&address| address > 0);
    Some((next()?, next()?))
}
