//! `tester duel`: two programs on the same seeds until it is decided.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use tester_core::case::Source;
use tester_core::judge::record::{JudgedCase, Verdict};
use tester_core::problem::Problem;
use tester_core::process::Command;
use tester_core::report::duel::{self as report, Outcome};
use tester_core::run::cancel::CancelToken;
use tester_core::run::duel;
use tester_core::run::executor::Executor;
use tester_core::run::spec::{DuelSide, RunSpec};
use tester_core::stats::duel_state::DuelState;
use tester_core::stats::sequential::Outlook;
use tester_core::store::{FrozenBest, History, Kind, NewRun, RunId, State};
use tester_core::util::tester_word::tester_word;

use crate::args::Duel;
use crate::cmd::build::{build, check_before_compiling};
use crate::cmd::cautions::{Doubts, tell_held_out, tell_of_source};
use crate::cmd::run_folder::{in_folder, open, reveal};
use crate::cmd::run_spec::common;
use crate::cmd::sandbox::{in_sandbox, private_folder};
use crate::cmd::source::{StaleProgram, keep_source};
use crate::hint::with_hint;
use crate::print::print;
use crate::terminal::hide_argv;
use crate::terminal::interrupt::prepare_batch;
use crate::terminal::progress::DuelProgress;

pub(crate) fn run(args: &Duel) -> Result<ExitCode> {
    check_before_build(args)?;
    let built = build(args.external.build())?;
    let (source, count) = args.source()?;
    let (_, openings) = source.check()?;
    tell_of_source(&source);
    tell_held_out(&source, args.held_out()?.as_ref())?;
    let executor = |words: &str, folder: &str| -> Result<Executor> {
        let problem = source.first_of(&openings);
        let spec = spec(args, words, folder, &source, problem)?;
        Ok(Executor::new(spec.with_parameters_of(&openings))?)
    };
    let [first, second] = [
        executor(&args.first, "duel-a")?,
        executor(&args.second, "duel-b")?,
    ];
    second.prepare()?;
    let mut history = open(&args.run.kept, &first)?;
    // One for both: neither may read what the interactor says of the other.
    let private = private_folder(&first)?;
    let [first, second] = [first, second]
        .map(|executor| in_sandbox(&args.limits, &args.run.kept, private.as_ref(), executor));
    // At least the two runs of this duel.
    let keep = args.run.keep_runs().max(SIDES);
    let mut stale = Vec::new();
    let mut begin = |executor: Executor, first: Option<RunId>| -> Result<_> {
        let new = new_run(args, (&executor, first), (count, &openings));
        let (run, folder) = history.begin_in(&new, &args.run.kept.runs(), keep)?;
        stale.extend(keep_source(&mut history, run, &new.spec.command, built)?);
        Ok((run, in_folder(executor, &mut history, run, folder)?))
    };
    let (first_run, first) = begin(first?, None)?;
    let (second_run, second) = begin(second?, Some(first_run))?;
    let runs = [first_run, second_run];
    hide_argv::hide();
    let (interrupt, stop) = prepare_batch()?;
    let begun = Instant::now();
    let mut state = DuelState::new(args.rule(), first.spec().scoring(), first.spec().measure);
    let frozen = history.frozen_best(&openings.join("; "), first.spec().scoring())?;
    let mut doubts = runs.map(Doubts::new);
    let fought = fight(
        [&first, &second],
        (&source, count),
        &stop,
        (&mut history, runs),
        (&mut state, &mut doubts),
        &frozen,
    );
    // Write the state of both runs, even after another error.
    let took = begun.elapsed();
    let tidied = runs.map(|run| history.remove_leftovers(run));
    let revealed = [(&first, first_run), (&second, second_run)]
        .map(|(executor, run)| reveal(executor, &mut history, run));
    let is_whole = fought.is_ok() && (state.test.decided() || interrupt.heard().is_none());
    let ended = runs.map(|run| history.end(run, State::from_end(is_whole), took));
    fought?;
    if state.test.decided() {
        history.set_decided(second_run)?;
    }
    revealed.into_iter().collect::<Result<Vec<_>, _>>()?;
    let ended = tidied.into_iter().chain(ended);
    ended.collect::<Result<(), _>>()?;
    history.remove_expired(&args.run.kept.runs(), keep)?;
    check_measure(&state)?;
    let interrupted = interrupt.heard();
    let outcome = outcome(&state, args, &source, interrupted.is_some());
    let names = [&first, &second].map(|executor| executor.spec().command.to_string());
    let mut text = report::text(&state, &names, outcome);
    text.push_str(&where_kept(runs, &history));
    print(&text)?;
    doubts.iter().for_each(Doubts::tell);
    stale.iter().for_each(StaleProgram::tell_again);
    tell_how_to_go_on(args, &source, (&state, outcome));
    match interrupted {
        Some(interrupted) => Err(interrupted.into()),
        None => Ok(ExitCode::from(u8::from(outcome != Outcome::Decided))),
    }
}

/// Why a duel is over.
fn outcome(state: &DuelState, args: &Duel, source: &Source, is_interrupted: bool) -> Outcome {
    match () {
        () if state.test.decided() => Outcome::Decided,
        () if is_interrupted => Outcome::Interrupted,
        () if state.hopeless() => Outcome::Hopeless,
        () if source.is_files() && (state.played as u64) < args.max_cases() => Outcome::NoMoreFiles,
        () => Outcome::Undecided,
    }
}

