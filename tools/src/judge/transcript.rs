//! A session written down: both sides and the contestant's stderr, one line each, with times.
//!
//! ```text
//! [    0.021] > hitblow 3 10        the judge wrote
//! [    1.410] < 0 1 2               the contestant wrote
//! [    1.423] ! trying 720 codes    the contestant wrote on stderr
//! [    1.431] > 0 1
//! [    5.200] = AC, score 5         the verdict
//! ```
//!
//! Times are milliseconds since the contestant was started. Bytes that are not UTF-8 are shown as
//! U+FFFD, other control characters as they came.

use std::io::{self, Write};
use std::time::Duration;

use crate::util::quote::quote;

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When it was said, in milliseconds since the contestant was started; `None` if that is not known.
    pub ms: Option<f64>,
    /// Who said it.
    pub speaker: Speaker,
    /// What.
    pub text: String,
}

/// Why a text is no transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: expected a line of a transcript, such as \"[    1.410] < 0 1 2\", found {found}"
)]
pub struct NotATranscript {
    /// Counted from 1.
    pub line: usize,
    /// What stood there, quoted.
    pub found: String,
}

/// Reads what [`Transcript`] wrote.
///
/// # Errors
/// At the first line that it would not have written.
pub fn read(text: &str) -> Result<Vec<Entry>, NotATranscript> {
    let entry = |line: &str| {
        let (ms, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let mut rest = rest.chars();
        let speaker = Speaker::from_mark(rest.next()?)?;
        let text = match rest.next() {
            None => String::new(),
            Some(' ') => rest.collect(),
            Some(_) => return None,
        };
        let ms = Some(ms.trim_start().parse().ok()?);
        Some(Entry { ms, speaker, text })
    };
    let lines = text.split_terminator('\n').zip(1..);
    lines
        .map(|(line, number)| {
            entry(line).ok_or_else(|| NotATranscript {
                line: number,
                found: quote(line.as_bytes()),
            })
        })
        .collect()
}

impl Speaker {
    const MARKS: [(Self, char); 4] = [
        (Self::Judge, '>'),
        (Self::Contestant, '<'),
        (Self::Stderr, '!'),
        (Self::Verdict, '='),
    ];

    fn mark(self) -> char {
        let found = Self::MARKS
            .into_iter()
            .find(|(speaker, _)| *speaker == self);
        found.expect("each has its mark").1
    }

    fn from_mark(mark: char) -> Option<Self> {
        let found = Self::MARKS.into_iter().find(|(_, known)| *known == mark);
        found.map(|(speaker, _)| speaker)
    }
}

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The judge, to the contestant.
    Judge,
    /// The contestant, on stdout.
    Contestant,
    /// The contestant, on stderr.
    Stderr,
    /// The judge, about the whole session.
    Verdict,
}

/// Writes a transcript, line by line, as they come.
pub struct Transcript<W> {
    sink: W,
    /// The time of the line before.
    last: Duration,
    /// The line of stderr that has no newline yet.
    partial_stderr: Vec<u8>,
}

/// A longer line of stderr is broken here, so that an endless one does not fill the memory.
const MAX_STDERR_LINE: usize = 64 << 10;

impl<W: Write> Transcript<W> {
    /// Nothing is written yet.
    pub fn new(sink: W) -> Self {
        Self {
            sink,
            last: Duration::ZERO,
            partial_stderr: Vec::new(),
        }
    }

    /// A whole line, without its newline.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        if speaker != Speaker::Stderr {
            self.end_stderr_line(at)?;
        }
        let mark = speaker.mark();
        // The last line may have been read a little after the end, whose time the verdict has.
        self.last = self.last.max(at);
        let ms = self.last.as_secs_f64() * 1e3;
        let text = String::from_utf8_lossy(line);
        writeln!(
            self.sink,
            "[{ms:9.3}] {mark} {}",
            text.trim_end_matches('\r')
        )
    }

    /// Bytes of the contestant's stderr, as they come.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            self.partial_stderr.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.partial_stderr.len() >= MAX_STDERR_LINE {
                self.end_stderr_line(at)?;
            }
        }
        Ok(())
    }

    /// The sink, with everything written to it.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn finish(mut self, at: Duration, verdict: &str) -> io::Result<W> {
        self.line(at, Speaker::Verdict, verdict.as_bytes())?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn end_stderr_line(&mut self, at: Duration) -> io::Result<()> {
        if self.partial_stderr.is_empty() {
            return Ok(());
        }
        let line = std::mem::take(&mut self.partial_stderr);
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        self.line(at, Speaker::Stderr, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_and_stderr_stand_in_their_order() {
        let ms = Duration::from_millis;
        let mut t = Transcript::new(Vec::new());
        t.line(ms(0), Speaker::Judge, b"hitblow 3 10").unwrap();
        t.stderr(ms(1), b"one\ntwo").unwrap();
        t.line(ms(2), Speaker::Contestant, b"0 1 \xff\r").unwrap();
        t.stderr(ms(12345), b"three\n").unwrap();
        let text = t.finish(ms(12346), "AC, score 1").unwrap();
        let text = String::from_utf8(text).unwrap();
        let read = read(&text).unwrap();
        assert_eq!(read.len(), 6);
        assert_eq!(
            read[2],
            Entry {
                ms: Some(2.0),
                speaker: Speaker::Stderr,
                text: "two".to_owned()
            }
        );
        insta::assert_snapshot!(text, @"
        [    0.000] > hitblow 3 10
        [    1.000] ! one
        [    2.000] ! two
        [    2.000] < 0 1 �
        [12345.000] ! three
        [12346.000] = AC, score 1
        ");
    }
}
