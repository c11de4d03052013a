//! `lab explain` for `distance` and `gap`: what noisy replies tell, and what guesses are worth.

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use lab::analysis::{Answer, GameState, GuessValue, Question, Turn, analyst};
use tester::problem::Spec;

use super::explain::contradiction;
use crate::cli::ExplainArgs;
use crate::terminal::text::{broken, broken_lines, broken_parts, screen};

/// The number of codes shown, the most probable first.
const SHOWN: usize = 8;
/// All guesses are compared in games of at most this number of codes.
const MOST_GUESSES: usize = 1000;

pub(super) fn run(args: &ExplainArgs) -> Result<ExitCode> {
    for (option, is_given) in [
        ("--prior", args.prior.is_some()),
        ("--digits", args.digits.is_some()),
    ] {
        if is_given {
            bail!("{option} cannot be used with {}", args.problem);
        }
    }
    let spec = Spec::parse(&args.problem)?;
    let analyst = analyst(&args.problem)?;
    let row = |row: &str| {
        let parts = row
            .split_once(':')
            .map(|(guess, reply)| (guess.to_owned(), reply.to_owned()));
        parts.ok_or_else(|| anyhow!("expected GUESS:0,DIFFERENCE such as 058:0,299, found {row:?}"))
    };
    let rows: Vec<(String, String)> = args
        .rows
        .iter()
        .map(|text| row(text))
        .collect::<Result<_>>()?;
    let turns = rows.iter().map(|(guess, reply)| Turn { guess, reply });
    let digits: usize = spec
        .params
        .get(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(0);
    let between = if digits <= 10 { "" } else { "," };
    let all = spec
        .enumerate()?
        .take(MOST_GUESSES + 1)
        .filter_map(|case| case.answer());
    let all: Vec<String> = all.map(|code| code.replace(' ', between)).collect();
    let all = if all.len() > MOST_GUESSES {
        Vec::new()
    } else {
        all
    };
    let named = args.guess.iter().chain(&all).map(|guess| &**guess);
    let question = Question {
        turns: turns.collect(),
        named: named.collect(),
        ..Question::default()
    };
    match analyst.analyse(&question).map_err(|why| anyhow!(why))? {
        Answer::State(state) => show(&state, args.guess.len()),
        Answer::Contradiction(found) => {
            let text = contradiction(&found, |row| args.rows[row].clone());
            out!("{}", broken_lines(text.trim_end(), screen()));
            Ok(ExitCode::from(1))
        }
        Answer::OutsidePrior(_) => bail!("expected no prior"),
    }
}

/// The named guesses come first, then all.
fn show(state: &GameState, named: usize) -> Result<ExitCode> {
    out!(
        "posterior  {:.4} bits, {} candidates",
        state.entropy,
        state.candidates
    );
    let likely: Vec<String> = state
        .listed
        .iter()
        .take(SHOWN)
        .map(|code| format!("{} {:.4}", code.name, code.probability))
        .collect();
    if !likely.is_empty() {
        out!("           {}", broken_parts(&likely, 11, screen()));
    }
    let (named, all) = state.named.split_at(named);
    let told = |guess: &GuessValue| guess.information.map(|bits| (bits, guess.guess.clone()));
    let most = all
        .iter()
        .filter_map(told)
        .reduce(|a, b| if b.0 > a.0 { b } else { a });
    let least = all
        .iter()
        .filter_map(told)
        .reduce(|a, b| if b.0 < a.0 { b } else { a });
    if let (Some(most), Some(least)) = (most, least) {
        let range = format!(
            "{:.4} bits ({}) to {:.4} bits ({}): they differ by {:.4}",
            least.0,
            least.1,
            most.0,
            most.1,
            most.0 - least.0
        );
        out!("all guesses  {}", broken(&range, 13, screen()));
    }
    out!("best guesses as the solver ranks them, and those named");
    for guess in state.best.iter().chain(named) {
        out!(
            "{:>9}  information {}, right with probability {:.4}",
            guess.guess,
            guess
                .information
                .map_or("not computed (it takes too long)".to_owned(), |bits| {
                    format!("{bits:.4} bits")
                }),
            guess.right.unwrap_or(0.0)
        );
    }
    Ok(ExitCode::SUCCESS)
}
