//! `tester batch`: many cases, a table, and a history.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::case::{LazyCase, Source};
use crate::cli::args::{Batch, KeptArgs, LimitArgs};
use crate::cli::cmd::build::build;
use crate::cli::cmd::cautions::{tell_misnamed, tell_written_data};
use crate::cli::cmd::draw::draw_worst;
use crate::cli::cmd::resume::{find_unfinished, same_program_and_cases};
use crate::cli::cmd::run_spec::{physical_cores, spec};
use crate::cli::cmd::single::{sandbox, usual_folders};
use crate::cli::cmd::{again, origin, show, time_use};
use crate::cli::hint::WithHint;
use crate::cli::terminal::hide_argv;
use crate::cli::terminal::interrupt::{Interrupt, prepare_batch};
use crate::cli::terminal::progress::Progress;
use crate::judge::record::{JudgedCase, Verdict};
use crate::problem::rng::{CaseRng, Seed};
use crate::process::sandbox::PrivateFolder;
use crate::run::batch::run as judge_all;
use crate::run::cancel::CancelToken;
use crate::run::config::Jobs;
use crate::run::executor::{BatchError, Executor, RUNS};
use crate::run::outputs::copy_outputs;
use crate::stats::time_use::TimeUse;
use crate::store::{FrozenBest, History, HistoryError, Kind, NewRun, RunId, State};
use crate::util::atomic_file;
use crate::util::random_name::random_number;
use crate::util::tester_word::tester_word;

/// Refuses what needs no build to be refused, then runs the build lines of a batch or a shard.
pub(crate) fn prepare(args: &Batch) -> Result<()> {
    if let Some(word) = args.misplaced() {
        let word = word.display();
        say!("note: {word} comes after the program, so the program gets it");
    }
    // A run that is resumed has its own judge.
    if args.resume.is_none() {
        args.external()?;
    }
    if let Some(program) = args.program() {
        program.check_no_source()?;
    }
    build(args.external.build())
}

pub(crate) fn run(args: &Batch) -> Result<ExitCode> {
    prepare(args)?;
    let job = match &args.resume {
        None => Job::begin(args, again::source(args)?)?,
        Some(word) => Job::resume(args, word)?,
    };
    let (interrupt, stop) = prepare_batch()?;
    job.finish(args, &interrupt, &stop)
}

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
}

