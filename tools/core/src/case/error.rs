//! Why cases could not be read, made or written.

use std::io;
use std::path::{Path, PathBuf};

use super::id::CaseId;
use super::seed_range::MAX_CASES;
use crate::problem::{InstanceError, ParamError, has_built_in_problems, problem_named};
use crate::process::shell_word;
use crate::util::atomic_file::WriteError;
use crate::util::tester_word::tester_word;

/// Why cases could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The operating system refused.
    #[error("failed to read {}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not text, or not a case.
    #[error("failed to read case {}", .path.display())]
    Case {
        /// The file.
        path: PathBuf,
        /// Which line, and why.
        source: InstanceError,
    },
    /// A seeds file's line is not a seed.
    #[error(
        "failed to read seeds {}: line {line}: expected an integer from 0 to {}, found {found}",
        .path.display(), u64::MAX
    )]
    Seeds {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What stood there, quoted, or `end of file`.
        found: String,
    },
    /// A file of case numbers has something else in it.
    #[error(
        "failed to read the numbers of cases in {}: line {line}: expected numbers of cases such as 7 or 0..100, found {found}",
        .path.display()
    )]
    Numbers {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What stood there, quoted, or `end of file`.
        found: String,
    },
    /// A case that was asked for by its number.
    #[error("case {first} is not in {of}{}", others(*.more))]
    Missing {
        /// The first of them.
        first: CaseId,
        /// How many others are missing too.
        more: u64,
        /// Where it was looked for.
        of: String,
        /// How many cases there are, the first and the last of them; none if they are no files.
        there: Option<(usize, CaseId, CaseId)>,
    },
    /// There is nothing to judge.
    #[error("no case in folder {}: expected files named 0000.txt, 0001.txt, …", .dir.display())]
    Empty {
        /// The folder.
        dir: PathBuf,
    },
    /// No case has such a name.
    #[error("no case matches {pattern}: expected files named 0000.txt, 0001.txt, …")]
    NoMatch {
        /// As it was typed.
        pattern: String,
    },
    /// It is no pattern.
    #[error("failed to understand the pattern {pattern}")]
    Pattern {
        /// As it was typed.
        pattern: String,
        /// What is wrong with it, and where.
        source: glob::PatternError,
    },
    /// Two files have the same number.
    #[error(
        "two cases that match {pattern} have the same number: {} and {}",
        .first.display(), .second.display()
    )]
    Twice {
        /// As it was typed.
        pattern: String,
        /// One of them.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// It is no folder, or cannot be read.
    #[error("failed to read folder {}", .dir.display())]
    Folder {
        /// What was named.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The problem refuses its parameters.
    #[error("failed to generate a case")]
    Params(#[from] ParamError),
    /// Files are there already, with another content.
    #[error(
        "{} of {total} files exist with another content, the first is {}; nothing was written",
        .count, .first.display()
    )]
    Exists {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
        /// How many were to be written.
        total: usize,
    },
    /// The operating system refused.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The case files of another judge: what makes ours is no help.
    #[error(transparent)]
    OfAnotherJudge(Box<CaseError>),
}

impl CaseError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        use io::ErrorKind::{NotADirectory, NotFound};
        match self {
            // The cases may be there.
            Self::Folder { source, .. } if !matches!(source.kind(), NotFound | NotADirectory) => {
                None
            }
            Self::OfAnotherJudge(error) => error.hint_for_another_judge(),
            Self::Empty { dir } => Some(what_makes_cases(dir)),
            Self::Folder { dir, .. } => Some(expected_after_cases(dir) + &what_makes_cases(dir)),
            // Its first line names no problem of ours.
            Self::Case { source, path } if source.expected.starts_with("a problem such as") => {
                Some(format!(
                    "a case of a contest with its own tester: `{tester} batch --cases {}` judges it by tester.toml, which \
                     `{tester} init` writes",
                    CaseId::from_path(path).map_or(0, |id| id.0),
                    tester = tester_word()
                ))
            }
            // Where files begin with numbers, the first line is all that tells problems apart.
            Self::Case { source, .. } if source.line == 1 && source.found != "end of file" => {
                let word = source.expected.split(' ').next().unwrap_or_default();
                problem_named(word).is_none().then(|| {
                    format!(
                        "is it a case of another problem? `{} gen --seeds 0..100` makes cases of this one",
                        tester_word()
                    )
                })
            }
            Self::Params(error) => error.hint(),
            Self::Missing { there, .. } => Some(missing(
                there,
                &format!(
                    "a contest's own `gen` makes more from a longer list of seeds, `{} gen --seeds 0..1000` those of our \
                     problems",
                    tester_word()
                ),
            )),
            Self::Numbers { .. } => Some(
                "a case file is called 0000.txt, 0001.txt, …; any other file after --cases lists numbers"
                    .to_owned(),
            ),
            Self::Exists { .. } => {
                Some("choose another --dir, or replace them with --force".to_owned())
            }
            _ => None,
        }
    }

    /// What to do about it where only another judge understands the cases.
    fn hint_for_another_judge(&self) -> Option<String> {
        match self {
            Self::Empty { dir } | Self::Folder { dir, .. } => self.hint().map(|_| {
                let expected = match self {
                    Self::Empty { .. } => String::new(),
                    _ => expected_after_cases(dir),
                };
                format!(
                    "{expected}the contest's own `gen` makes its cases; `{} init` writes the line into tester.toml, above \
                     `cases`; --cases names another folder",
                    tester_word()
                )
            }),
            Self::Missing { there, .. } => Some(missing(
                there,
                "the contest's own `gen` makes more from a longer list of seeds",
            )),
            other => other.hint(),
        }
    }
}

