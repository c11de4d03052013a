//! The files in which `lab optimal` keeps what it has found out.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use lab::optimal::{Checkpoint, Keep};
use tester::util::atomic_file::{AtomicFile, WriteError};

use crate::cli::{OptimalArgs, Technique};

/// What is known from files, and the file that is written.
pub(crate) struct Checkpoints {
    known: Vec<Checkpoint>,
    path: Option<PathBuf>,
    /// Why the last write failed.
    failure: Mutex<Option<io::Error>>,
}

impl Checkpoints {
    /// Reads all files that are named; only that of `--checkpoint` may be missing.
    pub(crate) fn read(args: &OptimalArgs, title: &str) -> Result<Self> {
        let mut known = Vec::new();
        let named = args.checkpoint.is_some() || !args.also.is_empty();
        if named && args.without.contains(&Technique::Memo) {
            bail!("--without memo cannot be used with checkpoints: it remembers nothing");
        }
        if let Some(path) = &args.checkpoint {
            let failed = || format!("failed to write the checkpoint {}", path.display());
            writable(path).with_context(failed)?;
            if !std::fs::exists(path).is_ok_and(|exists| !exists) {
                known.push(read(path, title)?);
            }
        }
        for path in &args.also {
            known.push(read(path, title)?);
        }
        Ok(Self {
            known,
            path: args.checkpoint.clone(),
            failure: Mutex::new(None),
        })
    }

    /// How the search uses them; none if no file is named.
    pub(crate) fn keep<'a>(
        &'a self,
        args: &OptimalArgs,
        title: &'a str,
        save: &'a (dyn Fn(&Checkpoint) + Sync),
    ) -> Option<Keep<'a>> {
        let named = self.path.is_some() || !self.known.is_empty();
        named.then_some(Keep {
            game: title,
            known: &self.known,
            every: Duration::from_secs(args.checkpoint_seconds),
            save,
        })
    }

    /// Writes the file whole, and then gives it its name. A failure is shown, and the search goes on: the next write may
    /// succeed.
    pub(crate) fn save(&self, checkpoint: &Checkpoint) {
        let Some(path) = &self.path else {
            return;
        };
        let failure = write(path, &checkpoint.to_bytes()).err();
        if let Some(error) = &failure {
            let path = path.display();
            let said = format!("lab: failed to write the checkpoint {path}: {error}");
            // Whether it is read does not concern the search.
            let _ = writeln!(io::stderr(), "{said}");
        }
        *self.failure.lock().expect("no thread panics in here") = failure;
    }

    /// # Errors
    /// If the last write failed.
    pub(crate) fn saved(self) -> Result<()> {
        let failure = self.failure.into_inner().expect("no thread panics in here");
        let path = self.path.unwrap_or_default();
        let failed = || format!("failed to write the checkpoint {}", path.display());
        failure.map_or(Ok(()), Err).with_context(failed)
    }
}

fn read(path: &Path, title: &str) -> Result<Checkpoint> {
    let failed = || format!("failed to read the checkpoint {}", path.display());
    let bytes = std::fs::read(path).with_context(failed)?;
    Checkpoint::from_bytes(&bytes, title).with_context(failed)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let bare = |error: WriteError| error.source;
    let mut file = AtomicFile::create(path).map_err(bare)?;
    file.write_all(bytes)?;
    file.finish_on_disk().map_err(bare)
}

/// Whether a file can be made beside this one; what is there is not touched.
///
/// # Errors
/// If not.
pub(crate) fn writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::from(ErrorKind::IsADirectory));
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    tempfile::NamedTempFile::new_in(folder).map(drop)
}
