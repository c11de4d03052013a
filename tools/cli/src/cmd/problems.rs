//! `tester problems`: which problems there are.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use tester_core::problem::{Problem, problems, with_defaults};
use tester_core::util::tester_word::tester_word;

use crate::args;
use crate::print::print;

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
        Self {
            name: problem.name(),
            usage: problem.usage(),
            rules: problem.about(),
            example: with_defaults(problem),
        }
    }
}

pub(crate) fn run(args: &args::Problems) -> Result<ExitCode> {
    let entries: Vec<Entry> = problems()
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
