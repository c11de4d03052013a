//! Reads shards that another machine wrote: everything that can be checked is checked.

use std::io::{self, BufRead, Read as _};
use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::case_set::CaseSet;
use super::line::{End, HeaderError, HeaderLine, Line, RecordLine};
use super::manifest::{FORMAT, Header, KNOWN};
use crate::case::{CaseId, MAX_CASES};
use crate::judge::record::{JudgedCase, Verdict};
use crate::problem::parameter_names::{NAMES_EXPECTED, check_names};
use crate::process::program::fingerprint::hex;
use crate::run::config::MAX_JOBS;
use crate::util::quote::quote;
use crate::util::tester_word::tester_name;

/// The longest line: a header holds the words of a command, and the system allows two million bytes of them.
const MAX_LINE: u64 = 16 << 20;

/// The largest size that a history holds.
const MAX_STORED: u64 = i64::MAX as u64;

/// Why a text is no shard.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("failed to read shard {name}")]
    Io {
        /// The file.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("failed to read shard {name}: line {line}: expected {expected}, found {found}")]
    Line {
        /// The file.
        name: String,
        /// Counted from 1.
        line: u64,
        /// What should have stood there.
        expected: String,
        /// What stood there.
        found: String,
    },
}

impl ReadError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { .. } => None,
            Self::Line {
                line: 1, expected, ..
            } if expected.starts_with("a line that") => {
                Some("it is no shard: name another file".to_owned())
            }
            Self::Line { .. } => Some("remove the file and judge the shard again".to_owned()),
        }
    }
}

/// What stands in a file of shards, in its order.
#[derive(Debug)]
pub enum Event {
    /// A shard begins.
    Begin(Box<Header>),
    /// A case of it.
    Record(JudgedCase),
    /// It is whole.
    End(End),
}

/// Reads shards that follow each other.
///
/// Memory: one line, and the numbers of one shard's cases, a few words for each gap in them.
pub struct Reader<R> {
    source: R,
    name: String,
    line: u64,
    text: Vec<u8>,
    open: Option<Open>,
}

/// The shard that is being read.
struct Open {
    hasher: Sha256,
    header: Header,
    block: Range<usize>,
    seen: CaseSet,
}

impl<R: BufRead> Reader<R> {
    /// `name` is what messages call the source.
    pub fn new(source: R, name: &str) -> Self {
        Self {
            source,
            name: name.to_owned(),
            line: 0,
            text: Vec::new(),
            open: None,
        }
    }

    /// The next event; `None` at the end, where every begun shard is whole. After an error, do not call this again.
    ///
    /// # Errors
    /// If the source cannot be read, or is not what a [`Writer`](super::Writer) writes.
    pub fn next_event(&mut self) -> Result<Option<Event>, ReadError> {
        if !self.next_line()? {
            return match (&self.open, self.line) {
                (Some(open), _) => {
                    let expected = format!(
                        "{} more cases and the end of shard {}",
                        open.block.len().saturating_sub(open.seen.len()),
                        open.header.part
                    );
                    self.line += 1;
                    Err(self.refused(expected, "the end of the file"))
                }
                (None, 0) => {
                    self.line = 1;
                    Err(self.refused("a shard", "an empty file"))
                }
                (None, _) => Ok(None),
            };
        }
        let text = std::mem::take(&mut self.text);
        let event = match (self.parsed(&text)?, self.open.take()) {
            (Line::Shard(header), None) => self.begin(*header, &text),
            (Line::Record(record), Some(open)) => self.record(record, open, &text),
            (Line::End(end), Some(open)) => self.end(end, open, &text),
            (_, None) => Err(self.refused("the first line of a shard", quote(&text))),
            (Line::Shard(_), Some(open)) => {
                let expected = format!("the end of shard {}", open.header.part);
                Err(self.refused(expected, "the beginning of another"))
            }
        }?;
        self.text = text;
        Ok(Some(event))
    }

