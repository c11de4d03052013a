//! A case that is over, on its way to a record.

use std::time::Duration;

use super::record::Record;
use super::verdict::{Outcome, ProcessFacts};
use crate::case::Parameters;
use crate::util::quote::last_line;

/// A case that is over, before anything is decided.
pub(super) struct EndedCase {
    /// What is known of the program.
    pub(super) process: ProcessFacts,
    /// Turns that were answered.
    pub(super) turns: u64,
    /// The end of what it wrote on stderr.
    pub(super) stderr_tail: Vec<u8>,
}

impl EndedCase {
    /// The record, once `outcome` is decided.
    pub(super) fn record(self, opening: String, outcome: Outcome) -> Record {
        let ms = |time: Duration| time.as_nanos() as f64 / 1e6;
        let failed = outcome.reason.is_some();
        Record {
            opening,
            parameters: Parameters::default(),
            verdict: outcome.verdict,
            score: outcome.score,
            turns: self.turns,
            wall_ms: ms(self.process.wall),
            cpu_ms: ms(self.process.cpu),
            memory_kib: self.process.memory_kib,
            reason: outcome.reason,
            last_stderr_line: failed.then(|| last_line(&self.stderr_tail)).flatten(),
        }
    }
}
