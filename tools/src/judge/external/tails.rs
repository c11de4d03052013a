//! The ends of both streams, in which a score is searched.

use super::tap::StreamListener;

/// How many bytes of the end of each stream are searched for the score.
const TAIL: usize = 1 << 20;

/// Remembers the ends of both streams.
#[derive(Default)]
pub(in crate::judge) struct Tails {
    pub(in crate::judge) stdout: Vec<u8>,
    pub(in crate::judge) stderr: Vec<u8>,
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
