//! Opening regular files only. A program may have put a pipe, a device or a link in the place of a file.
//!
//! A FIFO would wait for its other end, and a device may have no end. So a path is opened without waiting, and what is
//! open is looked at: between a look at the path and its opening it could change.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// Opens a regular file for reading. Links are followed.
///
/// # Errors
/// If it is of another kind, or the system refuses.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(path, File::options().read(true), OFlags::empty())
}

/// The content of a regular file. Links are followed.
///
/// # Errors
/// As [`open_regular`], and if it cannot be read to its end.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?.read_to_end(&mut content)?;
    Ok(content)
}

/// As [`open_regular`]. Where the file is ours, the time of its last reading does not change.
///
/// # Errors
/// As [`open_regular`].
pub(crate) fn open_regular_unseen(path: &Path) -> io::Result<File> {
    let unseen = open_without_waiting(path, File::options().read(true), OFlags::NOATIME);
    unseen.map_or_else(|_| open_regular(path), regular)
}

/// As [`open_regular`], but a link is refused.
///
/// # Errors
/// If the path is not a regular file, or the system refuses.
pub(crate) fn open_plain(path: &Path) -> io::Result<File> {
    open_regular_with(path, File::options().read(true), OFlags::NOFOLLOW)
}

/// Opens a regular file with these options and flags.
///
/// # Errors
/// As [`open_regular`].
pub(crate) fn open_regular_with(
    path: &Path,
    options: &mut OpenOptions,
    flags: OFlags,
) -> io::Result<File> {
    regular(open_without_waiting(path, options, flags)?)
}

/// Opens whatever is at the path. Neither opening nor a later read or write waits.
///
/// # Errors
/// If the system refuses.
pub(super) fn open_without_waiting(
    path: &Path,
    options: &mut OpenOptions,
    flags: OFlags,
) -> io::Result<File> {
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits() as i32).open(path)
}

fn regular(file: File) -> io::Result<File> {
    let kind = file.metadata()?.file_type();
    let found = match kind {
        kind if kind.is_file() => return Ok(file),
        kind if kind.is_fifo() => "a pipe (FIFO)",
        kind if kind.is_dir() => "a folder",
        _ => "a device",
    };
    let message = format!("expected a regular file, found {found}");
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_and_links_to_them_are_regular() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        rustix::fs::mkfifoat(rustix::fs::CWD, at("fifo"), 0o600.into()).unwrap();
        std::fs::write(at("file"), b"12").unwrap();
        for (link, to) in [
            ("to-file", "file"),
            ("to-fifo", "fifo"),
            ("to-null", "/dev/null"),
        ] {
            std::os::unix::fs::symlink(to, at(link)).unwrap();
        }
        for name in ["file", "to-file"] {
            assert_eq!(read_regular(&at(name)).unwrap(), b"12");
        }
        for (name, kind) in [
            ("fifo", "a pipe (FIFO)"),
            ("to-fifo", "a pipe (FIFO)"),
            ("to-null", "a device"),
            (".", "a folder"),
        ] {
            let refused = read_regular(&at(name)).unwrap_err().to_string();
            assert_eq!(refused, format!("expected a regular file, found {kind}"));
        }
    }
}
