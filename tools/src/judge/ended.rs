//! A case that is over, on its way to a record.

use std::time::Duration;

use super::record::{Record, Verdict};
use super::verdict::{Outcome, ProcessFacts};
use crate::case::Parameters;
use crate::util::quote::last_line;

/// How many bytes of the end of stderr are remembered, for the line that says why it failed.
const TAIL: usize = 512;

/// Adds what was read of stderr to its end.
pub(super) fn push_tail(tail: &mut Vec<u8>, chunk: &[u8]) {
    tail.extend_from_slice(&chunk[chunk.len().saturating_sub(TAIL)..]);
    let past = tail.len().saturating_sub(TAIL);
    tail.drain(..past);
}

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
        let failed = outcome.verdict != Verdict::Ac;
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
