//! Which cases a run is on.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::values::seed_range;
use crate::case::{Source, literally};
use crate::cli::hint::with_hint;
use crate::problem::default_problem;

/// What may be typed about the cases of a batch.
#[derive(Args)]
#[command(next_help_heading = "Cases")]
#[command(group(ArgGroup::new("which").args(["cases", "seeds", "all_secrets"])))]
#[command(group(ArgGroup::new("generated").args(["seeds", "all_secrets"])))]
pub(crate) struct CaseArgs {
    /// A folder of case files, one file, or a pattern such as 'in/000*.txt' [default: in]
    #[arg(long, value_name = "DIR")]
    pub(super) cases: Option<PathBuf>,
    /// The cases of these seeds, without files: A..B (B is not one of them), A..=B, or one seed
    #[arg(long, value_name = "A..B", value_parser = seed_range, allow_hyphen_values = true)]
    pub(super) seeds: Option<RangeInclusive<u64>>,
    /// Every secret of the problem, once
    #[arg(long)]
    pub(super) all_secrets: bool,
    /// Problem and parameters of the seeds or secrets; see `{tester} problems` [default: {problem}]
    #[arg(long, value_name = "PROBLEM", requires = "generated")]
    problem: Option<String>,
}

impl CaseArgs {
    /// Whether any of these was typed.
    pub(super) fn are_named(&self) -> bool {
        self.cases.is_some() || self.generate() || self.problem.is_some()
    }

    /// Whether cases are made from seeds or secrets.
    pub(super) fn generate(&self) -> bool {
        self.seeds.is_some() || self.all_secrets
    }

    /// The cases for this judge's own problems.
    pub(super) fn source(&self) -> anyhow::Result<Source> {
        let problem = problem_or_usual(self.problem.as_deref());
        match &self.seeds {
            Some(seeds) => Ok(Source::Seeds {
                problem,
                seeds: seeds.clone(),
            }),
            None if self.all_secrets => Ok(Source::AllSecrets { problem }),
            None => files(self.cases.as_deref()),
        }
    }
}

pub(super) fn problem_or_usual(typed: Option<&str>) -> String {
    typed.unwrap_or(default_problem()).to_owned()
}

/// A folder, one file, or a pattern.
pub(super) fn files(cases: Option<&Path>) -> anyhow::Result<Source> {
    let Some(path) = cases else {
        return Ok(Source::Folder("in".into()));
    };
    Ok(match path.to_str() {
        None => {
            let cause = format!("the name after --cases is not UTF-8: {}", path.display());
            return Err(with_hint(cause, "rename the folder"));
        }
        Some(name) if path.is_file() => Source::Matching(literally(name)),
        Some(pattern) if !path.is_dir() && pattern.contains(['*', '?', '[']) => {
            Source::Matching(pattern.to_owned())
        }
        Some(_) => Source::Folder(path.to_owned()),
    })
}
