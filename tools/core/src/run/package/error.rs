//! Why a package cannot be judged.

use std::io;
use std::path::PathBuf;

use super::build::BuildError;

/// Why a package cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// There is no `problem.yaml`.
    #[error("expected a problem package, found no problem.yaml in {}", .0.display())]
    NotAPackage(PathBuf),
    /// A file or folder cannot be read.
    #[error("failed to read {}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is no YAML.
    #[error("failed to read {} as YAML: {why}", .path.display())]
    Yaml {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        why: String,
    },
    /// A value is of another kind than expected.
    #[error("{}: expected {expected} for {key}, found {found}", .path.display())]
    Value {
        /// Which file.
        path: PathBuf,
        /// The key.
        key: &'static str,
        /// What was expected.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The problem is of another kind.
    #[error("expected an interactive problem, found {found} in {}", .path.display())]
    Kind {
        /// Which file.
        path: PathBuf,
        /// What it says.
        found: String,
    },
    /// There is not exactly one validator.
    #[error("expected one output validator in {}, found {found}", .folder.display())]
    Validators {
        /// Where it was looked for.
        folder: PathBuf,
        /// What there is.
        found: String,
    },
    /// There are no cases, or no submissions.
    #[error("expected {what}, found none")]
    Nothing {
        /// What was expected, and where.
        what: String,
    },
    /// A case without an answer file.
    #[error("expected an answer file beside {}, found none", .0.display())]
    NoAnswer(PathBuf),
    /// A folder of cases is a link to a folder around it.
    #[error("{} is a link to a folder in which it lies", .0.display())]
    Loop(PathBuf),
    /// The validator cannot be built.
    #[error("failed to build the output validator {name}: {why}")]
    Validator {
        /// Its name.
        name: String,
        /// Why.
        why: BuildError,
    },
}

impl PackageError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NotAPackage(_) => {
                "name the folder of the package, which has problem.yaml, data/ and submissions/"
            }
            Self::Kind { .. } => {
                "problem.yaml of an interactive problem says `validation: custom interactive` (legacy) or `type: interactive`; multi-pass problems and those without interaction are not judged"
            }
            Self::Validators { .. } => {
                "the validator is a folder or a file in output_validator/ or output_validators/"
            }
            Self::NoAnswer(_) => "an answer file may be empty, but must exist",
            Self::Read { .. }
            | Self::Yaml { .. }
            | Self::Value { .. }
            | Self::Nothing { .. }
            | Self::Loop(_)
            | Self::Validator { .. } => return None,
        };
        Some(text.to_owned())
    }

    /// An error of a file.
    pub(super) fn read(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Read { path, source }
    }
}
