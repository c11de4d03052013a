//! What the judge costs: `cargo bench -p tester --bench overhead` (or scripts/bench).
//!
//! The same child plays the same lines three ways, in turn, so that a noisy machine disturbs all
//! alike: against a bare loop that spawns it and answers from a list, against `judge` in this
//! process, and against a whole `tester` process with a case file on its standard input, without
//! and with an option. Medians are printed, with the middle half of the samples in brackets.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Write, stdin};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tester::judge::judge;
use tester::judge::verdict::Limits;
use tester::problem::parse_case;

const CASE: &str = "hitblow 3 10\n8 2 5\n";
const CHILD: &str = "--play-turns";
const ROUNDS: usize = 200;
const WARM_UP: usize = 20;
const MANY: usize = 1000;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.iter().position(|word| word == CHILD) {
        Some(at) => play(args[at + 1].parse().expect("a number of turns")),
        None => measure(),
    }
}

/// The child: wrong guesses, then the right one. It waits for every reply.
fn play(turns: usize) {
    let mut input = stdin().lock();
    let mut line = String::new();
    input.read_line(&mut line).unwrap();
    for turn in 1..=turns {
        println!("{}", if turn == turns { "8 2 5" } else { "0 1 2" });
        line.clear();
        input.read_line(&mut line).unwrap();
    }
}

fn child(turns: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([CHILD, &turns.to_string()]);
    command
}

/// The floor: spawn, exchange the same lines, reap. It parses and checks nothing.
fn bare(turns: usize) {
    let mut child = child(turns)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    to.write_all(b"hitblow 3 10\n").unwrap();
    for turn in 1..=turns {
        line.clear();
        from.read_line(&mut line).unwrap();
        let reply: &[u8] = if turn == turns { b"3 0\n" } else { b"0 1\n" };
        to.write_all(reply).unwrap();
    }
    drop(to);
    assert!(child.wait().unwrap().success());
}

fn in_process(turns: usize) {
    let command = tester::process::Command {
        program: std::env::current_exe().unwrap().into(),
        args: [CHILD, &turns.to_string()].map(OsString::from).to_vec(),
    };
    let instance = parse_case(CASE).unwrap();
    let limits = Limits::default();
    let record = judge(instance.as_ref(), &command, &limits, None, &mut ()).unwrap();
    assert_eq!(record.score, (turns as u64).into());
}

fn tester(turns: usize, case: &Path, options: &[&str]) {
    let child = child(turns);
    let status = Command::new(env!("CARGO_BIN_EXE_tester"))
        .args(options)
        .arg(child.get_program())
        .args(child.get_args())
        .stdin(File::open(case).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

const WAYS: [&str; 4] = [
    "bare spawn and pipes",
    "judge, in process",
    "tester",
    "tester --strict",
];

/// Sorted times of the four ways.
fn samples(turns: usize, case: &Path) -> [Vec<Duration>; 4] {
    let ways: [&dyn Fn(); 4] = [
        &|| bare(turns),
        &|| in_process(turns),
        &|| tester(turns, case, &[]),
        &|| tester(turns, case, &["--strict"]),
    ];
    let mut times = ways.map(|_| Vec::new());
    for round in 0..WARM_UP + ROUNDS {
        for (way, times) in ways.iter().zip(&mut times) {
            let before = Instant::now();
            way();
            if round >= WARM_UP {
                times.push(before.elapsed());
            }
        }
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    times
}

/// A program without an interpreter is mapped by the kernel alone. Loading libraries would take some 400 µs.
fn note_if_libraries_are_loaded() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_tester")).unwrap();
    let loader = b"/ld-linux";
    let is_loaded = program.windows(loader.len()).any(|bytes| bytes == loader);
    if is_loaded {
        println!(
            "the tester is linked dynamically: this machine has no archives of the C library\n"
        );
    }
}

fn measure() {
    note_if_libraries_are_loaded();
    let dir = tempfile::tempdir().unwrap();
    let case = dir.path().join("case.txt");
    std::fs::write(&case, CASE).unwrap();
    let one = samples(1, &case);
    let many = samples(MANY, &case);
    // Microseconds at the first, second and third quarter.
    let at = |times: &[Duration], part: usize| times[times.len() * part / 4].as_secs_f64() * 1e6;
    println!("{ROUNDS} rounds, medians [middle half], microseconds");
    let a_case = |way: usize, part| at(&one[way], part);
    table("a case of one turn", 0, &a_case);
    let a_turn = |way: usize, part| (at(&many[way], part) - at(&one[way], 2)) / (MANY - 1) as f64;
    table("a turn", 2, &a_turn);
}

/// One row for each way: its quartiles, and what it adds to the bare one.
fn table(title: &str, decimals: usize, quartile: &dyn Fn(usize, usize) -> f64) {
    println!("{title:<22} {:>24} {:>12} {:>8}", "", "over bare", "ratio");
    for (way, name) in WAYS.iter().enumerate() {
        let [low, middle, high] = [1, 2, 3].map(|part| quartile(way, part));
        let shown = format!("{middle:.decimals$} [{low:.decimals$}, {high:.decimals$}]");
        let (over, ratio) = (middle - quartile(0, 2), middle / quartile(0, 2));
        println!("{name:<22} {shown:>24} {over:>12.decimals$} {ratio:>8.2}");
    }
}
