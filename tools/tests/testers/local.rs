//! A local tester as recent contests publish them, written for the tests of `--external`: it asks for the status of a
//! contestant that says nothing more without waiting for it, and kills one whose query it refuses.
//!
//! `local COMMAND… < in/0000.txt > out/0000.txt`. The case is a list of numbers, which the contestant is sent. It asks
//! `sum`, gets the sum, and ends with `answer SUM`; the score is 100 less the number of questions.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio, exit};

fn judge(child: &mut Child, numbers: &str) -> Result<u64, String> {
    let sum: i64 = numbers.split_whitespace().map(|n| n.parse::<i64>().unwrap()).sum();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let _ = writeln!(to, "{}", numbers.trim());
    for questions in 0..50 {
        let mut line = String::new();
        if from.read_line(&mut line).map_err(|e| e.to_string())? == 0 {
            return Err("Your program has terminated unexpectedly".to_owned());
        }
        print!("{line}");
        match line.trim() {
            "sum" => _ = writeln!(to, "{sum}"),
            answer if answer == format!("answer {sum}") => return Ok(100 - questions),
            answer if answer.starts_with("answer") => {
                return Err(format!("Wrong sum after {questions} questions: {answer}"));
            }
            other => return Err(format!("Invalid query format: {other}")),
        }
    }
    Err("Too many questions".to_owned())
}

fn main() {
    let mut numbers = String::new();
    std::io::stdin().read_to_string(&mut numbers).unwrap();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    match judge(&mut child, &numbers) {
        Ok(score) => eprintln!("Score = {score}"),
        Err(reason) => {
            if let Ok(Some(status)) = child.try_wait()
                && !status.success()
            {
                exit(1);
            }
            let _ = child.kill();
            eprintln!("{reason}");
            eprintln!("Score = 0");
        }
    }
}
