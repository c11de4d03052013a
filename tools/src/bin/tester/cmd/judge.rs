//! `tester judge`: the judge's side alone, on our own standard input and output.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester::case::{Seed, read_case_file};
use tester::judge::record::Verdict;
use tester::judge::referee::{Referee, Ruling, Stage};
use tester::judge::verdict::Limits;
use tester::problem::{Instance, Spec};
use tester::util::quote::quote;

use crate::cli::Judge;

pub(crate) fn run(args: &Judge) -> Result<ExitCode> {
    let instance = instance(args)?;
    let mut referee = Referee::new(instance.as_ref(), args.turn_limit);
    let ended = play(&instance.opening(), &mut referee)?;
    let (verdict, reason) = match (ended, referee.violation()) {
        (Ended::Solved, _) => (Verdict::Ac, None),
        (Ended::Flood(reason), _) => (Verdict::Ole, Some((referee.turns() + 1, reason))),
        (_, Some(violation)) => (
            Verdict::Wa,
            Some((violation.turn, violation.error.to_string())),
        ),
        (Ended::Left, None) => {
            let reason = "expected a guess, found the end of the input".to_owned();
            (Verdict::Wa, Some((referee.turns() + 1, reason)))
        }
    };
    if let Some((turn, reason)) = reason {
        note!("{verdict}: turn {turn}: {reason}");
    }
    let accepted = verdict == Verdict::Ac;
    note!("Score = {}", if accepted { referee.score() } else { 0 });
    Ok(ExitCode::from(u8::from(!accepted)))
}

fn instance(args: &Judge) -> Result<Box<dyn Instance>> {
    match (&args.file, args.seed) {
        (Some(path), _) => Ok(read_case_file(path)?),
        (None, Some(seed)) => instance_of_seed(&args.problem, seed),
        (None, None) => unreachable!("clap requires one of the two"),
    }
}

/// The case of a seed of the problem that was typed.
pub(crate) fn instance_of_seed(problem: &str, seed: u64) -> Result<Box<dyn Instance>> {
    let instance = Spec::parse(problem).and_then(|spec| spec.generate(Seed(seed)));
    instance.context("failed to understand --problem")
}

/// How the other side's input ended.
enum Ended {
    /// With the right answer.
    Solved,
    /// With its end, or with a line that broke the protocol.
    Left,
    /// With a line too long to keep.
    Flood(String),
}

/// Answers lines until the session is over. After the right answer, nothing more is waited for:
/// whoever connected us may never close our input.
fn play(opening: &str, referee: &mut Referee) -> Result<Ended> {
    let longest = Limits::default().line_bytes;
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    if !say(&mut output, opening)? {
        return Ok(Ended::Left);
    }
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut input).take(longest as u64 + 2);
        let read = limited.read_until(b'\n', &mut line);
        if read.context("failed to read a guess")? == 0 {
            return Ok(Ended::Left);
        }
        if line.strip_suffix(b"\n").unwrap_or(&line).len() > longest {
            let start = quote(&line);
            return Ok(Ended::Flood(format!(
                "expected a line of at most {longest} bytes, found {start}"
            )));
        }
        let answered = match referee.hear(&line) {
            Ruling::Reply(reply) => say(&mut output, &reply)?,
            Ruling::Ignored | Ruling::Ended => true,
        };
        match referee.stage() {
            Stage::Solved => return Ok(Ended::Solved),
            Stage::Playing if answered => {}
            Stage::Playing | Stage::Violated => return Ok(Ended::Left),
        }
    }
}

/// Writes a line and flushes it; false if nobody is there to read it.
fn say(output: &mut impl Write, line: &str) -> Result<bool> {
    match writeln!(output, "{line}").and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(e).context("failed to write a reply"),
    }
}
