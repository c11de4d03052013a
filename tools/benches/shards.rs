//! What shards cost: `cargo bench -p tester --bench shards` (or scripts/bench).
//!
//! `RECORDS=1000000` records in shards of 1,000: to write one, to read and check one, and `tester merge` of all of them into
//! a new history, with the memory that it takes; the same again beside themselves, so that every case was judged twice.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tester::case::{CaseId, CaseKey, Digest, Seed};
use tester::judge::record::{JudgedCase, Record, Verdict};
use tester::shard::{Event, Header, InMemory, Merge, Part, Reader, Writer, read_one};

const PROBLEM: &str = "hitblow 3 10";
/// Cases of a shard.
const CASES: u64 = 1000;

fn main() {
    let records = std::env::var("RECORDS").ok().map(|text| text.parse());
    let records: u64 = records.map_or(1_000_000, |number| number.expect("a number of cases"));
    let dir = tempfile::tempdir().unwrap();
    let header = header(dir.path(), records);
    let of = records.div_ceil(CASES);
    let timed = |what: &str, work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        let each = begun.elapsed().as_secs_f64() * 1e6 / records as f64;
        println!("{what:<32} {each:>8.2} µs a record");
    };
    println!("{records} records in {of} shards");
    let mut files = Vec::new();
    timed("write", &mut || files = write(dir.path(), &header, of));
    let bytes: u64 = files
        .iter()
        .map(|file| file.metadata().unwrap().len())
        .sum();
    println!("{:<32} {:>8} bytes a record", "", bytes / records);
    timed("read and check", &mut || {
        files
            .iter()
            .for_each(|file| _ = read_one(open(file), "a shard").unwrap());
    });
    timed("merge in memory (a look)", &mut || {
        let (mut merge, mut kept) = (Merge::new(None), InMemory::default());
        for file in &files {
            let Ok(()) = merge.read("a shard", open(file), &mut kept);
        }
        assert_eq!(merge.finish(false).unwrap().kept as u64, records);
    });
    let mut peak = 0.0;
    timed("tester merge", &mut || {
        peak = merge(dir.path(), "once.sqlite", &files)
    });
    println!("{:<32} {peak:>8.1} MiB resident at most", "");
    let twice = [&files[..], &files[..]].concat();
    timed("tester merge, each shard twice", &mut || {
        peak = merge(dir.path(), "twice.sqlite", &twice);
    });
    println!("{:<32} {peak:>8.1} MiB resident at most", "");
}

fn open(file: &PathBuf) -> BufReader<std::fs::File> {
    BufReader::with_capacity(1 << 16, std::fs::File::open(file).unwrap())
}

/// The header of a shard of a run with this many cases, as the program itself writes it.
fn header(dir: &Path, records: u64) -> Header {
    let output = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args([
            "batch",
            "--seeds",
            &format!("0..{records}"),
            "--problem",
            PROBLEM,
        ])
        .args(["--shard", &format!("1/{records}"), "--json", "--", "true"])
        .current_dir(dir)
        .output()
        .unwrap();
    let event = Reader::new(&output.stdout[..], "a shard").next_event();
    match event.unwrap() {
        Some(Event::Begin(header)) => *header,
        other => panic!("expected the beginning of a shard, found {other:?}"),
    }
}

fn judged(id: u64) -> JudgedCase {
    JudgedCase {
        case: CaseKey {
            id: CaseId(id),
            digest: Digest(id.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            seed: Some(Seed(id)),
        },
        record: Record {
            verdict: Verdict::Ac,
            score: (1 + id * 7 % 9).into(),
            turns: 1 + id * 7 % 9,
            wall_ms: 1.5,
            reason: None,
            ..Record::internal_error(PROBLEM.to_owned(), String::new())
        },
    }
}

fn write(dir: &Path, header: &Header, of: u64) -> Vec<PathBuf> {
    let shard = |index| {
        let part = Part::new(index, of).unwrap();
        let header = Header {
            part,
            ..header.clone()
        };
        let path = dir.join(format!("{index}.jsonl"));
        let file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
        let mut writer = Writer::new(file, &header).unwrap();
        for place in part.block(header.about.planned()) {
            writer.add(&judged(place as u64)).unwrap();
        }
        writer.finish(Duration::from_secs(1)).unwrap();
        path
    };
    (1..=of).map(shard).collect()
}

/// Merges in a process of its own; returns the most that it had resident, in MiB.
fn merge(dir: &Path, history: &str, files: &[PathBuf]) -> f64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(["merge", "--history", history])
        .args(files)
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(ended.success());
    peak as f64 / 1024.0
}
