//! The files of which a run's programs are made. They stay as they are while cases are judged: else some cases of the
//! run would be of another program, and no reader could tell which.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::process::Command;
use crate::process::program::fingerprint::{fingerprint_by, fingerprint_of_line_by, hash};
use crate::process::program::language::is_script;
use crate::process::program::virtual_machine::unnamed_files;

use super::program_source::script_files;
use super::spec::RunSpec;

/// The files that a run's command and its external judge's line name or run, and modules of its scripts, as they were
/// before the first case.
#[derive(Debug)]
pub(super) struct ProgramFiles(Mutex<Vec<KnownFile>>);

#[derive(Debug)]
struct KnownFile {
    path: PathBuf,
    is_code: bool,
    look: Option<Look>,
    /// The SHA-256 of its content, once it was read.
    hash: Option<String>,
}

/// What a file looks like without reading it: its device, number, size, and time of modification.
pub type Look = (u64, u64, u64, i64, i64);

/// The program, the files that its arguments and the line of an external judge name, and those that the program runs
/// without a name, in the order of their paths.
pub fn files_of(command: Option<&Command>, line: Option<&str>) -> Vec<PathBuf> {
    let words = line.and_then(shlex::split).unwrap_or_default();
    let named = words.into_iter().map(PathBuf::from);
    let args = command.map_or(&[][..], |command| &command.args);
    let mut paths: Vec<PathBuf> = named.chain(args.iter().map(PathBuf::from)).collect();
    paths.retain(|path| path.is_file());
    if let Some(command) = command {
        paths.extend(command.find());
        paths.extend(unnamed_files(command));
    }
    paths.sort();
    paths.dedup();
    paths
}

impl ProgramFiles {
    /// The files as they look now.
    ///
    /// Cost: some microseconds for each. Reads scripts and their modules.
    pub(super) fn look(spec: &RunSpec) -> Self {
        let line = spec.external.as_ref().map(|external| &*external.line);
        let program = spec.command.find().ok();
        let paths = files_of(Some(&spec.command), line);
        // They are in no fingerprint, so nothing else reads them before the first case.
        let mut modules = script_files(&spec.command);
        modules.retain(|path| !paths.contains(path));
        let module = |path: PathBuf| KnownFile {
            is_code: true,
            look: look(&path),
            hash: hash(&path),
            path,
        };
        let file = |path: PathBuf| KnownFile {
            is_code: Some(&path) == program.as_ref() || is_code(&path),
            look: look(&path),
            path,
            hash: None,
        };
        let files = paths.into_iter().map(file);
        let files = files.chain(modules.into_iter().map(module));
        Self(Mutex::new(files.collect()))
    }

    /// The fingerprint of the command, by files that are read once.
    pub(super) fn fingerprint(&self, command: &Command) -> String {
        fingerprint_by(command, |path| self.hash(path))
    }

    /// The fingerprint of an external judge's line.
    pub(super) fn fingerprint_of_line(&self, line: &str) -> String {
        fingerprint_of_line_by(line, |path| self.hash(path))
    }

    fn hash(&self, path: &Path) -> Option<String> {
        let mut files = self.files();
        let known = files.iter_mut().find(|file| file.path == path);
        let Some(known) = known else {
            return hash(path);
        };
        if known.hash.is_none() {
            known.hash = hash(path);
        }
        known.hash.clone()
    }

    /// A program or script that is another one now, if there is one. One that was written anew with the same content
    /// is the same.
    ///
    /// Cost: some microseconds; reads a file that was written.
    pub(super) fn changed_code(&self) -> Option<PathBuf> {
        for file in self.files().iter_mut().filter(|file| file.is_code) {
            let now = look(&file.path);
            if now == file.look {
                continue;
            }
            if file.hash.is_none() || hash(&file.path) != file.hash {
                return Some(file.path.clone());
            }
            file.look = now;
        }
        None
    }

    /// Other files that the command or the line names, which were written since: parameters, or a log of the program.
    pub(super) fn written_data(&self) -> Vec<PathBuf> {
        let is_written = |file: &&KnownFile| !file.is_code && look(&file.path) != file.look;
        let files = self.files();
        let written = files.iter().filter(is_written);
        written.map(|file| file.path.clone()).collect()
    }

