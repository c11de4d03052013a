//! Which cases a batch is of: a folder, a range of seeds, or every secret of a problem.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::{CaseError, SourceError};
use super::files::{
    CaseFile, choose_files, files_of_all, list_cases, list_matching, look_up, open,
};
use super::in_progress::generate;
use super::lazy_case::{Case, LazyCase};
use super::numbers::CaseNumbers;
use super::seed_range::MAX_CASES;
use crate::problem::rng::Seed;
use crate::problem::{Problem, Scoring, Spec, problem_named, problem_of};

/// Where the cases come from. Its form for the history is JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The files in a folder.
    Folder(PathBuf),
    /// The files whose paths match a pattern.
    Matching(String),
    /// A case generated from each seed, numbered by it; no file is needed.
    Seeds {
        /// Problem and parameters.
        problem: String,
        /// The seeds.
        seeds: RangeInclusive<u64>,
    },
    /// Every possible secret once, numbered in ascending order.
    AllSecrets {
        /// Problem and parameters.
        problem: String,
    },
    /// Some of the cases of another source.
    Chosen {
        /// Where they come from.
        of: Box<Source>,
        /// Which.
        cases: CaseNumbers,
    },
    /// The case files of several sources, each once.
    Several(Vec<Source>),
    /// Files that another judge reads, with any content.
    #[serde(rename = "foreign")] // as histories and shards have it
    External {
        /// What the problem is called.
        name: String,
        /// Where they are: a folder, or a pattern.
        files: Box<Source>,
    },
}

impl fmt::Display for Source {
    /// `folder in`, `seeds 0..100 of hitblow 3 10`. With `{:#}`, many numbers of cases are shortened for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(dir) => write!(f, "folder {}", dir.display()),
            Self::Matching(pattern) => write!(f, "files {pattern}"),
            Self::Seeds { problem, seeds } => match seeds.end().checked_add(1) {
                Some(end) => write!(f, "seeds {}..{end} of {problem}", seeds.start()),
                None => write!(f, "seeds {}..={} of {problem}", seeds.start(), seeds.end()),
            },
            Self::AllSecrets { problem } => write!(f, "all secrets of {problem}"),
            Self::Chosen { of, cases } if f.alternate() => write!(f, "cases {cases:#} of {of:#}"),
            Self::Chosen { of, cases } => write!(f, "cases {cases} of {of}"),
            Self::Several(all) => all.iter().enumerate().try_for_each(|(i, source)| {
                f.write_str(if i > 0 { " and " } else { "" })?;
                source.fmt(f)
            }),
            Self::External { files, .. } => files.fmt(f),
        }
    }
}

impl Source {
    /// Checks every case file, and returns how many cases there are, and the problems with their parameters that
    /// occur, in the order of the cases.
    ///
    /// Cost: reads every file of a folder; generates one case of seeds; counts all secrets.
    ///
    /// # Errors
    /// If there is none, one cannot be read or generated, or there are more than [`MAX_CASES`].
    pub fn check(&self) -> Result<(usize, Vec<String>), SourceError> {
        match self {
            Self::Chosen { of, cases } if !of.is_files() => {
                let count = of.check_generated(cases)?;
                let first = self.tickets()?.next().map(|case| case.open()).transpose()?;
                Ok((count, first.iter().map(Case::problem).collect()))
            }
            Self::Folder(_) | Self::Matching(_) | Self::Several(_) | Self::Chosen { .. } => {
                let files = self.files()?;
                Ok((files.len(), problems_of(&files)?))
            }
            Self::Seeds { problem, seeds } => {
                let first = generate(&Spec::parse(problem)?, Seed(*seeds.start()))?;
                match seeds.end() - seeds.start() {
                    more @ ..MAX_CASES => Ok((more as usize + 1, vec![first.spec()])),
                    _ => Err(self.too_many()),
                }
            }
            Self::External { name, .. } => {
                let files = self.files()?;
                for file in &files {
                    open(&file.path)?; // whether it may be read
                }
                Ok((files.len(), vec![name.clone()]))
            }
            Self::AllSecrets { problem } => {
                let mut all = Spec::parse(problem)?.enumerate()?.peekable();
                if all.peek().is_some_and(|first| first.is_noisy()) {
                    let found = problem.clone();
                    return Err(SourceError::Noisy { found });
                }
                let problem = all.peek().map(|first| first.spec());
                let (least, most) = (all.size_hint().0, MAX_CASES as usize);
                // Where it is known that they are too many, they need not be counted.
                let count = match least > most {
                    true => least,
                    false => all.take(most + 1).count(),
                };
                match count > most {
                    true => Err(self.too_many()),
                    false => Ok((count, problem.into_iter().collect())),
                }
            }
        }
    }

