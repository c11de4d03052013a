//! `lab book`: optimal strategies as the solver carries them: a constant of its module `book`.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::optimal::{self, Objective, Options};

use crate::cli::{self, BookArgs};

/// Characters of a strategy in a line, so that the file stays readable.
const LINE: usize = 96;

pub(crate) fn run(args: &BookArgs) -> Result<ExitCode> {
    out!("    pub const BOOKS: &[(&str, &str)] = &[");
    for problem in &args.problems {
        let codes = cli::codes(problem)?;
        let failed = || format!("failed to make a book of {problem}");
        let found = optimal::find(&codes, Objective::MeanThenWorst, &Options::default());
        let strategy = found.with_context(failed)?.strategy;
        let text = lab::strategy::pack(&codes, &strategy).with_context(failed)?;
        out!(
            "        (\n            {:?},\n            \"\\",
            strategy.game
        );
        let text: Vec<char> = text.chars().collect();
        for line in text.chunks(LINE) {
            out!("{}\\", line.iter().collect::<String>());
        }
        out!("\",\n        ),");
    }
    out!("    ];");
    Ok(ExitCode::SUCCESS)
}
