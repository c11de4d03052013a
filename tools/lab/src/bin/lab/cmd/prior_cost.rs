//! `lab prior-cost`: what it costs to believe a wrong prior.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lab::game::{self, HABITS};
use lab::policy::PolicyOption;
use lab::solver::bayes::Posterior;
use lab::solver::pegs::{CodeId, Codes};
use lab::tree::{PriorCost, prior_cost, turns_believing};

use super::strategies::NamedTree;
use crate::cli::{self, PriorCostArgs, SelectedPolicy};
use crate::terminal::progress::Counted;

pub(crate) fn run(args: &PriorCostArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let mut priors: Vec<(String, Posterior)> = HABITS
        .iter()
        .filter_map(|habit| Some((habit.name.to_owned(), habit.prior(&codes)?)))
        .collect();
    if let Some(name) = &args.print {
        let known: Vec<&str> = priors.iter().map(|prior| &*prior.0).collect();
        let prior = priors.iter().find(|prior| prior.0 == *name);
        let (_, prior) = prior
            .with_context(|| format!("expected a prior ({}), found {name:?}", known.join(", ")))?;
        return print(&codes, name, prior);
    }
    for file in &args.prior {
        let name = file.file_stem().unwrap_or(file.as_os_str());
        let name = name.to_string_lossy().into_owned();
        priors.push((name, cli::read_prior(&codes, Some(file))?));
    }
    let takes_prior = match NamedTree::parse(&args.policy) {
        // A tree is made for secrets that are equally likely.
        Some(_) => false,
        None => {
            let without = SelectedPolicy::new(&args.policy, &args.choice, false)?;
            without.factory.takes.contains(&PolicyOption::Prior)
        }
    };
    if !takes_prior {
        bail!(
            "expected a policy that takes a prior, such as map or mi, found {}",
            args.policy
        );
    }
    let selected = SelectedPolicy::new(&args.policy, &args.choice, true)?;
    let policy = selected.policy();
    let policy = Counted::new(&*policy);
    let turns: Vec<Vec<usize>> = priors
        .iter()
        .map(|(_, believed)| turns_believing(&codes, believed, &policy))
        .collect();
    let costs: Vec<Vec<PriorCost>> = priors
        .iter()
        .map(|(_, truth)| {
            let all = priors.iter().zip(&turns);
            all.map(|((_, believed), turns)| prior_cost(truth, believed, turns))
                .collect()
        })
        .collect();
    drop(policy);
    out!(
        "problem    {}, every secret, weighted as the rows say",
        args.problem
    );
    out!("policy     {}", args.policy);
    let names: Vec<&str> = priors.iter().map(|prior| &*prior.0).collect();
    tables(&names, &costs)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints all tables: turns, what a wrong prior costs, what it does not know, and what it loses.
fn tables(names: &[&str], costs: &[Vec<PriorCost>]) -> Result<()> {
    show("mean turns", names, costs, |cost, _| {
        format!("{:.4}", cost.mean)
    })?;
    show(
        "what believing the column costs, in turns",
        names,
        costs,
        |cost, own| format!("{:+.4}", cost.mean - own.mean),
    )?;
    show(
        "what the column does not know of the row, in bits",
        names,
        costs,
        |cost, _| format!("{:.4}", cost.divergence_bits.max(0.0)),
    )?;
    if costs.iter().flatten().any(|cost| cost.lost > 1e-12) {
        out!(
            "\n*: of the secrets that are found. The others have the probability 0, and no reply repairs that:"
        );
        show("secrets that are never found", names, costs, |cost, _| {
            format!("{:.2} %", 100.0 * cost.lost)
        })?;
    }
    Ok(())
}

/// A table: a row for each true prior, a column for each believed one. `text` is given a cell and the one of its row where
/// the truth is believed.
fn show(
    title: &str,
    names: &[&str],
    costs: &[Vec<PriorCost>],
    text: impl Fn(&PriorCost, &PriorCost) -> String,
) -> Result<()> {
    let width = names
        .iter()
        .map(|name| name.len())
        .max()
        .unwrap_or(0)
        .max(9)
        + 2;
    let cells = |row: Vec<String>| {
        row.iter()
            .map(|cell| format!("{cell:>width$}"))
            .collect::<String>()
    };
    out!("\n{title}");
    let head = names.iter().map(|&name| format!("{name} ")).collect();
    out!("{:<width$}{}", "true", cells(head));
    for (index, (name, row)) in names.iter().zip(costs).enumerate() {
        let cell = |cost: &PriorCost| {
            let mark = if cost.lost > 1e-12 { '*' } else { ' ' };
            format!("{}{mark}", text(cost, &row[index]))
        };
        out!("{name:<width$}{}", cells(row.iter().map(cell).collect()));
    }
    Ok(())
}

/// The prior as a file.
fn print(codes: &Codes, name: &str, prior: &Posterior) -> Result<ExitCode> {
    let about = HABITS.iter().find(|habit| habit.name == name);
    out!("# {name}: {}", about.map_or("", |habit| habit.about));
    for code in 0..codes.len() as CodeId {
        let weight = prior.probability(code);
        if weight > 0.0 {
            out!("{} {weight}", game::show(codes, code));
        }
    }
    Ok(ExitCode::SUCCESS)
}
