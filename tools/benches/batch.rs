//! What a batch costs: `cargo bench -p tester --bench batch` (or scripts/bench).
//!
//! 1. The same 1,000 cases four ways, in turn, so that a noisy machine disturbs all alike: a bare loop
//!    that spawns the same children on as many threads, exchanges the same lines and reaps them, and
//!    judges and keeps nothing (the floor); `tester batch`; and `tester` once for each case under
//!    `xargs -P`, from case files through a shell as people do it, and from seeds without a shell. The
//!    first two alone come first. Before, there are as many runs as are kept: making new files takes longer.
//! 2. A long batch: memory of the judge, and cases per second at its beginning and its end.
//! 3. A history of a million records: how long `history`, `show` and `compare` take.
//!
//! `LONG=100000` sets the number of cases of the second part, `RECORDS=1000000` of the third.

use std::io::{BufRead, BufReader, Write, stdin};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tester::case::{CaseId, CaseKey, Digest, Seed, Source};
use tester::judge::record::{JudgedCase, Record, Verdict};
use tester::problem::Spec;
use tester::run::provenance::Provenance;
use tester::run::spec::RunSpec;
use tester::store::{History, Kind, NewRun, RunId, State};

const PROBLEM: &str = "hitblow 3 10";
const CHILD: &str = "--play-hitblow";
const CASES: usize = 1000;
const ROUNDS: usize = 9;
/// Of how many runs the outputs are kept.
const KEPT: usize = 20;

type Code = [u8; 3];

fn main() {
    if std::env::args().any(|word| word == CHILD) {
        return play();
    }
    let number = |name, usual| {
        let set = std::env::var(name).ok().map(|text| text.parse());
        set.map_or(usual, |number| number.expect("a number of cases"))
    };
    short_batches();
    long_batch(number("LONG", 100_000));
    large_history(number("RECORDS", 1_000_000));
}

fn codes() -> Vec<Code> {
    let digits = || 0..10;
    let all = digits().flat_map(|a| digits().flat_map(move |b| digits().map(move |c| [a, b, c])));
    all.filter(|[a, b, c]| a != b && b != c && a != c).collect()
}

fn reply(guess: Code, secret: Code) -> (usize, usize) {
    let hits = (0..3).filter(|&i| guess[i] == secret[i]).count();
    let common = guess.iter().filter(|digit| secret.contains(digit)).count();
    (hits, common - hits)
}

/// The child: the first code that is consistent with everything.
fn play() {
    let mut input = stdin().lock();
    let mut line = String::new();
    input.read_line(&mut line).unwrap();
    let mut possible = codes();
    loop {
        let guess = possible[0];
        println!("{} {} {}", guess[0], guess[1], guess[2]);
        line.clear();
        input.read_line(&mut line).unwrap();
        let mut words = line.split_whitespace().map(|word| word.parse().unwrap());
        let heard = (words.next().unwrap(), words.next().unwrap());
        if heard.0 == 3 {
            return;
        }
        possible.retain(|&code| reply(guess, code) == heard);
    }
}

fn jobs() -> usize {
    num_cpus::get_physical()
}

/// The floor: spawn, answer, reap.
fn bare(secrets: &[Code]) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&secret) = secrets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .arg(CHILD)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut to = child.stdin.take().unwrap();
            let mut from = BufReader::new(child.stdout.take().unwrap());
            to.write_all(b"hitblow 3 10\n").unwrap();
            let mut line = String::new();
            while from.read_line(&mut line).unwrap() > 0 {
                let bytes = line.as_bytes();
                let guess = [bytes[0] - b'0', bytes[2] - b'0', bytes[4] - b'0'];
                let (hits, blows) = reply(guess, secret);
                to.write_all(format!("{hits} {blows}\n").as_bytes())
                    .unwrap();
                line.clear();
            }
            assert!(child.wait().unwrap().success());
        }
    };
    std::thread::scope(|scope| {
        (0..jobs()).for_each(|_| _ = scope.spawn(work));
    });
}

fn tester() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tester"))
}

