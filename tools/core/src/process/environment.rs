//! The variables of our environment, which every contestant gets.

use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;

/// Each variable as `NAME=value`. They are copied once: a copy for each case would cost about as much as its pipes, and
/// nothing changes them while we judge.
pub(super) fn variables() -> &'static [CString] {
    static VARIABLES: OnceLock<Vec<CString>> = OnceLock::new();
    VARIABLES.get_or_init(|| {
        let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            let mut text = name.into_vec();
            text.push(b'=');
            text.extend_from_slice(value.as_encoded_bytes());
            CString::new(text).expect("the kernel ends a variable at its first NUL")
        };
        std::env::vars_os().map(variable).collect()
    })
}
