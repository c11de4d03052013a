//! The terminal that a stream leads to.

use std::io::IsTerminal;
use std::os::fd::AsFd;

/// How many columns it has; `None` if it is no terminal, or does not say.
pub fn columns(stream: &(impl IsTerminal + AsFd)) -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(size.ws_col).filter(|&columns| stream.is_terminal() && columns > 0)
}
