//! The run of a batch, from its beginning to its table: what `tester batch` does once, and again with `--watch`.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, bail};
use tester_core::case::{LazyCase, Source};
use tester_core::judge::record::{JudgedCase, Verdict};
use tester_core::run::batch::run as judge_all;
use tester_core::run::cancel::CancelToken;
use tester_core::run::config::Jobs;
use tester_core::run::executor::{BatchError, Executor, RUNS};
use tester_core::stats::time_use::TimeUse;
use tester_core::store::{FrozenBest, History, HistoryError, RunId, State};
use tester_core::util::tester_word::tester_word;

use super::cautions::tell_written_data;
use super::draw::draw_worst;
use super::new_run::{executor, in_order, new_run};
use super::resume::{find_unfinished, same_program_and_cases};
use super::run_folder::{in_folder, open, reveal};
use super::run_spec::physical_cores;
use super::sandbox::{in_sandbox, private_folder};
use super::source::{StaleProgram, check_source, keep_source};
use super::{origin, show, time_use};
use crate::args::Batch;
use crate::ending_error::{PrintedAlready, print_error_with};
use crate::hint::WithHint;
use crate::terminal::hide_argv;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::progress::Progress;

/// A run that has begun.
pub(super) struct Job {
    history: History,
    run: RunId,
    executor: Executor,
    cases: Box<dyn Iterator<Item = LazyCase> + Send>,
    planned: usize,
    progress: Progress,
    frozen: FrozenBest,
    begun: Instant,
    /// Cases that the machine could not judge; the program is not at fault.
    not_judged: usize,
    /// Says that the program may be older than its source.
    stale: Option<StaleProgram>,
}

impl Job {
    /// Checks everything that can be checked before the first case, then begins a run.
    ///
    /// `built` is when the last build line began, if there was one.
    pub(super) fn begin(args: &Batch, source: Source, built: Option<SystemTime>) -> Result<Self> {
        let (executor, checked) = executor(args, source)?;
        let mut history = open(&args.run.kept, &executor)?;
        let (executor, new) = new_run(args, executor, checked)?;
        let reference = history.reference(&new)?;
        let frozen = history.frozen_best(&new.problem, new.spec.scoring())?;
        let (run, folder) = history.begin_in(&new, &args.run.kept.runs(), args.run.keep_runs())?;
        let stale = keep_source(&mut history, run, &new.spec.command, built)?;
        let executor = in_folder(executor, &mut history, run, folder)?;
        let cases = new.spec.source.tickets()?;
        Ok(Self {
            history,
            run,
            cases: in_order(cases, args.shuffle || executor.must_conceal()),
            executor,
            planned: new.planned,
            progress: Progress::new(new.planned).against(reference),
            frozen,
            begun: Instant::now(),
            not_judged: 0,
            stale,
        })
    }

    /// Continues an unfinished run, after it checks that the program and the cases are unchanged.
    pub(super) fn resume(args: &Batch, word: &str) -> Result<Self> {
        let found = find_unfinished(args, word)?;
        origin::check_resumption(args, &found)?;
        let id = found.id;
        let mut spec = found.about.spec.clone();
        spec.jobs = args.run.jobs.map_or(spec.jobs, Jobs::get);
        let source = &found.about.spec.source;
        let (planned, _) = source.check()?;
        let runs = spec.out.join(RUNS);
        let executor = Executor::new(spec)?;
        let mut history = open(&args.run.kept, &executor)?;
        let (judged, kept) = (history.scores(id)?, history.source_of(id)?);
        let is_same = || {
            same_program_and_cases(&found, &executor, planned, (&judged, &kept))?;
            check_source(&found, &kept)
        };
        is_same().with_context(|| {
            WithHint::new(
                format!("failed to resume run {id}"),
                "begin another run without --resume; the judged cases stay in the history",
            )
        })?;
        let Some(done) = history.resume(id)? else {
            bail!("failed to resume run {id}: another process is resuming it");
        };
        let folder = history.resume_in(id, &runs)?;
        let private = private_folder(&executor)?;
        let executor = in_folder(
            in_sandbox(&args.limits, &args.run.kept, private.as_ref(), executor)?,
            &mut history,
            id,
            folder,
        )?;
        let reference = history.reference(&found.about)?;
        let mut progress = Progress::new(planned).against(reference);
        history.each_record_beside_best(&found, |judged, best| {
            progress.add_earlier(&judged, best);
        })?;
        let frozen = history.frozen_best(&found.about.problem, found.scoring())?;
        let left = source.tickets()?;
        let left = Box::new(left.filter(move |case| !done.contains_key(&case.id)));
        Ok(Self {
            cases: in_order(left, args.shuffle || executor.must_conceal()),
            history,
            run: id,
            executor,
            planned,
            progress,
            frozen,
            begun: Instant::now(),
            not_judged: 0,
            stale: None,
        })
    }

