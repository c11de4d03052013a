//! How this program was called.

use std::ffi::OsString;

use tester::process::shell_word;

/// This program as it was called, for commands to be pasted.
pub(crate) fn tester_word() -> String {
    let tester = std::env::args_os().next();
    shell_word(&tester.unwrap_or_else(|| OsString::from("tester")))
}
