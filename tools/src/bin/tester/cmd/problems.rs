//! `tester problems`: which problems there are.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use tester::problem::{PROBLEMS, Problem};

use crate::cli;
use crate::cmd::show::print;
use crate::terminal::tester_word;

/// What `--json` prints of a problem.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    usage: &'static str,
    rules: &'static str,
    example: String,
}

impl Entry {
    fn new(problem: &dyn Problem) -> Self {
        let samples = problem.samples();
        // The smallest come first: those just past the middle are interesting to play, and not too large.
        let params = samples.get(samples.len() / 2 + 1).unwrap_or(&"");
        Self {
            name: problem.name(),
            usage: problem.usage(),
            rules: problem.about(),
            example: format!("{} {params}", problem.name()),
        }
    }
}

pub(crate) fn run(args: &cli::Problems) -> Result<ExitCode> {
    let entries: Vec<Entry> = PROBLEMS
        .iter()
        .map(|&problem| Entry::new(problem))
        .collect();
    let text = match args.json {
        true => serde_json::to_string(&entries)? + "\n",
        false => entries.iter().map(text).collect::<Vec<_>>().join("\n"),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn text(entry: &Entry) -> String {
    let indented = textwrap::Options::new(80).subsequent_indent("    ");
    let usage = textwrap::fill(entry.usage, &indented);
    let rules = textwrap::fill(entry.rules, indented.initial_indent("    "));
    let (tester, example) = (tester_word(), &entry.example);
    format!("{usage}\n{rules}\n    Example: {tester} play --problem \"{example}\"\n")
}
