//! Shards of a small batch, judged and merged through the real binary.

use std::path::Path;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::{Shown, counter, run_in};

/// The cases that most tests judge.
pub const GAME: [&str; 4] = ["--seeds", "0..40", "--problem", "hitblow 1 10"];

/// A folder with a contestant, `./c`, whose score is the secret plus one.
pub fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    counter(dir.path(), "c", "");
    dir
}

/// Judges a part of `cases` into a file of its name.
pub fn shard(dir: &Path, part: &str, cases: &[&str], program: &[&str]) -> (String, Shown) {
    let file = format!("{}.jsonl", part.replace('/', "-of-"));
    let words = ["batch", "--shard", part, "--to", &file];
    let shown = run_in(dir, &[&words, cases, &["--"], program].concat(), "");
    (file, shown)
}

/// Judges all parts; returns their files.
pub fn shards(dir: &Path, of: usize, cases: &[&str], program: &[&str]) -> Vec<String> {
    let parts = (1..=of).map(|index| {
        let (file, shown) = shard(dir, &format!("{index}/{of}"), cases, program);
        assert!(shown.status < 2, "{shown:?}");
        file
    });
    parts.collect()
}

pub fn merge(dir: &Path, files: &[String], more: &[&str]) -> Shown {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run_in(dir, &[&["merge"], &files[..], more].concat(), "")
}

/// What must be the same wherever a case was judged, from `--json` lines.
pub fn outcomes(lines: &str) -> Vec<[Value; 5]> {
    let parse = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        ["case", "seed", "verdict", "score", "reason"].map(|key| line[key].clone())
    };
    lines.lines().map(parse).collect()
}

/// A shard as another tester would have written it: every line changed, key and sum made anew.
pub fn rewritten(text: &str, change: &dyn Fn(&str) -> String) -> String {
    use tester::shard::{Event, Manifest, Reader, Writer};
    let changed: Vec<String> = text.split_inclusive('\n').map(change).collect();
    let mut header: Value = serde_json::from_str(&changed[0]).unwrap();
    let about: Manifest = serde_json::from_value(header["shard"]["run"].clone()).unwrap();
    header["shard"]["key"] = about.key().into();
    let end = changed.last().unwrap();
    // Read without the sum, for it is not that of what stands there any more.
    let body = [
        serde_json::to_string(&header).unwrap() + "\n",
        changed[1..changed.len() - 1].concat(),
    ]
    .concat();
    let mut reader = Reader::new(body.as_bytes(), "rewritten");
    let Some(Event::Begin(begun)) = reader.next_event().unwrap() else {
        panic!("no header in {body}");
    };
    let mut writer = Writer::new(Vec::new(), &begun).unwrap();
    while let Ok(Some(Event::Record(judged))) = reader.next_event() {
        writer.add(&judged).unwrap();
    }
    let end: Value = serde_json::from_str(end).unwrap();
    let took = std::time::Duration::from_millis(end["end"]["took_ms"].as_u64().unwrap());
    String::from_utf8(writer.finish(took).unwrap()).unwrap()
}
