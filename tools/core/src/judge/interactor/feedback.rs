//! The folder in which an interactor may leave what it has to say, for one case.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::util::random_name::random_name;
use crate::util::regular_file::open_plain;

/// The most bytes that are read of a file in it.
const LONGEST: u64 = 1 << 16;

/// An empty folder with a name that cannot be guessed, which only this user can enter. Dropping it removes it.
pub(super) struct Feedback {
    folder: PathBuf,
}

impl Feedback {
    /// Makes the folder in this one, or in the usual one for temporary files.
    pub(super) fn new(within: Option<&Path>) -> io::Result<Self> {
        let within = within.map_or_else(std::env::temp_dir, Path::to_owned);
        let folder = within.join(format!("tester-feedback-{}", random_name()));
        let made = fs::DirBuilder::new().mode(0o700).create(&folder);
        made.map_err(|error| {
            let within = within.display();
            let text = format!("{error} in {within}; TMPDIR names the folder for temporary files");
            io::Error::new(error.kind(), text)
        })?;
        Ok(Self { folder })
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// The beginning of a file in it, if there is such a file.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        let file = open_plain(&self.folder.join(name)).ok()?;
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Feedback {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
