//! The command: strategies, pairs, answers, games.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use super::answers::balance;
use super::contest::{Contest, Pair};
use super::report::{MOST_ERRORS, Report};
use super::table;
use crate::cli::{self, RaceArgs};
use crate::terminal::progress::Busy;

pub(crate) fn run(args: &RaceArgs) -> Result<ExitCode> {
    let mut contest = Contest::new(&args.racers)?;
    let busy = Busy::new(format!("racing in {}", args.racers.problem));
    if args.games > 0 {
        contest.play(args.games, args.seed)?;
    }
    let codes = cli::codes(&args.racers.problem)?;
    let equilibria = args.equilibrium.iter();
    let report = Report {
        equilibria: equilibria
            .map(|&role| balance(&codes, role))
            .collect::<Result<_>>()?,
        contest,
    };
    drop(busy);
    if let Some(folder) = &args.trees {
        write_trees(&report, folder)?;
    }
    match args.json {
        true => out!("{}", serde_json::to_string(&report)?),
        false => out!("{}", table::table(&report).trim_end()),
    }
    let far = |pair: &Pair| {
        let errors = pair.played.as_ref().map(|played| played.standard_errors);
        errors.is_some_and(|errors| errors.iter().any(|z| z.abs() > MOST_ERRORS))
    };
    Ok(match report.contest.pairs.iter().any(far) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn write_trees(report: &Report, folder: &std::path::Path) -> Result<()> {
    let failed = || format!("failed to make the folder {}", folder.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    let parts = report
        .equilibria
        .iter()
        .flat_map(|found| found.own.iter().chain(&found.other));
    let trees = report.contest.answers.iter().map(|answer| &answer.strategy);
    for entrant in trees.chain(parts.map(|part| &part.strategy)) {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = entrant.name.chars().map(letter).collect();
        let text = format!(
            "# lab race: {}, total {}\n{}",
            entrant.name, entrant.total, entrant.strategy
        );
        let path = folder.join(format!("{}.txt", name.trim_end_matches('-')));
        tester::util::atomic_file::write_whole(&path, text.as_bytes())?;
    }
    Ok(())
}