fn batch(dir: &Path, cases: usize) {
    let status = tester()
        .args(["batch", "--seeds", &format!("0..{cases}")])
        .args(["--keep-runs", &KEPT.to_string(), "--"])
        .arg(std::env::current_exe().unwrap())
        .arg(CHILD)
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

/// `tester` once for each case, with `{}` for its seed.
fn xargs(dir: &Path, command: &[&str]) {
    let mut xargs = Command::new("xargs")
        .args(["-P", &jobs().to_string(), "-I{}"])
        .args(command)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut to = xargs.stdin.take().unwrap();
    for seed in 0..CASES {
        writeln!(to, "{seed:04}").unwrap();
    }
    drop(to);
    assert!(xargs.wait().unwrap().success());
}

/// The middle of sorted samples, and their ends.
fn spread(mut samples: Vec<f64>) -> (f64, f64, f64) {
    samples.sort_by(f64::total_cmp);
    (
        samples[samples.len() / 2],
        samples[0],
        samples[samples.len() - 1],
    )
}

fn short_batches() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let seeds = format!("0..{CASES}");
    assert!(
        tester()
            .args(["gen", "--seeds", &seeds])
            .current_dir(at)
            .status()
            .unwrap()
            .success()
    );
    std::fs::create_dir(at.join("each")).unwrap();
    let spec = Spec::parse(PROBLEM).unwrap();
    let secret = |seed| -> Code {
        let text = spec.generate(Seed(seed)).unwrap().to_text();
        let digits = text
            .lines()
            .nth(1)
            .unwrap()
            .split(' ')
            .map(|d| d.parse().unwrap());
        digits.collect::<Vec<u8>>().try_into().unwrap()
    };
    let secrets: Vec<Code> = (0..CASES as u64).map(secret).collect();
    let (judge, child) = (
        env!("CARGO_BIN_EXE_tester"),
        std::env::current_exe().unwrap(),
    );
    let child = child.to_str().unwrap();
    let one = format!("'{judge}' '{child}' {CHILD} < in/{{}}.txt > each/{{}}.txt 2> each/{{}}.err");
    let ways: [(&str, &dyn Fn()); 4] = [
        ("bare loop", &|| bare(&secrets)),
        ("tester batch", &|| batch(at, CASES)),
        ("xargs, sh, tester", &|| xargs(at, &["sh", "-c", &one])),
        ("xargs, tester --seed", &|| {
            xargs(at, &[judge, "--seed", "{}", "--", child, CHILD])
        }),
    ];
    // As many as are kept, so that later ones write over the files of older ones, as those of a user do.
    (0..KEPT).for_each(|_| batch(at, CASES));
    print_rounds("in turn", &ways[..2]);
    print_rounds("with a shell's loops between them", &ways);
}

/// Does all ways in turn, and prints how fast they were.
fn print_rounds(title: &str, ways: &[(&str, &dyn Fn())]) {
    let mut rates = vec![Vec::new(); ways.len()];
    for round in 0..=ROUNDS {
        for ((_, way), rates) in ways.iter().zip(&mut rates) {
            let begun = Instant::now();
            way();
            if round > 0 {
                rates.push(CASES as f64 / begun.elapsed().as_secs_f64());
            }
        }
    }
    // Ratios within a round, for the machine changes from one to the next.
    let (floor, ours) = (rates[0].clone(), rates[1].clone());
    println!(
        "{CASES} cases of {PROBLEM}, {} jobs, {ROUNDS} rounds {title}: median [lowest, highest]",
        jobs()
    );
    println!(
        "{:<22} {:>24} {:>24} {:>24}",
        "", "cases a second", "of the bare loop", "batch over this"
    );
    for ((name, _), rates) in ways.iter().zip(rates) {
        let ratio = |of: &[f64], by: &[f64]| of.iter().zip(by).map(|(a, b)| a / b).collect();
        let cell = |samples: Vec<f64>, digits: usize| {
            let (middle, low, high) = spread(samples);
            format!("{middle:.digits$} [{low:.digits$}, {high:.digits$}]")
        };
        println!(
            "{name:<22} {:>24} {:>24} {:>24}",
            cell(rates.clone(), 0),
            cell(ratio(&rates, &floor), 2),
            cell(ratio(&ours, &rates), 2)
        );
    }
}