    /// Judges the remaining cases, ends the run and prints it.
    pub(super) fn finish(
        mut self,
        args: &Batch,
        interrupt: &Interrupt,
        stop: &CancelToken,
    ) -> Result<ExitCode> {
        hide_argv::hide();
        interrupt.set_to_continue(Some(self.to_continue(args)));
        let judged = self.judge(args, stop);
        let state = State::from_end(self.judged() == self.planned);
        // Write the state of the run even after another error. This may fail too, on a full disk.
        let tidied = self.history.remove_leftovers(self.run);
        let revealed = reveal(&self.executor, &mut self.history, self.run);
        let ended = self.history.end(self.run, state, self.begun.elapsed());
        if state == State::Done {
            interrupt.set_to_continue(None);
        }
        if let Err(error) = judged {
            let (remark, hint) = self.what_is_kept(args, Some(&error));
            match args.watch && has_changed(&error) {
                // The next round needs no hint.
                true => {
                    say!("{error:#}");
                    say!("{remark}");
                }
                false => print_error_with(&error, Some(&remark), hint),
            }
            return Err(error.context(PrintedAlready));
        }
        tidied?;
        revealed?;
        ended?;
        self.history.check_is_there()?;
        let runs = args.run.kept.runs();
        self.history.remove_expired(&runs, args.run.keep_runs())?;
        let run = self.history.find(&self.run.to_string())?;
        let all_accepted = show::print_run(&self.history, &run, &args.run.kept, args.format())?;
        let mut used = TimeUse::new(&run.about.spec.limits);
        self.history
            .each_record(run.id, |judged| used.add(&judged.record))?;
        time_use::tell(&used, run.about.spec.jobs, physical_cores());
        let containment = args.limits.containment();
        let count = args.drawn();
        draw_worst(&self.history, &run, containment, count, interrupt)?;
        if state == State::Unfinished {
            let (remark, hint) = self.what_is_kept(args, None);
            say!("{remark}");
            hint.iter().for_each(|hint| note!("hint: {hint}"));
        }
        tell_written_data(&self.executor);
        self.stale.iter().for_each(StaleProgram::tell_again);
        if let Some(interrupted) = interrupt.heard() {
            return Err(interrupted.into());
        }
        Ok(match self.not_judged {
            0 => ExitCode::from(u8::from(!all_accepted)),
            _ => ExitCode::from(crate::exit::OUR_FAULT),
        })
    }

    /// Judges the remaining cases. Writes each record to the history as soon as its case is judged.
    fn judge(&mut self, args: &Batch, stop: &CancelToken) -> Result<()> {
        let cases = std::mem::replace(&mut self.cases, Box::new(std::iter::empty()));
        let (history, progress, run) = (&mut self.history, &mut self.progress, self.run);
        let not_judged = &mut self.not_judged;
        let scoring = self.executor.spec().scoring();
        let mut failed: Option<HistoryError> = None;
        let is_last = |case: &JudgedCase| args.fail_fast && !case.accepted();
        let receive = |judged: &[JudgedCase]| {
            let parameters = self.executor.new_parameters();
            let add = || {
                history.set_parameters(run, parameters)?;
                history.add(run, judged)?;
                // One snapshot for all, because each takes and gives back locks.
                history.with_snapshot(|history| {
                    for case in judged {
                        let best = match progress.needs_best() {
                            true => history.best_of_case(case, scoring, &self.frozen)?,
                            false => None,
                        };
                        progress.add(case, best);
                    }
                    Ok(())
                })
            };
            if let Err(error) = add() {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            let failed_us = |case: &&JudgedCase| case.record.verdict == Verdict::Ie;
            *not_judged += judged.iter().filter(failed_us).count();
            ControlFlow::Continue(())
        };
        let judged = judge_all(&self.executor, cases, stop, is_last, receive);
        self.progress.clear();
        failed.map_or(Ok(()), Err)?;
        Ok(judged?)
    }

    /// The number of the run.
    pub(super) fn run_id(&self) -> RunId {
        self.run
    }

    /// How many cases have a verdict of their own.
    fn judged(&self) -> usize {
        self.progress.done() - self.not_judged
    }

    /// What is in the history after an error, or where a case is missing, and how to continue if that is possible.
    fn what_is_kept(
        &self,
        args: &Batch,
        error: Option<&anyhow::Error>,
    ) -> (String, Option<String>) {
        let (judged, planned, run) = (self.judged(), self.planned, self.run);
        let kept = format!("{judged} of {planned} cases are judged and kept");
        if self.history.check_is_there().is_err() {
            let history = self.history.path().display();
            let lost = format!(
                "none of the {judged} judged cases is kept: history {history} was removed or replaced meanwhile"
            );
            (lost, None)
        } else if error.is_some_and(is_damage) {
            let lost =
                format!("{judged} of {planned} cases were judged; the run cannot be continued");
            (lost, None)
        } else if error.is_some_and(has_changed) {
            let kept = format!("{kept} as run {run}, all by the program with which it began");
            (kept, None)
        } else {
            (kept, Some(self.to_continue(args)))
        }
    }

    /// How to judge the cases of this run that are left.
    fn to_continue(&self, args: &Batch) -> String {
        let (tester, typed, run) = (tester_word(), args.run.kept.typed(), self.run);
        format!("to continue: {tester} batch {typed}--resume={run}")
    }
}

/// Whether a batch stopped because its program is another one now.
pub(super) fn has_changed(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(BatchError::Changed { .. }))
}

/// Whether a batch stopped because its history is damaged.
fn is_damage(error: &anyhow::Error) -> bool {
    let error: Option<&HistoryError> = error.downcast_ref();
    error.is_some_and(HistoryError::is_damage)
}
