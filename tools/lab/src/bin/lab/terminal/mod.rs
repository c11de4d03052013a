//! What people see in a terminal besides figures: tables, bars, progress.

pub(crate) mod progress;
pub(crate) mod text;
