//! The output files of a case: in the run's folder, with copies in the folder of the newest outputs.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::case::CaseId;
use crate::judge::Watcher;
use crate::judge::record::Record;
use crate::judge::transcript::{Speaker, Transcript};
use crate::util::atomic_file::WriteError;
use crate::util::overwrite::{OverwrittenFile, cut, empty, remove};
use crate::util::regular_file::{open_plain, open_regular};

use super::executor::Executor;

/// Up to this many bytes of a file are held back, so that most files are opened once and written at once.
const HELD_BACK: usize = 64 << 10;

/// Up to this many bytes at the end of a file are searched for its last line.
const LAST_LINE: u64 = 4 << 10;

/// The files of one case.
pub(super) struct Outputs {
    stdout: OutputFile,
    stderr: OutputFile,
    /// What the interactor writes on stderr, if there is one.
    interactor_stderr: Option<OutputFile>,
    transcript: Option<Transcript<OutputFile>>,
    transcript_path: PathBuf,
    /// If the external judge's line writes the contestant's output: its path, and the path of the copy.
    written_by_line: Option<(PathBuf, Option<PathBuf>)>,
    /// The most of it that is kept, in bytes.
    most: u64,
}

impl Outputs {
    /// Makes no file yet. Removes the earlier output that an external judge's line would find.
    pub(super) fn new(executor: &Executor, case: CaseId) -> Result<Self, WriteError> {
        let is_new = executor.folder_was_empty;
        let own = |kind, copy| OutputFile::new(executor.file(case, kind), copy, is_new);
        let file = |kind| own(kind, executor.copy(case, kind));
        let written_by_line = executor.line_writes_out().then(|| {
            let (own, copy) = (executor.file(case, "txt"), executor.copy(case, "txt"));
            (own, copy)
        });
        if let Some((path, _)) = &written_by_line {
            // The output of an earlier run must not be scored.
            remove(path).map_err(failed(path))?;
        }
        let transcript_path = executor.file(case, "transcript");
        Ok(Self {
            stdout: match written_by_line {
                Some(_) => own("log", None),
                None => file("txt"),
            },
            stderr: file("err"),
            interactor_stderr: (executor.interactor.as_ref()).map(|_| own("log", None)),
            transcript: executor
                .spec()
                .transcripts
                .then(|| Transcript::new(OutputFile::new(transcript_path.clone(), None, is_new))),
            transcript_path,
            written_by_line,
            most: executor.limits.output_bytes,
        })
    }

    /// Writes and closes all files; the record may be stored only afterwards.
    pub(super) fn finish(self, record: &Record) -> Result<(), WriteError> {
        let is_too_long = self.written().is_some_and(|length| length > self.most);
        match self.written_by_line {
            // What the line itself has printed, usually nothing.
            Some(_) => self.stdout.finish_unless_empty()?,
            None => self.stdout.finish()?,
        }
        self.stderr.finish_unless_empty()?;
        if let Some(said) = self.interactor_stderr {
            said.finish_unless_empty()?;
        }
        if let Some(transcript) = self.transcript {
            let at = Duration::from_secs_f64(record.wall_ms / 1e3);
            let written = transcript.finish(at, &record.headline());
            written.map_err(failed(&self.transcript_path))?.finish()?;
        }
        let Some((own, copy)) = &self.written_by_line else {
            return Ok(());
        };
        if is_too_long {
            cut(own, self.most)?;
        }
        copy.as_ref().map_or(Ok(()), |copy| copy_file(own, copy))
    }
}

/// A file and its copy. The file is opened at the end, or earlier if there is much to write; the copy at the end.
struct OutputFile {
    path: PathBuf,
    copy: Option<PathBuf>,
    /// Whether there was no such file before.
    is_new: bool,
    held_back: Vec<u8>,
    open: Option<OverwrittenFile>,
    /// How long the system has taken to write.
    waited: Duration,
}

impl OutputFile {
    fn new(path: PathBuf, copy: Option<PathBuf>, is_new: bool) -> Self {
        Self {
            path,
            copy,
            is_new,
            held_back: Vec::new(),
            open: None,
            waited: Duration::ZERO,
        }
    }

    /// Writes the bytes that were held back, and counts the time.
    fn write_out(&mut self) -> Result<(), WriteError> {
        let begun = Instant::now();
        let done = self.write_held_back();
        self.waited += begun.elapsed();
        done
    }