    /// The problem of the first case; `None` if only an external judge knows it.
    ///
    /// Cost: reads one case.
    ///
    /// # Errors
    /// If there is no case, or it cannot be read or generated.
    pub fn problem(&self) -> Result<Option<&'static dyn Problem>, SourceError> {
        Ok(match self {
            Self::Chosen { of, .. } if !of.is_files() => of.problem()?,
            Self::Folder(_) | Self::Matching(_) | Self::Several(_) | Self::Chosen { .. } => {
                let cases = self.files()?;
                let first = cases.first().map(CaseFile::read).transpose()?;
                first.and_then(|instance| problem_of(instance.as_ref()))
            }
            Self::Seeds { problem, .. } | Self::AllSecrets { problem } => {
                Some(Spec::parse(problem)?.problem)
            }
            Self::External { .. } => None,
        })
    }

    /// The first of the problems that [`Source::check`] has found; `None` if only an external judge knows it.
    pub fn first_of(&self, problems: &[String]) -> Option<&'static dyn Problem> {
        match self {
            Self::External { .. } => None,
            _ => problem_named(problems.first()?),
        }
    }

    pub(super) fn too_many(&self) -> SourceError {
        SourceError::TooMany {
            found: self.to_string(),
        }
    }

    /// All cases in ascending order, one at a time.
    ///
    /// # Errors
    /// If the folder cannot be read or the problem is refused.
    pub fn tickets(&self) -> Result<Box<dyn Iterator<Item = LazyCase> + Send>, SourceError> {
        Ok(match self {
            Self::Chosen { of, cases } => match (of.origin(), cases.clone()) {
                (Self::Seeds { problem, .. }, cases) => cases_of_seeds(problem, cases.iter()),
                (_, cases) => Box::new(of.tickets()?.filter(move |case| cases.contains(case.id.0))),
            },
            Self::Folder(_) | Self::Matching(_) | Self::Several(_) => {
                Box::new(self.files()?.into_iter().map(LazyCase::from_file))
            }
            Self::External { name, .. } => {
                let name: Arc<str> = name.as_str().into();
                let case = move |file| LazyCase::from_external(Arc::clone(&name), file);
                Box::new(self.files()?.into_iter().map(case))
            }
            Self::Seeds { problem, seeds } => cases_of_seeds(problem, seeds.clone()),
            Self::AllSecrets { problem } => {
                let all = Spec::parse(problem)?.enumerate()?.zip(0..);
                Box::new(all.map(|(secret, n)| LazyCase::from_text(n, secret.to_text())))
            }
        })
    }

    /// The case files, in ascending order of number; none if the cases are not files.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub fn files(&self) -> Result<Vec<CaseFile>, CaseError> {
        match self {
            Self::Folder(dir) => list_cases(dir),
            Self::Matching(pattern) => list_matching(pattern),
            Self::External { files, .. } => {
                let of_another = |error| CaseError::OfAnotherJudge(Box::new(error));
                files.files().map_err(of_another)
            }
            Self::Chosen { of, .. } if !of.is_files() => Ok(Vec::new()),
            Self::Chosen { of, cases } => match of.folder().and_then(|dir| look_up(dir, cases)) {
                Some(files) => Ok(files),
                None => choose_files(of, cases, of.files()?),
            },
            Self::Several(all) => {
                let files: Result<Vec<_>, _> = all.iter().map(Source::files).collect();
                files_of_all(self, files?.concat())
            }
            Self::Seeds { .. } | Self::AllSecrets { .. } => Ok(Vec::new()),
        }
    }

    /// The folder, if all its case files are the cases.
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(dir) => Some(dir),
            Self::External { files, .. } => files.folder(),
            _ => None,
        }
    }

    /// Whether the cases are files, which may change.
    pub fn is_files(&self) -> bool {
        !matches!(self.origin(), Self::Seeds { .. } | Self::AllSecrets { .. })
    }
}

