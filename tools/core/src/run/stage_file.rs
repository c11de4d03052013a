//! The file of the small stage, for as long as a run needs it.

use std::io;
use std::path::Path;

use crate::process::stage::{MeterStage, PROGRAM};
use crate::util::temporary_program::TemporaryProgram;

/// A stage that waits, and its file if it is the small one.
#[derive(Debug)]
pub(super) struct StageFile {
    stage: Option<MeterStage>,
    /// Removed when this is dropped.
    _file: Option<TemporaryProgram>,
}

impl StageFile {
    /// The small stage in this folder. If that cannot be written, or not be executed there, the tester itself.
    pub(super) fn new(folder: &Path) -> Self {
        let written = || -> io::Result<(MeterStage, TemporaryProgram)> {
            let file = TemporaryProgram::new(folder, PROGRAM)?;
            let stage = MeterStage::from_file(std::path::absolute(file.path())?);
            Ok((stage, file))
        };
        match written() {
            Ok((stage, file)) if !PROGRAM.is_empty() => Self {
                stage: Some(stage),
                _file: Some(file),
            },
            _ => Self::without_file(),
        }
    }

    /// The tester itself.
    fn without_file() -> Self {
        Self {
            stage: MeterStage::from_this_program(),
            _file: None,
        }
    }

    /// The stage, if there can be one.
    pub(super) fn stage(&self) -> Option<&MeterStage> {
        self.stage.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_file_is_a_program_that_goes_with_the_run() {
        let dir = tempfile::tempdir().unwrap();
        let files = || std::fs::read_dir(dir.path()).unwrap().count();
        let stage = StageFile::new(dir.path());
        let words = stage.stage().unwrap().words("nobody");
        let status = std::process::Command::new(&words[0])
            .args(&words[1..])
            .args(["sh", "-c", "exit 7"])
            .status();
        assert_eq!((words.len(), files()), (2, 1));
        assert_eq!(status.unwrap().code(), Some(7));
        drop(stage);
        assert_eq!(files(), 0);
    }

    #[test]
    fn without_a_place_for_its_file_there_is_none() {
        // A test program is no tester that could be the stage itself.
        let stage = StageFile::new(Path::new("/no/such/folder"));
        assert!(stage.stage().is_none() && stage._file.is_none());
    }
}
