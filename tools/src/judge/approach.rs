//! When the judge goes to the processor of the contestant.

use crate::process::Contestant;

/// At this reply. A move takes as long as a turn saves by it, so a case of one turn has none. To look again every 64
/// turns made batches of one job 7 % slower, and others no faster.
const WHEN: u64 = 2;

/// Counts the replies that the contestant waits for. What it prints without waiting moves nobody.
#[derive(Default)]
pub(super) struct Approach {
    replies: u64,
}

impl Approach {
    /// It gets a reply.
    pub(super) fn reply(&mut self, contestant: &Contestant) {
        self.replies += 1;
        if self.replies == WHEN {
            contestant.move_beside();
        }
    }
}
