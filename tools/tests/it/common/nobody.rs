//! Judging as another user, where a test may become one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The user of which every system has the number, and none a file.
pub const NOBODY: u32 = 65534;

/// What is in front of a command that [`NOBODY`] runs. `None` if this test may not become another user.
pub fn as_nobody() -> Option<[&'static str; 6]> {
    let words = [
        "setpriv",
        "--reuid",
        "65534",
        "--regid",
        "65534",
        "--clear-groups",
    ];
    rustix::process::geteuid().is_root().then_some(words)
}

/// A tester that [`NOBODY`] can execute. If the folder of the build is closed to other users, as one of `mktemp -d` is,
/// it is a copy in `dir`, which has to be open to all.
pub fn tester_for_nobody(dir: &Path) -> PathBuf {
    let tester = Path::new(env!("CARGO_BIN_EXE_tester"));
    static IS_OPEN: LazyLock<bool> = LazyLock::new(|| {
        let Some([first, words @ ..]) = as_nobody() else {
            return true;
        };
        let mut command = Command::new(first);
        // `setpriv` itself still has root's rights when it executes a program.
        command.args(words).arg("env");
        command.args([env!("CARGO_BIN_EXE_tester"), "--version"]);
        let output = command.output();
        output.is_ok_and(|output| output.status.success())
    });
    if *IS_OPEN {
        return tester.to_owned();
    }
    let copy = dir.join("tester");
    if copy.exists() {
        return copy;
    }
    // By another process: a program that a thread of ours holds open for writing cannot be executed.
    let copied = Command::new("cp").args([tester, &copy]).status().unwrap();
    assert!(copied.success());
    copy
}
