//! `lab bounds`: bounds by information beside the optimum.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::optimal::{self, Objective, Options};
use lab::solver::limits::MAX_CODES;
use lab::solver::pegs::Game;
use lab::theory::{InformationBounds, information_bounds};
use serde::Serialize;

use super::strategies::{self, NamedTree};
use crate::cli::{self, BoundedArgs, BoundsArgs};
use crate::terminal::progress::Busy;

/// A row of `lab bounds`.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) problem: String,
    #[serde(flatten)]
    pub(crate) bounds: InformationBounds,
    /// Not where there are more codes than `--most-codes`, or too many for the search; nor are the next two.
    least_total: Option<u64>,
    pub(crate) optimum: Option<f64>,
    pub(crate) policy: Option<f64>,
}

/// The games, all of them read before the first is searched.
fn games(args: &BoundedArgs) -> Result<Vec<Game>> {
    strategies::check_name(&args.policy)?;
    let read =
        |problem: &String| lab::game::game(problem).context("failed to understand the problem");
    args.problems.iter().map(read).collect()
}

/// A row for each game. Cost: a search for the optimum each.
pub(crate) fn rows(args: &BoundedArgs) -> Result<Vec<Row>> {
    games(args)?
        .into_iter()
        .map(|game| row(game, args))
        .collect()
}

fn row(game: Game, args: &BoundedArgs) -> Result<Row> {
    let busy = Busy::new(format!("computing the bounds of {}", game.title()));
    let bounds = information_bounds(game);
    drop(busy);
    let mut row = Row {
        problem: game.title(),
        bounds,
        least_total: None,
        optimum: None,
        policy: None,
    };
    if game.code_count() > args.most_codes.min(MAX_CODES) {
        return Ok(row);
    }
    let codes = cli::codes(&game.title())?;
    let busy = Busy::new(format!("searching the optimum of {}", game.title()));
    // There is none in a game that is too large to be searched.
    let found = optimal::find(&codes, Objective::MeanThenWorst, &Options::default()).ok();
    drop(busy);
    row.least_total = found.map(|found| found.total);
    row.optimum = row
        .least_total
        .map(|total| total as f64 / codes.len() as f64);
    let searched = matches!(NamedTree::parse(&args.policy), Some(NamedTree::Optimal(_)));
    if row.optimum.is_some() || !searched {
        let outcome = strategies::outcome(&codes, &args.policy)?;
        row.policy = Some(outcome.all_turns().mean);
    }
    Ok(row)
}

pub(crate) fn run(args: &BoundsArgs) -> Result<ExitCode> {
    if args.json {
        out!("{}", serde_json::to_string(&rows(&args.bounded)?)?);
        return Ok(ExitCode::SUCCESS);
    }
    let games = games(&args.bounded)?;
    let title = |game: &Game| game.title().len();
    let wide = games.iter().map(title).max().unwrap_or(0).max(15);
    let codes = |game: &Game| game.code_count().to_string().len();
    let codes = games.iter().map(codes).max().unwrap_or(0).max(6);
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
    // Each row as soon as it is known: the next one may take long.
    for game in games {
        let row = row(game, &args.bounded)?;
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
