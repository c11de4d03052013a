//! Whatever is in a file of shards, reading and merging it ends, with an answer or an error; and the records that were read
//! are written as a text that reads as the same.
//!
//! The key of a header is a SHA-256, which no fuzzer guesses. So the bytes are read twice: as they are, and with a right
//! header in front, of the run that their first line describes, or else of a usual one.

use std::time::Duration;

use tester::judge::record::JudgedCase;
use tester::run::provenance::Host;
use tester::shard::{Event, Header, InMemory, Manifest, Merge, Part, Reader, Writer};
use tester::store::Kind;

/// What a line of a shard says of its run: files, of which any number may be a case's.
const RUN: &str = r#"{"spec":{"command":["./a"],"external":null,"source":{"folder":"in"},"limits":{"time_us":2000000,
    "memory_kib":1024,"turns":9,"output_bytes":1024,"line_bytes":1024,"processes":9},"scale_time_limit_ms":null,"jobs":1,
    "transcripts":false,"sandbox":null,"containment":null,"out":"out"},"planned":3,"problem":"p","provenance":
    {"fingerprint":"00","git_commit":null,"git_dirty":null,"machine":"m","tester":"0"},"cases":"00"}"#;

pub fn check(bytes: &[u8]) {
    merged(bytes);
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (first, rest) = bytes.split_at(end);
    let about: Manifest =
        serde_json::from_slice(first).unwrap_or_else(|_| serde_json::from_str(RUN).expect("a run"));
    let header = Header {
        part: Part::new(1, 1).expect("one of one"),
        about,
        host: Host {
            name: String::new(),
            machine: String::new(),
            cpus: 1,
            calibration_ms: 1.0,
            time_limit_us: 1,
        },
        begun_ms: i64::MAX,
    };
    let mut text = Vec::new();
    Writer::new(&mut text, &header).expect("memory");
    text.extend_from_slice(rest.strip_prefix(b"\n").unwrap_or_default());
    merged(&text);
    let records = read(&text);
    let mut writer = Writer::new(Vec::new(), &header).expect("memory");
    records
        .iter()
        .for_each(|judged| writer.add(judged).expect("memory"));
    let again = writer.finish(Duration::MAX).expect("memory");
    assert_eq!(read(&again), records);
}

/// The records until the end, or the first mistake.
fn read(text: &[u8]) -> Vec<JudgedCase> {
    let mut reader = Reader::new(text, "FILE");
    let mut records = Vec::new();
    while let Ok(Some(event)) = reader.next_event() {
        if let Event::Record(judged) = event {
            records.push(judged);
        }
    }
    records
}

fn merged(text: &[u8]) {
    let mut merge = Merge::new(None);
    let Ok(()) = merge.read("FILE", text, &mut InMemory::default());
    match merge.finish(true) {
        Ok(merged) => _ = merged.about.to_new_run(Kind::Batch, "out".as_ref()),
        Err(error) => assert!(error.to_string().contains("\n- ")),
    }
}
