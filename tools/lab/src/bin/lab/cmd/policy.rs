//! `lab policy`: turns over all secrets.

use std::collections::BTreeMap;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lab::game::Notation;
use lab::game::observations::parse_guess_in;
use lab::policy::{Outcome, Policy, PolicyOption, TurnSummary, random_turns};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::tree;
use serde::Serialize;
use tester::shard::Part;
use tester::util::count::counted;

use super::policy_parts::{self, Counted, Setting};
use super::simulate;
use super::strategies::{self, NamedTree};
use crate::cli::{self, PolicyArgs, SelectedPolicy};
use crate::terminal::progress::Late;
use crate::terminal::text;

/// More equal bars than these become a sentence.
const MOST_BARS: usize = 20;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problem: &'a str,
    policy: &'a str,
    pool: Option<&'a str>,
    tie: Option<&'a str>,
    hit_bonus: Option<f64>,
    hit_gain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    secrets: u64,
    total: u64,
    mean: f64,
    worst: usize,
    histogram: &'a [u64],
    until_determined: TurnSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior_mean: Option<f64>,
}

pub(crate) fn run(args: &PolicyArgs) -> Result<ExitCode> {
    if !args.merge.is_empty() {
        return policy_parts::merge(args);
    }
    if let Some(adapter) = lab::simulate::adapter(&args.problem) {
        return simulate::run(adapter, args);
    }
    if !args.against.is_empty() {
        bail!("--against goes with problems that are played game by game");
    }
    let codes = cli::codes(&args.problem)?;
    if let Some(seeds) = &args.seeds {
        return random_games(&codes, seeds, args);
    }
    if let Some(named) = NamedTree::parse(&args.policy) {
        return of_tree(&codes, &named, args);
    }
    let selected = SelectedPolicy::new(&args.policy, &args.choice, args.prior.is_some())?;
    let need_a_tree = [
        ("--secret", args.secret.is_some()),
        ("--shard", args.shard.is_some()),
    ];
    for (option, is_typed) in need_a_tree {
        if is_typed && selected.factory.outcome.is_some() {
            let name = selected.factory.name;
            bail!("{option} cannot be used with {name}: it has no decision tree");
        }
    }
    match &args.secret {
        Some(secret) => game(&codes, secret, &|| Ok(selected.policy()), args),
        None => all_secrets(&codes, &selected, args),
    }
}

/// The turns of a policy over all secrets, or over those of one part.
fn all_secrets(codes: &Codes, selected: &SelectedPolicy, args: &PolicyArgs) -> Result<ExitCode> {
    let root = cli::read_prior(codes, args.prior.as_ref())?;
    let secrets = root.support().len();
    let setting = setting(args, selected, secrets);
    let started = Instant::now();
    let mut expected = 0.0;
    let outcome = match selected.factory.outcome {
        Some(outcome) => outcome(codes),
        None => {
            let block = args.shard.unwrap_or(Part::WHOLE).block(secrets);
            let progress = Late::new(block.len());
            let mut outcome = Outcome::default();
            let mut count = |code, turns, until| {
                outcome.add(turns, until);
                expected += root.probability(code) * turns as f64;
                progress.inc();
            };
            let policy = selected.policy();
            outcome.evaluated = tree::walk_part(codes, &root, &*policy, block, &mut count);
            outcome
        }
    };
    if let Some(part) = args.shard {
        return policy_parts::print(part, setting, Counted::Tree(outcome));
    }
    let seconds = started.elapsed().as_secs_f64();
    let prior_mean = args.prior.is_some().then_some(expected);
    show(&setting, &outcome, prior_mean, args.json)?;
    if !args.json {
        out!("time       {}", time(seconds, outcome.evaluated));
    }
    Ok(ExitCode::SUCCESS)
}

/// What it took, in a table.
fn time(seconds: f64, feedbacks: u64) -> String {
    let ms = seconds * 1e3;
    if feedbacks == 0 {
        return format!("{ms:.1} ms, no guess had to be compared");
    }
    let rate = feedbacks as f64 / seconds.max(1e-9) / 1e6;
    format!("{ms:.1} ms, {feedbacks} feedbacks evaluated, {rate:.0} million a second")
}

