//! A shard as text, line by line as its cases are done.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::line::{End, HeaderLine, RecordLine};
use super::manifest::Header;
use crate::judge::record::JudgedCase;
use crate::process::program::fingerprint::hex;

/// Writes one shard. Without [`Writer::finish`], the text is not a valid shard.
pub struct Writer<W: Write> {
    sink: W,
    hasher: Sha256,
    judged: u64,
    line: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins with the first line.
    ///
    /// # Errors
    /// If the sink fails, or the cases are in a folder whose name is not UTF-8.
    pub fn new(sink: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self {
            sink,
            hasher: Sha256::new(),
            judged: 0,
            line: Vec::new(),
        };
        writer.put("shard", &HeaderLine::new(header))?;
        Ok(writer)
    }

    /// Another record.
    ///
    /// Cost: about 2 µs, and what the sink takes.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn add(&mut self, judged: &JudgedCase) -> io::Result<()> {
        self.judged += 1;
        self.put("record", &RecordLine::new(judged))
    }

    /// Writes the last line, with the time that judging took. Returns the sink, to which everything was written.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn finish(mut self, took: Duration) -> io::Result<W> {
        let end = End::before_sum(self.judged, took.as_millis() as u64);
        self.hasher.update(&end);
        let sum = End::sum(&hex(&self.hasher.finalize()));
        self.sink.write_all((end + &sum).as_bytes())?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    /// Flushes the text to the sink, for programs that read it while it is written.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }

    fn put(&mut self, name: &str, value: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        write!(self.line, "{{\"{name}\":")?;
        serde_json::to_writer(&mut self.line, value)?;
        self.line.extend_from_slice(b"}\n");
        self.hasher.update(&self.line);
        self.sink.write_all(&self.line)
    }
}
