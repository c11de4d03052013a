//! What is printed on standard output.

use std::io::{self, Write};

use anyhow::{Context, Result};
use tester_core::util::quote::printable;

/// A reader that closes the pipe early (`| head`) is no failure.
pub(super) fn ignore_closed_pipe(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

/// Prints on standard output; what a terminal would obey is escaped.
pub(crate) fn print(text: &str) -> Result<()> {
    let written = io::stdout().write_all(printable(text).as_bytes());
    written
        .or_else(ignore_closed_pipe)
        .context("failed to write to standard output")
}
