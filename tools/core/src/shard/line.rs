//! The lines of a shard, as they stand in its text.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::format1::OldManifest;
use super::manifest::{Header, Manifest};
use super::part::{NotAPart, Part};
use crate::case::{CaseId, CaseKey, Digest, Parameters, Seed};
use crate::judge::record::{JudgedCase, Record, UnknownVerdict};
use crate::problem::Score;
use crate::run::provenance::Host;

/// Any of them.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Line<'a> {
    Shard(Box<HeaderLine<Value>>),
    #[serde(borrow)]
    Record(RecordLine<'a>),
    End(End),
}

/// The first line; what it says of the run depends on the format.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderLine<M> {
    pub(super) format: u32,
    index: u64,
    of: u64,
    pub(super) key: String,
    run: M,
    host: Host,
    begun_ms: i64,
}

/// Why a first line is none.
pub(super) enum HeaderError {
    /// It names no part.
    Part(NotAPart),
    /// What it says of the run cannot be understood.
    Run(serde_json::Error),
    /// The key is not that of what it says, which is this.
    Key(String),
}

impl<'a> HeaderLine<&'a Manifest> {
    pub(super) fn new(header: &'a Header) -> Self {
        Self {
            format: header.about.format(),
            index: header.part.index(),
            of: header.part.of(),
            key: header.about.key(),
            run: &header.about,
            host: header.host.clone(),
            begun_ms: header.begun_ms,
        }
    }
}

impl HeaderLine<Value> {
    /// The header of a format that is known.
    pub(super) fn into_header(self) -> Result<Header, HeaderError> {
        let part = Part::new(self.index, self.of).map_err(HeaderError::Part)?;
        let (key, about) = match self.format {
            1 => {
                let old: OldManifest =
                    serde_json::from_value(self.run).map_err(HeaderError::Run)?;
                (old.key(), old.into_manifest(&self.host.machine))
            }
            _ => {
                let about: Manifest = serde_json::from_value(self.run).map_err(HeaderError::Run)?;
                (about.key(), about)
            }
        };
        if key != self.key {
            return Err(HeaderError::Key(key));
        }
        Ok(Header {
            part,
            about,
            host: self.host,
            begun_ms: self.begun_ms,
        })
    }
}

/// A line for a case. Times are whole microseconds, as a history stores them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordLine<'a> {
    case: Text,
    digest: Digest,
    seed: Option<Text>,
    #[serde(borrow)]
    opening: Cow<'a, str>,
    /// Since the third format: left out where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Parameters>,
    #[serde(borrow)]
    verdict: Cow<'a, str>,
    /// In units; how many decimals a score has, the header says.
    score: u64,
    turns: u64,
    wall_us: u64,
    cpu_us: u64,
    memory_kib: u64,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    #[serde(rename = "last_words")]
    last_stderr_line: Option<Cow<'a, str>>,
    /// In the first format: the sums of the output files.
    #[serde(default, skip_serializing, rename = "left")]
    _left: Option<IgnoredAny>,
}

/// How a shard ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How many cases were judged.
    pub judged: u64,
    /// How long that took, in milliseconds.
    pub took_ms: u64,
    /// The SHA-256 of all bytes before this field.
    pub(super) sha256: String,
}

impl End {
    /// The last line, up to the sum, which is that of everything until there.
    pub(super) fn before_sum(judged: u64, took_ms: u64) -> String {
        format!(r#"{{"end":{{"judged":{judged},"took_ms":{took_ms}"#)
    }

    /// The rest of the last line.
    pub(super) fn sum(sha256: &str) -> String {
        format!(",\"sha256\":\"{sha256}\"}}}}\n")
    }
}

impl<'a> RecordLine<'a> {
    pub(super) fn new(judged: &'a JudgedCase) -> Self {
        let JudgedCase { case, record } = judged;
        let us = |ms: f64| (ms * 1e3).round() as u64;
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::Borrowed);
        Self {
            case: Text(case.id.0),
            digest: case.digest,
            seed: case.seed.map(|seed| Text(seed.0)),
            opening: Cow::Borrowed(&record.opening),
            parameters: (!record.parameters.is_empty()).then(|| record.parameters.clone()),
            verdict: Cow::Owned(record.verdict.to_string()),
            score: record.score.units(),
            turns: record.turns,
            wall_us: us(record.wall_ms),
            cpu_us: us(record.cpu_ms),
            memory_kib: record.memory_kib,
            reason: text(&record.reason),
            last_stderr_line: text(&record.last_stderr_line),
            _left: None,
        }
    }

    /// The record, whose score has this many decimals.
    pub(super) fn into_judged(self, decimals: u8) -> Result<JudgedCase, UnknownVerdict> {
        let ms = |us: u64| us as f64 / 1e3;
        Ok(JudgedCase {
            case: CaseKey {
                id: CaseId(self.case.0),
                digest: self.digest,
                seed: self.seed.map(|Text(seed)| Seed(seed)),
            },
            record: Record {
                opening: self.opening.into_owned(),
                parameters: self.parameters.unwrap_or_default(),
                verdict: self.verdict.parse()?,
                score: Score::new(self.score, decimals),
                turns: self.turns,
                wall_ms: ms(self.wall_us),
                cpu_ms: ms(self.cpu_us),
                memory_kib: self.memory_kib,
                reason: self.reason.map(Cow::into_owned),
                last_stderr_line: self.last_stderr_line.map(Cow::into_owned),
            },
        })
    }
}

/// A number of 64 bits that names something, as decimal text.
#[derive(Clone, Copy)]
struct Text(u64);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let number = text.parse().map_err(|_| {
            let expected = format!("expected a number as text, found {text:?}");
            serde::de::Error::custom(expected)
        });
        number.map(Self)
    }
}
