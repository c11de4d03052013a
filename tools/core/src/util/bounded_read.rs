//! Files that a user names are opened without blocking, looked at, and read up to a limit.
//!
//! A FIFO would block until a process writes to it, and `/dev/zero` has no end. An anonymous pipe (`<(command)`, and
//! `/dev/stdin` after a pipe) and a terminal are read as they come, up to the same limit.

use std::fmt;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_setfl, fstatfs};

use super::regular_file::open_without_waiting;

/// `f_type` of a pipe without a name.
const PIPEFS: u64 = 0x5049_5045;

/// The device number of `/dev/null`.
const NULL: (u32, u32) = (1, 3);

/// The most bytes of a large text that is read as a whole: seeds of ten million cases, an output, a prior.
pub const MAX_TEXT: u64 = 1 << 28;

/// Opens a file for reading, without blocking: a regular file, an anonymous pipe, a terminal or `/dev/null`.
///
/// # Errors
/// If it is of another kind, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    let file = open_without_waiting(path, File::options().read(true), OFlags::empty())?;
    let found = file.metadata()?;
    if let Some(kind) = unreadable_kind(&file, &found)? {
        let message = format!("expected a regular file or a pipe, found {kind}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    // Only the open must not block.
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(file)
}

/// All of a file that [`open`] opens.
///
/// # Errors
/// As [`open`], and if the file is longer than `limit` bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_opened(open(path)?, limit)
}

/// All of a file that is open.
///
/// # Errors
/// If it cannot be read, or is longer than `limit` bytes.
pub fn read_opened(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let found = file.metadata()?;
    if found.is_file() && found.len() > limit {
        return Err(too_long(limit, Size(found.len())));
    }
    read_at_most(file, limit)
}

/// As [`read`], for a text.
///
/// # Errors
/// As [`read`], and if the file is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    into_text(read(path, limit)?)
}

/// The bytes as a text.
///
/// # Errors
/// If they are not UTF-8.
pub fn into_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("expected UTF-8 text, found another byte at offset {at}");
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

/// All of a source.
///
/// # Errors
/// If it cannot be read, or has more than `limit` bytes.
pub fn read_at_most(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = source.take(limit + 1).read_to_end(&mut bytes)?;
    match read as u64 > limit {
        true => Err(too_long(limit, "more")),
        false => Ok(bytes),
    }
}

fn too_long(limit: u64, found: impl fmt::Display) -> io::Error {
    let message = format!("expected at most {}, found {found}", Size(limit));
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// What the file is, if it must not be read.
fn unreadable_kind(file: &File, found: &Metadata) -> io::Result<Option<&'static str>> {
    let kind: FileType = found.file_type();
    Ok(if kind.is_dir() {
        Some("a folder")
    } else if kind.is_fifo() {
        let is_anonymous = fstatfs(file)?.f_type as u64 == PIPEFS;
        (!is_anonymous).then_some("a FIFO (named pipe)")
    } else if kind.is_char_device() {
        let number = found.rdev();
        let number = (rustix::fs::major(number), rustix::fs::minor(number));
        let has_end = number == NULL || rustix::termios::isatty(file);
        (!has_end).then_some("a device")
    } else {
        (!kind.is_file()).then_some("a device")
    })
}

/// A number of bytes, as people read it: `1 MiB`, `1500 bytes`.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) => {
                write!(f, "{} GiB", bytes >> 30)
            }
            bytes if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => {
                write!(f, "{} MiB", bytes >> 20)
            }
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::AsRawFd;

    use super::*;

    fn refusal(path: impl AsRef<Path>) -> String {
        read(path.as_ref(), 1 << 20).unwrap_err().to_string()
    }

    #[test]
    fn what_blocks_or_has_no_end_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, 0o600.into()).unwrap();
        for (path, kind) in [
            (Path::new("/dev/zero"), "a device"),
            (Path::new("/dev/random"), "a device"),
            (dir.path(), "a folder"),
            (&fifo, "a FIFO (named pipe)"),
        ] {
            let expected = format!("expected a regular file or a pipe, found {kind}");
            assert_eq!(refusal(path), expected, "{}", path.display());
        }
    }

    #[test]
    fn null_device_is_empty() {
        assert_eq!(read(Path::new("/dev/null"), 1).unwrap(), b"");
    }

    #[test]
    fn file_longer_than_the_limit_is_refused_before_it_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("huge");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(refusal(&path), "expected at most 1 MiB, found 1024 GiB");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let error = read(&path, 4).unwrap_err().to_string();
        assert_eq!(error, "expected at most 4 bytes, found 5 bytes");
    }

    #[test]
    fn anonymous_pipe_is_read_up_to_the_limit() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"text").unwrap();
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        let open = open(Path::new(&path)).unwrap();
        // The writer is still there: an open that stayed non-blocking would find no end.
        let waiting = std::thread::spawn(move || read_at_most(open, 5).unwrap());
        writer.write_all(b"5").unwrap();
        drop(writer);
        assert_eq!(waiting.join().unwrap(), b"text5");
        let error = read_at_most(&b"123456"[..], 5).unwrap_err().to_string();
        assert_eq!(error, "expected at most 5 bytes, found more");
    }

    #[test]
    fn text_must_be_utf8() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("text");
        std::fs::write(&path, b"ab\xffc").unwrap();
        let error = read_text(&path, 10).unwrap_err().to_string();
        assert_eq!(error, "expected UTF-8 text, found another byte at offset 2");
    }
}
