//! One judge and its bomb, and a look at all processes around them as often as the machine allows.
//!
//! Nothing else runs in this PID namespace: `/proc` lists its first process, which is a shell, us, and the judge with
//! what it has started.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, PipeReader};
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What was seen of one judge.
#[derive(Debug, Default)]
pub struct Watched {
    /// Each case's verdict, and why.
    pub verdicts: Vec<(String, Option<String>)>,
    /// The most processes and threads at one moment, the judge's own not counted, its keepers counted.
    pub most: u64,
    /// How often they were counted.
    pub looks: u64,
    /// What was left when the last verdict was printed, keepers not counted.
    pub left: Vec<String>,
    /// What was left when the judge had ended.
    pub stayed: Vec<String>,
    /// When the last verdict was printed, from the start of the judge.
    pub took: Duration,
    /// How many keepers of namespaces there were when the last verdict was printed.
    pub keepers: usize,
    /// Everything that was printed.
    pub said: String,
}

/// Starts a judge of `cases` cases, and watches it until nothing of it is left.
pub fn watch(command: &mut Command, cases: usize) -> Watched {
    let (reader, writer) = std::io::pipe().unwrap();
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let begun = Instant::now();
    let mut judge = command.spawn().unwrap();
    // Our own ends of the pipe, or it never ends.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let own = [1, std::process::id(), judge.id()];
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let counted = scope.spawn(|| count_until(&ended, own));
        let mut watched = listen(&mut judge, reader, cases, begun, own);
        ended.store(true, Ordering::Relaxed);
        (watched.most, watched.looks) = counted.join().unwrap();
        watched
    })
}

/// Reads what the judge prints, and looks what is left at the moment of its last word, and when it has ended.
fn listen(
    judge: &mut Child,
    reader: PipeReader,
    cases: usize,
    begun: Instant,
    own: [u32; 3],
) -> Watched {
    let mut watched = Watched::default();
    let mut keepers = BTreeSet::new();
    let mut last = String::new();
    for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if let Some(verdict) = verdict(&line, &last) {
            watched.verdicts.push(verdict);
            if watched.verdicts.len() == cases {
                watched.took = begun.elapsed();
                (keepers, watched.left) = look(judge.id(), own);
            }
        }
        watched.said.push_str(&line);
        watched.said.push('\n');
        last = line;
    }
    judge.wait().unwrap();
    watched.keepers = keepers.len();
    watched.stayed = stayed(own, &keepers);
    watched
}

/// The verdict that a line gives: one of a batch, or the last line of a single case, with the line before.
fn verdict(line: &str, before: &str) -> Option<(String, Option<String>)> {
    if line.starts_with("Score = ") {
        let said = before.split_once(": ");
        let said = said.filter(|(verdict, _)| ["RE", "TLE", "MLE", "WA", "OLE"].contains(verdict));
        return Some(said.map_or(("AC".to_owned(), None), |(verdict, reason)| {
            (verdict.to_owned(), Some(reason.to_owned()))
        }));
    }
    let record: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| record[key].as_str().map(str::to_owned);
    Some((text("verdict")?, text("reason")))
}

/// The numbers of all processes but our own.
fn others(own: [u32; 3]) -> impl Iterator<Item = u32> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(move |pid| !own.contains(pid))
}

/// The most processes and threads at once, until `ended`, and how often they were counted.
///
/// A list takes a moment, in which some end and others begin. Those that are in two lists were there together between
/// the two; of threads, as many as both lists have.
fn count_until(ended: &AtomicBool, own: [u32; 3]) -> (u64, u64) {
    let (mut most, mut looks) = (0, 0);
    let mut before: BTreeMap<u32, u64> = BTreeMap::new();
    while !ended.load(Ordering::Relaxed) {
        // A folder's links: itself, its name, and one for each thread. One that has ended still has its number.
        let threads = |pid: u32| {
            let links = fs::metadata(format!("/proc/{pid}/task")).map_or(3, |data| data.nlink());
            links.saturating_sub(2).max(1)
        };
        let now: BTreeMap<u32, u64> = others(own).map(|pid| (pid, threads(pid))).collect();
        let both = now
            .iter()
            .filter_map(|(pid, now)| Some(*before.get(pid)?.min(now)));
        most = most.max(both.sum());
        looks += 1;
        before = now;
    }
    (most, looks)
}

/// The judge's keepers, and everything else that there is.
fn look(judge: u32, own: [u32; 3]) -> (BTreeSet<u32>, Vec<String>) {
    let all: Vec<u32> = others(own).collect();
    let (mut keepers, mut left) = (BTreeSet::new(), Vec::new());
    for pid in all {
        let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else {
            continue;
        };
        let value = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_default().trim().to_owned()
        };
        // It was reaped before we looked.
        if value("State:").starts_with('X') {
            continue;
        }
        // A keeper is a copy of the judge. It may have ended by itself, and the judge too.
        let is_below = value("PPid:") == judge.to_string();
        let has_ended = value("State:").starts_with('Z') && value("PPid:") == "1";
        if value("Name:") == "tester" && (is_below || has_ended) {
            keepers.insert(pid);
        } else {
            left.push(format!("{} {}", value("Name:"), value("State:")));
        }
    }
    (keepers, left)
}

/// What is there after the judge has ended. Its keepers were killed, and may take a moment to end.
fn stayed(own: [u32; 3], keepers: &BTreeSet<u32>) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let all: Vec<u32> = others(own).collect();
        let others: Vec<&u32> = all.iter().filter(|pid| !keepers.contains(pid)).collect();
        let is_late = begun.elapsed() > Duration::from_secs(5);
        if all.is_empty() || !others.is_empty() || is_late {
            let name = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm"));
            let names = all.iter().map(|pid| name(pid).unwrap_or_default());
            return names.map(|name| name.trim().to_owned()).collect();
        }
        std::thread::yield_now();
    }
}