/// A number of `/proc/PID/status`.
fn status(pid: u32, key: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let word = line.and_then(|line| line.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn mebibytes(kibibytes: u64) -> f64 {
    kibibytes as f64 / 1024.0
}

fn long_batch(cases: usize) {
    let dir = tempfile::tempdir().unwrap();
    let mut child = tester()
        .args(["batch", "--seeds", &format!("0..{cases}"), "--"])
        .arg(std::env::current_exe().unwrap())
        .arg(CHILD)
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let history = dir.path().join("out/history.sqlite");
    let (begun, mut samples, mut peak, mut descriptors) =
        (Instant::now(), Vec::new(), 0, Vec::new());
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        peak = peak.max(status(child.id(), "VmHWM:"));
        let open = std::fs::read_dir(format!("/proc/{}/fd", child.id()));
        descriptors.push(open.map_or(0, Iterator::count));
        let judged = History::open_existing(&history).and_then(|h| h.find("last"));
        if let Ok(run) = judged {
            samples.push((begun.elapsed().as_secs_f64(), run.judged as f64, peak));
        }
        std::thread::sleep(Duration::from_millis(250));
    };
    assert!(ended.success());
    // The first moment at which so much of it was done.
    let at = |part: f64| {
        let wanted = part * cases as f64;
        let past = samples.iter().find(|(_, judged, _)| *judged >= wanted);
        *past.or(samples.last()).expect("the history was seen")
    };
    let tenths: Vec<_> = (0..=10).map(|tenth| at(f64::from(tenth) / 10.0)).collect();
    let rates = tenths.windows(2).map(|pair| {
        let ((t0, judged0, _), (t1, judged1, _)) = (pair[0], pair[1]);
        // Both may be the same look, where a batch is short.
        match t1 > t0 {
            true => format!("{:.0}", (judged1 - judged0) / (t1 - t0)),
            false => "-".to_owned(),
        }
    });
    let peaks = tenths[1..]
        .iter()
        .map(|(_, _, peak)| format!("{:.1}", mebibytes(*peak)));
    let took = begun.elapsed().as_secs_f64();
    let most = descriptors.iter().max().unwrap_or(&0);
    println!(
        "{cases} cases in {took:.1} s, {:.0} a second; by tenths {}",
        cases as f64 / took,
        rates.collect::<Vec<_>>().join(", ")
    );
    println!(
        "judge: at most {:.1} MiB resident, by tenths {}; at most {most} descriptors",
        mebibytes(peak),
        peaks.collect::<Vec<_>>().join(", ")
    );
    let size = std::fs::metadata(&history).unwrap().len();
    println!("history: {:.0} bytes a record", size as f64 / cases as f64);
}

fn large_history(records: usize) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("history.sqlite");
    let (runs, cases) = (100, records / 100);
    let mut history = History::open(&path).unwrap();
    let begun = Instant::now();
    for run in 0..runs {
        keep(&mut history, run, cases);
    }
    let each = begun.elapsed().as_secs_f64() * 1e6 / records as f64;
    drop(history);
    println!(
        "{records} records in {runs} runs of {cases}: {each:.1} µs to keep one; milliseconds to answer"
    );
    let commands: [&[&str]; 6] = [
        &["history"],
        &["history", "--all"],
        &["show"],
        &["compare"],
        &["compare", "best"],
        &["compare", "--by", "relative"],
    ];
    for command in commands {
        let ask = |_| {
            let begun = Instant::now();
            let shown = tester()
                .args(command)
                .arg("--history")
                .arg(&path)
                .output()
                .unwrap();
            assert!(
                shown.status.success(),
                "{}",
                String::from_utf8_lossy(&shown.stderr)
            );
            begun.elapsed().as_secs_f64() * 1e3
        };
        let (middle, low, high) = spread((0..ROUNDS).map(ask).collect());
        println!(
            "{:<24} {middle:>8.1} [{low:.1}, {high:.1}]",
            command.join(" ")
        );
    }
}

fn keep(history: &mut History, number: usize, cases: usize) -> RunId {
    let run = history
        .begin(&NewRun {
            kind: Kind::Batch,
            spec: RunSpec::new(
                tester::process::Command::from_line("./solver").unwrap(),
                Source::Seeds {
                    problem: PROBLEM.to_owned(),
                    seeds: 0..=cases as u64 - 1,
                },
            ),
            planned: cases,
            problem: PROBLEM.to_owned(),
            provenance: Provenance::default(),
            tag: None,
            comment: None,
        })
        .unwrap();
    let judged = |id: u64| JudgedCase {
        case: CaseKey {
            id: CaseId(id),
            digest: Digest(id.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            seed: Some(Seed(id)),
        },
        record: Record {
            verdict: Verdict::Ac,
            score: (1 + (id * 7 + number as u64 * 13) % 9).into(),
            wall_ms: 1.5,
            reason: None,
            ..Record::internal_error(PROBLEM.to_owned(), String::new())
        },
    };
    let all: Vec<JudgedCase> = (0..cases as u64).map(judged).collect();
    for some in all.chunks(1000) {
        history.add(run, some).unwrap();
    }
    history.end(run, State::Done, Duration::ZERO).unwrap();
    run
}
