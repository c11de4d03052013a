//! What judging costs where lines are long: `cargo bench -p ahc030 --bench session` (or scripts/bench).
//!
//! One contestant asks 400 questions of 100 cells, each in a line of its own whose reply it reads. It plays the same case
//! three ways, in turn, so that a noisy machine disturbs all alike:
//!
//! - bare: a process that starts it, passes replies from a list, and reads nothing out of the lines (the floor);
//! - a plain tester, written as contests' own local testers are: line by line, with checks, replies and a score;
//! - `ahc030`.
//!
//! Then 100 cases: plain testers one after the other, as many at once as there are cores (`xargs -P`), and
//! `ahc030 batch`. Medians are printed, with the middle half of the samples in brackets.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Instant;

use tester::problem::Problem;

const ASK: &str = "--ask";
const BARE: &str = "--bare";
const PLAIN: &str = "--plain";
const ROUNDS: usize = 60;
const WARM_UP: usize = 5;
const BATCHES: usize = 7;
const CASES: usize = 100;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some(ASK) => ask(),
        Some(BARE) => bare(),
        Some(PLAIN) => plain(),
        _ => measure(),
    }
}

/// The contestant. After its questions it gives wrong answers, until all operations are used up.
fn ask() {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = String::new();
    input.read_line(&mut line).unwrap();
    let mut words = line.split(' ').map(|word| word.parse::<usize>());
    let mut number = || words.next().unwrap().unwrap();
    let (n, m) = (number(), number());
    for _ in 0..m {
        input.read_line(&mut line).unwrap();
    }
    let cells: String = (0..100).map(|i| format!(" {} {}", i / n, i % n)).collect();
    let question = format!("q 100{cells}\n");
    for operation in 0..2 * n * n {
        let asked = if operation < 400 {
            &question
        } else {
            "a 1 0 0\n"
        };
        output.write_all(asked.as_bytes()).unwrap();
        output.flush().unwrap();
        line.clear();
        input.read_line(&mut line).unwrap();
    }
}

/// The contestant, started; what it is sent first; and the case's text.
fn started() -> (Child, ChildStdin, String) {
    let mut case = String::new();
    io::stdin().read_to_string(&mut case).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg(ASK)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let to = child.stdin.take().unwrap();
    (child, to, case)
}

/// The first line's numbers: N and M.
fn size(case: &str) -> (usize, usize) {
    let mut words = case.split_whitespace().map(|word| word.parse().unwrap());
    (words.next().unwrap(), words.next().unwrap())
}

fn bare() {
    let (mut child, mut to, case) = started();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let (n, m) = size(&case);
    let input: Vec<&str> = case.lines().take(1 + m).collect();
    to.write_all((input.join("\n") + "\n").as_bytes()).unwrap();
    let mut line = String::new();
    for _ in 0..2 * n * n {
        line.clear();
        from.read_line(&mut line).unwrap();
        to.write_all(b"0\n").unwrap();
    }
    drop(to);
    child.wait().unwrap();
}

/// As local testers of contests are: it reads and checks each line, copies it, replies, and prints a score at the end.
fn plain() {
    let (mut child, mut to, case) = started();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let (n, m) = size(&case);
    let lines: Vec<&str> = case.lines().collect();
    let eps: f64 = lines[0].split_whitespace().nth(2).unwrap().parse().unwrap();
    let row = |line: &&str| {
        line.split_whitespace()
            .map(|v| v.parse().unwrap())
            .collect()
    };
    let values: Vec<Vec<i32>> = lines[1 + 2 * m..][..n].iter().map(row).collect();
    let noise = lines[1 + 2 * m + n..]
        .iter()
        .map(|line| line.parse().unwrap());
    let noise: Vec<f64> = noise.collect();
    for line in &lines[..1 + m] {
        writeln!(to, "{line}").unwrap();
    }
    let mut cost = 0.0;
    for z in noise {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        print!("{line}");
        let mut words = line.split_whitespace();
        let is_answer = words.next() == Some("a");
        let numbers: Vec<usize> = words.map(|word| word.parse().unwrap()).collect();
        let mut seen = vec![vec![false; n]; n];
        for cell in numbers[1..].chunks(2) {
            assert!(!std::mem::replace(&mut seen[cell[0]][cell[1]], true));
        }
        let sum: i32 = numbers[1..]
            .chunks(2)
            .map(|cell| values[cell[0]][cell[1]])
            .sum();
        let (k, sum) = (numbers[0] as f64, f64::from(sum));
        let mean = (k - sum) * eps + sum * (1.0 - eps);
        let reply = (mean + z * (k * eps * (1.0 - eps)).sqrt()).round().max(0.0);
        cost += if is_answer { 1.0 } else { 1.0 / k.sqrt() };
        // The answers of this contestant are wrong.
        writeln!(to, "{}", if is_answer { 0 } else { reply as i32 }).unwrap();
    }
    drop(to);
    child.wait().unwrap();
    assert!(cost > 0.0);
    eprintln!("Score = 1000000000"); // no answer was right
}

