//! A case that is over, on its way to a record.

use std::time::Duration;

use super::crash_report::last_words;
use super::record::{Record, Verdict};
use super::verdict::{Outcome, ProcessFacts};
use crate::case::Parameters;

/// How many bytes of the end of stderr are remembered at least, for the line that says why it failed: a panic and its
/// backtrace.
pub(super) const TAIL: usize = 1 << 12;

/// Adds what was read of stderr to its end.
pub(super) fn push_tail(tail: &mut Vec<u8>, chunk: &[u8]) {
    tail.extend_from_slice(&chunk[chunk.len().saturating_sub(TAIL)..]);
    // Seldom, and not at each piece.
    if tail.len() > 2 * TAIL {
        tail.drain(..tail.len() - TAIL);
    }
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
        let last_words = || last_words(&self.stderr_tail, self.process.ending);
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
            last_stderr_line: failed.then(last_words).flatten(),
        }
    }
}
