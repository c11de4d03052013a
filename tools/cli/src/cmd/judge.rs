//! `tester judge`: the judge's side alone, on our own standard input and output.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::case::read_case_file;
use tester_core::judge::record::Verdict;
use tester_core::judge::referee::{Referee, Ruling, Stage};
use tester_core::judge::verdict::{Limits, dialogue_verdict};
use tester_core::problem::{Instance, problem_of};
use tester_core::util::quote::quote;

use crate::args::Judge;
use crate::cmd::instance_of_seed::instance_of_seed;

pub(crate) fn run(args: &Judge) -> Result<ExitCode> {
    let instance = instance(args)?;
    let usual = Limits::from_problem(problem_of(instance.as_ref()));
    let limits = Limits {
        turns: args.turn_limit.unwrap_or(usual.turns),
        ..usual
    };
    let mut referee = Referee::new(instance.as_ref(), limits.turns);
    let long_line = play(&instance.opening(), &mut referee, limits.line_bytes)?;
    let outcome = dialogue_verdict(&referee.facts(), long_line.as_deref(), &limits);
    if let Some(reason) = &outcome.reason {
        note!("{}: {reason}", outcome.verdict);
    }
    note!("Score = {}", outcome.score);
    Ok(ExitCode::from(u8::from(outcome.verdict != Verdict::Ac)))
}

fn instance(args: &Judge) -> Result<Box<dyn Instance>> {
    match (&args.file, args.seed) {
        (Some(path), _) => Ok(read_case_file(path)?),
        (None, Some(seed)) => instance_of_seed(&args.problem, seed),
        (None, None) => unreachable!("clap requires one of the two"),
    }
}

/// Answers lines until the session is over. If a line that is too long ended the session, returns its beginning.
/// After the right answer it stops reading: the other side may never close our input.
fn play(opening: &str, referee: &mut Referee, longest: usize) -> Result<Option<String>> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut answered = say(&mut output, opening)?;
    let mut line = Vec::new();
    while answered && referee.stage() == Stage::Playing {
        line.clear();
        let mut limited = (&mut input).take(longest as u64 + 2);
        let read = limited.read_until(b'\n', &mut line);
        if read.context("failed to read a guess")? == 0 {
            break;
        }
        if line.strip_suffix(b"\n").unwrap_or(&line).len() > longest {
            return Ok(Some(quote(&line)));
        }
        if let Ruling::Reply(reply) = referee.hear(&line) {
            answered = say(&mut output, &reply)?;
        }
    }
    Ok(None)
}

/// Writes a line and flushes it; false if the other side has closed our output.
fn say(output: &mut impl Write, line: &str) -> Result<bool> {
    match writeln!(output, "{line}").and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(e) => Err(e).context("failed to write a reply"),
    }
}
