//! A program of our own that is written to be executed, and removed afterwards.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Access, FlockOperation, access, flock};

use super::temporary::temporary_in;

/// A program in a temporary file, which can be executed. It is removed when this is dropped, or by the next batch there.
#[derive(Debug)]
pub struct TemporaryProgram {
    path: tempfile::TempPath,
    /// Locked, as [`temporary_in`] says; not open for writing, for then it could not be executed.
    _locked: File,
}

impl TemporaryProgram {
    /// Writes the program. Call this while no other thread starts a program: that would hold the file open.
    ///
    /// # Errors
    /// If the file cannot be written, or may not be executed where it is.
    pub fn new(dir: &Path, program: &[u8]) -> io::Result<Self> {
        let mut file = temporary_in(dir)?;
        file.write_all(program)?;
        let mode = std::fs::Permissions::from_mode(0o700);
        file.as_file().set_permissions(mode)?;
        let path = file.into_temp_path();
        let locked = File::open(&path)?;
        // Some file systems have no locks.
        let _ = flock(&locked, FlockOperation::NonBlockingLockExclusive);
        access(&*path, Access::EXEC_OK)?;
        Ok(Self {
            path,
            _locked: locked,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
