//! Which cases a run is on.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgGroup, Args};
use tester_core::case::{CaseNumbers, SeedRange, Source};
use tester_core::problem::default_problem;
use tester_core::run::config;

use super::case_words;
use super::config::Overlay;
use super::values::seed_range;
use crate::hint::with_hint;

/// What may be typed about the cases of a batch.
#[derive(Args)]
#[command(next_help_heading = "Cases")]
#[command(group(ArgGroup::new("which").args(["cases", "seeds", "all_secrets", "held_out"])))]
#[command(group(ArgGroup::new("again").args(["worst", "failed"]).multiple(true)))]
pub(crate) struct CaseArgs {
    /// A folder of case files, one file, a pattern such as 'in/000*.txt', numbers such as 0..100 or 5,7,100, or a file of numbers; repeat it for more (beside numbers, a folder only says where the files are) [default: in]
    #[arg(long, value_name = "CASES")]
    pub(super) cases: Vec<PathBuf>,
    /// The cases that tester.toml holds out (held_out), on which nothing was tuned
    #[arg(long, conflicts_with = "resume")]
    pub(super) held_out: bool,
    /// The N worst cases of a run again, by the measure
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one, conflicts_with_all = ["which", "resume"])]
    pub(crate) worst: Option<NonZeroUsize>,
    /// The failed cases of a run again
    #[arg(long, conflicts_with_all = ["which", "resume"])]
    pub(crate) failed: bool,
    /// The run of --worst and --failed: a number, a tag, or last [default: last]
    #[arg(long, value_name = "RUN", requires = "again")]
    pub(crate) of: Option<String>,
    /// The cases of these seeds, without files: A..B (B is not one of them), A..=B, or one seed; repeat it for more
    #[arg(long, value_name = "A..B", value_parser = seed_range, allow_hyphen_values = true)]
    pub(super) seeds: Vec<RangeInclusive<u64>>,
    /// Every secret of the problem, once
    #[arg(long)]
    pub(super) all_secrets: bool,
    /// Problem and parameters of the seeds or secrets; see `{tester} problems` [default: {problem}]
    #[arg(long, value_name = "PROBLEM")]
    problem: Option<String>,
    /// What tester.toml holds out of the cases that it names.
    #[arg(skip)]
    held_out_there: Option<CaseNumbers>,
}

impl CaseArgs {
    /// Whether any of these was typed.
    pub(super) fn are_named(&self) -> bool {
        self.are_chosen() || self.problem.is_some()
    }

    /// Whether it is known which cases are judged.
    pub(super) fn are_chosen(&self) -> bool {
        let again = self.worst.is_some() || self.failed;
        !self.cases.is_empty() || self.generate() || again
    }

    /// Refuses a problem whose seeds are nowhere.
    ///
    /// # Errors
    /// If there is one.
    pub(super) fn check_problem(&self) -> anyhow::Result<()> {
        match &self.problem {
            Some(problem) if !self.generate() => Err(with_hint(
                format!("--problem {problem:?} cannot be used without --seeds or --all-secrets"),
                "case files name their problem in the first line; seeds = \"0..100\" in tester.toml will do, too",
            )),
            _ => Ok(()),
        }
    }

    /// Whether cases are made from seeds or secrets.
    pub(super) fn generate(&self) -> bool {
        !self.seeds.is_empty() || self.all_secrets
    }

    /// Takes what was not typed from the file. Another judge has case files, and no seeds.
    ///
    /// # Errors
    /// If cases are held out of nothing.
    pub(super) fn overlay(
        &mut self,
        file: &config::Batch,
        is_external: bool,
        overlay: &mut Overlay,
    ) -> anyhow::Result<()> {
        if self.held_out {
            return hold_out(file, is_external, &mut self.cases, &mut self.seeds, overlay);
        }
        if self.generate() || self.worst.is_some() || self.failed {
            return Ok(());
        }
        let problem = self.problem.as_deref();
        self.held_out_there = fill_cases(file, &mut self.cases, problem, overlay);
        if !self.are_chosen() && !is_external {
            let mut seeds = None;
            overlay.fill("seeds", &mut seeds, file.seeds.clone());
            self.seeds.extend(seeds);
        }
        Ok(())
    }

