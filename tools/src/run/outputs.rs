//! What a case leaves in its run's folder.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use super::batch::Plan;
use crate::case::{CaseId, Digest};
use crate::judge::Watcher;
use crate::judge::record::{Left, Record};
use crate::judge::transcript::{Speaker, Transcript};
use crate::util::atomic_file::{WriteError, open_plain};
use crate::util::file_pool::{FilePool, PooledFile};

/// The files of one case.
pub(super) struct Outputs<'a> {
    stdout: Summed<'a>,
    stderr: Summed<'a>,
    transcript: Option<Transcript<Summed<'a>>>,
    /// How long the disk has kept us waiting, which is not the contestant's time.
    waited: Duration,
}

impl<'a> Outputs<'a> {
    pub(super) fn create(plan: &Plan, shelf: &'a FilePool) -> Result<Self, WriteError> {
        Ok(Self {
            stdout: Summed::of(shelf.draft()?),
            stderr: Summed::of(shelf.draft()?),
            transcript: match plan.transcripts {
                true => Some(Transcript::new(Summed::of(shelf.draft()?))),
                false => None,
            },
            waited: Duration::ZERO,
        })
    }

    /// Does some writing, and counts the time.
    fn write(&mut self, work: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let begun = Instant::now();
        let done = work(self);
        self.waited += begun.elapsed();
        done
    }

    /// Gives the files their names; returns what is in them.
    pub(super) fn finish(
        self,
        plan: &Plan,
        case: CaseId,
        record: &Record,
    ) -> Result<Left, WriteError> {
        let mut left = Left::default();
        let printed = self.stdout.finish(&case.file_name(plan.stdout_ext()))?;
        match plan.stdout_ext() {
            "txt" => left.txt = printed,
            _ => {
                left.log = printed;
                left.txt = sum_of(&plan.file(case, "txt"));
            }
        }
        left.err = self.stderr.finish(&case.file_name("err"))?;
        if let Some(transcript) = self.transcript {
            let at = Duration::from_secs_f64(record.wall_ms / 1e3);
            let written = transcript.finish(at, &record.headline());
            let in_file = |source| WriteError {
                path: plan.file(case, "transcript"),
                source,
            };
            let written = written.map_err(in_file)?;
            left.transcript = written.finish(&case.file_name("transcript"))?;
        }
        Ok(left)
    }
}

/// A file in the making, and the sum of what was written to it.
struct Summed<'a> {
    draft: PooledFile<'a>,
    hasher: Sha256,
    empty: bool,
}

impl<'a> Summed<'a> {
    fn of(draft: PooledFile<'a>) -> Self {
        Self {
            draft,
            hasher: Sha256::new(),
            empty: true,
        }
    }

    fn finish(self, name: &str) -> Result<Option<Digest>, WriteError> {
        self.draft.finish(name)?;
        let sum = || Digest::from_sha256(&self.hasher.finalize());
        Ok((!self.empty).then(sum))
    }
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.draft.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.empty &= written == 0;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.flush()
    }
}

/// The sum of a file that somebody else has written; none if there is nothing to read.
fn sum_of(path: &Path) -> Option<Digest> {
    let file = open_plain(path).ok()?;
    let empty = file.metadata().ok()?.len() == 0;
    Digest::from_reader(file).ok().filter(|_| !empty)
}

impl Watcher for Outputs<'_> {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(|outputs| outputs.stdout.write_all(bytes))
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.write(|outputs| {
            outputs.stderr.write_all(bytes)?;
            match &mut outputs.transcript {
                Some(transcript) => transcript.stderr(at, bytes),
                None => Ok(()),
            }
        })
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        if self.transcript.is_none() {
            return Ok(());
        }
        self.write(|outputs| match &mut outputs.transcript {
            Some(transcript) => transcript.line(at, speaker, line),
            None => Ok(()),
        })
    }

    fn blocked_time(&self) -> Duration {
        self.waited
    }
}