    /// Reads a line into `text`, with its newline; `false` at the end.
    fn next_line(&mut self) -> Result<bool, ReadError> {
        self.text.clear();
        let read = self
            .source
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut self.text);
        let read = read.map_err(|source| ReadError::Io {
            name: self.name.clone(),
            source,
        })?;
        if read == 0 {
            return Ok(false);
        }
        self.line += 1;
        match self.text.ends_with(b"\n") {
            true => Ok(true),
            false => Err(self.refused("a whole line", quote(&self.text))),
        }
    }

    fn parsed<'a>(&self, text: &'a [u8]) -> Result<Line<'a>, ReadError> {
        serde_json::from_slice(text).map_err(|error| match format_of(text) {
            Some(format) if !KNOWN.contains(&format) => self.other_format(format),
            _ => self.not_a_line(text, &error),
        })
    }

    fn not_a_line(&self, text: &[u8], error: &serde_json::Error) -> ReadError {
        let found = format!("{} ({error})", quote(text));
        let expected = format!("a line that `{} batch --shard` has written", tester_name());
        self.refused(expected, found)
    }

    fn begin(&mut self, line: HeaderLine<Value>, text: &[u8]) -> Result<Event, ReadError> {
        if !KNOWN.contains(&line.format) {
            return Err(self.other_format(line.format));
        }
        let key = line.key.clone();
        let header = line.into_header().map_err(|error| match error {
            HeaderError::Part(error) => self.refused("the number of a shard", error.to_string()),
            HeaderError::Run(error) => self.not_a_line(text, &error),
            HeaderError::Key(expected) => self.refused(
                format!("the key of what it says, {expected}"),
                quote(key.as_bytes()),
            ),
        })?;
        self.check_numbers(&header)?;
        self.open = Some(Open {
            hasher: Sha256::new_with_prefix(text),
            block: header.part.block(header.about.planned()),
            header: header.clone(),
            seen: CaseSet::default(),
        });
        Ok(Event::Begin(Box::new(header)))
    }

    /// Checks what a history could not hold, or what no tester writes.
    fn check_numbers(&self, header: &Header) -> Result<(), ReadError> {
        let Header { about, host, .. } = header;
        let scale = about.spec.scale_time_limit_ms;
        for ms in scale.into_iter().chain([host.calibration_ms]) {
            // A history counts whole microseconds.
            if !(0.001..=1e9).contains(&ms) {
                let expected = "a calibration from 0.001 to 1000000000 ms";
                return Err(self.refused(expected, format!("{ms:?}")));
            }
        }
        check_names(&about.spec.parameters)
            .map_err(|bad| self.refused(NAMES_EXPECTED, bad.found))?;
        let numbers = [
            ("cores", host.cpus, MAX_STORED),
            (
                "microseconds as the time limit",
                host.time_limit_us,
                MAX_STORED,
            ),
            ("jobs", about.spec.jobs.get() as u64, MAX_JOBS),
            ("cases", about.planned() as u64, MAX_CASES),
        ];
        for (what, number, most) in numbers {
            if number > most {
                return Err(self.refused(format!("at most {most} {what}"), number.to_string()));
            }
        }
        Ok(())
    }

    fn record(
        &mut self,
        record: RecordLine<'_>,
        mut open: Open,
        text: &[u8],
    ) -> Result<Event, ReadError> {
        let judged = record
            .into_judged(open.header.about.spec.scoring().decimals)
            .map_err(|error| self.refused("a verdict", quote(error.0.as_bytes())))?;
        let id = judged.case.id;
        if judged.record.verdict == Verdict::Ie {
            let expected = "cases that could be judged";
            return Err(self.refused(expected, format!("case {id} with verdict IE")));
        }
        let (named, found) = (
            open.header.about.spec.parameters.len(),
            judged.record.parameters.len(),
        );
        if found != 0 && found != named {
            let expected = format!("a value for each of the {named} parameters");
            return Err(self.refused(expected, format!("{found} in case {id}")));
        }
        if judged.record.memory_kib > MAX_STORED {
            let found = judged.record.memory_kib.to_string();
            return Err(self.refused(format!("at most {MAX_STORED} KiB of memory"), found));
        }
        if let Some((first, last)) = open.ends()
            && !(first..=last).contains(&id)
        {
            let expected = format!(
                "a case of shard {}, from {first} to {last}",
                open.header.part
            );
            return Err(self.refused(expected, format!("case {id}")));
        }
        if !open.seen.insert(id) {
            return Err(self.refused("each case once", format!("case {id} again")));
        }
        open.hasher.update(text);
        self.open = Some(open);
        Ok(Event::Record(judged))
    }

    fn end(&mut self, end: End, mut open: Open, text: &[u8]) -> Result<Event, ReadError> {
        let (planned, seen) = (open.block.len() as u64, open.seen.len() as u64);
        if (end.judged, seen) != (planned, planned) {
            let expected = format!("{planned} cases in shard {}", open.header.part);
            return Err(self.refused(expected, format!("{seen}, and {} said", end.judged)));
        }
        let before = End::before_sum(end.judged, end.took_ms);
        open.hasher.update(&before);
        let sum = hex(&open.hasher.finalize());
        match text == (before + &End::sum(&sum)).as_bytes() {
            true => Ok(Event::End(end)),
            false => {
                let expected = format!("the shard as it was written, SHA-256 {}", end.sha256);
                Err(self.refused(expected, format!("it changed: SHA-256 {sum}")))
            }
        }
    }

    fn other_format(&self, found: u32) -> ReadError {
        let expected = format!("format {FORMAT}, which this tester writes, or an older one");
        self.refused(expected, format!("format {found}, another tester's"))
    }

    fn refused(&self, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        ReadError::Line {
            name: self.name.clone(),
            line: self.line,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

impl Open {
    /// The first and the last case of the shard, where they are known before.
    fn ends(&self) -> Option<(CaseId, CaseId)> {
        let at = |place| self.header.about.case_at(place);
        let last = self.block.end.checked_sub(1)?;
        Some((at(self.block.start)?, at(last)?))
    }
}

/// The format that a line says it begins, however the rest of it looks.
fn format_of(text: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Any {
        shard: Versioned,
    }
    #[derive(Deserialize)]
    struct Versioned {
        format: u32,
    }
    let any: Any = serde_json::from_slice(text).ok()?;
    Some(any.shard.format)
}

/// Looks whether a text is one whole shard, and which.
///
/// # Errors
/// As [`Reader::next_event`]; and if it is more than one.
pub fn read_one(source: impl BufRead, name: &str) -> Result<Header, ReadError> {
    let mut reader = Reader::new(source, name);
    let mut found: Option<Header> = None;
    while let Some(event) = reader.next_event()? {
        if let Event::Begin(header) = event
            && found.replace(*header).is_some()
        {
            return Err(reader.refused("one shard", "another"));
        }
    }
    Ok(found.expect("an empty text is refused"))
}