    /// The cases for this judge's own problems.
    pub(super) fn source(&self) -> anyhow::Result<Source> {
        let problem = problem_or_usual(self.problem.as_deref());
        match CaseNumbers::new(self.seeds.iter().cloned()) {
            Some(numbers) => Ok(Source::from_seeds(problem, numbers)),
            None if self.all_secrets => Ok(Source::AllSecrets { problem }),
            None => self.files(|files| files),
        }
    }

    /// The case files, which are those of a judge: `judged` says of which.
    pub(super) fn files(&self, judged: impl FnOnce(Source) -> Source) -> anyhow::Result<Source> {
        without(
            judged(case_words::source(&self.cases)?),
            self.held_out_there.as_ref(),
        )
    }
}

/// Takes case files from the file, or the folder of numbers that were typed. Where a problem was typed, they are of another
/// one, and none is taken. If the file's own are taken, returns what it holds out of them.
pub(super) fn fill_cases(
    file: &config::Batch,
    cases: &mut Vec<PathBuf>,
    problem: Option<&str>,
    overlay: &mut Overlay,
) -> Option<CaseNumbers> {
    let filed = file.cases.clone().map_or(Vec::new(), |words| words.0);
    match cases.is_empty() {
        true if problem.is_some() => None,
        true => {
            overlay.fill_words("cases", cases, filed);
            file.held_out_there()
        }
        false => {
            if cases.iter().all(|word| case_words::is_numbers(word)) {
                overlay.fill_folder(cases, filed);
            }
            None
        }
    }
}

/// Case files without those that are held out.
///
/// # Errors
/// If they cannot be listed, or none is left.
pub(super) fn without(files: Source, held_out: Option<&CaseNumbers>) -> anyhow::Result<Source> {
    let Some(held_out) = held_out else {
        return Ok(files);
    };
    let name = files.to_string();
    files.without(held_out)?.ok_or_else(|| {
        with_hint(
            format!("every case of {name} is held out ({held_out})"),
            "held_out in tester.toml is for some of the cases",
        )
    })
}

/// Takes the cases that the file holds out: seeds if it has seeds, else case files.
///
/// # Errors
/// If it holds out none, or beside seeds something else.
pub(super) fn hold_out(
    file: &config::Batch,
    is_external: bool,
    cases: &mut Vec<PathBuf>,
    seeds: &mut Vec<RangeInclusive<u64>>,
    overlay: &mut Overlay,
) -> anyhow::Result<()> {
    let Some(config::CaseWords(held_out)) = file.held_out.clone() else {
        return Err(with_hint(
            "expected held_out in [batch] of tester.toml, found none",
            "for example cases = \"0..1000\" and held_out = \"1000..2000\"",
        ));
    };
    if file.seeds.is_some() && !is_external {
        for word in &held_out {
            let numbers: CaseNumbers = word
                .parse()
                .map_err(anyhow::Error::msg)
                .context("held_out in tester.toml is of seeds, as the file has seeds")?;
            for range in numbers.ranges() {
                overlay.note(&format!("--seeds={}", SeedRange(range.clone())));
                seeds.push(range.clone());
            }
        }
        return Ok(());
    }
    overlay.fill_words("cases", cases, held_out);
    if cases.iter().all(|word| case_words::is_numbers(word)) {
        let folders = file.cases.clone().map_or(Vec::new(), |words| words.0);
        overlay.fill_folder(cases, folders);
    }
    Ok(())
}

/// The cases that the file holds out, if it holds any out.
///
/// # Errors
/// As [`hold_out`].
pub(super) fn held_out(file: &config::Batch, is_external: bool) -> anyhow::Result<Option<Source>> {
    if file.held_out.is_none() {
        return Ok(None);
    }
    let (mut cases, mut seeds) = (Vec::new(), Vec::new());
    let mut unprinted = Overlay::default();
    hold_out(file, is_external, &mut cases, &mut seeds, &mut unprinted)?;
    Ok(Some(match CaseNumbers::new(seeds) {
        Some(seeds) => Source::from_seeds(problem_or_usual(None), seeds),
        None => case_words::source(&cases)?,
    }))
}

/// The error for `--held-out` where no file holds cases out.
pub(super) fn nothing_held_out() -> anyhow::Error {
    with_hint(
        "--held-out cannot be used without tester.toml",
        "held_out = \"1000..2000\" in [batch] names the cases",
    )
}

fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "expected a number of cases, at least 1".to_owned())
}

pub(super) fn problem_or_usual(typed: Option<&str>) -> String {
    typed.unwrap_or(default_problem()).to_owned()
}
