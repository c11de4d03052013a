//! `lab loss`: where a policy loses turns.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::game::show;
use lab::policy::Policy;
use lab::solver::bayes::Posterior;
use lab::solver::pegs::Codes;
use lab::strategy::Node;
use lab::theory::{Loss, Worth, losses};
use lab::tree::outcome;

use super::strategies;
use crate::cli::{self, LossArgs};
use crate::terminal::progress::Busy;

pub(crate) fn run(args: &LossArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let policy = strategies::policy_with(&codes, &args.policy, &args.choice)?;
    let found = found(args, &codes, &*policy)?;
    let busy = Busy::new(format!("playing {}", codes.game.title()));
    let outcome = outcome(&codes, &Posterior::uniform(codes.len()), &*policy);
    let total = outcome.all_turns().total;
    drop(busy);
    let lost: u64 = found.iter().map(Loss::turns).sum();
    out!("problem    {}", codes.game.title());
    out!("total      {total}, and the least is {}", total - lost);
    match lost {
        0 => out!("lost       nothing"),
        _ => out!("lost       {}", lost_by(found.iter())),
    }
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
        if let Some(smallest) = smallest(alike.clone()) {
            out!("\n{title}: {}", lost_by(alike));
            out!("{}", position(&codes, smallest).trim_end());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The first of those with the fewest candidates.
pub(crate) fn smallest<'a>(losses: impl Iterator<Item = &'a Loss>) -> Option<&'a Loss> {
    losses.min_by_key(|loss| loss.set.len())
}

/// Every guess of the policy that loses turns.
pub(crate) fn found(args: &LossArgs, codes: &Codes, policy: &dyn Policy) -> Result<Vec<Loss>> {
    let bonus = args.choice.options(false).hit_bonus.unwrap_or(0.0);
    let _busy = Busy::new(format!(
        "searching below each guess in {}",
        codes.game.title()
    ));
    let found = losses(codes, policy, bonus);
    found.with_context(|| format!("failed to search {}", args.problem))
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
