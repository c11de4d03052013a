//! `lab compare`: policies side by side, and where two of them part.

use std::process::ExitCode;

use anyhow::Result;
use lab::game;
use lab::policy::Policy;
use lab::solver::pegs::{CodeId, Codes, Scorer};
use lab::tree::{self, Parting, TurnBits, bits_by_turn, parting};

use super::strategies;
use crate::cli::{self, CompareArgs};
use crate::terminal::progress::Counted;

/// A policy with what comes of it.
struct Column {
    outcome: lab::policy::Outcome,
    bits: Vec<TurnBits>,
}

pub(crate) fn run(args: &CompareArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let named = args.policies.iter();
    let policies: Vec<Box<dyn Policy>> = named
        .map(|text| strategies::policy(&codes, text))
        .collect::<Result<_>>()?;
    let column = |policy: &dyn Policy| {
        let counted = Counted::new(policy);
        let root = lab::solver::bayes::Posterior::uniform(codes.len());
        Column {
            outcome: tree::outcome(&codes, &root, &counted),
            bits: bits_by_turn(&codes, &counted),
        }
    };
    let columns: Vec<Column> = policies.iter().map(|policy| column(&**policy)).collect();
    for (letter, text) in ('A'..).zip(&args.policies) {
        out!("{letter}  {text}");
    }
    out!("\n{}", table(&columns).trim_end());
    if let [a, b] = &policies[..] {
        match parting(&codes, [&**a, &**b]) {
            None => out!("\nA and B play every game alike"),
            Some(found) => out!("\n{}", shown(&codes, found).trim_end()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn table(columns: &[Column]) -> String {
    let mut lines = vec![row(
        "",
        ('A'..).take(columns.len()).map(|letter| letter.to_string()),
    )];
    let of = |name: &str, show: &dyn Fn(&Column) -> String| row(name, columns.iter().map(show));
    lines.push(of("total", &|one| {
        one.outcome.all_turns().total.to_string()
    }));
    lines.push(of("mean", &|one| {
        format!("{:.4}", one.outcome.all_turns().mean)
    }));
    lines.push(of("worst", &|one| {
        one.outcome.all_turns().worst.to_string()
    }));
    let determined = |one: &Column| {
        let until = one.outcome.until_determined();
        format!("{} / {:.4}", until.worst, until.mean)
    };
    lines.push("determined after".to_owned());
    lines.push(of("worst / mean", &determined));
    lines.push("secrets found in".to_owned());
    let longest = columns
        .iter()
        .map(|one| one.outcome.turns.len())
        .max()
        .unwrap_or(0);
    for turn in 0..longest {
        let count = |one: &Column| {
            one.outcome
                .turns
                .get(turn)
                .copied()
                .unwrap_or(0)
                .to_string()
        };
        lines.push(of(&format!("{:>4} turns", turn + 1), &count));
    }
    lines.push("bits told, on average, by".to_owned());
    for turn in 0..longest {
        let bits = |one: &Column| {
            one.bits
                .get(turn)
                .map_or(String::new(), |turn| format!("{:.3}", turn.bits))
        };
        lines.push(of(&format!("   turn {}", turn + 1), &bits));
    }
    lines.push(of("  a turn", &|one| {
        let (all, turns) = (
            one.outcome.secrets() as f64,
            one.outcome.all_turns().total as f64,
        );
        format!("{:.3}", all.log2() * all / turns)
    }));
    lines.join("\n")
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!(" {cell:>10}")).collect();
    format!("{name:<12}{cells}").trim_end().to_owned()
}

/// The position where two policies part, and what each takes.
fn shown(codes: &Codes, found: Parting) -> String {
    let rows: Vec<String> = found
        .position
        .rows
        .iter()
        .map(|&(guess, reply)| {
            format!(
                "{} {}H{}B",
                game::show(codes, guess),
                reply.hits,
                reply.blows
            )
        })
        .collect();
    let at = if rows.is_empty() {
        "at the first turn".to_owned()
    } else {
        format!("after {}", rows.join(", "))
    };
    let posterior = &found.position.posterior;
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(codes, posterior, &all);
    let mut text = format!("They part first {at}, with {} candidates:\n", all.len());
    for (letter, guess) in ('A'..).zip(found.guesses) {
        text += &format!(
            "  {letter} takes {}\n",
            worth(codes, &mut scorer, guess, posterior.probability(guess))
        );
    }
    text
}

fn worth(codes: &Codes, scorer: &mut Scorer<'_>, guess: CodeId, right: f64) -> String {
    let bits = scorer.mutual_information_bits(guess);
    format!(
        "{}: information {bits:.4} bits, right with probability {right:.4}",
        game::show(codes, guess)
    )
}
