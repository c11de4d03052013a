//! `lab bayes`: Bayes' rule step by step, as article 002 writes it in tables, for hypotheses and likelihoods that you
//! type.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use lab::solver::bayes::{Hypothesis, Posterior};
use textwrap::core::display_width;

use crate::cli::BayesArgs;

pub(crate) fn run(args: &BayesArgs) -> Result<ExitCode> {
    let rows: Vec<Vec<f64>> = args
        .numbers
        .split(|word| word == "/")
        .map(|row| row.iter().map(|word| number(word)).collect())
        .collect::<Result<_>>()?;
    let (prior, observations) = rows.split_first().expect("splitting gives a row");
    let count = prior.len();
    if prior.iter().sum::<f64>() <= 0.0 {
        bail!("expected a prior weight above 0, found none");
    }
    for (number, row) in (1..).zip(observations) {
        if row.len() != count {
            bail!(
                "expected as many likelihoods as prior weights ({count}), found {} in observation {number}",
                row.len()
            );
        }
        if let Some(found) = row.iter().find(|p| **p > 1.0) {
            bail!("expected likelihoods of at most 1, found {found} in observation {number}");
        }
    }
    let names = names(args, count)?;
    let mut posterior = Posterior::from_prior(prior);
    if observations.is_empty() {
        out!("{}", beliefs(&names, &posterior).trim_end());
    }
    let mut number = 0;
    for _ in 0..args.times {
        for likelihoods in observations {
            number += 1;
            let (text, after) = observed(number, &names, &posterior, likelihoods)?;
            out!("{}", text.trim_end());
            posterior = after;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of one observation, and what is believed after it.
fn observed(
    number: usize,
    names: &[String],
    prior: &Posterior,
    likelihoods: &[f64],
) -> Result<(String, Posterior)> {
    let hypotheses = 0..names.len() as Hypothesis;
    let product = |h: Hypothesis| prior.probability(h) * likelihoods[h as usize];
    let evidence: f64 = hypotheses.clone().map(product).sum();
    if evidence <= 0.0 {
        bail!(
            "observation {number} is impossible: each hypothesis has the prior 0 or the likelihood 0"
        );
    }
    let mut posterior = prior.clone();
    posterior.update(|h| likelihoods[h as usize]);
    let width = width(names);
    let blank = if number > 1 { "\n" } else { "" };
    let mut out = format!(
        "{blank}observation {number}, probability {evidence:.4}\n{:<width$}   prior   likelihood   product   posterior\n",
        ""
    );
    for h in hypotheses {
        out.push_str(&format!(
            "{}  {:.4}       {:.4}    {:.4}      {:.4}\n",
            padded(&names[h as usize], width),
            prior.probability(h),
            likelihoods[h as usize],
            product(h),
            posterior.probability(h)
        ));
    }
    out.push_str(&format!(
        "entropy {:.4} bits before, {:.4} after\n",
        prior.entropy_bits(),
        posterior.entropy_bits()
    ));
    Ok((out, posterior))
}

/// A prior alone.
fn beliefs(names: &[String], prior: &Posterior) -> String {
    let width = width(names);
    let rows = (0..).zip(names);
    let rows =
        rows.map(|(h, name)| format!("{}  {:.4}\n", padded(name, width), prior.probability(h)));
    format!(
        "{:<width$}   prior\n{}entropy {:.4} bits\n",
        "",
        rows.collect::<String>(),
        prior.entropy_bits()
    )
}

/// The names that were typed, or numbers from 1 on.
fn names(args: &BayesArgs, count: usize) -> Result<Vec<String>> {
    let Some(text) = &args.names else {
        return Ok((1..=count).map(|n| n.to_string()).collect());
    };
    let names: Vec<String> = text.split(',').map(str::to_owned).collect();
    if names.len() != count {
        bail!(
            "expected as many names as prior weights ({count}), found {} in {text:?}",
            names.len()
        );
    }
    Ok(names)
}

fn width(names: &[String]) -> usize {
    let widths = names.iter().map(|name| display_width(name));
    widths.max().unwrap_or(0)
}

/// A name with blanks after it, up to this many columns of a terminal; a Japanese letter has two.
fn padded(name: &str, width: usize) -> String {
    format!("{name}{:1$}", "", width - display_width(name))
}

/// `0.5`, or `1/6`.
fn number(word: &str) -> Result<f64> {
    let parsed = match word.split_once('/') {
        Some((a, b)) => a
            .parse()
            .ok()
            .zip(b.parse().ok())
            .map(|(a, b): (f64, f64)| a / b),
        None => word.parse().ok(),
    };
    parsed
        .filter(|number| number.is_finite() && *number >= 0.0)
        .with_context(|| {
            format!("expected a number of at least 0, such as 0.5 or 1/6, found {word:?}")
        })
}
