//! The two runs of a duel, from their beginning to their end.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Instant, SystemTime};

use anyhow::{Result, bail};
use tester_core::case::Source;
use tester_core::judge::record::{JudgedCase, Verdict};
use tester_core::problem::Problem;
use tester_core::process::Command;
use tester_core::run::cancel::CancelToken;
use tester_core::run::duel;
use tester_core::run::executor::Executor;
use tester_core::run::spec::{DuelSide, RunSpec};
use tester_core::stats::duel_state::DuelState;
use tester_core::store::{FrozenBest, History, Kind, NewRun, RunId, State};

use crate::args::Duel;
use crate::cmd::cautions::Doubts;
use crate::cmd::run_folder::{in_folder, open, reveal};
use crate::cmd::run_spec::common;
use crate::cmd::sandbox::{in_sandbox, private_folder};
use crate::cmd::source::{StaleProgram, keep_source};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::progress::DuelProgress;

/// A duel keeps at least its own runs.
const SIDES: NonZeroUsize = NonZeroUsize::new(2).expect("not 0");

/// Two runs that have begun.
pub(super) struct DuelJob<'a> {
    args: &'a Duel,
    source: &'a Source,
    /// The most pairs that are played.
    count: u64,
    pub(super) history: History,
    pub(super) runs: [RunId; 2],
    pub(super) executors: [Executor; 2],
    pub(super) state: DuelState,
    frozen: FrozenBest,
    doubts: [Doubts; 2],
    /// Say that a program may be older than its source.
    stale: Vec<StaleProgram>,
}

impl<'a> DuelJob<'a> {
    /// Begins both runs, on the first `count` cases of a source, which are of these problems.
    ///
    /// `built` is when the last build line began, if there was one.
    pub(super) fn begin(
        args: &'a Duel,
        (source, count, problems): (&'a Source, u64, &[String]),
        built: Option<SystemTime>,
    ) -> Result<Self> {
        let executor = |words: &str, folder: &str| -> Result<Executor> {
            let spec = spec(args, words, folder, source, source.first_of(problems))?;
            Ok(Executor::new(spec.with_parameters_of(problems))?)
        };
        let first = executor(&args.first, "duel-a")?;
        let second = executor(&args.second, "duel-b")?;
        second.prepare()?;
        let mut history = open(&args.run.kept, &first)?;
        // One for both: neither may read what the interactor says of the other.
        let private = private_folder(&first)?;
        let [first, second] = [first, second]
            .map(|executor| in_sandbox(&args.limits, &args.run.kept, private.as_ref(), executor));
        let mut stale = Vec::new();
        let mut begin = |executor: Executor, first: Option<RunId>| -> Result<_> {
            let new = new_run(args, (&executor, first), (count, problems));
            let (run, folder) = history.begin_in(&new, &args.run.kept.runs(), kept_runs(args))?;
            stale.extend(keep_source(&mut history, run, &new.spec.command, built)?);
            Ok((run, in_folder(executor, &mut history, run, folder)?))
        };
        let (first_run, first) = begin(first?, None)?;
        let (second_run, second) = begin(second?, Some(first_run))?;
        let (scoring, measure) = (first.spec().scoring(), first.spec().measure);
        let runs = [first_run, second_run];
        Ok(Self {
            args,
            source,
            count,
            frozen: history.frozen_best(&problems.join("; "), scoring)?,
            history,
            runs,
            executors: [first, second],
            state: DuelState::new(args.rule(), scoring, measure),
            doubts: runs.map(Doubts::new),
            stale,
        })
    }

    /// Plays, and ends both runs.
    pub(super) fn play(&mut self, interrupt: &Interrupt, stop: &CancelToken) -> Result<()> {
        let begun = Instant::now();
        let fought = self.fight(stop);
        // Write the state of both runs, even after another error.
        let took = begun.elapsed();
        let is_decided = self.state.test.decided();
        let is_whole = fought.is_ok() && (is_decided || interrupt.heard().is_none());
        let (runs, history) = (self.runs, &mut self.history);
        let tidied = runs.map(|run| history.remove_leftovers(run));
        let both = [0, 1].map(|side| (&self.executors[side], runs[side]));
        let revealed = both.map(|(executor, run)| reveal(executor, history, run));
        let ended = runs.map(|run| history.end(run, State::from_end(is_whole), took));
        fought?;
        if is_decided {
            history.set_decided(runs[1])?;
        }
        revealed.into_iter().collect::<Result<()>>()?;
        let ended = tidied.into_iter().chain(ended);
        ended.collect::<Result<(), _>>()?;
        history.remove_expired(&self.args.run.kept.runs(), kept_runs(self.args))?;
        Ok(())
    }

    /// Plays until the duel is decided, cannot be decided, or has no seeds left.
    fn fight(&mut self, stop: &CancelToken) -> Result<()> {
        let (history, state, runs) = (&mut self.history, &mut self.state, self.runs);
        let executors = self.executors.each_ref();
        let mut progress = DuelProgress::new();
        let mut failed = None;
        let cases = self.source.tickets()?.take(self.count as usize);
        let fought = duel::run(executors, cases, stop, |pair: &[JudgedCase; 2]| {
            let mut keep = || -> Result<()> {
                check_judged(pair)?;
                for (run, executor) in runs.into_iter().zip(executors) {
                    history.set_parameters(run, executor.new_parameters())?;
                }
                Ok(history.add_pair(runs, pair)?)
            };
            if let Err(error) = keep() {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            state.add(pair.each_ref(), self.frozen.of(&pair[0].case));
            for (doubts, judged) in self.doubts.iter_mut().zip(pair) {
                doubts.add(judged);
            }
            progress.show(state, self.count);
            match state.is_over() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        progress.clear();
        failed.map_or(Ok(()), Err)?;
        Ok(fought?)
    }

    /// Says what to doubt in both runs.
    pub(super) fn tell_doubts(&self) {
        self.doubts.iter().for_each(Doubts::tell);
        self.stale.iter().for_each(StaleProgram::tell_again);
    }
}

fn kept_runs(args: &Duel) -> NonZeroUsize {
    args.run.keep_runs().max(SIDES)
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
