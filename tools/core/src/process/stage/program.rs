//! The program of a stage that waits: the small one, which lies in a file, or this program.

use std::ffi::OsString;
use std::path::PathBuf;

use super::entry::{METERED, is_understood};

/// The small program, to be written to a file; empty where it could not be built.
pub const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/stage"));

/// How a stage that waits is called.
#[derive(Clone, Debug)]
pub struct MeterStage(Vec<OsString>);

impl MeterStage {
    /// The small program, which is [`PROGRAM`] in an executable file. Its path is absolute: testers may change the folder.
    pub(crate) fn from_file(path: PathBuf) -> Self {
        Self(vec![path.into()])
    }

    /// This program itself; `None` where its `main` does not understand that, or for processors whose system calls `system`
    /// does not know.
    pub(crate) fn from_this_program() -> Option<Self> {
        let is_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
        let own = std::env::current_exe().ok().filter(|own| own.is_file())?;
        (is_known && is_understood()).then(|| Self(vec![own.into(), METERED.into()]))
    }

    /// The words in front of a contestant's command, for a meter of this name.
    pub(crate) fn words(&self, meter: &str) -> Vec<OsString> {
        let mut words = self.0.clone();
        words.push(meter.into());
        words
    }
}
