//! The files that `tester batch --watch` looks at: the program and the judge, and the source that they are built of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tester_core::process::Command;
use tester_core::process::program::fingerprint::{fingerprint, fingerprint_of_line};
use tester_core::run::program_files::{Look, files_of, look};
use tester_core::run::program_source::{script_files, source_files};
use tester_core::util::regular_file::read_regular;

use crate::args::Batch;
use crate::terminal::interrupt::Interrupt;

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_millis(100);
/// How many looks in a row have to find the same before a file counts as complete: a linker writes it piece by piece.
const QUIET: u32 = 4;

/// The files that decide how cases are judged.
pub(super) struct Watched {
    command: Option<Command>,
    line: Option<String>,
    /// The program, files among its arguments, files of the judge.
    files: Vec<PathBuf>,
    /// Modules of a script.
    modules: Vec<PathBuf>,
    /// The source of which build lines make the program; empty without build lines.
    source: Vec<PathBuf>,
    has_build: bool,
    /// Whether the source changed while it was built last.
    has_changed_meanwhile: bool,
}

/// What is known of the files at some time.
#[derive(Default)]
pub(super) struct FileState {
    /// `None` where there is no such file.
    looks: Looks,
    /// What judges and is judged.
    program: ProgramState,
    source: Contents,
}

type Looks = BTreeMap<PathBuf, Option<Look>>;
type Contents = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Fingerprints of the program and of the judge, and the modules of a script.
#[derive(Default, PartialEq)]
struct ProgramState {
    command: Option<String>,
    line: Option<String>,
    modules: Contents,
}

impl FileState {
    /// Whether what judges and is judged is the same as in another state.
    pub(super) fn has_same_program(&self, other: &Self) -> bool {
        self.program == other.program
    }

    /// Whether the program is built of another source than in another state.
    pub(super) fn has_other_source(&self, other: &Self) -> bool {
        self.source != other.source
    }
}

impl Watched {
    /// Of a batch whose program was built.
    pub(super) fn new(args: &Batch) -> Result<Self> {
        let command = args.program();
        let line = args.external()?.map(|external| external.line);
        // A program that is not there is an error, not a file less to look at.
        command.as_ref().map(Command::find).transpose()?;
        let files = files_of(command.as_ref(), line.as_deref());
        let has_build = !args.external.build().is_empty();
        let (modules, source) = Default::default();
        let mut watched = Self {
            command,
            line,
            files,
            modules,
            source,
            has_build,
            has_changed_meanwhile: false,
        };
        watched.find_source();
        Ok(watched)
    }

    /// Finds the source of the program that is judged: a file may import another one than before.
    pub(super) fn find_source_of(&mut self, judged: &mut FileState) {
        self.find_source();
        take_over(&mut judged.program.modules, &self.modules);
        take_over(&mut judged.source, &self.source);
    }

    fn find_source(&mut self) {
        let Some(command) = &self.command else {
            return;
        };
        let is_new = |path: &PathBuf| !self.files.iter().any(|file| is_same(file, path));
        let modules = script_files(command).into_iter().filter(is_new).collect();
        let source = match self.has_build {
            true => source_files(command).into_iter().filter(is_new).collect(),
            false => Vec::new(),
        };
        (self.modules, self.source) = (modules, source);
    }

    /// The names of the files, and how many files of source there are.
    pub(super) fn names(&self) -> String {
        const NAMED: usize = 5;
        let names = |files: &[PathBuf]| {
            let names = files.iter().map(|file| file.display().to_string());
            names.collect::<Vec<_>>().join(", ")
        };
        let source = [&self.modules[..], &self.source].concat();
        match source.len() {
            0 => names(&self.files),
            1..=NAMED => format!("{}, {}", names(&self.files), names(&source)),
            count => format!("{}, {count} files of source", names(&self.files)),
        }
    }

    fn looks(&self) -> Looks {
        let all = [&self.files, &self.modules, &self.source];
        let all = all.into_iter().flatten();
        all.map(|file| (file.clone(), look(file))).collect()
    }

    fn program(&self) -> ProgramState {
        ProgramState {
            command: self.command.as_ref().map(fingerprint),
            line: self.line.as_deref().map(fingerprint_of_line),
            modules: contents(&self.modules),
        }
    }

    /// Everything as it is now.
    pub(super) fn state(&self) -> FileState {
        FileState {
            looks: self.looks(),
            program: self.program(),
            source: contents(&self.source),
        }
    }

    /// Whether what judges and is judged is the same as it was.
    pub(super) fn is_same_program(&self, judged: &FileState) -> bool {
        self.program() == judged.program
    }

    /// The program was built since: it is the one of now. A source that changes during two builds in a row is written by
    /// them, and would be built without end: it is taken as built.
    pub(super) fn take_built(&mut self, judged: &mut FileState) {
        judged.program = self.program();
        let source = contents(&self.source);
        let has_changed = source != judged.source;
        if has_changed && self.has_changed_meanwhile {
            judged.source = source;
        }
        self.has_changed_meanwhile = has_changed;
    }

    /// Waits until the files are complete and have another content than those that were judged; false if a signal came.
    pub(super) fn wait_for_another(
        &self,
        judged: &FileState,
        interrupt: &Interrupt,
    ) -> Result<bool> {
        // Unequal to what was judged if that changed meanwhile.
        let mut known = judged.looks.clone();
        loop {
            let mut last = self.looks();
            let mut quiet = 0;
            while last == known || quiet < QUIET {
                if pause(interrupt)? {
                    return Ok(false);
                }
                let now = self.looks();
                // A file of source may be gone for good.
                let is_whole = self.files.iter().all(|file| now[file].is_some());
                quiet = if now == last && is_whole {
                    quiet + 1
                } else {
                    0
                };
                last = now;
            }
            if !self.is_same_program(judged) || contents(&self.source) != judged.source {
                return Ok(true);
            }
            known = last;
        }
    }
}

/// Whether two paths lead to one file.
fn is_same(file: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(file).is_some_and(|file| Some(file) == whole(other))
}

fn contents(files: &[PathBuf]) -> Contents {
    let content = |file: &PathBuf| (file.clone(), read_regular(file).ok());
    files.iter().map(content).collect()
}

/// Makes the contents those of these files. What was known of one stays.
fn take_over(known: &mut Contents, files: &[PathBuf]) {
    let content = |file: &PathBuf| {
        let before = known.remove(file);
        let now = || read_regular(file).ok();
        (file.clone(), before.unwrap_or_else(now))
    };
    *known = files.iter().map(content).collect();
}

/// Waits a little; true if a signal came.
fn pause(interrupt: &Interrupt) -> Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(interrupt.fd(), PollFlags::IN)];
    let time = Timespec::try_from(INTERVAL).expect("a short time");
    match poll(&mut fds, Some(&time)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(interrupt.heard().is_some()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_in_the_place_of_a_file_does_not_block() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), 0o600.into()).unwrap();
        std::fs::write(at("file"), b"12").unwrap();
        let files = [at("file"), at("pipe"), at("missing")];
        let mut found = contents(&files);
        let expected = [Some(b"12".to_vec()), None, None];
        let expected: Contents = files.iter().cloned().zip(expected).collect();
        assert_eq!(found, expected);
        found.clear();
        take_over(&mut found, &files);
        assert_eq!(found, expected);
    }
}
