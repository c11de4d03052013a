//! `tester merge FILES… --against FILES…`: a duel, from shards of two programs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use tester_core::process::Command;
use tester_core::report::duel::{self as report, Outcome};
use tester_core::run::spec::DuelSide;
use tester_core::shard::{Duel, InMemory, Merge, MergeError, Side};
use tester_core::stats::sequential::Reservation;
use tester_core::store::{
    FrozenBest, History, HistoryError, Import, Kind, RunId, RunSummary, State,
};

use crate::args;
use crate::cmd::cautions::Doubts;
use crate::cmd::duel::{check_measure, where_kept};
use crate::cmd::merge::{Copies, GivenCommand, ended, new_run, open, read_all, tell};
use crate::print::print;

pub(crate) fn run(args: &args::Merge) -> Result<ExitCode> {
    let [first, second] = args.programs()?;
    let sides = [
        side(&args.files, first.as_ref())?,
        side(&args.against, second.as_ref())?,
    ];
    let frozen = frozen(args, &sides[0])?;
    let duel = Duel::hold(&sides, args.rule(), args.by, &frozen)?;
    check_measure(&duel.state)?;
    let programs = [first, second];
    let names = [0, 1].map(|which: usize| {
        let named = programs[which].as_ref().map(Command::to_string);
        let called = || sides[which].merged.about.command().to_string();
        named.unwrap_or_else(called)
    });
    let kept = match args.dry_run {
        true => None,
        false => Some(keep(args, &sides, programs, &duel)?),
    };
    let runs = kept.as_ref().map(|(runs, _)| *runs);
    let outcome = outcome(&duel);
    let text = match args.format() {
        Some(_) => serde_json::to_string(&DuelReport::new(&duel, &sides, outcome, runs))? + "\n",
        None => {
            let kept = kept
                .as_ref()
                .map(|(runs, history)| where_kept(*runs, history));
            report::text(&duel.state, &names, outcome) + &kept.unwrap_or_default()
        }
    };
    print(&text)?;
    for (run, side) in runs.into_iter().flatten().zip(&sides) {
        let mut doubts = Doubts::new(run);
        let played = side.records.iter().take(duel.state.played);
        played.for_each(|(_, judged)| doubts.add(judged));
        doubts.tell();
    }
    Ok(ExitCode::from(u8::from(outcome != Outcome::Decided)))
}

/// The frozen best scores of the problem, as in `tester duel`; a dry run reads them as well.
fn frozen(args: &args::Merge, side: &Side) -> Result<FrozenBest, HistoryError> {
    let new = new_run(&side.merged.about, Kind::Duel, &args.kept, None);
    FrozenBest::read(&args.kept.history(), &new.problem, new.spec.scoring())
}

/// The shards of one program; some may be missing.
fn side(paths: &[PathBuf], program: Option<&Command>) -> Result<Side, MergeError> {
    let (mut merge, mut kept) = (Merge::new(program), InMemory::default());
    let Ok(()) = read_all(paths, Copies::new(), &mut merge, &mut kept);
    let merged = merge.finish(true)?;
    tell(&merged.notes);
    Ok(Side::new(merged, kept))
}

fn outcome(duel: &Duel) -> Outcome {
    match duel.state.test.decided() {
        true => Outcome::Decided,
        false if duel.state.hopeless() => Outcome::Hopeless,
        false => Outcome::Undecided,
    }
}

/// Writes the played pairs to the history, as a duel does.
fn keep(
    args: &args::Merge,
    sides: &[Side; 2],
    programs: [Option<Command>; 2],
    duel: &Duel,
) -> Result<([RunId; 2], History)> {
    let given = programs.map(|program| program.map(GivenCommand::new));
    let mut history = open(&args.kept)?;
    let runs = history.enter(|entry| -> Result<[RunId; 2], HistoryError> {
        let mut enter = |which: usize, of: Option<DuelSide>| {
            let (side, given) = (&sides[which], given[which].as_ref());
            enter(entry, args, (side, of), given, duel.state.played)
        };
        let first = enter(0, None)?;
        let side = DuelSide {
            first: first.0,
            decided: duel.state.test.decided(),
        };
        Ok([first, enter(1, Some(side))?])
    })?;
    history.check_is_there()?;
    Ok((runs, history))
}

fn enter(
    entry: &mut Import<'_>,
    args: &args::Merge,
    (side, duel): (&Side, Option<DuelSide>),
    given: Option<&GivenCommand>,
    played: usize,
) -> Result<RunId, HistoryError> {
    let mut new = new_run(&side.merged.about, Kind::Duel, &args.kept, given);
    new.spec.duel = duel;
    let run = entry.begin(&new)?;
    for (host, judged) in side.records.iter().take(played) {
        entry.add(run, *host, judged)?;
    }
    let ended = RunSummary {
        state: State::Done,
        ..ended(&side.merged)
    };
    entry.end(run, &ended)?;
    Ok(run)
}

/// What `--json` prints.
#[derive(Serialize)]
struct DuelReport {
    outcome: &'static str,
    /// What of a score is averaged.
    measure: &'static str,
    /// The better program, if the duel is decided and the other did not fail fewer cases.
    better: Option<&'static str>,
    /// The program with the better scores on the cases that both solved, if the duel is decided.
    better_on_pairs: Option<&'static str>,
    /// The program that failed fewer cases.
    safer: Option<&'static str>,
    played: usize,
    /// How many cases were accepted from both; only these count in the figures.
    pairs: usize,
    failed: [usize; 2],
    means: Option<[f64; 2]>,
    /// The mean of the second minus the mean of the first, and its interval.
    difference: f64,
    interval: Option<(f64, f64)>,
    alpha: f64,
    /// For equal means, the guarantee assumes that no difference in favour of the worse program is larger.
    bound: Option<f64>,
    /// The largest size of a difference.
    largest: f64,
    /// What in the differences limits the guarantee.
    caution: Option<&'static str>,
    /// How many cases both have without a gap, from the first case on; and how many cases are planned.
    ready: usize,
    planned: usize,
    runs: Option<[i64; 2]>,
}

impl DuelReport {
    fn new(duel: &Duel, sides: &[Side; 2], outcome: Outcome, runs: Option<[RunId; 2]>) -> Self {
        let state = &duel.state;
        let test = &state.test;
        let pairs = test.pairs();
        let better = (outcome == Outcome::Decided).then(|| state.better());
        Self {
            outcome: match outcome {
                Outcome::Decided => "decided",
                Outcome::Hopeless => "hopeless",
                Outcome::Undecided | Outcome::NoMoreFiles | Outcome::Interrupted => "undecided",
            },
            measure: state.measure.name(),
            better: better.filter(|_| !state.is_split()),
            better_on_pairs: better,
            safer: state.safer(),
            played: state.played,
            pairs,
            failed: state.failed,
            means: state.means(),
            difference: test.mean(),
            interval: test.interval(),
            alpha: state.rule.alpha,
            bound: test.bound(),
            largest: test.largest(),
            caution: test.reservation().map(|reservation| match reservation {
                Reservation::OneSided { .. } => "one-sided",
                Reservation::RareLarge { .. } => "rare-large",
            }),
            ready: duel.ready,
            planned: sides[0].merged.about.planned(),
            runs: runs.map(|runs| runs.map(|run| run.0)),
        }
    }
}
