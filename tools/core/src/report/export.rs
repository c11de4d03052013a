//! Records for other programs: a line each, as JSON or as CSV, with the same fields.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::case::{Parameters, number_text};
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

/// The names of the fields, which are the first columns of CSV.
const FIELDS: [&str; 8] = [
    "case",
    "seed",
    "verdict",
    "score",
    "wall_ms",
    "cpu_ms",
    "memory_kib",
    "reason",
];

/// A line of JSON: the fields, and the parameters by their names, if there are names.
#[derive(Serialize)]
struct JsonLine<'a> {
    #[serde(flatten)]
    record: RecordLine<'a>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    parameters: Named<'a>,
}

/// The parameters of a case, with their names; null where the case does not have one.
struct Named<'a> {
    names: &'a [String],
    values: &'a Parameters,
}

impl Named<'_> {
    fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for (place, name) in self.names.iter().enumerate() {
            map.serialize_entry(name, &self.values.get(place).map(PlainNumber))?;
        }
        map.end()
    }
}

/// A number that JSON has without useless decimals: `15`, and not `15.0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlainNumber(pub(crate) f64);

impl Serialize for PlainNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole numbers below 2^53 are exact as both.
        match self.0.fract() == 0.0 && self.0.abs() < 9e15 {
            true => serializer.serialize_i64(self.0 as i64),
            false => serializer.serialize_f64(self.0),
        }
    }
}

/// Writes records one by one.
pub struct RecordWriter<W: Write> {
    sink: Sink<W>,
    /// Of the parameters that each record has values of.
    names: Vec<String>,
    /// Whether a record was written.
    has_begun: bool,
}

enum Sink<W: Write> {
    Json(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> RecordWriter<W> {
    /// As JSON Lines, an object a line. `names` are those of the parameters.
    pub fn json(sink: W, names: &[String]) -> Self {
        Self {
            sink: Sink::Json(sink),
            names: names.to_vec(),
            has_begun: false,
        }
    }

    /// As comma separated values, of which the first line names the fields. Parameters are the last columns, one for
    /// each name.
    pub fn csv(sink: W, names: &[String]) -> Self {
        let mut writer = csv::WriterBuilder::new();
        writer.has_headers(false);
        Self {
            sink: Sink::Csv(Box::new(writer.from_writer(sink))),
            names: names.to_vec(),
            has_begun: false,
        }
    }

    /// Another record.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn add(&mut self, judged: &JudgedCase) -> io::Result<()> {
        let record = RecordLine::new(judged);
        let values = &judged.record.parameters;
        match &mut self.sink {
            Sink::Json(sink) => {
                let names = &self.names;
                let parameters = Named { names, values };
                serde_json::to_writer(&mut *sink, &JsonLine { record, parameters })?;
                sink.write_all(b"\n")
            }
            Sink::Csv(csv) => {
                if !self.has_begun {
                    self.has_begun = true;
                    let fields = FIELDS.map(str::to_owned).into_iter();
                    let columns = fields.chain(self.names.iter().map(column));
                    csv.write_record(columns).map_err(io_error)?;
                }
                let text = |place| values.get(place).map_or_else(String::new, number_text);
                let values: Vec<String> = (0..self.names.len()).map(text).collect();
                csv.serialize((record, values)).map_err(io_error)
            }
        }
    }

    /// Everything has been written when this returns.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn finish(self) -> io::Result<()> {
        match self.sink {
            Sink::Json(mut sink) => sink.flush(),
            Sink::Csv(mut csv) => csv.flush(),
        }
    }
}

/// The name of a parameter's column, which no other column has.
fn column(name: &String) -> String {
    match FIELDS.contains(&name.as_str()) {
        true => format!("parameter_{name}"),
        false => name.clone(),
    }
}

fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
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
        let accepted = Record {
            parameters: Parameters::new([Some(15.0), None, Some(0.02)]),
            ..accepted
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
        insta::assert_snapshot!(written(|sink| RecordWriter::json(sink, &[])), @r#"
        {"case":0,"seed":7,"verdict":"AC","score":5,"wall_ms":1.235,"cpu_ms":1.0,"memory_kib":2048,"reason":null}
        {"case":1,"seed":null,"verdict":"WA","score":null,"wall_ms":0.0,"cpu_ms":0.0,"memory_kib":0,"reason":"turn 2: expected 3 integers, found \"x\""}
        "#);
    }

    #[test]
    fn csv_has_a_header_and_quotes_what_needs_it() {
        insta::assert_snapshot!(written(|sink| RecordWriter::csv(sink, &[])), @r#"
        case,seed,verdict,score,wall_ms,cpu_ms,memory_kib,reason
        0,7,AC,5,1.235,1.0,2048,
        1,,WA,,0.0,0.0,0,"turn 2: expected 3 integers, found ""x"""
        "#);
    }

    #[test]
    fn parameters_have_a_column_each() {
        let names = ["N", "case", "eps"].map(str::to_owned);
        insta::assert_snapshot!(written(|sink| RecordWriter::json(sink, &names)), @r#"
        {"case":0,"seed":7,"verdict":"AC","score":5,"wall_ms":1.235,"cpu_ms":1.0,"memory_kib":2048,"reason":null,"parameters":{"N":15,"case":null,"eps":0.02}}
        {"case":1,"seed":null,"verdict":"WA","score":null,"wall_ms":0.0,"cpu_ms":0.0,"memory_kib":0,"reason":"turn 2: expected 3 integers, found \"x\"","parameters":{"N":null,"case":null,"eps":null}}
        "#);
        insta::assert_snapshot!(written(|sink| RecordWriter::csv(sink, &names)), @r#"
        case,seed,verdict,score,wall_ms,cpu_ms,memory_kib,reason,N,parameter_case,eps
        0,7,AC,5,1.235,1.0,2048,,15,,0.02
        1,,WA,,0.0,0.0,0,"turn 2: expected 3 integers, found ""x""",,,
        "#);
    }
}
