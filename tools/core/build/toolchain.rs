//! What cargo tells a build script: variables, and the linker that is used.

use std::process::Command;

/// A variable that cargo sets; empty where it does not.
pub fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Uses the linker that cargo was told to use, if any.
pub fn name_linker(rustc: &mut Command) {
    if let Some(linker) = std::env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("linker=");
        option.push(linker);
        rustc.arg("-C").arg(option);
    }
}
