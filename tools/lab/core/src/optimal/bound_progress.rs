//! Lower bounds, reported while a search goes on.

use std::sync::atomic::{AtomicU32, Ordering};

/// Takes lower bounds on a set's cost as soon as they are known.
///
/// Users wait for that of the first set; those of its cells add up to it.
pub(super) enum BoundProgress<'a> {
    /// Of the first set.
    Root(&'a AtomicU32),
    /// Of a cell: what the others cost at least, and what all other guesses cost at least.
    Cell(&'a BoundProgress<'a>, u32, u32),
}

impl BoundProgress<'_> {
    /// The set costs at least `total`.
    pub(super) fn raise(&self, total: u32) {
        match self {
            Self::Root(reported) => {
                reported.fetch_max(total, Ordering::Relaxed);
            }
            Self::Cell(parent, others, limit) => parent.raise((*others + total).min(*limit)),
        }
    }
}
