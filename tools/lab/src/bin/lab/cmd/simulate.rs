//! `lab policy` for problems that are played and not walked.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lab::simulate::{Adapter, Cases, scores, select, usual_cases};
use serde::Serialize;
use tester::shard::Part;
use tester::stats::Distribution;

use super::against;
use super::policy_parts::{self, Counted, Setting};
use crate::cli::PolicyArgs;
use crate::terminal::progress::Late;
use crate::terminal::text;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problem: &'a str,
    policy: &'a str,
    hit_bonus: Option<f64>,
    seed: Option<u64>,
    /// `null` where every secret was played.
    seeds: Option<Range<u64>>,
    cases: usize,
    exact: bool,
    total: u64,
    mean: f64,
    /// Half the width of the mean's 95 % confidence interval; `null` where the mean is exact.
    half_width: Option<f64>,
    median: f64,
    worst: u64,
    /// How many cases have each score.
    counts: &'a BTreeMap<u64, usize>,
}

pub(crate) fn run(adapter: &dyn Adapter, args: &PolicyArgs) -> Result<ExitCode> {
    if args.secret.is_some() {
        bail!(
            "--secret cannot be used with {}, which is played game by game",
            args.problem
        );
    }
    if args.prior.is_some() {
        bail!(
            "--prior cannot be used with {}: every secret is equally likely",
            args.problem
        );
    }
    let options = args.choice.options(false);
    let policy =
        select(adapter, &args.policy, &options).context("failed to understand the policy")?;
    let usual = || usual_cases(&args.problem).context("failed to understand the problem");
    let cases = match &args.seeds {
        Some(seeds) => Cases::Seeds(seeds.clone()),
        None => usual()?,
    };
    let count = match &cases {
        Cases::AllSecrets(count) => *count,
        Cases::Seeds(seeds) => seeds.end - seeds.start,
    };
    if !args.against.is_empty() {
        return against::run(adapter, &policy, &cases, args);
    }
    let started = Instant::now();
    let progress = Late::new(count as usize);
    let part = args.shard.unwrap_or(Part::WHOLE);
    let counts = scores(adapter, &args.problem, &policy, &cases, part, &|| {
        progress.inc()
    })?;
    drop(progress);
    let setting = Setting {
        hit_bonus: policy.options.hit_bonus,
        seed: options.seed,
        seeds: match cases {
            Cases::AllSecrets(_) => None,
            Cases::Seeds(seeds) => Some(seeds),
        },
        ..Setting::new(&args.problem, policy.entry.name, count as usize)
    };
    if let Some(part) = args.shard {
        return policy_parts::print(part, setting, Counted::Played(counts));
    }
    show(&setting, &counts, args.json)?;
    if !args.json {
        let ms = started.elapsed().as_secs_f64() * 1e3;
        out!("time       {ms:.1} ms, {:.2} ms a game", ms / count as f64);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the figures, as a table or as an object.
pub(crate) fn show(setting: &Setting, counts: &BTreeMap<u64, usize>, json: bool) -> Result<()> {
    let all = Distribution::new(counts, 0).context("expected at least one game")?;
    // Another random seed plays other games on the same secrets.
    let exact = setting.seeds.is_none() && !setting.policy.starts_with("random");
    let report = Report {
        problem: &setting.problem,
        policy: &setting.policy,
        hit_bonus: setting.hit_bonus,
        seed: setting.seed,
        seeds: setting.seeds.clone(),
        cases: all.count,
        exact,
        total: all.total as u64,
        mean: all.mean,
        half_width: all.half_width.filter(|_| !exact),
        median: all.median,
        worst: all.range.1.units(),
        counts: &all.counts,
    };
    match json {
        true => out!("{}", serde_json::to_string(&report)?),
        false => out!("{}", table(&report).trim_end()),
    }
    Ok(())
}

fn table(report: &Report<'_>) -> String {
    let unit =
        tester::problem::Spec::parse(report.problem).map_or("turn", |spec| spec.problem.unit());
    let option =
        |name: &str, value: Option<String>| value.map_or(String::new(), |v| format!(" {name}={v}"));
    let cases = match &report.seeds {
        None if report.exact => format!("secrets    {}, each once: exact", report.cases),
        None => format!("secrets    {}, each once", report.cases),
        Some(seeds) => format!(
            "seeds      {}..{}, {} games",
            seeds.start, seeds.end, report.cases
        ),
    };
    let interval = report
        .half_width
        .map(|half| format!(" ± {half:.4} (95 % confidence)"));
    let mut out = format!(
        "problem    {}\npolicy     {}{}{}\n{cases}\ntotal      {} {unit}s\nmean       {:.4}{}\nmedian     {}\nworst      {}\n",
        report.problem,
        report.policy,
        option("hit-bonus", report.hit_bonus.map(|bits| bits.to_string())),
        option("seed", report.seed.map(|seed| seed.to_string())),
        report.total,
        report.mean,
        interval.unwrap_or_default(),
        report.median,
        report.worst,
    );
    out.push_str(&format!(
        "{unit}s {}\n",
        if report.exact { "secrets" } else { "games" }
    ));
    out.push_str(&text::bars(&text::ranges(report.counts)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_figures_have_no_interval_and_samples_have_one() {
        let counts = BTreeMap::from([(2, 9)]);
        let mut report = Report {
            problem: "balance 9 heavy",
            policy: "mi",
            hit_bonus: None,
            seed: None,
            seeds: None,
            cases: 9,
            exact: true,
            total: 18,
            mean: 2.0,
            half_width: None,
            median: 2.0,
            worst: 2,
            counts: &counts,
        };
        insta::assert_snapshot!(table(&report), @"
        problem    balance 9 heavy
        policy     mi
        secrets    9, each once: exact
        total      18 weighings
        mean       2.0000
        median     2
        worst      2
        weighings secrets
            2       9 ██████████████████████████████████████████████████
        ");
        let counts: BTreeMap<u64, usize> = (1..=40).map(|score| (score, 2)).collect();
        report = Report {
            problem: "distance 3 10 10",
            hit_bonus: Some(1.5),
            seed: Some(4),
            seeds: Some(0..80),
            cases: 80,
            exact: false,
            total: 1640,
            mean: 20.5,
            half_width: Some(2.5852),
            median: 20.5,
            worst: 40,
            counts: &counts,
            ..report
        };
        insta::assert_snapshot!(table(&report), @"
        problem    distance 3 10 10
        policy     mi hit-bonus=1.5 seed=4
        seeds      0..80, 80 games
        total      1640 turns
        mean       20.5000 ± 2.5852 (95 % confidence)
        median     20.5
        worst      40
        turns games
          1-2       4 ██████████████████████████████████████████████████
          3-4       4 ██████████████████████████████████████████████████
          5-6       4 ██████████████████████████████████████████████████
          7-8       4 ██████████████████████████████████████████████████
         9-10       4 ██████████████████████████████████████████████████
        11-12       4 ██████████████████████████████████████████████████
        13-14       4 ██████████████████████████████████████████████████
        15-16       4 ██████████████████████████████████████████████████
        17-18       4 ██████████████████████████████████████████████████
        19-20       4 ██████████████████████████████████████████████████
        21-22       4 ██████████████████████████████████████████████████
        23-24       4 ██████████████████████████████████████████████████
        25-26       4 ██████████████████████████████████████████████████
        27-28       4 ██████████████████████████████████████████████████
        29-30       4 ██████████████████████████████████████████████████
        31-32       4 ██████████████████████████████████████████████████
        33-34       4 ██████████████████████████████████████████████████
        35-36       4 ██████████████████████████████████████████████████
        37-38       4 ██████████████████████████████████████████████████
        39-40       4 ██████████████████████████████████████████████████
        ");
    }
}
