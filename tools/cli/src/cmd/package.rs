//! `tester package`: judges every submission of a problem package, and says whether each got what its folder promises.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use tester_core::judge::JudgeError;
use tester_core::judge::verdict::Limits;
use tester_core::report::package as report;
use tester_core::report::package::TimeLimitSource;
use tester_core::run::config::Jobs;
use tester_core::run::package::build::{BuildError, Builder};
use tester_core::run::package::cases::{PackageCase, read_cases};
use tester_core::run::package::description::Description;
use tester_core::run::package::error::PackageError;
use tester_core::run::package::judge::PackageJudge;
use tester_core::run::package::result::{SubmissionOutcome, SubmissionResult};
use tester_core::run::package::submissions::{Submission, build_validator, read_submissions};

use crate::args::Package;
use crate::cmd::run_spec::physical_cores;
use crate::hint::with_hint;
use crate::print::print;
use crate::terminal::interrupt::{Interrupt, Interrupted, prepare_batch};

/// The time limit of accepted submissions while the limit that follows from them is not known.
const PROVISIONAL_LIMIT: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &Package) -> Result<ExitCode> {
    let package = Description::read(&args.dir)?;
    let cases = read_cases(&args.dir, &package.validator_flags)?;
    let (submissions, unnamed) = wanted(args, &package)?;
    if args.dir.join("submissions/submissions.yaml").is_file() {
        say!("submissions.yaml is not read: what is expected follows from folders and tags");
    }
    let built = tempfile::Builder::new().prefix("tester-package-").tempdir();
    let built = built.context("failed to make a folder for programs")?;
    let (interrupt, stop) = prepare_batch()?;
    let memory = args
        .memory_limit
        .map_or(package.memory_mib, |limit| limit.0);
    let builder = Builder {
        package: &args.dir,
        memory_mib: memory,
        is_validator: true,
    };
    let validator = build_validator(&builder, &built.path().join("validator"));
    check(&interrupt)?;
    let validator = validator.map_err(|error| match error {
        PackageError::Validator {
            why: BuildError::Interrupted(signal),
            ..
        } => Interrupted(signal).into(),
        error => anyhow::Error::from(error),
    })?;
    let jobs = args.jobs.map_or_else(physical_cores, Jobs::get);
    let judge = PackageJudge::new(
        &package,
        &cases,
        &validator,
        args.containment(),
        jobs,
        &stop,
    )?;
    let session = Session {
        args,
        cases: &cases,
        judge,
        builder: Builder {
            is_validator: false,
            ..builder
        },
        interrupt,
        width: submissions
            .iter()
            .map(|one| one.name.chars().count())
            .max()
            .unwrap_or(0),
    };
    session.say(&report::heading(&package, &cases, validator.language))?;
    if !unnamed.is_empty() {
        let count = unnamed.len();
        say!("accepted submissions that --only leaves out, judged for the time limit: {count}");
    }
    let limits = Limits {
        memory_kib: memory << 10,
        output_bytes: package.output_mib << 20,
        ..Limits::default()
    };
    let submissions = unnamed.into_iter().chain(submissions);
    let (limit, results) = session.judge_all(&package, submissions, limits, built.path())?;
    match args.json {
        true => print(&report::json(&package, limit, &cases, &results)?)?,
        false => print(&report::summary(&results))?,
    }
    Ok(ExitCode::from(u8::from(!report::all_are_met(&results))))
}

/// The submissions that were asked for, and the other accepted ones if the time limit follows from all of these.
fn wanted(args: &Package, package: &Description) -> Result<(Vec<Submission>, Vec<Submission>)> {
    let submissions = read_submissions(&args.dir, package.is_legacy)?;
    let (named, mut unnamed): (Vec<_>, Vec<_>) =
        (submissions.into_iter()).partition(|submission| args.wants(&submission.name));
    let is_limit_known = args.time_limit.is_some() || package.time_limit.is_some();
    unnamed.retain(|submission| submission.is_accepted && !is_limit_known);
    match named.is_empty() {
        false => Ok((named, unnamed)),
        true => Err(PackageError::Nothing {
            what: "a submission whose name contains the text of --only".to_owned(),
        }
        .into()),
    }
}

