//! How this program is called, for messages and for commands that you paste.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::process::shell_word;

/// Whether this process is a tester, whatever its file is called. A program that only uses the library is none.
static IS_TESTER: AtomicBool = AtomicBool::new(false);

/// From now on, messages call the tester as this process was called.
pub fn call_this_process_tester() {
    IS_TESTER.store(true, Ordering::Relaxed);
}

/// The folder in which this process was called, if it has gone to another one.
static CALLED_IN: OnceLock<PathBuf> = OnceLock::new();

/// From now on, a relative path by which this process was called is from this folder.
pub fn call_from_above(called_in: PathBuf) {
    let _ = CALLED_IN.set(called_in);
}

/// The tester as you called it, for a shell: `tools/tester`. The path is relative where that is shorter, because cargo
/// may have made it absolute. In a process that is no tester, `tester`.
pub fn tester_word() -> String {
    let Some(called) = called() else {
        return USUAL.to_owned();
    };
    let called = PathBuf::from(called);
    let called = match CALLED_IN.get() {
        // A name without a path is looked up in `PATH`.
        Some(folder) if called.components().count() > 1 => folder.join(called),
        _ => called,
    };
    let path = match std::env::current_dir() {
        Ok(folder) => shorter(called, &folder),
        Err(_) => called,
    };
    shell_word(path.as_os_str())
}

/// The tester's name, without a path.
pub fn tester_name() -> String {
    let called = called().map(PathBuf::from);
    let name = called.as_deref().and_then(Path::file_name);
    name.map_or(USUAL.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What a tester is called where nothing else is known.
const USUAL: &str = "tester";

fn called() -> Option<OsString> {
    let first = || std::env::args_os().next().filter(|word| !word.is_empty());
    IS_TESTER.load(Ordering::Relaxed).then(first)?
}

/// `path`, or the way to it from `folder`, whichever is shorter.
pub fn shorter(path: PathBuf, folder: &Path) -> PathBuf {
    if !path.is_absolute() {
        return path;
    }
    let shared = path.components().zip(folder.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = folder.components().count() - shared;
    let rest: PathBuf = path.components().skip(shared).collect();
    let relative = match up {
        // A word without a slash would be looked up in the PATH.
        0 if rest.components().count() == 1 => Path::new(".").join(rest),
        _ => std::iter::repeat_n("..", up)
            .collect::<PathBuf>()
            .join(rest),
    };
    match relative.as_os_str().len() < path.as_os_str().len() {
        true => relative,
        false => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_relative_where_that_is_shorter() {
        let from = |folder: &str, path: &str| {
            shorter(PathBuf::from(path), Path::new(folder))
                .display()
                .to_string()
        };
        assert_eq!(
            from("/home/me/ahc", "/home/me/ahc/target/release/leak"),
            "target/release/leak"
        );
        assert_eq!(from("/home/me/ahc", "/home/me/ahc/leak"), "./leak");
        assert_eq!(
            from("/home/me/ahc/src", "/home/me/ahc/target/release/leak"),
            "../target/release/leak"
        );
        assert_eq!(from("/home/me/ahc", "/usr/bin/leak"), "/usr/bin/leak");
        assert_eq!(from("/", "/usr/bin/leak"), "usr/bin/leak");
        assert_eq!(from("/home/me", "leak"), "leak");
        assert_eq!(from("/home/me", "../leak"), "../leak");
    }

    #[test]
    fn a_process_that_is_no_tester_calls_it_so() {
        assert_eq!(
            (tester_word(), tester_name()),
            ("tester".to_owned(), "tester".to_owned())
        );
    }
}
