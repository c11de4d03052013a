//! `lab book`: optimal strategies as the solver carries them: a constant of its module `book`.

use std::process::ExitCode;

use anyhow::{Context as _, Error, Result};
use lab::optimal::{self, Objective, Options};
use lab::solver::limits::MAX_LISTED_PLACES;

use crate::cli::{self, BookArgs};

/// Characters of a strategy in a line, so that the file stays readable.
const LINE: usize = 96;

/// Sets of more numbers than this have a guess in the table of openings, by places from 5.
const LEAVES: [usize; 6] = [300, 800, 2_500, 6_000, 12_000, 12_000];
/// Table lookups for one guess of it.
const OPENING_WORK: u64 = 200_000_000;

pub(crate) fn run(args: &BookArgs) -> Result<ExitCode> {
    if args.openings {
        return openings();
    }
    out!("    pub const BOOKS: &[(&str, &str)] = &[");
    for problem in &args.problems {
        let rules = cli::rules(problem)?;
        let failed = || format!("failed to make a book of {problem}");
        let options = Options {
            secrets: Some(&rules.secrets),
            ..Options::default()
        };
        let found = optimal::find(&rules.codes, Objective::MeanThenWorst, &options);
        let strategy = found.with_context(failed)?.strategy;
        let text = lab::strategy::pack(&rules, &strategy).with_context(failed)?;
        out!(
            "        (\n            {:?},\n            \"\\",
            rules.title
        );
        show_text(&text)?;
    }
    out!("    ];");
    Ok(ExitCode::SUCCESS)
}

/// The tables of first guesses at numbers that are not listed.
fn openings() -> Result<ExitCode> {
    out!("    pub const OPENINGS: &[(usize, &str)] = &[");
    for (places, leaf) in (MAX_LISTED_PLACES + 1..).zip(LEAVES) {
        let text = lab::strategy::openings(places, leaf, OPENING_WORK).map_err(Error::msg)?;
        out!("        (\n            {places},\n            \"\\");
        show_text(&text)?;
    }
    out!("    ];");
    Ok(ExitCode::SUCCESS)
}

/// The rest of a pair whose second part is this text.
fn show_text(text: &str) -> Result<()> {
    let text: Vec<char> = text.chars().collect();
    for line in text.chunks(LINE) {
        out!("{}\\", line.iter().collect::<String>());
    }
    out!("\",\n        ),");
    Ok(())
}
