//! `lab value`: the value of a game against an opponent who chooses the secret.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use lab::theory::value;
use serde_json::json;

use crate::cli::{self, ValueArgs};
use crate::terminal::progress::Busy;

pub(crate) fn run(args: &ValueArgs) -> Result<ExitCode> {
    let codes = cli::codes(&args.problem)?;
    let busy = Busy::new(format!("searching trees of {}", codes.game.title()));
    let found = value(&codes).with_context(|| format!("failed to search {}", args.problem))?;
    drop(busy);
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
