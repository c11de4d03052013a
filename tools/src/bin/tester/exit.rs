//! Exit statuses.

/// The exit status for a usage error, an unreadable case, a contestant that cannot be started, or
/// our own fault.
pub(crate) const OUR_FAULT: u8 = 2;
