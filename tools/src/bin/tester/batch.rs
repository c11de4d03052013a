//! `tester batch`: many cases, a table, and a history.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use tools::batch::{Plan, run as judge_all};
use tools::case::{CaseId, Digest, Source, Ticket};
use tools::contestant::raise_descriptor_limit;
use tools::draw::{Draw, Seed};
use tools::files;
use tools::history::{History, Kind, NewRun, Run, RunId, State};
use tools::provenance::{Provenance, fingerprint};
use tools::record::Judged;
use tools::stop::Stop;

use crate::args::{Batch, RunArgs};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::rerun::tester_word;
use crate::show;

pub(crate) fn run(args: &Batch) -> Result<ExitCode> {
    let mut job = match &args.resume {
        None => Job::begin(args)?,
        Some(word) => Job::resume(args, word)?,
    };
    raise_descriptor_limit();
    let interrupt = Interrupt::listen()?;
    let stop = Stop::new(Some(interrupt.fd())).context("failed to prepare for being stopped")?;
    let judged = job.judge(args, &stop);
    let state = match job.progress.done() == job.planned {
        true => State::Done,
        false => State::Unfinished,
    };
    // Whatever else failed, what came of the run is to be known; and that may fail too, on a full disk.
    let ended = job.history.end(job.run, state);
    judged.with_context(|| job.what_is_kept(&args.run))?;
    ended?;
    let run = job.history.find(&job.run.to_string())?;
    let all_accepted = show::print_batch(&job.history, &run, args.format())?;
    if state == State::Unfinished {
        note!("tester: {}", job.what_is_kept(&args.run));
    }
    if let Some(interrupted) = interrupt.heard() {
        return Err(interrupted.into());
    }
    Ok(ExitCode::from(u8::from(!all_accepted)))
}

/// A run that has begun.
struct Job {
    history: History,
    run: RunId,
    plan: Plan,
    cases: Box<dyn Iterator<Item = Ticket> + Send>,
    planned: usize,
    progress: Progress,
}

impl Job {
    /// Looks at everything that can be looked at before the first case, then begins a run.
    fn begin(args: &Batch) -> Result<Self> {
        let source = args.source();
        let (planned, openings) = source.check()?;
        let plan = plan(args, args.program().expect("required by the parser"));
        let mut history = open(&args.run, &plan, &source)?;
        let new = NewRun {
            kind: Kind::Batch,
            provenance: Provenance::of(&plan.command),
            plan,
            source,
            planned,
            problem: openings.join("; "),
            tag: args.run.tag.clone(),
            comment: args.run.comment.clone(),
        };
        let run = history.begin(&new)?;
        let cases = new.source.tickets()?;
        Ok(Self {
            history,
            run,
            cases: in_order(cases, args.shuffle),
            plan: new.plan,
            planned,
            progress: Progress::new(planned),
        })
    }

    /// Takes up a run where it was left, after making sure that it is still the same program and the
    /// same cases.
    fn resume(args: &Batch, word: &str) -> Result<Self> {
        let found = find_unfinished(args, word)?;
        let (id, source) = (found.id, &found.plan.source);
        let mut plan = found.plan.plan.clone();
        plan.jobs = args.run.jobs.unwrap_or(plan.jobs);
        let (planned, _) = source.check()?;
        let mut history = open(&args.run, &plan, source)?;
        let instead = "start a new run without --resume; what was judged stays in the history";
        if fingerprint(&plan.command) != found.plan.provenance.fingerprint {
            bail!(
                "failed to resume run {id}: expected the program that it was begun with, found that {} \
                 has changed since; {instead}",
                plan.command
            );
        }
        if planned != found.plan.planned {
            bail!(
                "failed to resume run {id}: expected {} cases in {source}, found {planned}; {instead}",
                found.plan.planned
            );
        }
        let Some(done) = history.resume(id)? else {
            bail!("failed to resume run {id}: another process has just gone on with it");
        };
        let mut progress = Progress::new(planned);
        history.each_record(id, |judged| progress.add_earlier(&judged.record))?;
        let job = Self {
            cases: in_order(source.tickets()?, args.shuffle),
            history,
            run: id,
            plan,
            planned,
            progress,
        };
        job.without(source, done)
            .with_context(|| format!("failed to resume run {id}; {instead}"))
    }

