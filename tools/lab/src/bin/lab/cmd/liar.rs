//! `lab liar`: what it costs that one reply may be false.

use std::process::ExitCode;

use anyhow::{Context, Result};
use lab::simulate::lies::{LieCosts, rules, solver_costs, truthful_turns, twice_costs};
use lab::solver::pegs::Policy;

use crate::cli::LiarArgs;

pub(crate) fn run(args: &LiarArgs) -> Result<ExitCode> {
    let policy = match args.hit_bonus {
        Some(hit_bonus) => Policy::Mi { hit_bonus },
        None => Policy::Optimal,
    };
    for (number, problem) in args.problems.iter().enumerate() {
        let fail = |why: String| anyhow::anyhow!(why);
        let rules = rules(problem)
            .map_err(fail)
            .context("failed to understand the problem")?;
        let truthful = truthful_turns(rules);
        let solver = solver_costs(rules, policy).map_err(fail)?;
        let twice = twice_costs(rules, &truthful);
        if number > 0 {
            out!("");
        }
        let secrets = truthful.len();
        out!(
            "{problem}: {secrets} secrets, {} games of the solver",
            solver.games()
        );
        show(rules.game.places, &truthful, &solver, &twice)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A row for each way to lie: mean and worst.
fn show(places: usize, truthful: &[usize], solver: &LieCosts, twice: &LieCosts) -> Result<()> {
    let mean = truthful.iter().sum::<usize>() as f64 / truthful.len() as f64;
    let worst = truthful.last().copied().unwrap_or(0);
    out!(
        "{:<28} {:>8} {:>6} {:>14} {:>6}",
        "",
        "solver",
        "worst",
        "asks twice",
        "worst"
    );
    let row = |name: &str, of: &dyn Fn(&LieCosts) -> (f64, usize)| -> Result<()> {
        let ((own, own_worst), (other, other_worst)) = (of(solver), of(twice));
        out!("{name:<28} {own:>8.4} {own_worst:>6} {other:>14.4} {other_worst:>6}");
        Ok(())
    };
    out!("{:<28} {mean:>8.4} {worst:>6}", "replies known to be true");
    row("no lie, but it is possible", &|costs| {
        (
            costs.honest_mean(),
            costs.honest.last().copied().unwrap_or(0),
        )
    })?;
    for turn in 1..=2 * places {
        row(&format!("lie in turn {turn}"), &|costs| {
            (costs.mean(turn), costs.worst_of(turn))
        })?;
    }
    row("cases of the judge", &|costs| {
        (costs.mean_of_cases(places), costs.worst())
    })
}
