//! `lab policy NAME --against OTHER`: policies on the same cases, compared one by one.

use std::process::ExitCode;

use anyhow::Result;
use lab::simulate::bound::Estimate;
use lab::simulate::paths::{MOST_TURNS, paths};
use lab::simulate::{Adapter, Cases, SelectedPolicy, scores_in_order};
use tester::shard::Part;

use crate::cli::{self, PolicyArgs};
use crate::terminal::progress::Late;

/// Prints a line for the policy `first` and each of those that `--against` names.
pub(super) fn run(
    adapter: &dyn Adapter,
    first: &SelectedPolicy,
    cases: &Cases,
    args: &PolicyArgs,
) -> Result<ExitCode> {
    let count = match cases {
        Cases::AllSecrets(count) => *count,
        Cases::Seeds(seeds) => seeds.end - seeds.start,
    };
    let count = args.paths.unwrap_or(count);
    let played = |policy: &SelectedPolicy| -> Result<Vec<f64>> {
        let progress = Late::new(count as usize);
        if args.paths.is_some() {
            let walked = paths(adapter, &args.problem, policy, 0..count, &|| progress.inc())?;
            let left = walked.iter().map(|path| path.left).fold(0.0, f64::max);
            if left > 1e-3 {
                crate::note(&format!(
                    "{}: after {MOST_TURNS} turns, the secret of some paths is not found with probability {left:.3}; \
                     its mean is larger than what is printed",
                    policy.entry.name
                ));
            }
            return Ok(walked.into_iter().map(|path| path.turns).collect());
        }
        let scores = scores_in_order(adapter, &args.problem, policy, cases, Part::WHOLE, &|| {
            progress.inc();
        })?;
        Ok(scores.into_iter().map(|score| score as f64).collect())
    };
    let mut others = Vec::new();
    for text in &args.against {
        others.push((text, cli::select_played(adapter, text)?));
    }
    let base = played(first)?;
    let what = if args.paths.is_some() {
        "paths"
    } else {
        "cases"
    };
    out!(
        "problem    {}, {count} {what}, ± is 95 % confidence",
        args.problem
    );
    out!(
        "{:<24} {:>18}  {:>20}  better on, worse on",
        "policy",
        "mean",
        "difference"
    );
    let name = format!("{}{}", args.policy, options(first));
    out!("{name:<24} {:>18}", interval(&base, false));
    for (text, other) in others {
        let turns = played(&other)?;
        let apart: Vec<f64> = turns.iter().zip(&base).map(|(a, b)| a - b).collect();
        let (better, worse) = better_and_worse(&apart);
        out!(
            "{text:<24} {:>18}  {:>20}  {better}, {worse}",
            interval(&turns, false),
            interval(&apart, true)
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Counts the cases in which the other policy took fewer turns, and those in which it took more.
/// The turns of a path are a sum of probabilities, so equal ones may differ by rounding.
fn better_and_worse(apart: &[f64]) -> (usize, usize) {
    const ROUNDING: f64 = 1e-9;
    let better = apart.iter().filter(|&&apart| apart < -ROUNDING).count();
    let worse = apart.iter().filter(|&&apart| apart > ROUNDING).count();
    (better, worse)
}

fn options(policy: &SelectedPolicy) -> String {
    let bits = policy.options.hit_bonus;
    bits.map_or(String::new(), |bits| format!("[hit-bonus={bits}]"))
}

/// Mean and 95 % interval.
fn interval(values: &[f64], signed: bool) -> String {
    let estimate = Estimate::of(values);
    let (mean, half) = (estimate.mean, estimate.half_width());
    match signed {
        true => format!("{mean:+.4} ± {half:.4}"),
        false => format!("{mean:.4} ± {half:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::better_and_worse;

    #[test]
    fn a_difference_by_rounding_is_neither_better_nor_worse() {
        let rounding = (0.1 + 0.2) - 0.3; // 5.6e-17
        assert_eq!(better_and_worse(&[rounding, -rounding, 0.0]), (0, 0));
        assert_eq!(better_and_worse(&[-1.0, -1e-6, 0.0, 1e-6]), (2, 1));
    }
}
