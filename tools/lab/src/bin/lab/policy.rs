//! `lab policy`: turns over all secrets.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use lab::play;
use lab::policy::{Pool, Takes, Tie};
use lab::tree::{self, Figures, Outcome};
use serde::Serialize;

use crate::args::{self, Chosen, PolicyArgs};
use crate::progress::Late;
use crate::{played, text};

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problem: &'a str,
    policy: &'a str,
    pool: Option<&'a str>,
    tie: Option<&'a str>,
    hit_bonus: Option<f64>,
    hit_gain: Option<f64>,
    secrets: u64,
    total: u64,
    mean: f64,
    worst: usize,
    histogram: &'a [u64],
    until_determined: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior_mean: Option<f64>,
}

pub(crate) fn run(args: &PolicyArgs) -> Result<ExitCode> {
    if let Some(study) = play::study(&args.problem) {
        return played::run(study, args);
    }
    if args.seeds.is_some() {
        bail!(
            "expected no --seeds: in {} every secret is looked at",
            args.problem
        );
    }
    let codes = args::codes(&args.problem)?;
    let chosen = Chosen::new(&args.policy, &args.choice, args.prior.is_some())?;
    let root = args::read_prior(&codes, args.prior.as_ref())?;
    let started = Instant::now();
    let mut expected = 0.0;
    let outcome = chosen.family.outcome(&codes).unwrap_or_else(|| {
        let progress = Late::over(root.support().len());
        let mut outcome = Outcome::default();
        let mut count = |code, turns, until| {
            outcome.add(turns, until);
            expected += root.probability(code) * turns as f64;
            progress.inc();
        };
        let evaluated = tree::walk(&codes, &root, &*chosen.policy(), &mut count);
        outcome.evaluated = evaluated;
        outcome
    });
    let seconds = started.elapsed().as_secs_f64();
    let turns = outcome.all_turns();
    let takes = |option| chosen.family.takes().contains(&option);
    let report = Report {
        problem: &args.problem,
        policy: chosen.family.name(),
        pool: takes(Takes::Pool).then_some(match chosen.options.pool {
            Pool::Candidates => "candidates",
            Pool::All => "all",
        }),
        tie: takes(Takes::Tie).then_some(match chosen.options.tie {
            Tie::First => "first",
            Tie::Candidate => "candidate",
        }),
        hit_bonus: chosen.options.hit_bonus,
        hit_gain: chosen.options.hit_gain,
        secrets: outcome.secrets(),
        total: turns.total,
        mean: turns.mean,
        worst: turns.worst,
        histogram: &outcome.turns,
        until_determined: outcome.until_determined(),
        prior_mean: args.prior.is_some().then_some(expected),
    };
    if args.json {
        out!("{}", serde_json::to_string(&report)?);
    } else {
        out!("{}", table(&report).trim_end());
        let rate = outcome.evaluated as f64 / seconds.max(1e-9) / 1e6;
        let (feedbacks, ms) = (outcome.evaluated, seconds * 1e3);
        if feedbacks == 0 {
            out!("time       {ms:.1} ms, no guess had to be compared");
            return Ok(ExitCode::SUCCESS);
        }
        out!("time       {ms:.1} ms, {feedbacks} feedbacks evaluated, {rate:.0} million a second");
    }
    Ok(ExitCode::SUCCESS)
}

fn table(report: &Report<'_>) -> String {
    let mut options = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        options.extend(value.map(|value| format!(" {name}={value}")));
    };
    add("pool", report.pool.map(str::to_owned));
    add("tie", report.tie.map(str::to_owned));
    add("hit-bonus", report.hit_bonus.map(|bits| bits.to_string()));
    add("hit-gain", report.hit_gain.map(|gain| gain.to_string()));
    let mut out = format!(
        "problem    {}\npolicy     {}{}\nsecrets    {}\ntotal      {}\nmean       {:.4}\nworst      {}\n",
        report.problem,
        report.policy,
        options.concat(),
        report.secrets,
        report.total,
        report.mean,
        report.worst
    );
    let until = report.until_determined;
    out.push_str(&format!(
        "determined after {:.4} turns on average, {} at worst\n",
        until.mean, until.worst
    ));
    if let Some(mean) = report.prior_mean {
        out.push_str(&format!("mean under the prior {mean:.4}\n"));
    }
    let counts = report.histogram;
    // Random guessing takes every number of turns once; such a list says nothing.
    if counts.len() <= 1 || counts.windows(2).any(|pair| pair[0] != pair[1]) {
        out.push_str(&text::histogram(report.histogram));
    } else {
        out.push_str("turns      each number is taken by as many secrets as any other\n");
    }
    out
}
