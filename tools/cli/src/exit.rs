//! Exit statuses.

/// The exit status for a usage error, an unreadable case, a contestant that cannot be started, or
/// an error of our own.
pub(crate) const OUR_FAULT: u8 = 2;
