//! Records for other programs: a line each, as JSON or as CSV, with the same fields.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::judge::record::JudgedCase;
use crate::problem::Score;
use crate::util::quote::printable;

/// The fields of a line, in their order. Times are in milliseconds. `seed` is empty (JSON: null) if it is not
/// known. `score` is empty unless the verdict is AC, because a failure is not a score of 0. `reason` may come from
/// another machine: what a terminal would obey is escaped.
#[derive(Serialize)]
struct RecordLine<'a> {
    case: u64,
    seed: Option<u64>,
    verdict: String,
    score: Option<Score>,
    wall_ms: f64,
    cpu_ms: f64,
    memory_kib: u64,
    reason: Option<Cow<'a, str>>,
}

impl<'a> RecordLine<'a> {
    fn new(judged: &'a JudgedCase) -> Self {
        let record = &judged.record;
        let us = |ms: f64| (ms * 1e3).round() / 1e3;
        Self {
            case: judged.case.id.0,
            seed: judged.case.seed.map(|seed| seed.0),
            verdict: record.verdict.to_string(),
            score: judged.accepted().then_some(record.score),
            wall_ms: us(record.wall_ms),
            cpu_ms: us(record.cpu_ms),
            memory_kib: record.memory_kib,
            reason: record.reason.as_deref().map(printable),
        }
    }
}

/// Writes records one by one.
pub enum RecordWriter<W: Write> {
    /// JSON Lines: an object a line.
    Json(W),
    /// Comma separated values; the first line names the fields.
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> RecordWriter<W> {
    /// As JSON Lines.
    pub fn json(sink: W) -> Self {
        Self::Json(sink)
    }

    /// As CSV.
    pub fn csv(sink: W) -> Self {
        Self::Csv(Box::new(csv::Writer::from_writer(sink)))
    }

    /// Another record.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn add(&mut self, judged: &JudgedCase) -> io::Result<()> {
        let line = RecordLine::new(judged);
        match self {
            Self::Json(sink) => {
                serde_json::to_writer(&mut *sink, &line)?;
                sink.write_all(b"\n")
            }
            Self::Csv(csv) => csv
                .serialize(&line)
                .map_err(|error| match error.into_kind() {
                    csv::ErrorKind::Io(error) => error,
                    other => io::Error::other(format!("{other:?}")),
                }),
        }
    }

    /// Everything has been written when this returns.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Json(mut sink) => sink.flush(),
            Self::Csv(mut csv) => csv.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{CaseId, CaseKey, Digest, Seed};
    use crate::judge::record::{Record, Verdict};

    fn written(lines: impl FnOnce(&mut Vec<u8>) -> RecordWriter<&mut Vec<u8>>) -> String {
        let case = |id, seed| CaseKey {
            id: CaseId(id),
            digest: Digest(0),
            seed,
        };
        let accepted = Record {
            verdict: Verdict::Ac,
            score: 5.into(),
            wall_ms: 1.2345678,
            cpu_ms: 1.0,
            memory_kib: 2048,
            reason: None,
            ..Record::internal_error("hitblow 3 10".to_owned(), String::new())
        };
        let reason = "turn 2: expected 3 integers, found \"x\"".to_owned();
        let failed = Record {
            verdict: Verdict::Wa,
            ..Record::internal_error("hitblow 3 10".to_owned(), reason)
        };
        let mut sink = Vec::new();
        let mut lines = lines(&mut sink);
        let all = [(case(0, Some(Seed(7))), accepted), (case(1, None), failed)];
        for (case, record) in all {
            lines.add(&JudgedCase { case, record }).unwrap();
        }
        lines.finish().unwrap();
        String::from_utf8(sink).unwrap()
    }

    #[test]
    fn json_has_an_object_a_line() {
        insta::assert_snapshot!(written(|sink| RecordWriter::json(sink)), @r#"
        {"case":0,"seed":7,"verdict":"AC","score":5,"wall_ms":1.235,"cpu_ms":1.0,"memory_kib":2048,"reason":null}
        {"case":1,"seed":null,"verdict":"WA","score":null,"wall_ms":0.0,"cpu_ms":0.0,"memory_kib":0,"reason":"turn 2: expected 3 integers, found \"x\""}
        "#);
    }

    #[test]
    fn csv_has_a_header_and_quotes_what_needs_it() {
        insta::assert_snapshot!(written(|sink| RecordWriter::csv(sink)), @r#"
        case,seed,verdict,score,wall_ms,cpu_ms,memory_kib,reason
        0,7,AC,5,1.235,1.0,2048,
        1,,WA,,0.0,0.0,0,"turn 2: expected 3 integers, found ""x"""
        "#);
    }
}
