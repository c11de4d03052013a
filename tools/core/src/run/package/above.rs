//! Folders in which links are followed, so that one may be in itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The real paths of the folders around the one that is walked.
#[derive(Default)]
pub(super) struct Above(Vec<PathBuf>);

impl Above {
    /// What is above the content of a folder; `None` if the folder is a link to one of those around it.
    ///
    /// # Errors
    /// If the real path cannot be found.
    pub(super) fn enter(&self, folder: &Path) -> io::Result<Option<Self>> {
        let real = fs::canonicalize(folder)?;
        let is_new = !self.0.contains(&real);
        Ok(is_new.then(|| Self([&self.0[..], &[real]].concat())))
    }
}