/// What else a word after `--cases` may be that is no folder, unless it is the usual one.
fn expected_after_cases(dir: &Path) -> String {
    match dir.ends_with("in") {
        true => String::new(),
        false => "--cases takes a folder of cases, a file that lists their numbers, or numbers such as 0..100; "
            .to_owned(),
    }
}

/// What makes cases in the folder.
fn what_makes_cases(dir: &Path) -> String {
    let tester = tester_word();
    let generate = format!(
        "`{tester} gen --seeds 0..100 --dir {}` makes cases",
        shell_word(dir.as_os_str())
    );
    match has_built_in_problems() {
        true => format!(
            "{generate} of our problems; another contest's own `gen` makes its cases: `{tester} init` writes the line into \
             tester.toml; --cases names their folder"
        ),
        // It is for this contest.
        false => format!("{generate}; --cases names another folder"),
    }
}

/// What to do about a case that is not among those that are there: how many, the first and the last.
fn missing(there: &Option<(usize, CaseId, CaseId)>, more: &str) -> String {
    let folder = "for another folder: --cases FOLDER --cases 0..100; its files are called 0000.txt, 0001.txt, …";
    match there {
        None => folder.to_owned(),
        Some((1, only, _)) => format!("only case {only} is there; {more}; {folder}"),
        Some((count, first, last)) => {
            format!("{count} cases are there, from {first} to {last}; {more}; {folder}")
        }
    }
}

/// What follows the name of the first missing case.
fn others(more: u64) -> String {
    match more {
        0 => String::new(),
        1 => ", nor is 1 other".to_owned(),
        more => format!(", nor are {more} others"),
    }
}

/// Why the cases of a source cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A folder or file.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The problem, or its parameters.
    #[error("failed to understand --problem")]
    Problem(#[from] ParamError),
    /// Replies depend on noise too.
    #[error(
        "--all-secrets cannot be used with {found}: its replies are noisy, so that no figure would be exact"
    )]
    Noisy {
        /// The problem.
        found: String,
    },
    /// Their scores cannot be put into one table.
    #[error("expected cases whose scores mean the same, found {first:?} and {other:?}")]
    Mixed {
        /// The problem of the first case.
        first: String,
        /// Another one.
        other: String,
    },
    /// There are too many.
    #[error("too many cases: {found}; expected at most {MAX_CASES} at once")]
    TooMany {
        /// The source.
        found: String,
    },
}

impl SourceError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Case(error) => error.hint(),
            Self::Problem(error) => error.hint(),
            Self::Mixed { .. } => Some("judge them as two batches".to_owned()),
            Self::Noisy { .. } | Self::TooMany { .. } => {
                Some("judge a sample instead, such as --seeds 0..1000".to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_that_is_not_there_has_a_hint_to_make_it() {
        let hint = |code| {
            let (dir, source) = ("in".into(), io::Error::from_raw_os_error(code));
            CaseError::Folder { dir, source }.hint()
        };
        assert!(hint(libc::ENOENT).unwrap().contains("gen --seeds"));
        assert!(hint(libc::ENOTDIR).is_some());
        for code in [libc::EACCES, libc::EMFILE, libc::EIO] {
            assert_eq!(hint(code), None);
        }
    }
}
