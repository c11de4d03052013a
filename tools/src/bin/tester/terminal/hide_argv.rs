//! Hides our own command line, which every process of the machine can read: a seed in it tells the secret.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Blanks all of it but the program's name. To be called when the options have been understood, before a
/// contestant exists. Nothing happens if the kernel does not say where it is.
pub(crate) fn hide() {
    let name = std::env::args_os().next().unwrap_or_default();
    let Some((start, end)) = place() else { return };
    let start = start + OsStr::as_bytes(&name).len() + 1;
    if start < end {
        let rest = std::ptr::with_exposed_provenance_mut::<u8>(start);
        // SAFETY: the kernel has put the arguments there, in memory that is ours to write and that outlives
        // the process; `std::env::args_os` gives copies, of empty words from now on.
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
