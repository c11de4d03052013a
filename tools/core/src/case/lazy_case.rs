//! One case: cheap to hold until it is opened, then ready to be judged.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::digest::Digest;
use super::error::CaseError;
use super::files::{CaseFile, open, read_case};
use super::id::{CaseId, CaseKey};
use super::in_progress::CaseInProgress;
use crate::problem::rng::Seed;
use crate::problem::{Instance, Spec};

/// One case, ready to be judged.
pub struct Case {
    /// Which it is.
    pub key: CaseKey,
    /// What is played.
    pub content: Content,
}

/// What a case is made of.
pub enum Content {
    /// An instance of a built-in problem.
    Builtin(Box<dyn Instance>),
    /// A file that only an external judge understands.
    External {
        /// What the problem is called.
        name: String,
        /// Where the file is.
        path: PathBuf,
    },
}

impl Case {
    /// Its instance, if it is of a built-in problem and has still the content of `judged`.
    pub fn instance_of(&self, judged: &CaseKey) -> Option<&dyn Instance> {
        match &self.content {
            Content::Builtin(instance) if self.key.digest == judged.digest => {
                Some(instance.as_ref())
            }
            _ => None,
        }
    }

    /// The problem with its parameters, or the name of an external one.
    pub(crate) fn problem(&self) -> String {
        match &self.content {
            Content::Builtin(instance) => instance.spec(),
            Content::External { name, .. } => name.clone(),
        }
    }
}

/// A case that is not read or generated yet: cheap to hold, and to hand from thread to thread.
#[derive(Clone, Debug)]
pub struct LazyCase {
    /// Its number.
    pub id: CaseId,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    File(PathBuf),
    External(Arc<str>, PathBuf),
    Seed(Arc<str>, Seed),
    Text(String),
}

impl LazyCase {
    /// A file of a built-in problem.
    pub(super) fn from_file(CaseFile { id, path }: CaseFile) -> Self {
        let origin = Origin::File(path);
        Self { id, origin }
    }

    /// A file of the problem with this name, which another judge reads.
    pub(super) fn from_external(name: Arc<str>, CaseFile { id, path }: CaseFile) -> Self {
        let origin = Origin::External(name, path);
        Self { id, origin }
    }

    /// The case of a seed, which is its number.
    pub(super) fn from_seed(problem: Arc<str>, seed: u64) -> Self {
        let (id, origin) = (CaseId(seed), Origin::Seed(problem, Seed(seed)));
        Self { id, origin }
    }

    /// The text of a case without a file.
    pub(super) fn from_text(number: u64, text: String) -> Self {
        let (id, origin) = (CaseId(number), Origin::Text(text));
        Self { id, origin }
    }

    /// Whether the case can be read at once: false if its file is gone, or is a pipe.
    pub(crate) fn is_there(&self) -> bool {
        match &self.origin {
            Origin::File(path) | Origin::External(_, path) => path.is_file(),
            Origin::Seed(..) | Origin::Text(_) => true,
        }
    }

    /// Reads or generates the case.
    ///
    /// # Errors
    /// If its file cannot be read or is not a case, or the parameters are refused.
    pub fn open(&self) -> Result<Case, CaseError> {
        let _working = CaseInProgress::Numbered(self.id).begin();
        let (instance, seed) = match &self.origin {
            Origin::External(name, path) => return self.open_external(name, path),
            Origin::File(path) => (read_case(path, open(path)?)?, None),
            Origin::Seed(problem, seed) => (Spec::parse(problem)?.generate(*seed)?, Some(*seed)),
            Origin::Text(text) => {
                let name = format!("secret {}", self.id.0);
                (read_case(name.as_ref(), text.as_bytes())?, None)
            }
        };
        let digest = Digest::from_text(&instance.to_text());
        Ok(self.case(digest, seed, Content::Builtin(instance)))
    }

    fn open_external(&self, name: &str, path: &Path) -> Result<Case, CaseError> {
        let digest = Digest::from_reader(open(path)?);
        let digest = digest.map_err(|source| CaseError::Read {
            path: path.to_owned(),
            source,
        })?;
        let (name, path) = (name.to_owned(), path.to_owned());
        Ok(self.case(digest, None, Content::External { name, path }))
    }

    fn case(&self, digest: Digest, seed: Option<Seed>, content: Content) -> Case {
        let id = self.id;
        Case {
            key: CaseKey { id, digest, seed },
            content,
        }
    }
}
