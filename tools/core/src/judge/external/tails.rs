//! The ends of both streams, in which a score is searched.

use std::cell::Cell;

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

/// The end of stderr.
#[derive(Clone, Copy)]
pub(super) struct Stderr<'a> {
    /// What was written by the line, the program's words among it.
    pub(super) all: &'a [u8],
    /// The same with [zeroes](MASK) where the program has written it, as far as its words can be told apart.
    testers: &'a [u8],
}

impl<'a> Stderr<'a> {
    /// What follows after as many bytes.
    pub(super) fn after(self, start: usize) -> Self {
        Self {
            all: &self.all[start..],
            testers: &self.testers[start..],
        }
    }

    /// The last score that `find` finds in what the tester has written, or with `any` in all of it.
    pub(super) fn last_score(
        self,
        any: bool,
        find: impl Fn(&'a [u8]) -> Option<FoundScore<'a>>,
    ) -> Option<FoundScore<'a>> {
        let found = find(self.testers).map(|found| match found.on_stderr {
            // What stands before it and after it may be the program's.
            true => FoundScore {
                text: self.all,
                ..found
            },
            false => found,
        });
        found.or_else(|| find(self.all).filter(|_| any))
    }
}

/// Takes the place of each byte of a program but the ends of its lines: part of no score, and no blank.
const MASK: u8 = 0;

/// The ends of both streams, and how far each had come when the contestant was last known to run.
pub(super) struct OrderedTails<'a> {
    tails: Tails,
    /// The end of stderr, with what the program has written on one of its own [masked](MASK).
    testers: Vec<u8>,
    /// Who tells whether it runs.
    meter: Option<&'a Meter>,
    /// Bytes of stdout and of stderr that were heard.
    heard: [u64; 2],
    /// As many of them came before its end.
    before_end: [u64; 2],
    /// How much of the tester's stderr has come and is not heard yet, because its line has no end.
    held_back: &'a Cell<usize>,
    /// As much of it came before the contestant's end.
    held_before_end: u64,
    /// Where it is heard, after that end.
    held_at: Option<u64>,
}

impl<'a> OrderedTails<'a> {
    /// Nothing was heard yet. `held_back` is how much of the tester's stderr waits for the end of its line.
    pub(super) fn new(meter: Option<&'a Meter>, held_back: &'a Cell<usize>) -> Self {
        Self {
            tails: Tails::default(),
            testers: Vec::new(),
            meter,
            heard: [0; 2],
            before_end: [0; 2],
            held_back,
            held_before_end: 0,
            held_at: None,
        }
    }

    /// Where it is said how much of the tester's stderr waits for the end of its line.
    pub(super) fn held_back(&self) -> &'a Cell<usize> {
        self.held_back
    }

    /// The end of stdout.
    pub(super) fn stdout(&self) -> &[u8] {
        &self.tails.stdout
    }

    /// The end of stderr.
    pub(super) fn stderr(&self) -> Stderr<'_> {
        Stderr {
            all: &self.tails.stderr,
            testers: &self.testers,
        }
    }

    /// As much of the end of stderr as last words may take.
    pub(super) fn stderr_end(&self) -> &[u8] {
        &self.tails.stderr[self.tails.stderr.len().saturating_sub(ENDED_TAIL)..]
    }

    /// Whether a score was printed while the contestant certainly ran. A stage tells of an end before the tester can
    /// notice it, so that an answer to that end never looks as if it had come before. And it tells of a failure that a
    /// closed input may have caused only when we have heard what was printed until then.
    pub(super) fn came_before_end(&self, score: &FoundScore<'_>) -> bool {
        let stream = usize::from(score.on_stderr);
        let forgotten = self.heard[stream] - score.text.len() as u64;
        // The match may go on over blank lines that came later.
        let end = forgotten + score.text[..score.end].trim_ascii_end().len() as u64;
        let was_held = |at| score.on_stderr && at < end && end <= at + self.held_before_end;
        end <= self.before_end[stream] || self.held_at.is_some_and(was_held)
    }
}

impl StreamListener for OrderedTails<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.tails.stdout(bytes);
        self.heard[0] += bytes.len() as u64;
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.tails.stderr(bytes);
        remember(&mut self.testers, bytes);
        self.held_at.get_or_insert(self.heard[1]);
        self.heard[1] += bytes.len() as u64;
    }

    fn own_stderr(&mut self, bytes: &[u8]) {
        self.tails.stderr(bytes);
        // Ends of lines stay: at these, both texts are cut.
        let mask = |&byte: &u8| if byte == b'\n' { byte } else { MASK };
        remember(
            &mut self.testers,
            &bytes.iter().map(mask).collect::<Vec<_>>(),
        );
        self.heard[1] += bytes.len() as u64;
    }

    fn caught_up(&mut self) {
        // The meter was asked just before.
        let heard = self.meter.map(Meter::last_heard);
        if heard.is_some_and(|heard| heard.is_undecided()) {
            self.before_end = self.heard;
            self.held_before_end = self.held_back.get() as u64;
            self.held_at = None;
        }
    }
}
