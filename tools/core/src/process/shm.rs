//! Whether a command uses the machine's own `/dev/shm`, which a namespace would otherwise hide behind an empty one.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::environment::variables;
use super::program::Command;

const SHM: &str = "/dev/shm";

/// Whether the program, a file among its arguments, the current folder or a variable of the environment is there.
///
/// Cost: nothing for the command that was asked for last, else 10 µs.
pub(super) fn names_shm(command: &Command) -> bool {
    static LAST: Mutex<Option<(Command, bool)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((same, names)) if same == command => *names,
        _ => {
            let words = std::iter::once(&command.program).chain(&command.args);
            let names = surroundings() || words.into_iter().any(|word| is_there(word));
            *last = Some((command.clone(), names));
            names
        }
    }
}

/// Whether the current folder or a variable is there. Neither changes while we judge.
fn surroundings() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| {
        let folder = std::env::current_dir();
        folder.is_ok_and(|folder| is_there(folder.as_os_str()))
            || variables()
                .iter()
                .any(|variable| mentions(variable.to_bytes()))
    })
}

fn is_there(word: &OsStr) -> bool {
    let leads_there = || {
        Path::new(word)
            .canonicalize()
            .is_ok_and(|real| real.starts_with(SHM))
    };
    mentions(word.as_encoded_bytes()) || leads_there()
}

fn mentions(text: &[u8]) -> bool {
    match str::from_utf8(text) {
        // Nearly all are, and this search is ten times as fast.
        Ok(text) => text.contains(SHM),
        Err(_) => text.windows(SHM.len()).any(|part| part == SHM.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_uses_shared_memory_files_is_known() {
        let names = |line: &str| names_shm(&Command::from_line(line).unwrap());
        assert!(!names("./solver --seed 1"));
        assert!(names("/dev/shm/solver"));
        assert!(names("sh -c './solver > /dev/shm/log'"));
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("/dev/shm", &link).unwrap();
        assert!(names(&format!("{}/", link.display())));
    }
}