    fn write_held_back(&mut self) -> Result<(), WriteError> {
        let open = match self.open.take() {
            Some(open) => open,
            None => OverwrittenFile::open(&self.path)?,
        };
        let open = self.open.insert(open);
        open.write_all(&self.held_back)
            .map_err(failed(&self.path))?;
        self.held_back.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(), WriteError> {
        if self.open.is_none() {
            write_all(
                OverwrittenFile::open(&self.path)?,
                &self.path,
                &self.held_back,
            )?;
            let Some(copy) = &self.copy else {
                return Ok(());
            };
            return or_nothing(copy, || match OverwrittenFile::open_alone(copy)? {
                Some(file) => write_all(file, copy, &self.held_back),
                None => Ok(()),
            });
        }
        self.write_out()?;
        if let Some(file) = self.open.take() {
            file.finish()?;
        }
        let copy = self.copy.as_deref();
        copy.map_or(Ok(()), |copy| copy_file(&self.path, copy))
    }

    /// Makes no file if there is no output, but empties the file of an earlier run.
    fn finish_unless_empty(self) -> Result<(), WriteError> {
        if self.open.is_some() || !self.held_back.is_empty() {
            return self.finish();
        }
        if !self.is_new {
            empty(&self.path)?;
        }
        self.copy.as_deref().map_or(Ok(()), empty)
    }
}

impl Drop for OutputFile {
    /// A file that was not finished is incomplete, so it is removed.
    fn drop(&mut self) {
        if self.open.is_some() {
            let _ = remove(&self.path);
        }
    }
}

fn write_all(mut file: OverwrittenFile, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    file.write_all(bytes).map_err(failed(path))?;
    file.finish()
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held_back.extend_from_slice(bytes);
        if self.held_back.len() > HELD_BACK {
            // The error says which file of the case it is of; `failed` finds it again.
            self.write_out()
                .map_err(|error| io::Error::new(error.source.kind(), error))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies the outputs of all cases from the folder of a run to the folder of the newest outputs.
///
/// # Errors
/// If the folder cannot be listed, or a copy cannot be written.
pub fn copy_outputs(from: &Path, to: &Path) -> Result<(), WriteError> {
    for entry in std::fs::read_dir(from).map_err(failed(from))? {
        let name = entry.map_err(failed(from))?.file_name();
        let case = name.to_str().and_then(|name| name.strip_suffix(".txt"));
        let Some(case) = case.and_then(|case| case.parse().ok()).map(CaseId) else {
            continue;
        };
        for kind in ["txt", "err"] {
            let name = case.file_name(kind);
            copy_file(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

/// Copies the content of a regular file; links are not followed. If there is none, removes the copy.
///
/// # Errors
/// If the copy cannot be written or removed.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<(), WriteError> {
    let Ok(mut from) = open_plain(from) else {
        return remove(to).map_err(failed(to));
    };
    or_nothing(to, || {
        let Some(mut copy) = OverwrittenFile::open_alone(to)? else {
            return Ok(());
        };
        io::copy(&mut from, &mut copy).map_err(failed(to))?;
        copy.finish()
    })
}

/// A copy is removed if it cannot be written whole.
fn or_nothing(
    copy: &Path,
    write: impl FnOnce() -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let written = write();
    if written.is_err() {
        // Only the first error is reported.
        let _ = remove(copy);
    }
    written
}

/// The error of this file, unless it says itself which file it is of.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    |source| {
        let named = source.downcast::<WriteError>();
        named.unwrap_or_else(|source| WriteError { path, source })
    }
}

impl Watcher for Outputs {
    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.write_all(bytes)
    }

    fn stderr(&mut self, at: Duration, bytes: &[u8]) -> io::Result<()> {
        self.stderr.write_all(bytes)?;
        self.transcript.stderr(at, bytes)
    }

    fn interactor_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        let said = self.interactor_stderr.as_mut();
        said.map_or(Ok(()), |said| said.write_all(bytes))
    }

    fn line(&mut self, at: Duration, speaker: Speaker, line: &[u8]) -> io::Result<()> {
        self.transcript.line(at, speaker, line)
    }

    fn written(&self) -> Option<u64> {
        let (path, _) = self.written_by_line.as_ref()?;
        Some(path.symlink_metadata().ok()?.len())
    }

    fn last_line_written(&self) -> Option<Vec<u8>> {
        let (path, _) = self.written_by_line.as_ref()?;
        let mut file = open_regular(path).ok()?;
        let start = file.metadata().ok()?.len().saturating_sub(LAST_LINE);
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut end = Vec::new();
        file.take(LAST_LINE).read_to_end(&mut end).ok()?;
        let line = end.trim_ascii().rsplit(|&byte| byte == b'\n').next()?;
        (!line.is_empty()).then(|| line.to_vec())
    }

    fn blocked_time(&self) -> Duration {
        let transcript = self.transcript.as_ref().map(|t| t.sink().waited);
        let streams = [
            Some(&self.stdout),
            Some(&self.stderr),
            self.interactor_stderr.as_ref(),
        ];
        let waited: Duration = streams.iter().flatten().map(|file| file.waited).sum();
        waited + transcript.unwrap_or_default()
    }
}