/// Says how an undecided duel could go on, where more pairs may decide it.
fn tell_how_to_go_on(args: &Duel, source: &Source, (state, outcome): (&DuelState, Outcome)) {
    let is_open = matches!(outcome, Outcome::Undecided | Outcome::NoMoreFiles);
    let may_decide = state.test.pairs() > 0 && state.test.outlook() != Outlook::Never;
    if is_open && may_decide {
        note!("hint: {}", args.how_to_go_on(source, state.played as u64));
    }
}

/// Refuses a duel by logarithms with a score that has none.
///
/// # Errors
/// If there is one.
pub(crate) fn check_measure(state: &DuelState) -> Result<()> {
    state.without_logarithm.map_or(Ok(()), |case| {
        Err(with_hint(
            format!("a score of 0 has no logarithm: case {case}"),
            "choose another measure than log, such as --by rank",
        ))
    })
}

/// Refuses a pair with a case that the machine could not judge: neither program has failed it.
fn check_judged(pair: &[JudgedCase; 2]) -> Result<()> {
    let not_judged = pair
        .iter()
        .find(|judged| judged.record.verdict == Verdict::Ie);
    not_judged.map_or(Ok(()), |judged| {
        let (case, why) = (judged.case.id, judged.record.headline());
        bail!("the machine could not judge case {case}: {why}")
    })
}

/// One line with the numbers of both runs and their history.
pub(crate) fn where_kept(runs: [RunId; 2], history: &History) -> String {
    let [first, second] = runs;
    let path = history.path().display();
    format!("runs       {first} and {second} in {path}\n")
}

const SIDES: NonZeroUsize = NonZeroUsize::new(2).expect("not 0");

/// Refuses what needs no build to be refused.
fn check_before_build(args: &Duel) -> Result<()> {
    let mut commands = Vec::new();
    for words in [&args.first, &args.second] {
        let command = Command::from_line(words)?;
        args.external(&command)?;
        command.check_no_source()?;
        commands.push(command);
    }
    refuse_runs(args, &commands)?;
    let source = || args.source().map(|(source, _)| source);
    check_before_compiling(args.external.build(), commands, source)
}

/// Refuses a word that is no program, but a run of the history.
fn refuse_runs(args: &Duel, commands: &[Command]) -> Result<()> {
    for (word, command) in [&args.first, &args.second].into_iter().zip(commands) {
        let is_run = || {
            let history = History::open_existing(&args.run.kept.history());
            history.is_ok_and(|history| history.find(word).is_ok())
        };
        if command.find().is_err() && is_run() {
            let hint = format!(
                "a duel plays two programs; `{} compare {}A B` compares two runs",
                tester_word(),
                args.run.kept.typed_history()
            );
            return Err(with_hint(
                format!("expected a program, found a run: {word}"),
                hint,
            ));
        }
    }
    Ok(())
}

/// The description of one side's run; of the second side, `first` is the run of the first one.
fn new_run(
    args: &Duel,
    (executor, first): (&Executor, Option<RunId>),
    (count, openings): (u64, &[String]),
) -> NewRun {
    NewRun {
        kind: Kind::Duel,
        spec: RunSpec {
            duel: first.map(|first| DuelSide {
                first: first.0,
                decided: false,
            }),
            ..executor.spec_with_files()
        },
        planned: count as usize,
        problem: openings.join("; "),
        provenance: executor.provenance(),
        tag: args.run.kept.tag.clone(),
        comment: args.run.kept.comment.clone(),
    }
}

fn spec(
    args: &Duel,
    words: &str,
    folder: &str,
    source: &Source,
    problem: Option<&'static dyn Problem>,
) -> Result<RunSpec> {
    let command = Command::from_line(words)?;
    Ok(RunSpec {
        external: args.external(&command)?,
        out: args.run.kept.out().join(folder),
        ..common(
            &args.limits,
            &args.run,
            args.by,
            problem,
            command,
            source.clone(),
        )
    })
}

/// Plays until the duel is decided, cannot be decided, or has no seeds left.
fn fight(
    executors: [&Executor; 2],
    (source, count): (&Source, u64),
    stop: &CancelToken,
    (history, runs): (&mut History, [RunId; 2]),
    (state, doubts): (&mut DuelState, &mut [Doubts; 2]),
    frozen: &FrozenBest,
) -> Result<()> {
    let mut progress = DuelProgress::new();
    let mut failed = None;
    let cases = source.tickets()?.take(count as usize);
    let fought = duel::run(executors, cases, stop, |pair: &[JudgedCase; 2]| {
        if let Err(error) = check_judged(pair) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        let named = (runs.into_iter().zip(executors))
            .try_for_each(|(run, own)| history.set_parameters(run, own.new_parameters()));
        if let Err(error) = named.and_then(|()| history.add_pair(runs, pair)) {
            failed = Some(error.into());
            return ControlFlow::Break(());
        }
        state.add(pair.each_ref(), frozen.of(&pair[0].case));
        for (doubts, judged) in doubts.iter_mut().zip(pair) {
            doubts.add(judged);
        }
        progress.show(state, count);
        match state.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    progress.clear();
    failed.map_or(Ok(()), Err)?;
    Ok(fought?)
}
