//! What to do about an error of the operating system, whatever has failed by it.

use std::io;

/// The hint for an error whose text ends with the system's reason, as `No space left on device (os error 28)`.
///
/// The text is asked and not the error, because records have reasons as texts, and libraries wrap errors.
pub(crate) fn system_hint(message: &str) -> Option<&'static str> {
    let is_of_start = message.contains("failed to start ");
    Some(match os_error_in(message)? {
        libc::ENOSPC if !is_of_start => {
            "the disk is full, or has no room for more files (df -h, df -i): make room and try again"
        }
        libc::EDQUOT => "your share of the disk is used up (quota -s): make room and try again",
        libc::EROFS => {
            "the file system is read-only: work in another folder, or name other files (--out, --history, --to)"
        }
        libc::EFBIG => "files may not become that large here: see ulimit -f",
        libc::EMFILE => {
            "each job takes about twelve open files: type fewer --jobs, or raise the limit (ulimit -Hn)"
        }
        libc::ETXTBSY => {
            "another process has the program's file open for writing: wait until its build has ended, and try again"
        }
        libc::ENFILE => "no program can open more files on this machine: type fewer --jobs",
        libc::EAGAIN if is_of_start => {
            "no more processes or threads can be started here: type fewer --jobs, or raise the limit (ulimit -u, or \
             that of the container)"
        }
        _ => return None,
    })
}

/// The hint where the current folder is gone: relative paths then lead nowhere.
pub(crate) fn removed_folder_hint() -> Option<&'static str> {
    let is_gone =
        std::env::current_dir().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    is_gone.then_some(
        "the current folder was removed: go to another one; if it was made again, cd \"$PWD\"",
    )
}

/// The last number of an error of the system in a text.
fn os_error_in(message: &str) -> Option<i32> {
    let (_, number) = message.rsplit_once("(os error ")?;
    number.split_once(')')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message with the system's own text for this error.
    fn message(context: &str, code: i32) -> String {
        format!("{context}: {}", io::Error::from_raw_os_error(code))
    }

    #[test]
    fn the_systems_reason_is_found_in_a_message() {
        let hint = |code| system_hint(&message("failed to write out/0000.txt", code));
        assert!(hint(libc::ENOSPC).unwrap().contains("the disk is full"));
        assert!(hint(libc::EDQUOT).unwrap().contains("quota"));
        assert!(hint(libc::EROFS).unwrap().contains("read-only"));
        assert!(hint(libc::EMFILE).unwrap().contains("--jobs"));
        assert!(hint(libc::ETXTBSY).unwrap().contains("build"));
        assert_eq!(hint(libc::ENOENT), None);
        assert_eq!(system_hint("expected a folder, found a file"), None);
        assert_eq!(system_hint("found \"(os error x)\""), None);
    }

    #[test]
    fn a_start_fails_by_limits_on_processes_and_not_by_a_full_disk() {
        let hint = |code| system_hint(&message("IE: failed to start ./a", code));
        assert!(hint(libc::EAGAIN).unwrap().contains("ulimit -u"));
        // Too many namespaces.
        assert_eq!(hint(libc::ENOSPC), None);
        assert_eq!(system_hint(&message("failed to read", libc::EAGAIN)), None);
    }
}