impl Job {
    /// Checks everything that can be checked before the first case, then begins a run.
    pub(super) fn begin(args: &Batch, source: Source) -> Result<Self> {
        let checked = source.check()?;
        tell_misnamed(&source);
        let problem = source.first_of(&checked.1);
        let spec = spec(args, source, problem)?;
        let executor = Executor::new(spec.with_parameters_of(&checked.1))?;
        let mut history = open(&args.run.kept, &executor)?;
        let (executor, new) = new_run(args, executor, checked)?;
        let reference = history.reference(&new)?;
        let frozen = history.frozen_best(&new.problem, new.spec.scoring())?;
        let (run, folder) = history.begin_in(&new, &args.run.kept.runs(), args.run.keep_runs())?;
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
        })
    }

    /// Continues an unfinished run, after it checks that the program and the cases are unchanged.
    fn resume(args: &Batch, word: &str) -> Result<Self> {
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
        same_program_and_cases(&found, &executor, planned, &history.scores(id)?).with_context(
            || {
                WithHint::new(
                    format!("failed to resume run {id}"),
                    "begin another run without --resume; the judged cases stay in the history",
                )
            },
        )?;
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
        let judged = self.judge(args, stop);
        let state = match self.judged() == self.planned {
            true => State::Done,
            false => State::Unfinished,
        };
        // Write the state of the run even after another error. This may fail too, on a full disk.
        let tidied = self.history.remove_leftovers(self.run);
        let revealed = reveal(&self.executor, &mut self.history, self.run);
        let ended = self.history.end(self.run, state, self.begun.elapsed());
        if let Err(error) = &judged {
            self.tell_what_is_kept(args, has_changed(error));
        }
        judged?;
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
        draw_worst(&self.history, &run, containment, args.drawn())?;
        if state == State::Unfinished {
            self.tell_what_is_kept(args, false);
        }
        tell_written_data(&self.executor);
        if let Some(interrupted) = interrupt.heard() {
            return Err(interrupted.into());
        }
        Ok(match self.not_judged {
            0 => ExitCode::from(u8::from(!all_accepted)),
            _ => ExitCode::from(crate::cli::exit::OUR_FAULT),
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
            if failed.is_some() {
                return ControlFlow::Break(());
            }
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

    /// Says after an error, or where a case is missing, what is in the history, and how to continue.
    fn tell_what_is_kept(&self, args: &Batch, has_changed: bool) {
        let (judged, planned, run) = (self.judged(), self.planned, self.run);
        if self.history.check_is_there().is_err() {
            let history = self.history.path().display();
            say!(
                "none of the {judged} judged cases is kept: history {history} was removed or replaced meanwhile"
            );
            return;
        }
        if has_changed {
            say!(
                "{judged} of {planned} cases are judged and kept as run {run}, all by the program with which it began"
            );
            return;
        }
        say!(
            "{judged} of {planned} cases are judged and kept\nhint: to continue: {} batch {}--resume={run}",
            tester_word(),
            args.run.kept.typed(),
        );
    }
}

/// Whether a batch stopped because its program is another one now.
pub(super) fn has_changed(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(BatchError::Changed { .. }))
}

/// The executor, in its sandbox, and the description of the run; the source was `checked`.
pub(crate) fn new_run(
    args: &Batch,
    executor: Executor,
    checked: (usize, Vec<String>),
) -> Result<(Executor, NewRun)> {
    let private = private_folder(&executor)?;
    let executor = in_sandbox(&args.limits, &args.run.kept, private.as_ref(), executor)?;
    let (planned, openings) = checked;
    let new = NewRun {
        kind: Kind::Batch,
        provenance: executor.provenance(),
        spec: executor.spec_with_files(),
        planned,
        problem: openings.join("; "),
        tag: args.run.kept.tag.clone(),
        comment: args.run.kept.comment.clone(),
    };
    Ok((executor, new))
}

/// A folder for the files of an interactor, where one judges programs in a sandbox.
pub(crate) fn private_folder(executor: &Executor) -> Result<Option<PrivateFolder>> {
    let spec = executor.spec();
    let external = spec.external.as_ref().filter(|_| spec.sandbox.is_some());
    let has_interactor = external.is_some_and(|external| external.contract.is_some());
    Ok(has_interactor.then(PrivateFolder::new).transpose()?)
}

/// The same executor in a sandbox, if the options ask for one; the sandbox hides cases, outputs and history.
pub(crate) fn in_sandbox(
    limits: &LimitArgs,
    kept: &KeptArgs,
    private: Option<&PrivateFolder>,
    executor: Executor,
) -> Result<Executor> {
    let containment = limits.containment().available();
    let executor = executor.with_containment(containment);
    if executor.spec().sandbox.is_none() {
        return Ok(executor);
    }
    let cases = executor.spec().source.files()?;
    // Both the paths as they were typed and the paths to which links lead.
    let real = cases
        .iter()
        .filter_map(|file| file.path.canonicalize().ok());
    let paths = cases.iter().map(|file| file.path.clone()).chain(real);
    let folders = paths.map(|path| atomic_file::folder_of(&path).to_owned());
    let mut hidden: Vec<PathBuf> = folders.collect();
    hidden.sort();
    hidden.dedup();
    hidden.extend(usual_folders());
    hidden.extend(hidden_of_run(kept));
    hidden.push(executor.spec().out.clone()); // the folder of a resumed run
    let sandbox = sandbox(&executor.spec().command, &hidden, private.cloned())?;
    Ok(executor.with_sandbox(sandbox))
}

/// The executor with the run's folder, under a name that contestants cannot guess if they could look for it.
pub(crate) fn in_folder(
    executor: Executor,
    history: &mut History,
    run: RunId,
    folder: PathBuf,
) -> Result<Executor> {
    let folder = match executor.must_conceal() {
        true => history.conceal(run)?,
        false => folder,
    };
    Ok(executor.with_folder(folder))
}

/// What [`in_folder`] has put off to the end of the run: the usual name of the folder, and copies of the outputs.
pub(crate) fn reveal(executor: &Executor, history: &mut History, run: RunId) -> Result<()> {
    if executor.must_conceal() {
        let folder = history.reveal(run)?;
        copy_outputs(&folder, &executor.spec().out)?;
    }
    Ok(())
}

/// Outputs and history.
pub(crate) fn hidden_of_run(args: &KeptArgs) -> Vec<PathBuf> {
    let history = args.history();
    let beside = |suffix: &str| {
        let mut name = history.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    vec![
        args.out().to_owned(),
        beside(""),
        beside("-wal"),
        beside("-shm"),
        beside("-lock"),
    ]
}

/// Opens the folder of the outputs and the history; afterwards both are known to be writable.
pub(crate) fn open(args: &KeptArgs, executor: &Executor) -> Result<History> {
    executor.prepare()?;
    let path = args.history();
    atomic_file::make_dir(atomic_file::folder_of(&path))?;
    let mut history = History::open(&path)?;
    history.mark_crashed()?;
    Ok(history)
}

pub(crate) fn in_order(
    cases: Box<dyn Iterator<Item = LazyCase> + Send>,
    shuffle: bool,
) -> Box<dyn Iterator<Item = LazyCase> + Send> {
    if !shuffle {
        return cases;
    }
    let mut cases: Vec<LazyCase> = cases.collect();
    CaseRng::new(Seed(random_number())).shuffle(&mut cases);
    Box::new(cases.into_iter())
}
