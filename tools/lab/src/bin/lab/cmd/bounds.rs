//! `lab bounds`: bounds by information beside the optimum.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::optimal::{self, Objective, Options};
use lab::theory::{InformationBounds, information_bounds};
use lab::tree::outcome_of;
use serde::Serialize;

use crate::cli::{self, BoundsArgs, SelectedPolicy};

/// A row of `lab bounds`.
#[derive(Serialize)]
struct Row {
    problem: String,
    #[serde(flatten)]
    bounds: InformationBounds,
    least_total: u64,
    optimum: f64,
    policy: f64,
}

pub(crate) fn run(args: &BoundsArgs) -> Result<ExitCode> {
    let selected = SelectedPolicy::from_text(&args.policy)?;
    let row = |problem: &String| {
        let codes = cli::codes(problem)?;
        let found = optimal::find(&codes, Objective::MeanThenWorst, &Options::default());
        let total = found
            .with_context(|| format!("failed to search {problem}"))?
            .total;
        let outcome = outcome_of(selected.factory, &*selected.policy(), &codes);
        anyhow::Ok(Row {
            problem: codes.game.title(),
            bounds: information_bounds(&codes),
            least_total: total,
            optimum: total as f64 / codes.len() as f64,
            policy: outcome.all_turns().mean,
        })
    };
    let rows: Vec<Row> = args.problems.iter().map(row).collect::<Result<_>>()?;
    if args.json {
        out!("{}", serde_json::to_string(&rows)?);
        return Ok(ExitCode::SUCCESS);
    }
    out!(
        "{:<15} {:>6} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8}  {}",
        "game",
        "codes",
        "replies",
        "log2 N",
        "entropy",
        "ending",
        "counting",
        "optimum",
        args.policy
    );
    for row in rows {
        let bounds = row.bounds;
        out!(
            "{:<15} {:>6} {:>7} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.4}  {:.4}",
            row.problem,
            bounds.codes,
            bounds.replies,
            bounds.bits,
            bounds.entropy,
            bounds.ending,
            bounds.counting,
            row.optimum,
            row.policy
        );
    }
    Ok(ExitCode::SUCCESS)
}
