//! Whether build lines made the judge anew. In a package with a problem of its own they may, and this process would
//! judge by the rules from before.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tester_core::process::program::fingerprint::{hash, own_program};
use tester_core::util::tester_word::tester_word;

use crate::hint::with_hint;

/// What the kernel writes after the path of a program whose file has no name any more.
const NAMELESS: &[u8] = b" (deleted)";

/// # Errors
/// If another program lies now where this process was started.
pub(super) fn check_is_the_same() -> Result<()> {
    if !is_another() {
        return Ok(());
    }
    Err(with_hint(
        format!(
            "the build made {} anew, which is this judge; nothing was judged by its old rules",
            tester_word()
        ),
        "type the same line again; cargo run --release -- COMMAND builds before it starts the judge",
    ))
}

/// Whether another program lies now where this process was started. A file with the same content is the same program.
pub(super) fn is_another() -> bool {
    let link = std::fs::read_link("/proc/self/exe");
    let path = link.ok().and_then(|link| path_of_nameless(&link));
    let now = path.and_then(|path| hash(&path));
    now.is_some_and(|now| own_program().is_some_and(|own| now != own))
}

/// Where a file without a name was. The program of a process cannot be written, so a build removes it first.
fn path_of_nameless(link: &Path) -> Option<PathBuf> {
    let path = link.as_os_str().as_bytes().strip_suffix(NAMELESS)?;
    Some(PathBuf::from(OsStr::from_bytes(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_without_a_name_may_be_another_program() {
        let path = |link: &str| path_of_nameless(Path::new(link));
        assert_eq!(path("/a/judge"), None);
        assert_eq!(path("/a/judge (deleted)"), Some("/a/judge".into()));
        assert!(!is_another(), "a test has its name");
    }
}
