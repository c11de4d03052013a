//! `lab verify`: a tree file, played against every secret by the judge's rules.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::strategy::{Strategy, VerifyError, verify};
use serde::Serialize;
use tester::util::bounded_read;

use crate::cli::VerifyArgs;
use crate::terminal::text;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    problem: &'a str,
    secrets: u64,
    total: u64,
    mean: f64,
    worst: usize,
    histogram: &'a [u64],
}

pub(crate) fn run(args: &VerifyArgs) -> Result<ExitCode> {
    let shown = args.tree.display();
    let text = bounded_read::read_text(&args.tree, bounded_read::MAX_TEXT);
    let text = text.with_context(|| format!("failed to read the tree {shown}"))?;
    let strategy: Strategy = text
        .parse()
        .with_context(|| format!("failed to read the tree {shown}"))?;
    let verified = match verify(&strategy) {
        Ok(verified) => verified,
        Err(error @ (VerifyError::Game(_) | VerifyError::NoSecret(_))) => {
            return Err(error).with_context(|| format!("failed to play the tree {shown}"));
        }
        Err(error) => {
            let game = &strategy.game;
            crate::note(&format!("lab: {shown} is no strategy for {game}: {error}"));
            return Ok(ExitCode::FAILURE);
        }
    };
    let report = Report {
        problem: &strategy.game,
        secrets: verified.secrets,
        total: verified.total,
        mean: verified.mean(),
        worst: verified.worst(),
        histogram: &verified.histogram,
    };
    if args.json {
        out!("{}", serde_json::to_string(&report)?);
        return Ok(ExitCode::SUCCESS);
    }
    out!(
        "problem    {}\nsecrets    {}, each found\ntotal      {}\nmean       {:.4}\nworst      {}",
        report.problem,
        report.secrets,
        report.total,
        report.mean,
        report.worst
    );
    out!("{}", text::histogram(report.histogram).trim_end());
    Ok(ExitCode::SUCCESS)
}
