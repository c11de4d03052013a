//! `lab bounds`: bounds by information beside the optimum.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use lab::optimal::{self, Objective, Options};
use lab::solver::pegs::{Codes, Game};
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
    /// Not if there are more than [`MOST_CODES`] codes; nor are the next two. The search of this one takes 7 places at most,
    /// and may take longer than its limit.
    least_total: Option<u64>,
    pub(crate) optimum: Option<f64>,
    pub(crate) policy: Option<f64>,
}

/// Of a game for which more than bounds is computed. A policy takes some 10 s for that many.
const MOST_CODES: u64 = 40_320;

/// The games, all of them read before the first is searched.
fn games(args: &BoundedArgs) -> Result<Vec<Game>> {
    strategies::check_name(&args.policy)?;
    let read =
        |problem: &String| lab::game::game(problem).context("failed to understand the problem");
    args.problems.iter().map(read).collect()
}

/// A row for each game. Cost: for each a search for the optimum, up to its limit, and a walk through the tree of the policy.
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
    if game.code_count() > MOST_CODES {
        return Ok(row);
    }
    let codes = cli::codes(&game.title())?;
    let limit = Duration::from_secs(args.search_seconds);
    let mean = |total: u64| total as f64 / codes.len() as f64;
    row.least_total = least_total(&codes, Objective::MeanThenWorst, limit);
    row.optimum = row.least_total.map(mean);
    row.policy = match NamedTree::parse(&args.policy) {
        Some(NamedTree::Optimal(Objective::MeanThenWorst)) => row.optimum,
        Some(NamedTree::Optimal(objective)) => least_total(&codes, objective, limit).map(mean),
        _ => Some(strategies::outcome(&codes, &args.policy)?.all_turns().mean),
    };
    Ok(row)
}

/// The total of an optimal strategy; `None` if the search takes longer than the limit, or the game is too large for it.
fn least_total(codes: &Codes, objective: Objective, limit: Duration) -> Option<u64> {
    if limit.is_zero() {
        return None;
    }
    let game = codes.game.title();
    let _busy = Busy::new(format!(
        "searching the optimum of {game} for at most {} s",
        limit.as_secs()
    ));
    let options = Options {
        limit: Some(limit),
        ..Options::default()
    };
    let found = optimal::find(codes, objective, &options).ok()?;
    // The worst case among strategies of the least mean does not matter here.
    let is_least = objective == Objective::MeanThenWorst && found.total == found.least_total;
    (found.proved || is_least).then_some(found.total)
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
