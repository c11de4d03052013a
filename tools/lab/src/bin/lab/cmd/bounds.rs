//! `lab bounds`: bounds by information beside the optimum.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::optimal::{self, Objective, Options};
use lab::solver::limits::MAX_CODES;
use lab::theory::{InformationBounds, information_bounds};
use serde::Serialize;

use super::strategies;
use crate::cli::{self, BoundedArgs, BoundsArgs};
use crate::terminal::progress::Busy;

/// A row of `lab bounds`.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) problem: String,
    #[serde(flatten)]
    pub(crate) bounds: InformationBounds,
    /// Not where there are too many codes to list them; nor are the next two.
    least_total: Option<u64>,
    pub(crate) optimum: Option<f64>,
    pub(crate) policy: Option<f64>,
}

/// A row for each game. Cost: a search for the optimum each.
pub(crate) fn rows(args: &BoundedArgs) -> Result<Vec<Row>> {
    strategies::check_name(&args.policy)?;
    let row = |problem: &String| {
        let game = lab::game::game(problem).context("failed to understand the problem")?;
        let busy = Busy::new(format!("computing the bounds of {}", game.title()));
        let bounds = information_bounds(game);
        drop(busy);
        if game.code_count() > MAX_CODES {
            return Ok(Row {
                problem: game.title(),
                bounds,
                least_total: None,
                optimum: None,
                policy: None,
            });
        }
        let codes = cli::codes(problem)?;
        let busy = Busy::new(format!("searching the optimum of {}", game.title()));
        let found = optimal::find(&codes, Objective::MeanThenWorst, &Options::default());
        let total = found
            .with_context(|| format!("failed to search {problem}"))?
            .total;
        drop(busy);
        let outcome = strategies::outcome(&codes, &args.policy)?;
        anyhow::Ok(Row {
            problem: codes.game.title(),
            bounds,
            least_total: Some(total),
            optimum: Some(total as f64 / codes.len() as f64),
            policy: Some(outcome.all_turns().mean),
        })
    };
    args.problems.iter().map(row).collect()
}

pub(crate) fn run(args: &BoundsArgs) -> Result<ExitCode> {
    let rows = rows(&args.bounded)?;
    if args.json {
        out!("{}", serde_json::to_string(&rows)?);
        return Ok(ExitCode::SUCCESS);
    }
    let wide = args
        .bounded
        .problems
        .iter()
        .map(String::len)
        .max()
        .unwrap_or(0)
        .max(15);
    let codes = |row: &Row| row.bounds.codes.to_string().len();
    let codes = rows.iter().map(codes).max().unwrap_or(0).max(6);
    out!(
        "{:<wide$} {:>codes$} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}  {}",
        "game",
        "codes",
        "replies",
        "log2 N",
        "entropy",
        "ending",
        "telling",
        "counting",
        "sizes",
        "pairs",
        "optimum",
        args.bounded.policy
    );
    let known = |mean: Option<f64>| mean.map_or("-".to_owned(), |mean| format!("{mean:.4}"));
    for row in rows {
        let bounds = row.bounds;
        out!(
            "{:<wide$} {:>codes$} {:>7} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8} {:>8}  {}",
            row.problem,
            bounds.codes,
            bounds.replies,
            bounds.bits,
            bounds.entropy,
            bounds.ending,
            bounds.telling,
            bounds.counting,
            bounds.sizes,
            known(bounds.pairs),
            known(row.optimum),
            known(row.policy)
        );
    }
    Ok(ExitCode::SUCCESS)
}