    fn files(&self) -> MutexGuard<'_, Vec<KnownFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a file looks now; `None` if there is none.
pub fn look(path: &Path) -> Option<Look> {
    let found = std::fs::metadata(path).ok()?;
    let modified = (found.mtime(), found.mtime_nsec());
    Some((
        found.dev(),
        found.ino(),
        found.size(),
        modified.0,
        modified.1,
    ))
}

/// Whether a file that a command names is a program or a part of one: programs write logs, but not themselves. Where a
/// file system has no permissions, all files are executable.
fn is_code(path: &Path) -> bool {
    let suffix = path.extension();
    let is_one_of =
        |list: &[&str]| suffix.is_some_and(|suffix| list.iter().any(|one| suffix == *one));
    let found = std::fs::metadata(path);
    let is_executable = found.is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
    is_script(path)
        || is_one_of(&BYTECODE)
        || is_executable && (suffix.is_none() || is_one_of(&PROGRAMS))
}

/// How names of files end that a virtual machine runs.
const BYTECODE: [&str; 5] = ["class", "dll", "jar", "java", "wasm"];

/// How names of executable programs may end.
const PROGRAMS: [&str; 2] = ["exe", "out"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::program::fingerprint::fingerprint;
    use crate::run::spec::tests::spec;

    #[test]
    fn programs_and_scripts_are_code_and_other_files_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, mode: u32| {
            let path = dir.path().join(name);
            std::fs::write(&path, "1").unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            path
        };
        let code = [("my.py", 0o644), ("my", 0o755), ("a.out", 0o755)];
        assert!(code.iter().all(|(name, mode)| is_code(&file(name, *mode))));
        let data = [
            ("log", 0o644),
            ("b.out", 0o644),
            ("log.txt", 0o755),
            ("weights.csv", 0o644),
        ];
        assert!(data.iter().all(|(name, mode)| !is_code(&file(name, *mode))));
    }

    #[test]
    fn a_file_has_changed_if_its_content_has() {
        let dir = tempfile::tempdir().unwrap();
        let (script, log) = (dir.path().join("a.py"), dir.path().join("log.txt"));
        let write = |path: &Path, text: &str| {
            let temporary = path.with_extension("new");
            std::fs::write(&temporary, text).unwrap();
            std::fs::rename(&temporary, path).unwrap();
        };
        write(&script, "1");
        write(&log, "1");
        let spec = RunSpec {
            command: Command {
                program: "sh".into(),
                args: vec![script.clone().into(), log.clone().into()],
            },
            ..spec()
        };
        let files = ProgramFiles::look(&spec);
        assert_eq!(files.fingerprint(&spec.command), fingerprint(&spec.command));
        assert_eq!(files.changed_code(), None);
        write(&script, "1");
        assert_eq!(files.changed_code(), None);
        write(&log, "2");
        assert_eq!(files.changed_code(), None);
        assert_eq!(files.written_data(), [log]);
        write(&script, "2");
        assert_eq!(files.changed_code(), Some(script.clone()));
        assert_eq!(files.changed_code(), Some(script.clone()));
        std::fs::remove_file(&script).unwrap();
        assert_eq!(files.changed_code(), Some(script));
    }

    #[test]
    fn a_module_of_a_script_is_code_of_the_program() {
        let dir = tempfile::tempdir().unwrap();
        let [script, module] = ["a.py", "part.py"].map(|name| dir.path().join(name));
        std::fs::write(&script, "import part\n").unwrap();
        std::fs::write(&module, "1\n").unwrap();
        let spec = RunSpec {
            command: Command {
                program: "sh".into(),
                args: vec![script.into()],
            },
            ..spec()
        };
        let files = ProgramFiles::look(&spec);
        assert_eq!(files.fingerprint(&spec.command), fingerprint(&spec.command));
        std::fs::write(&module, "1\n").unwrap();
        assert_eq!(files.changed_code(), None);
        std::fs::write(&module, "2\n").unwrap();
        assert_eq!(files.changed_code(), Some(module));
    }
}
