//! `tester batch`: many cases, a table, and a history.

use std::process::ExitCode;

use anyhow::Result;

use super::again;
use super::batch_job::Job;
use super::new_run::prepare;
use crate::args::Batch;
use crate::terminal::interrupt::prepare_batch;

pub(crate) fn run(args: &Batch) -> Result<ExitCode> {
    let built = prepare(args)?;
    let job = match &args.resume {
        None => Job::begin(args, again::source(args)?, built)?,
        Some(word) => Job::resume(args, word)?,
    };
    let (interrupt, stop) = prepare_batch()?;
    job.finish(args, &interrupt, &stop)
}
