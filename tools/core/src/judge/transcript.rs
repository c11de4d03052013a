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
//!
//! A transcript has a limit. Where it is cut, one line with the mark `~` says so; only the verdict follows.

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
    const MARKS: [(Self, char); 5] = [
        (Self::Judge, '>'),
        (Self::Contestant, '<'),
        (Self::Stderr, '!'),
        (Self::Verdict, '='),
        (Self::Cut, '~'),
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
    /// The judge: what follows was left out, because the transcript had reached its limit.
    Cut,
}

/// Writes a transcript, line by line, as they come.
pub struct Transcript<W> {
    sink: W,
    /// The time of the line before.
    last: Duration,
    /// The line of stderr that has no newline yet.
    partial_stderr: Vec<u8>,
    /// How many more bytes of lines may be written.
    left: usize,
    /// Whether lines have been left out.
    cut: bool,
    /// The line that is being put together.
    formatted: Vec<u8>,
}

/// A longer line of stderr is broken here, so that an endless one does not fill the memory.
const MAX_STDERR_LINE: usize = 64 << 10;

/// The most bytes of a transcript, before its last two lines. Without a limit, the times would make eight bytes of
/// each byte in a flood of empty comments.
pub const MAX_BYTES: usize = 64 << 20;

impl<W: Write> Transcript<W> {
    /// Nothing is written yet.
    pub fn new(sink: W) -> Self {
        Self {
            sink,
            last: Duration::ZERO,
            partial_stderr: Vec::new(),
            left: MAX_BYTES,
            cut: false,
            formatted: Vec::new(),
        }
    }

    /// Where it is written to.
    pub fn sink(&self) -> &W {
        &self.sink
    }

    /// The same, to be written to.
    pub fn sink_mut(&mut self) -> &mut W {
        &mut self.sink
    }

    /// A whole line, without its newline.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        if speaker != Speaker::Stderr {
            self.end_stderr_line(at)?;
        }
        // The last line may have been read a little after the end, whose time the verdict has.
        self.last = self.last.max(at);
        if self.cut && speaker != Speaker::Verdict {
            return Ok(());
        }
        self.format(speaker, line);
        if speaker != Speaker::Verdict {
            if self.formatted.len() > self.left {
                self.cut = true;
                let why = "the transcript is cut here, where it reached its limit";
                self.format(Speaker::Cut, why.as_bytes());
            }
            self.left = self.left.saturating_sub(self.formatted.len());
        }
        self.sink.write_all(&self.formatted)
    }

    /// Puts a line together. In a flood of lines this is the judge's main work, and `write!` takes three times as long.
    fn format(&mut self, speaker: Speaker, line: &[u8]) {
        self.formatted.clear();
        self.formatted.push(b'[');
        push_ms(&mut self.formatted, self.last);
        self.formatted.extend_from_slice(b"] ");
        self.formatted.push(speaker.mark() as u8);
        self.formatted.push(b' ');
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\r');
        self.formatted.extend_from_slice(text.as_bytes());
        self.formatted.push(b'\n');
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

/// Appends a time in milliseconds as `{:9.3}` does.
fn push_ms(line: &mut Vec<u8>, time: Duration) {
    let mut rest = ((time.as_nanos() + 500) / 1000) as u64;
    let mut digits = [b' '; 24];
    let mut at = digits.len();
    let mut places = 0;
    // At least "0.000".
    while rest > 0 || places < 4 {
        if places == 3 {
            at -= 1;
            digits[at] = b'.';
        }
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        places += 1;
    }
    line.extend_from_slice(&digits[at.min(digits.len() - 9)..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_library_writes_them() {
        for us in [
            0,
            1,
            999,
            1000,
            99_999,
            1_234_567,
            99_999_999,
            100_000_000,
            u64::MAX / 1000,
        ] {
            let mut line = Vec::new();
            push_ms(&mut line, Duration::from_micros(us));
            let expected = format!("{:>9}", format!("{}.{:03}", us / 1000, us % 1000));
            assert_eq!(String::from_utf8(line).unwrap(), expected);
        }
        let mut line = Vec::new();
        push_ms(&mut line, Duration::from_nanos(1_499));
        push_ms(&mut line, Duration::from_nanos(1_500));
        assert_eq!(
            line,
            format!("{:9.3}{:9.3}", 0.001_499, 0.001_500_1).as_bytes()
        );
    }

    #[test]
    fn a_transcript_at_its_limit_is_cut_and_says_so() {
        let ms = Duration::from_millis;
        let written = |limit| {
            let mut t = Transcript::new(Vec::new());
            t.left = limit;
            t.line(ms(0), Speaker::Judge, b"hitblow 3 10").unwrap();
            t.line(ms(1), Speaker::Contestant, b"# a").unwrap();
            t.stderr(ms(2), b"b\nc").unwrap();
            t.line(ms(3), Speaker::Contestant, b"8 2 5").unwrap();
            String::from_utf8(t.finish(ms(4), "AC, score 1").unwrap()).unwrap()
        };
        let whole = written(MAX_BYTES);
        let before_verdict = whole.rfind('[').unwrap();
        assert_eq!(written(before_verdict), whole);
        // The line that does not fit is the first that is left out.
        let cut = written(before_verdict - 1);
        insta::assert_snapshot!(cut, @"
        [    0.000] > hitblow 3 10
        [    1.000] < # a
        [    2.000] ! b
        [    3.000] ! c
        [    3.000] ~ the transcript is cut here, where it reached its limit
        [    4.000] = AC, score 1
        ");
        assert_eq!(read(&cut).unwrap()[4].speaker, Speaker::Cut);
        insta::assert_snapshot!(written(0), @"
        [    0.000] ~ the transcript is cut here, where it reached its limit
        [    4.000] = AC, score 1
        ");
    }

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