/// A signal came while something else was done than judging.
fn check(interrupt: &Interrupt) -> Result<()> {
    interrupt.heard().map_or(Ok(()), |heard| Err(heard.into()))
}

/// What is needed to judge one submission after the other.
struct Session<'a> {
    args: &'a Package,
    cases: &'a [PackageCase],
    judge: PackageJudge<'a>,
    builder: Builder<'a>,
    interrupt: Interrupt,
    /// The width of the names.
    width: usize,
}

impl Session<'_> {
    /// Judges all, accepted ones first, and prints each that was asked for when it is judged. Returns the time limit,
    /// too.
    fn judge_all(
        &self,
        package: &Description,
        submissions: impl Iterator<Item = Submission>,
        limits: Limits,
        built: &Path,
    ) -> Result<(Duration, Vec<SubmissionResult>)> {
        let typed = self.args.time_limit.map(|limit| (limit.0, "--time-limit"));
        let mut known = typed.or(package.time_limit);
        if let Some((limit, place)) = known {
            self.say(&report::time_limit_line(
                limit,
                &TimeLimitSource::Written(place),
            ))?;
        }
        let mut results: Vec<SubmissionResult> = Vec::new();
        let mut slowest = None;
        for (number, submission) in submissions.enumerate() {
            let folder = built.join(number.to_string());
            if known.is_none() && !submission.is_accepted {
                let slowest = slowest.ok_or_else(|| {
                    with_hint(
                        "expected a time limit, or an accepted submission that it follows from, found none",
                        "--time-limit SECONDS sets it",
                    )
                })?;
                known = Some(self.compute_limit(package, slowest)?);
            }
            let limits = Limits {
                time: known.map_or(PROVISIONAL_LIMIT, |(limit, _)| limit),
                ..limits
            };
            let result = self.judge_one(submission, &limits, &folder)?;
            slowest = slowest.max(result.slowest());
            if self.args.wants(&result.submission.name) {
                self.say(&report::rows(&result, self.cases, self.width))?;
                results.push(result);
            }
        }
        let of_accepted = || self.compute_limit(package, slowest.unwrap_or_default());
        let (limit, _) = known.map_or_else(of_accepted, Ok)?;
        Ok((limit, results))
    }

    /// The time limit that follows from accepted submissions.
    fn compute_limit(
        &self,
        package: &Description,
        slowest: Duration,
    ) -> Result<(Duration, &'static str)> {
        let limit = package.computed_time_limit(slowest);
        let multiplier = package.time_multiplier;
        let source = TimeLimitSource::Computed {
            slowest,
            multiplier,
        };
        self.say(&report::time_limit_line(limit, &source))?;
        Ok((limit, "computed"))
    }

    fn judge_one(
        &self,
        submission: Submission,
        limits: &Limits,
        folder: &Path,
    ) -> Result<SubmissionResult> {
        let program = self.builder.build(&submission.path, folder);
        check(&self.interrupt)?;
        let (language, outcome) = match program {
            Err(BuildError::Unavailable(why)) => (None, SubmissionOutcome::NotJudged(why)),
            Err(BuildError::Failed(why)) => (None, SubmissionOutcome::NotBuilt(why)),
            Err(BuildError::Interrupted(signal)) => return Err(Interrupted(signal).into()),
            Ok(program) => match self.judge.judge(&program, limits) {
                Ok(records) => (Some(program.language), SubmissionOutcome::Judged(records)),
                Err(JudgeError::Interrupted) => {
                    check(&self.interrupt)?;
                    return Err(JudgeError::Interrupted.into());
                }
                Err(error) => return Err(error.into()),
            },
        };
        Ok(SubmissionResult {
            submission,
            language,
            outcome,
        })
    }

    /// Prints a part of the table.
    fn say(&self, text: &str) -> Result<()> {
        match self.args.json {
            true => Ok(()),
            false => print(text),
        }
    }
}
