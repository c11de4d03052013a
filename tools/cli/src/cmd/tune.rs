//! `tester tune`: numbers of a command are tuned over many cases.
//!
//! Everything that may be wrong is found here, before anything is judged. `tune.py` then proposes values by Optuna,
//! starts a batch for each trial, and reads its scores from the history as they come.

mod numbers;
mod python;

use std::io::{Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use super::build::build;
use super::run_spec::spec;
use crate::args::{Tune, TuneArgs};
use crate::hint::with_hint;
use numbers::{Number, numbers_of, starts_of};
use tester_core::problem::{Measure, Objective};
use tester_core::process::shell_word;
use tester_core::util::atomic_file::write_whole;
use tester_core::util::output_dir::make_output_dir;
use tester_core::util::tester_word::tester_word;

/// The program that Python runs.
const SCRIPT: &str = include_str!("tune/tune.py");

/// This package, in the checkout that this program was built from.
const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// What the script is told, as JSON on its standard input.
#[derive(Serialize)]
struct Plan {
    /// How the tester is started, and how it is called in what is printed.
    tester: PathBuf,
    called: String,
    /// Options of each batch.
    batch: Vec<String>,
    out: PathBuf,
    history: PathBuf,
    /// The command with braces.
    words: Vec<String>,
    numbers: Vec<Number>,
    starts: serde_json::Map<String, serde_json::Value>,
    trials: u64,
    pruning: bool,
    sampler_seed: u32,
    maximize: bool,
    /// Decimals of a score: histories have units of the last one.
    decimals: u8,
    /// Whether the geometric mean is tuned.
    log: bool,
    /// Whether `tester.toml` holds cases out.
    held_out: bool,
    cluster: Option<Cluster>,
}

#[derive(Serialize)]
struct Cluster {
    script: PathBuf,
    scheduler: String,
    parallel: u64,
    ship: Vec<PathBuf>,
}

pub(crate) fn run(args: &Tune) -> Result<ExitCode> {
    let own = &args.own;
    if own.install {
        python::install()?;
    }
    let Some(program) = args.batch.program() else {
        return Ok(ExitCode::SUCCESS); // only to install
    };
    let words = [vec![program.program], program.args].concat();
    let words = words.into_iter().map(|word| {
        let text = word.into_string();
        text.map_err(|word| anyhow!("a word of the command is not UTF-8: {}", word.display()))
    });
    let words = words.collect::<Result<Vec<String>>>()?;
    let numbers = numbers_of(&words)?;
    let starts = starts_of(&own.start, &numbers)?;
    let cluster = cluster(own)?;
    let source = args.batch.source()?;
    let checked = source.check()?;
    let problem = source.first_of(&checked.1);
    let spec = spec(&args.batch, source, problem)?;
    let python = python::find(own.python.as_deref())?;
    build(args.batch.external.build())?;
    make_output_dir(&args.out)?;
    let scoring = spec.scoring();
    let plan = Plan {
        tester: std::env::current_exe().context("failed to find this program")?,
        called: tester_word(),
        batch: passed_on(args)?,
        out: args.out.clone(),
        history: args.history.clone(),
        words,
        numbers,
        starts,
        trials: own.trials.unwrap_or(TRIALS),
        pruning: !own.no_pruning,
        sampler_seed: own.sampler_seed,
        maximize: scoring.objective == Objective::Max,
        decimals: scoring.decimals,
        // Ratios count in all three; relative scores and ranks are known after the trial only.
        log: spec.measure != Measure::Score,
        held_out: args.batch.can_hold_out()?,
        cluster,
    };
    Err(start(&python, &plan))
}

/// The usual number of trials.
const TRIALS: u64 = 30;

fn passed_on(args: &Tune) -> Result<Vec<String>> {
    let words = args.passed_on.iter().map(|word| {
        let word = word.to_str().map(str::to_owned);
        word.context("an option is not UTF-8")
    });
    words.collect()
}

fn cluster(own: &TuneArgs) -> Result<Option<Cluster>> {
    let Some(scheduler) = own.scheduler.clone() else {
        return Ok(None);
    };
    let project = Path::new(PACKAGE).ancestors().nth(2);
    let script = project.unwrap_or(Path::new("/")).join("scripts/cluster");
    if !script.is_file() {
        return Err(with_hint(
            format!("--scheduler needs {}, found none", script.display()),
            "scripts/cluster is in the checkout that this program was built from: build it there again",
        ));
    }
    Ok(Some(Cluster {
        script,
        scheduler,
        parallel: own.parallel,
        ship: own.ship.clone(),
    }))
}

/// Becomes the script. Its signals and its exit status are then those of this command.
fn start(python: &Path, plan: &Plan) -> anyhow::Error {
    let input = || -> Result<std::fs::File> {
        let mut file = tempfile::tempfile()?;
        file.write_all(&serde_json::to_vec(plan)?)?;
        file.rewind()?;
        Ok(file)
    };
    let input = match input().context("failed to write the plan for Python") {
        Ok(input) => input,
        Err(error) => return error,
    };
    // A file, and not `-c`: lists of processes would show all of it.
    let script = plan.out.join("tune.py");
    if let Err(error) = write_whole(&script, SCRIPT.as_bytes()) {
        return error.into();
    }
    let error = Command::new(python).arg(&script).stdin(input).exec();
    anyhow::Error::from(error).context(format!(
        "failed to start {}",
        shell_word(python.as_os_str())
    ))
}
