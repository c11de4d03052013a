//! A local tester as contests publish them for interactive problems, written for the tests of `--external`:
//! starts the contestant, answers it, copies its output, and prints `Score = N` on stderr.
//!
//! `interactive COMMAND… < in/0000.txt > out/0000.txt`. The case is `LIMIT SECRET`; the contestant is told the
//! limit, prints numbers, and is told `higher`, `lower` or `found`.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio, exit};

fn main() {
    let mut case = String::new();
    io::stdin().read_line(&mut case).unwrap();
    let numbers: Vec<i64> = case
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    let (limit, secret) = (numbers[0], numbers[1]);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut turns = 0;
    let mut said = writeln!(to, "{limit}");
    let mut found = false;
    while said.is_ok() && !found {
        let mut line = String::new();
        if from.read_line(&mut line).unwrap() == 0 {
            break;
        }
        print!("{line}");
        let Ok(guess) = line.trim().parse::<i64>() else {
            eprintln!("wrong answer: {line:?} is no number");
            break;
        };
        turns += 1;
        found = guess == secret;
        let reply = match guess.cmp(&secret) {
            std::cmp::Ordering::Less => "higher",
            std::cmp::Ordering::Equal => "found",
            std::cmp::Ordering::Greater => "lower",
        };
        said = writeln!(to, "{reply}");
    }
    drop(to);
    let status = child.wait().unwrap();
    // As the official ones: a contestant that crashed has a score of 0, and the tester itself is fine.
    if !status.success() {
        eprintln!("the contestant ended with {status}");
    }
    let score = if found && status.success() { turns } else { 0 };
    eprintln!("Score = {score}");
    exit(0);
}
