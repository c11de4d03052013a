//! What users see in a terminal besides figures: tables, bars, progress, hints.

pub(crate) mod hint;
pub(crate) mod progress;
pub(crate) mod text;
