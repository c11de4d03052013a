//! The folder in which an interactor may leave what it has to say, for one case.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Once;

use crate::util::regular_file::open_plain;
use crate::util::temporary::{TemporaryFolder, remove_temporary};

/// The most bytes that are read of a file in it.
const LONGEST: u64 = 1 << 16;

/// An empty folder with a name that cannot be guessed, which only this user can enter. Dropping it removes it. That of a
/// judge that was killed is removed by the next one.
pub(super) struct Feedback {
    folder: TemporaryFolder,
}

impl Feedback {
    /// Makes the folder in this one, or in the usual one for temporary files.
    pub(super) fn new(within: Option<&Path>) -> io::Result<Self> {
        static TIDIED: Once = Once::new();
        let within = within.map_or_else(std::env::temp_dir, Path::to_owned);
        TIDIED.call_once(|| remove_temporary(&within));
        let folder = TemporaryFolder::new(&within).map_err(|error| {
            let within = within.display();
            let text = format!("{error} in {within}; TMPDIR names the folder for temporary files");
            io::Error::new(error.kind(), text)
        })?;
        Ok(Self { folder })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The beginning of a file in it, if there is such a file.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        let file = open_plain(&self.path().join(name)).ok()?;
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}
