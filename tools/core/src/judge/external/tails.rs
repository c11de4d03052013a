//! The ends of both streams, in which a score is searched.

use super::score::FoundScore;
use super::tap::StreamListener;
use crate::judge::ended::TAIL as ENDED_TAIL;
use crate::process::Meter;

/// How many bytes of the end of each stream are searched for the score.
const TAIL: usize = 1 << 20;

/// Remembers the ends of both streams.
#[derive(Default)]
pub(in crate::judge) struct Tails {
    pub(in crate::judge) stdout: Vec<u8>,
    pub(in crate::judge) stderr: Vec<u8>,
}

impl Tails {
    /// As much of the end of stderr as last words may take.
    pub(super) fn stderr_end(&self) -> &[u8] {
        &self.stderr[self.stderr.len().saturating_sub(ENDED_TAIL)..]
    }
}

fn remember(tail: &mut Vec<u8>, bytes: &[u8]) {
    tail.extend_from_slice(bytes);
    // Seldom, and not at each piece. What is left begins with a whole line: the end of a line is no line.
    if tail.len() > 2 * TAIL {
        let cut = tail.len() - TAIL;
        let line = tail[cut..].iter().position(|&b| b == b'\n');
        tail.drain(..line.map_or(tail.len(), |at| cut + at + 1));
    }
}

impl StreamListener for Tails {
    fn stdout(&mut self, bytes: &[u8]) {
        remember(&mut self.stdout, bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        remember(&mut self.stderr, bytes);
    }
}

/// The ends of both streams, and how far each had come when the contestant was last known to run.
pub(super) struct OrderedTails<'a> {
    pub(super) tails: Tails,
    /// Who tells whether it runs.
    meter: Option<&'a Meter>,
    /// Bytes of stdout and of stderr that were heard.
    heard: [u64; 2],
    /// As many of them came before its end.
    before_end: [u64; 2],
}

impl<'a> OrderedTails<'a> {
    /// Nothing was heard yet.
    pub(super) fn new(meter: Option<&'a Meter>) -> Self {
        Self {
            tails: Tails::default(),
            meter,
            heard: [0; 2],
            before_end: [0; 2],
        }
    }

    /// Whether a score was printed while the contestant certainly ran. A stage tells of an end before the tester can
    /// notice it, so that an answer to that end never looks as if it had come before. And it tells of a failure that a
    /// closed input may have caused only when we have heard what was printed until then.
    pub(super) fn came_before_end(&self, score: &FoundScore<'_>) -> bool {
        let stream = usize::from(score.on_stderr);
        let forgotten = self.heard[stream] - score.text.len() as u64;
        // The match may go on over blank lines that came later.
        let end = score.text[..score.end].trim_ascii_end().len() as u64;
        forgotten + end <= self.before_end[stream]
    }
}

impl StreamListener for OrderedTails<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.tails.stdout(bytes);
        self.heard[0] += bytes.len() as u64;
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.tails.stderr(bytes);
        self.heard[1] += bytes.len() as u64;
    }

    fn caught_up(&mut self) {
        // Who passes this on has asked the meter just before.
        if self.meter.is_some_and(Meter::was_running) {
            self.before_end = self.heard;
        }
    }
}
