//! `tester batch --watch`: the same cases again whenever the program or its source is another one.

use std::process::ExitCode;

use anyhow::Result;
use tester_core::case::Source;
use tester_core::report::changes;
use tester_core::run::cancel::CancelToken;
use tester_core::stats::paired::match_cases;
use tester_core::store::{History, RunId};
use tester_core::util::wall_clock::{local_time, now_ms};

use super::again;
use super::batch_job::{Job, has_changed};
use super::new_run::prepare;
use super::own_program::is_another;
use super::watched::{FileState, Watched};
use crate::args::Batch;
use crate::hint::hint_of;
use crate::terminal::interrupt::{Interrupted, prepare_batch};

/// Judges, waits for another program, and judges again until a signal comes.
pub(super) fn run(args: &Batch) -> Result<ExitCode> {
    let built = prepare(args)?;
    let mut watched = Watched::new(args)?;
    // Before the program is looked at in any other way, so that no change is missed.
    let mut judged = watched.state();
    // The worst or failed cases of an earlier run are the same in each round, which may have others.
    let source = again::source(args)?;
    let mut job = Job::begin(args, source.clone(), built)?;
    let (interrupt, _) = prepare_batch()?;
    loop {
        let run = job.run_id();
        let stop = CancelToken::new(Some(interrupt.fd()))?;
        let status = match job.finish(args, &interrupt, &stop) {
            Ok(status) => {
                tell_changes(args, run)?;
                if !watched.is_same_program(&judged) {
                    note!("caution: the program has changed while it was judged");
                }
                status
            }
            // Its other cases would be of no use. Whatever the program is once it is complete, it is judged.
            Err(error) if has_changed(&error) => {
                judged = FileState::default();
                ExitCode::FAILURE
            }
            Err(error) => return Err(error),
        };
        note!("watching {} (Ctrl-C ends)", watched.names());
        job = loop {
            if !watched.wait_for_another(&judged, &interrupt)? {
                return Ok(status);
            }
            match next_job(args, &source, &mut watched, &mut judged) {
                Ok(Some(job)) => {
                    let now = local_time(now_ms());
                    note!("\n---- run {}, {now} ----", job.run_id());
                    break job;
                }
                Ok(None) => note!("the program is the same as before"),
                Err(error) if error.is::<Interrupted>() => return Ok(status),
                // No later build makes this process the new judge.
                Err(error) if is_another() => return Err(error),
                // The next build may be better.
                Err(error) => {
                    say!("{error:#}");
                    if let Some(hint) = hint_of(&error) {
                        note!("hint: {hint}");
                    }
                }
            }
        };
    }
}

/// Builds if the source is another one, and begins a round of what was not judged yet. `None` if the program is the one that was
/// judged.
fn next_job(
    args: &Batch,
    source: &Source,
    watched: &mut Watched,
    judged: &mut FileState,
) -> Result<Option<Job>> {
    let before = std::mem::replace(judged, watched.state());
    let mut built = None;
    if judged.has_other_source(&before) {
        built = prepare(args)?;
        watched.take_built(judged);
    }
    if judged.has_same_program(&before) {
        return Ok(None);
    }
    watched.find_source_of(judged);
    Job::begin(args, source.clone(), built).map(Some)
}

/// Prints the changes of a run against the run before it on the same cases.
fn tell_changes(args: &Batch, run: RunId) -> Result<()> {
    let history = History::open_existing(&args.run.kept.history())?;
    let last = history.find(&run.to_string())?;
    if let Some(before) = history.before(&last)? {
        let matched = match_cases(&history.scores(before.id)?, &history.scores(last.id)?);
        let text = changes::text(&matched, last.objective(), &format!("run {}", before.id));
        note!("{}", text.trim_end());
    }
    Ok(())
}