/// Games of the policy that has no tree, as article 002 plays 1000 of them.
fn random_games(codes: &Codes, seeds: &Range<u64>, args: &PolicyArgs) -> Result<ExitCode> {
    if args.shard.is_some() {
        bail!(
            "--shard cannot be used with {}: its games take no time",
            args.policy
        );
    }
    let has_tree = match NamedTree::parse(&args.policy) {
        Some(_) => true,
        None => {
            let selected = SelectedPolicy::new(&args.policy, &args.choice, args.prior.is_some())?;
            selected.factory.outcome.is_none()
        }
    };
    if has_tree {
        bail!(
            "--seeds cannot be used with {} and {}: every secret is counted",
            args.problem,
            args.policy
        );
    }
    let mut counts = BTreeMap::new();
    for seed in seeds.clone() {
        *counts.entry(random_turns(codes.len(), seed)).or_default() += 1;
    }
    let cases = counts.values().sum();
    let setting = Setting {
        seeds: Some(seeds.clone()),
        ..Setting::new(&args.problem, &args.policy, cases)
    };
    simulate::show(&setting, &counts, args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// The turns of a strategy that is searched for, or read from a file.
fn of_tree(codes: &Codes, named: &NamedTree<'_>, args: &PolicyArgs) -> Result<ExitCode> {
    strategies::refuse_options(&args.choice)?;
    let name = &args.policy;
    if args.prior.is_some() {
        bail!("--prior cannot be used with {name}: its tree is for equally likely secrets");
    }
    if args.shard.is_some() {
        bail!("--shard cannot be used with {name}: its tree is found or read as a whole");
    }
    let find = || strategies::played(codes, name, &named.find(codes)?);
    if let Some(secret) = &args.secret {
        return game(codes, secret, &find, args);
    }
    let policy = find()?;
    let outcome = tree::outcome(codes, &Posterior::uniform(codes.len()), &*policy);
    let setting = Setting::new(&args.problem, name, codes.len());
    show(&setting, &outcome, None, args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// The game for one secret. The policy, which can take long to find, is asked for once the rest is understood.
fn game(
    codes: &Codes,
    secret: &str,
    find: &dyn Fn() -> Result<Box<dyn Policy>>,
    args: &PolicyArgs,
) -> Result<ExitCode> {
    let notation =
        Notation::new(codes, args.digits.as_deref()).context("failed to understand --digits")?;
    let secret = parse_guess_in(&notation, secret).context("failed to read --secret")?;
    let policy = find()?;
    out!("turn  guess  reply  candidates left  probability  information");
    for (turn, row) in (1..).zip(tree::game(codes, &*policy, secret)) {
        let guess = notation.write(row.guess);
        let reply = format!("{}H{}B", row.reply.hits, row.reply.blows);
        let (left, right, bits) = (row.left, row.right, row.bits);
        out!("{turn:>4}  {guess:>5}  {reply:>5}  {left:>15}  {right:>11.6}  {bits:>6.4} bits");
    }
    Ok(ExitCode::SUCCESS)
}

fn setting(args: &PolicyArgs, selected: &SelectedPolicy, secrets: usize) -> Setting {
    let takes = |option| selected.factory.takes.contains(&option);
    Setting {
        pool: takes(PolicyOption::Pool)
            .then(|| cli::as_typed(selected.options.pool.unwrap_or_default())),
        tie: takes(PolicyOption::Tie)
            .then(|| cli::as_typed(selected.options.tie.unwrap_or_default())),
        hit_bonus: selected.options.hit_bonus,
        hit_gain: selected.options.hit_gain,
        // Where choices are random, this is how they fall.
        seed: selected.options.seed,
        ..Setting::new(&args.problem, selected.factory.name, secrets)
    }
}

/// Prints the figures, as a table or as an object.
pub(crate) fn show(
    setting: &Setting,
    outcome: &Outcome,
    prior_mean: Option<f64>,
    json: bool,
) -> Result<()> {
    let turns = outcome.all_turns();
    let report = Report {
        problem: &setting.problem,
        policy: &setting.policy,
        pool: setting.pool.as_deref(),
        tie: setting.tie.as_deref(),
        hit_bonus: setting.hit_bonus,
        hit_gain: setting.hit_gain,
        seed: setting.seed,
        secrets: outcome.secrets(),
        total: turns.total,
        mean: turns.mean,
        worst: turns.worst,
        histogram: &outcome.turns,
        until_determined: outcome.until_determined(),
        prior_mean,
    };
    match json {
        true => out!("{}", serde_json::to_string(&report)?),
        false => out!("{}", table(&report).trim_end()),
    }
    Ok(())
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
    add("seed", report.seed.map(|seed| seed.to_string()));
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
    // Random guessing takes every number of turns once; a list of hundreds of equal bars says nothing.
    match counts {
        [first, ..] if counts.len() > MOST_BARS && counts.iter().all(|count| count == first) => {
            let secrets = counted(*first, "secret");
            out.push_str(&format!(
                "turns      1 to {}, for {secrets} each\n",
                report.worst
            ));
        }
        _ => out.push_str(&text::histogram(counts)),
    }
    out
}
