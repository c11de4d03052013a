//! Which case a thread has opened last, to say after a panic which one it was.

use std::cell::Cell;

use super::id::CaseId;

thread_local! {
    static OPENED_LAST: Cell<Option<CaseId>> = const { Cell::new(None) };
}

pub(super) fn set(case: CaseId) {
    OPENED_LAST.set(Some(case));
}

/// The case that this thread has opened last, if it has opened any.
pub fn opened_last() -> Option<CaseId> {
    OPENED_LAST.get()
}
