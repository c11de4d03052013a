//! `lab oil`: the submission for AHC030, a case turn by turn or many at once.

use std::process::ExitCode;

use anyhow::{Context, Result};
use lab::oil_solver::Settings;

use crate::cli::OilArgs;

mod calibration;
mod case;
mod policies;

pub(crate) fn run(args: &OilArgs) -> Result<ExitCode> {
    let mut settings = Settings::default();
    settings.work *= args.work;
    match &args.case {
        Some(path) => case::run(args, path, settings),
        None if args.calibration => calibration::run(args, settings),
        None => policies::run(args, settings),
    }
}

/// Runs `work` with as many threads as were asked for.
fn in_threads<T: Send>(jobs: Option<u16>, work: impl FnOnce() -> T + Send) -> Result<T> {
    let threads = jobs.map_or(0, usize::from); // 0: as many as there are processors
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.context("failed to start threads")?.install(work))
}
