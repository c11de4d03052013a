//! `lab value`, `lab loss` and `lab bounds`: what theory says of a game.

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use lab::game::show;
use lab::optimal::{self, Objective, Options};
use lab::solver::pegs::Codes;
use lab::strategy::Node;
use lab::theory::{InformationBounds, Loss, Worth, information_bounds, losses, value};
use lab::tree::outcome_of;
use serde::Serialize;
use serde_json::json;

use crate::cli::{self, BoundsArgs, LossArgs, SelectedPolicy, ValueArgs};
use crate::terminal::progress::Counted;

/// `lab value`: the value of a game against an opponent who chooses the secret.
pub(crate) fn run_value(args: &ValueArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let found = value(&codes).with_context(|| format!("failed to search {}", args.problem))?;
    let secrets = codes.len();
    let shape = |shape: &[usize]| {
        shape
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join("+")
    };
    if args.json {
        let orbits = found.orbits.iter().map(|orbit| {
            json!({"shape": orbit.shape, "codes": orbit.codes, "probability": orbit.probability, "mean": orbit.mean})
        });
        let report = json!({
            "problem": codes.game.title(), "secrets": secrets, "least_total": found.least_total,
            "at_least": found.at_least, "at_most": found.at_most, "trees": found.trees,
            "orbits": orbits.collect::<Vec<_>>(),
        });
        out!("{report}");
        return Ok(ExitCode::SUCCESS);
    }
    out!("problem    {}", codes.game.title());
    out!("secrets    {secrets}");
    let mean = found.least_total as f64 / secrets as f64;
    out!(
        "least mean {mean:.6} = {}/{secrets}, if all secrets are equally likely",
        found.least_total
    );
    out!(
        "value      at least {:.6} turns, whatever the strategy",
        found.at_least.value()
    );
    out!(
        "           at most  {:.6} turns, whatever the secret, with {} under random renaming",
        found.at_most.value(),
        if found.trees == 1 {
            "one tree".to_owned()
        } else {
            format!("a mixture of {} trees", found.trees)
        }
    );
    out!(
        "\n{:<16} {:>7} {:>9} {:>11} {:>12}",
        "equal digits",
        "codes",
        "uniform",
        "opponent",
        "mean turns"
    );
    for orbit in &found.orbits {
        out!(
            "{:<16} {:>7} {:>9.4} {:>11.4} {:>12.6}",
            shape(&orbit.shape),
            orbit.codes,
            orbit.codes as f64 / secrets as f64,
            orbit.probability,
            orbit.mean
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// `lab loss`: where a policy loses turns.
pub(crate) fn run_loss(args: &LossArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let selected = SelectedPolicy::new(&args.policy, &args.choice, false)?;
    if selected.factory.outcome.is_some() {
        bail!("{} has no decision tree", args.policy);
    }
    let policy = selected.policy();
    let total = outcome_of(selected.factory, &*policy, &codes)
        .all_turns()
        .total;
    let bonus = selected.options.hit_bonus.unwrap_or(0.0);
    let found = losses(&codes, &Counted::new(&*policy), bonus);
    let found = found.with_context(|| format!("failed to search {}", args.problem))?;
    let lost: u64 = found.iter().map(Loss::turns).sum();
    out!("problem    {}", codes.game.title());
    out!("total      {total}, and the least is {}", total - lost);
    out!("lost       {}", lost_by(found.iter()));
    let deepest = found.iter().map(|loss| loss.before.len()).max();
    for depth in 0..=deepest.unwrap_or(0) {
        let here = found.iter().filter(|loss| loss.before.len() == depth);
        if here.clone().next().is_some() {
            out!("  turn {}   {}", depth + 1, lost_by(here));
        }
    }
    for (is_tie, title) in [
        (true, "by a tie: a best guess is worth as many bits"),
        (false, "by greed: every best guess is worth fewer bits"),
    ] {
        let alike = found.iter().filter(|loss| loss.is_tie() == is_tie);
        out!("\n{title}: {}", lost_by(alike.clone()));
        // The first of those with the fewest candidates.
        if let Some(smallest) = alike.min_by_key(|loss| loss.set.len()) {
            out!("{}", position(&codes, smallest).trim_end());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `5 turns by 3 guesses`.
fn lost_by<'a>(losses: impl Iterator<Item = &'a Loss>) -> String {
    let turns: Vec<u64> = losses.map(Loss::turns).collect();
    let count = |number: u64, one: &str, more: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {more}"),
    };
    let by = count(turns.len() as u64, "guess", "guesses");
    format!("{} by {by}", count(turns.iter().sum(), "turn", "turns"))
}

fn position(codes: &Codes, loss: &Loss) -> String {
    let before = loss.before.iter();
    let before = before.map(|(guess, reply)| format!("{guess}:{}", reply.replace(' ', ",")));
    let set: Vec<String> = loss.set.iter().map(|&code| show(codes, code)).collect();
    let mut out = format!(
        "fewest candidates: {} after {}\n  {}\n",
        set.len(),
        before.collect::<Vec<_>>().join(" "),
        set.join(" ")
    );
    let mut tree = |title: &str, node: &Node, worth: &Worth| {
        let mut turns = Vec::new();
        let mut lines = String::new();
        write_tree(&mut lines, "", node, 1, &set, &mut turns);
        let total: usize = (1..)
            .zip(&turns)
            .map(|(turn, count): (usize, _)| turn * count)
            .sum();
        let cells = worth
            .cells
            .iter()
            .map(|(reply, count)| format!("{reply} {count}"));
        out.push_str(&format!(
            "{title}: {total} turns, {:.4} bits ({})\n{lines}",
            worth.bits,
            cells.collect::<Vec<_>>().join(", ")
        ));
    };
    tree("as the policy plays", &loss.tree, &loss.worth);
    tree("with the fewest turns", &loss.best_tree, &loss.best_worth);
    out
}

/// A line for each guess, with a remark where it can be right; counts candidates by turn.
fn write_tree(
    out: &mut String,
    reply: &str,
    node: &Node,
    turn: usize,
    set: &[String],
    turns: &mut Vec<usize>,
) {
    let guess = node.guess.replace(' ', "");
    let space = if reply.is_empty() { "" } else { " " };
    turns.resize(turns.len().max(turn), 0);
    let can_be_right = set.contains(&guess);
    turns[turn - 1] += usize::from(can_be_right);
    let remark = if can_be_right {
        ""
    } else {
        "   (cannot be right)"
    };
    out.push_str(&format!(
        "{:1$}{reply}{space}> {2}{remark}\n",
        "",
        2 * turn,
        node.guess
    ));
    for (reply, node) in &node.then {
        write_tree(out, reply, node, turn + 1, set, turns);
    }
}

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

/// `lab bounds`: bounds by information beside the optimum.
pub(crate) fn run_bounds(args: &BoundsArgs) -> Result<ExitCode> {
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