/// The problems of files with their parameters, each once, in their order.
fn problems_of(files: &[CaseFile]) -> Result<Vec<String>, SourceError> {
    let mut problems = Vec::new();
    let mut first = None;
    for file in files {
        let instance = file.read()?;
        let problem = instance.spec();
        if problems.contains(&problem) {
            continue;
        }
        let scoring = problem_of(instance.as_ref()).map(Scoring::from_problem);
        if *first.get_or_insert(scoring) != scoring {
            return Err(SourceError::Mixed {
                first: problems[0].clone(),
                other: problem,
            });
        }
        problems.push(problem);
    }
    Ok(problems)
}

fn cases_of_seeds(
    problem: &str,
    seeds: impl Iterator<Item = u64> + Send + 'static,
) -> Box<dyn Iterator<Item = LazyCase> + Send> {
    let problem: Arc<str> = problem.into();
    Box::new(seeds.map(move |seed| LazyCase::from_seed(Arc::clone(&problem), seed)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{CaseId, Content};

    fn seeds(seeds: RangeInclusive<u64>) -> Source {
        Source::Seeds {
            problem: "hitblow 3 10".to_owned(),
            seeds,
        }
    }

    #[test]
    fn secrets_of_a_noisy_problem_are_refused_and_of_one_without_noise_listed() {
        let all = |problem: &str| {
            let problem = problem.to_owned();
            Source::AllSecrets { problem }.check()
        };
        insta::assert_snapshot!(all("distance 2 10 3").unwrap_err(), @"--all-secrets cannot be used with distance 2 10 3: its replies are noisy, so that no figure would be exact");
        assert_eq!(all("distance 2 10 0.0").unwrap().0, 90);
        assert_eq!(all("balance 12 odd").unwrap().0, 24);
    }

    #[test]
    fn a_seed_is_the_same_case_from_a_file_and_from_memory() {
        let dir = tempfile::tempdir().unwrap();
        let spec = Spec::parse("hitblow 3 10").unwrap();
        crate::case::write_cases(dir.path(), &spec, &[(CaseId(7), Seed(7))], false).unwrap();
        let open = |source: &Source| source.tickets().unwrap().next().unwrap().open().unwrap();
        let file = open(&Source::Folder(dir.path().into()));
        let memory = open(&seeds(7..=7));
        assert_eq!(file.key.digest, memory.key.digest);
        assert_eq!(file.key.id, memory.key.id);
        assert_eq!((file.key.seed, memory.key.seed), (None, Some(Seed(7))));
    }

    #[test]
    fn all_secrets_are_numbered_in_ascending_order() {
        let all = Source::AllSecrets {
            problem: "hitblow 2 3".to_owned(),
        };
        assert_eq!(all.check().unwrap(), (6, vec!["hitblow 2 3".to_owned()]));
        let tickets = all.tickets().unwrap();
        let texts: Vec<String> = tickets
            .map(|t| match t.open().unwrap().content {
                Content::Builtin(instance) => instance.to_text(),
                Content::External { .. } => unreachable!("secrets are ours"),
            })
            .collect();
        assert_eq!(texts[0], "hitblow 2 3\n0 1\n");
        assert_eq!(texts[5], "hitblow 2 3\n2 1\n");
    }

    #[test]
    fn too_many_cases_are_refused_at_once() {
        let endless = Source::AllSecrets {
            problem: "mastermind 10 64".to_owned(),
        };
        assert!(matches!(endless.check(), Err(SourceError::TooMany { .. })));
        let wide = seeds(0..=u64::MAX);
        assert!(matches!(wide.check(), Err(SourceError::TooMany { .. })));
        assert_eq!(seeds(u64::MAX..=u64::MAX).check().unwrap().0, 1);
    }

    #[test]
    fn sources_are_named_as_they_are_typed() {
        assert_eq!(seeds(0..=99).to_string(), "seeds 0..100 of hitblow 3 10");
        let last = seeds(3..=u64::MAX).to_string();
        assert!(last.starts_with("seeds 3..=1844"), "{last}");
        let json = serde_json::to_string(&seeds(0..=99)).unwrap();
        assert_eq!(
            serde_json::from_str::<Source>(&json).unwrap(),
            seeds(0..=99)
        );
    }
}