/// A command with the case on its standard input.
fn run(command: &mut Command, case: &Path) {
    let quiet = command
        .stdin(File::open(case).unwrap())
        .stderr(Stdio::null());
    assert!(quiet.status().unwrap().success());
}

fn measure() {
    let dir = tempfile::tempdir().unwrap();
    let here = std::env::current_exe().unwrap();
    let cases = dir.path().join("in");
    std::fs::create_dir(&cases).unwrap();
    // Of seed 0: 15 rows, so that there are 450 operations.
    let text = ahc030::problem::AHC030
        .generate(&[], tester::Seed(0))
        .unwrap()
        .to_text();
    let paths: Vec<_> = (0..CASES)
        .map(|i| cases.join(format!("{i:04}.txt")))
        .collect();
    paths
        .iter()
        .for_each(|path| std::fs::write(path, &text).unwrap());
    let output = || File::create(dir.path().join("output")).unwrap();
    let itself =
        |role: &str, case: &Path| run(Command::new(&here).arg(role).stdout(output()), case);
    let ahc030 = env!("CARGO_BIN_EXE_ahc030");
    let judge = |case: &Path| {
        run(
            Command::new(ahc030).arg(&here).arg(ASK).stdout(output()),
            case,
        )
    };
    let ways: [(&str, &dyn Fn()); 3] = [
        ("bare", &|| itself(BARE, &paths[0])),
        ("plain tester", &|| itself(PLAIN, &paths[0])),
        ("ahc030", &|| judge(&paths[0])),
    ];
    println!("a case with 400 questions of 100 cells, milliseconds, {ROUNDS} rounds");
    let times = samples(&ways, WARM_UP, ROUNDS);
    for ((name, _), of_way) in ways.iter().zip(&times) {
        let [low, middle, high] = quartiles(of_way).map(|seconds| 1e3 * seconds);
        let over = middle - 1e3 * quartiles(&times[0])[1];
        println!("{name:<24} {middle:>8.2} [{low:.2}, {high:.2}]  over bare {over:.2}");
    }
    let jobs = num_cpus().to_string();
    let many = format!(
        "ls in/* | xargs -P {jobs} -I@ sh -c '{} {PLAIN} < @ > @.out' 2> /dev/null",
        here.display()
    );
    let in_folder = |command: &mut Command| {
        let quiet = command
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        assert!(quiet.status().unwrap().success());
        for case in &paths {
            let _ = std::fs::remove_file(case.with_extension("txt.out"));
        }
    };
    let at_once = format!("plain testers, {jobs} at once");
    let ways: [(&str, &dyn Fn()); 3] = [
        ("plain testers, in turn", &|| {
            paths.iter().for_each(|case| itself(PLAIN, case))
        }),
        (&at_once, &|| {
            in_folder(Command::new("sh").args(["-c", &many]))
        }),
        ("ahc030 batch", &|| {
            in_folder(
                Command::new(ahc030)
                    .args(["batch", "--"])
                    .arg(&here)
                    .arg(ASK),
            )
        }),
    ];
    println!("{CASES} such cases, cases per second, {BATCHES} rounds");
    for ((name, _), of_way) in ways.iter().zip(samples(&ways, 1, BATCHES)) {
        let [high, middle, low] = quartiles(&of_way).map(|seconds| CASES as f64 / seconds);
        println!("{name:<24} {middle:>8.0} [{low:.0}, {high:.0}]");
    }
}

fn num_cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// For each way, its times in seconds, sorted.
fn samples(ways: &[(&str, &dyn Fn())], warm_up: usize, rounds: usize) -> Vec<Vec<f64>> {
    let mut times = vec![Vec::new(); ways.len()];
    for round in 0..warm_up + rounds {
        for ((_, way), times) in ways.iter().zip(&mut times) {
            let before = Instant::now();
            way();
            if round >= warm_up {
                times.push(before.elapsed().as_secs_f64());
            }
        }
    }
    times
        .iter_mut()
        .for_each(|times| times.sort_by(f64::total_cmp));
    times
}

fn quartiles(sorted: &[f64]) -> [f64; 3] {
    [1, 2, 3].map(|part| sorted[sorted.len() * part / 4])
}