    /// Leaves out the cases that are done.
    fn without(mut self, source: &Source, done: BTreeMap<CaseId, Digest>) -> Result<Self> {
        if source.is_files() {
            let kept = || -> Result<()> {
                for ticket in source.tickets()? {
                    let known = done.get(&ticket.id);
                    if known
                        .is_some_and(|&known| ticket.open().is_ok_and(|c| c.key.digest != known))
                    {
                        bail!(
                            "case {} has another content than when it was judged",
                            ticket.id
                        );
                    }
                }
                Ok(())
            };
            if let Err(error) = kept() {
                self.history.end(self.run, State::Unfinished)?;
                return Err(error);
            }
        }
        let done: HashSet<CaseId> = done.into_keys().collect();
        self.cases = Box::new(self.cases.filter(move |ticket| !done.contains(&ticket.id)));
        Ok(self)
    }

    /// Judges what is left. Each record is kept as soon as it is there.
    fn judge(&mut self, args: &Batch, stop: &Stop) -> Result<()> {
        let cases = std::mem::replace(&mut self.cases, Box::new(std::iter::empty()));
        let (history, progress, run) = (&mut self.history, &mut self.progress, self.run);
        let mut failed = None;
        let judged = judge_all(&self.plan, cases, stop, |judged: &[Judged]| {
            if failed.is_some() {
                return ControlFlow::Break(());
            }
            if let Err(error) = history.add(run, judged) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            judged.iter().for_each(|case| progress.add(&case.record));
            match args.fail_fast && judged.iter().any(|case| !case.accepted()) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.progress.clear();
        failed.map_or(Ok(()), Err)?;
        Ok(judged?)
    }

    fn what_is_kept(&self, args: &RunArgs) -> String {
        format!(
            "{} of {} cases are judged and kept as run {} in {}; go on with: {} batch {}--resume={}",
            self.progress.done(),
            self.planned,
            self.run,
            self.history.path().display(),
            tester_word(),
            args.typed(),
            self.run
        )
    }
}

/// How the options say that cases are to be judged.
fn plan(args: &Batch, command: tools::contestant::Command) -> Plan {
    Plan {
        command,
        limits: args.limits.limits(),
        jobs: args.run.jobs.unwrap_or_else(physical_cores),
        out: args.run.out.clone(),
        transcripts: args.transcripts,
    }
}

/// The folder of the outputs, and the history in it; both are known to be writable afterwards.
pub(crate) fn open(args: &RunArgs, plan: &Plan, source: &Source) -> Result<History> {
    plan.prepare(source)?;
    let mut history = History::open(&args.history())?;
    for dir in history.bury_dead()? {
        files::remove_temporary(&dir);
    }
    Ok(history)
}

/// The run that `--resume` means.
fn find_unfinished(args: &Batch, word: &str) -> Result<Run> {
    let history = History::open_existing(&args.run.history())?;
    let wanted = args
        .program()
        .map(|command| (plan(args, command), args.source()));
    if wanted.is_none() && args.names_cases() {
        bail!(
            "expected a program beside the cases, or neither: --resume alone goes on as the run was begun"
        );
    }
    let fits = |run: &Run| {
        wanted.as_ref().is_none_or(|(plan, source)| {
            let known = &run.plan.plan;
            known.command == plan.command
                && known.limits == plan.limits
                && run.plan.source == *source
        })
    };
    if word.is_empty() {
        return Ok(history.unfinished(fits)?);
    }
    let run = history.find(word)?;
    match run.state {
        State::Unfinished if run.plan.kind == Kind::Duel => Err(anyhow!(
            "run {} is part of a duel, which cannot be resumed",
            run.id
        )),
        State::Unfinished if fits(&run) => Ok(run),
        State::Unfinished => Err(anyhow!(
            "failed to resume run {}: expected {} on {}, as it was begun; leave the program out, and it \
             will be",
            run.id,
            run.plan.plan.command,
            run.plan.source
        )),
        State::Running => Err(anyhow!("run {} is being judged by another process", run.id)),
        State::Done => Err(anyhow!(
            "run {} is done: there is nothing to resume",
            run.id
        )),
    }
}

fn in_order(
    cases: Box<dyn Iterator<Item = Ticket> + Send>,
    shuffle: bool,
) -> Box<dyn Iterator<Item = Ticket> + Send> {
    if !shuffle {
        return cases;
    }
    let mut cases: Vec<Ticket> = cases.collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    Draw::new(Seed(now.map_or(0, |now| now.as_nanos() as u64))).shuffle(&mut cases);
    Box::new(cases.into_iter())
}

/// Two programs on one physical core disturb each other's times.
pub(crate) fn physical_cores() -> NonZeroUsize {
    let usable = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(num_cpus::get_physical().min(usable)).unwrap_or(NonZeroUsize::MIN)
}
