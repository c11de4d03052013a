//! `tester duel`: two programs on the same seeds until it is decided.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use tester::case::Source;
use tester::judge::record::JudgedCase;
use tester::process::sandbox::Sandbox;
use tester::process::{Command, adopt_orphans, raise_descriptor_limit};
use tester::report::duel::{self as report, Outcome};
use tester::run::batch::Plan;
use tester::run::cancel::CancelToken;
use tester::run::config::Jobs;
use tester::run::duel;
use tester::run::provenance::Provenance;
use tester::stats::duel_state::DuelState;
use tester::store::{History, Kind, NewRun, RunId, State};

use crate::cli::Duel;
use crate::cmd::batch::{build, hidden_of_run, open, physical_cores};
use crate::cmd::show::print;
use crate::cmd::single::sandbox;
use crate::terminal::hide_argv;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::progress::DuelProgress;

pub(crate) fn run(args: &Duel) -> Result<ExitCode> {
    build(args.external.build())?;
    let (source, count) = args.source()?;
    let (_, openings) = source.check()?;
    let [first, second] = [
        plan(args, &args.first, "duel-a")?,
        plan(args, &args.second, "duel-b")?,
    ];
    second.prepare(&source)?;
    let mut history = open(&args.run.kept, &first, &source)?;
    let [first, second] = [first, second].map(|plan| in_sandbox(args, plan));
    let (first, second) = (first?, second?);
    let mut begin = |plan: &Plan| {
        history.begin(&NewRun {
            kind: Kind::Duel,
            sandbox: plan.sandbox.as_ref().map(Sandbox::name),
            plan: plan.clone(),
            source: source.clone(),
            planned: count as usize,
            problem: openings.join("; "),
            provenance: Provenance::of(&plan.command),
            tag: args.run.kept.tag.clone(),
            comment: args.run.kept.comment.clone(),
        })
    };
    let runs = [begin(&first)?, begin(&second)?];
    hide_argv::hide();
    raise_descriptor_limit();
    adopt_orphans();
    let interrupt = Interrupt::listen()?;
    let stop =
        CancelToken::new(Some(interrupt.fd())).context("failed to prepare for being stopped")?;
    let begun = Instant::now();
    let mut standing = DuelState::new(args.alpha, first.objective());
    let fought = fight(
        [&first, &second],
        (&source, count),
        &stop,
        (&mut history, runs),
        &mut standing,
    );
    // Both, whatever else failed.
    let took = begun.elapsed();
    let ended = runs.map(|run| history.end(run, State::Done, took));
    fought?;
    for ended in ended {
        ended?;
    }
    let interrupted = interrupt.heard();
    let outcome = match &interrupted {
        _ if standing.test.decided() => Outcome::Decided,
        Some(_) => Outcome::Interrupted,
        None if standing.hopeless() => Outcome::Hopeless,
        None => Outcome::Undecided,
    };
    let names = [&first, &second].map(|plan| plan.command.to_string());
    let mut text = report::text(&standing, &names, outcome);
    text.push_str(&where_kept(runs, &history));
    print(&text)?;
    match interrupted {
        Some(interrupted) => Err(interrupted.into()),
        None => Ok(ExitCode::from(u8::from(outcome != Outcome::Decided))),
    }
}

/// Where both runs are.
pub(crate) fn where_kept(runs: [RunId; 2], history: &History) -> String {
    let [first, second] = runs;
    let path = history.path().display();
    format!("runs       {first} and {second} in {path}\n")
}

fn plan(args: &Duel, words: &str, folder: &str) -> Result<Plan> {
    let command = Command::of_line(words)?;
    Ok(Plan {
        external: args.external(&command)?,
        command,
        limits: args.limits.limits(),
        jobs: args.run.jobs.map_or_else(physical_cores, Jobs::get),
        out: args.run.kept.out().join(folder),
        transcripts: false,
        sandbox: None,
    })
}

fn in_sandbox(args: &Duel, plan: Plan) -> Result<Plan> {
    let sandbox = match args.limits.sandbox {
        true => Some(sandbox(&plan.command, &hidden_of_run(&args.run.kept))?),
        false => None,
    };
    Ok(Plan { sandbox, ..plan })
}

/// Plays until it is decided, hopeless, or over.
fn fight(
    plans: [&Plan; 2],
    (source, count): (&Source, u64),
    stop: &CancelToken,
    (history, runs): (&mut History, [RunId; 2]),
    standing: &mut DuelState,
) -> Result<()> {
    let mut progress = DuelProgress::new();
    let mut failed = None;
    let cases = source.tickets()?.take(count as usize);
    let fought = duel::run(plans, cases, stop, |pair: &[JudgedCase; 2]| {
        if let Err(error) = history.add_pair(runs, pair) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        standing.add(pair.each_ref());
        progress.show(standing, count);
        match standing.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    progress.clear();
    failed.map_or(Ok(()), Err)?;
    Ok(fought?)
}
