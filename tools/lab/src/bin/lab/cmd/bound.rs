//! `lab bound`: how few turns a noisy game takes at least, beside what a policy takes.

use std::process::ExitCode;

use anyhow::{Context, Result};
use lab::simulate::bound::{Bound, Estimate, bound};
use lab::simulate::{Cases, adapter, scores_in_order, small};
use serde::Serialize;
use tester::problem::Spec;
use tester::shard::Part;

use crate::cli::{self, BoundArgs};
use crate::terminal::progress::Late;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problem: &'a str,
    policy: &'a str,
    games: usize,
    #[serde(flatten)]
    bound: Bound,
    /// Between these, for games of a few codes.
    optimum: Option<(f64, f64)>,
    played: Estimate,
    /// The part of games that are over by turn 1, 2, ….
    over: Vec<f64>,
}

/// With fewer games, their spread does not tell how far the bounds are off.
const FEWEST_GAMES: u64 = 30;

pub(crate) fn run(args: &BoundArgs) -> Result<ExitCode> {
    anyhow::ensure!(
        args.seeds.end - args.seeds.start >= FEWEST_GAMES,
        "expected at least {FEWEST_GAMES} seeds, found {}..{}: fewer games do not tell how far the bounds are off",
        args.seeds.start,
        args.seeds.end
    );
    let progress = || Late::new((args.seeds.end - args.seeds.start) as usize);
    let counted = progress();
    let bound = bound(&args.problem, args.seeds.clone(), &|| counted.inc());
    drop(counted);
    let bound = bound?;
    let adapter = adapter(&args.problem).context("expected distance or gap")?;
    let policy = cli::select_played(adapter, &args.policy)?;
    let cases = Cases::Seeds(args.seeds.clone());
    let counted = progress();
    let turns = scores_in_order(
        adapter,
        &args.problem,
        &policy,
        &cases,
        Part::WHOLE,
        &|| {
            counted.inc();
        },
    );
    drop(counted);
    let turns: Vec<f64> = turns?.into_iter().map(|turns| turns as f64).collect();
    let by = |turn: usize| turns.iter().filter(|&&turns| turns <= turn as f64).count();
    let last = turns.iter().copied().fold(0.0, f64::max) as usize;
    let report = Report {
        problem: &args.problem,
        policy: &args.policy,
        games: turns.len(),
        optimum: optimum(&args.problem)?,
        played: Estimate::of(&turns),
        over: (1..=last)
            .map(|turn| by(turn) as f64 / turns.len() as f64)
            .collect(),
        bound,
    };
    match args.json {
        true => out!("{}", serde_json::to_string(&report)?),
        false => out!("{}", table(&report).trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}

/// The fewest turns, for games of a few codes: between these numbers.
fn optimum(problem: &str) -> Result<Option<(f64, f64)>> {
    let spec = Spec::parse(problem)?;
    let of = lab::simulate::distance::difference_of(spec.problem.name());
    let number = |index: usize| {
        spec.params
            .get(index)
            .and_then(|word| word.parse::<f64>().ok())
    };
    let (Some(of), Some(base), Some(sigma)) = (of, number(1), number(2)) else {
        return Ok(None);
    };
    let codes = spec
        .enumerate()?
        .take(small::MOST + 1)
        .filter_map(|case| case.answer());
    let value = |code: String| {
        let digits = code
            .split(' ')
            .filter_map(|digit| digit.parse::<i64>().ok());
        digits.fold(0, |value, digit| value * base as i64 + digit)
    };
    let values: Vec<i64> = codes.map(value).collect();
    let games = values.len() <= small::MOST && sigma <= small::MOST_SIGMA;
    let turns = small::turns(of, values.len());
    Ok(games.then(|| small::Small::new(of, &values, sigma).fewest_turns(turns)))
}

fn table(report: &Report<'_>) -> String {
    let estimate = |e: Estimate| format!("{:.4} ± {:.4}", e.mean, e.half_width());
    let Bound {
        hindsight,
        blocks,
        found,
    } = &report.bound;
    let (best, name) = match blocks.mean > hindsight.mean {
        true => (blocks.mean, "in blocks"),
        false => (hindsight.mean, "in hindsight"),
    };
    let mut out = format!(
        "problem       {}, {} games, ± is 95 % confidence\nin hindsight  {} turns at least\nin blocks     {} turns at least\n",
        report.problem,
        report.games,
        estimate(*hindsight),
        estimate(*blocks),
    );
    if let Some((low, high)) = report.optimum {
        let between = match high - low < 5e-5 {
            true => format!("{low:.4}"),
            false => format!("{low:.4} to {high:.4}"),
        };
        out.push_str(&format!("optimum       {between} turns, exactly\n"));
    }
    let gap = report.played.mean - best;
    out.push_str(&format!(
        "played        {} turns by {}\ngap           {gap:.4} turns above the bound {name}, {:.1} % of what was played\n\n",
        estimate(report.played),
        report.policy,
        100.0 * gap / report.played.mean,
    ));
    out.push_str("turn   over at most   over as played   turns left then\n");
    // Of the games that are not over by turn t, 1 - over of the next turns take another one.
    let left = |turn: usize| {
        let later = report.over[turn - 1..].iter().map(|over| 1.0 - over);
        later.sum::<f64>() / (1.0 - report.over[turn - 1]).max(1e-12)
    };
    for (turn, over) in (1..).zip(&report.over) {
        let most = found.get(turn - 1).copied().unwrap_or(1.0).min(1.0);
        out.push_str(&format!(
            "{turn:>4} {most:>14.4} {over:>16.4} {:>17.4}\n",
            left(turn)
        ));
        if *over > 0.9995 {
            break;
        }
    }
    out
}
