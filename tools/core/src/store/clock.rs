//! What time it is for a file system.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, utimensat};

/// What time it is for the file system with a folder, in nanoseconds since 1970: another machine may serve it.
pub(super) fn clock_of(folder: &Path) -> Option<i64> {
    let now = || Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now(),
        last_modification: now(),
    };
    utimensat(CWD, folder, &times, AtFlags::empty()).ok()?;
    fs::metadata(folder).ok().map(|found| modified_ns(&found))
}

/// When a file was written to last, in nanoseconds since 1970.
pub(super) fn modified_ns(found: &fs::Metadata) -> i64 {
    let seconds = found.mtime().saturating_mul(1_000_000_000);
    seconds.saturating_add(found.mtime_nsec())
}
