//! `tester duel`: two programs on the same seeds until it is decided.

use std::process::ExitCode;

use anyhow::Result;
use tester_core::case::Source;
use tester_core::process::Command;
use tester_core::report::duel::{self as report, Outcome};
use tester_core::stats::duel_state::DuelState;
use tester_core::stats::sequential::Outlook;
use tester_core::store::{History, RunId};
use tester_core::util::tester_word::tester_word;

use crate::args::Duel;
use crate::cmd::build::{build, check_before_compiling};
use crate::cmd::cautions::{tell_held_out, tell_of_source};
use crate::cmd::duel_job::DuelJob;
use crate::hint::with_hint;
use crate::print::print;
use crate::terminal::hide_argv;
use crate::terminal::interrupt::prepare_batch;

pub(crate) fn run(args: &Duel) -> Result<ExitCode> {
    check_before_build(args)?;
    let built = build(args.external.build())?;
    let (source, count) = args.source()?;
    let (_, openings) = source.check()?;
    tell_of_source(&source);
    tell_held_out(&source, args.held_out()?.as_ref())?;
    let mut job = DuelJob::begin(args, (&source, count, &openings), built)?;
    hide_argv::hide();
    let (interrupt, stop) = prepare_batch()?;
    job.play(&interrupt, &stop)?;
    let DuelJob { state, history, .. } = &job;
    check_measure(state)?;
    let interrupted = interrupt.heard();
    let outcome = outcome(state, args, &source, interrupted.is_some());
    let names = (job.executors.each_ref()).map(|executor| executor.spec().command.to_string());
    let mut text = report::text(state, &names, outcome);
    text.push_str(&where_kept(job.runs, history));
    print(&text)?;
    job.tell_doubts();
    tell_how_to_go_on(args, &source, (state, outcome));
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

/// One line with the numbers of both runs and their history.
pub(crate) fn where_kept(runs: [RunId; 2], history: &History) -> String {
    let [first, second] = runs;
    let path = history.path().display();
    format!("runs       {first} and {second} in {path}\n")
}

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
