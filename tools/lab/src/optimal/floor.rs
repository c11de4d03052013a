//! Lower bounds, told while a search goes on.

use std::sync::atomic::{AtomicU32, Ordering};

/// Where a lower bound on a set's cost is told, as soon as there is one.
///
/// That of the first set is what a reader waits for; those of its cells add up to it.
pub(super) enum Floor<'a> {
    /// Of the first set.
    First(&'a AtomicU32),
    /// Of a cell: what the others cost at least, and what all other guesses cost at least.
    Cell(&'a Floor<'a>, u32, u32),
}

impl Floor<'_> {
    /// The set costs no less.
    pub(super) fn raise(&self, total: u32) {
        match self {
            Floor::First(told) => {
                told.fetch_max(total, Ordering::Relaxed);
            }
            Floor::Cell(floor, others, limit) => floor.raise((*others + total).min(*limit)),
        }
    }
}
