//! Builds a program of a package, a file or a folder, in a folder of its own: the package is left as it lies.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::copy::copy;
use super::language::{LANGUAGES, Language, Sources};
use crate::process::{Command, LineEnd, run_line};

/// The most that is shown of what a compiler says.
const SHOWN_LINES: usize = 3;

/// As many bytes are read of it, to find these lines.
const READ_BYTES: u64 = 64 << 10;

/// A program that was built.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its language, or `script` where the package says itself how it is built and run.
    pub language: &'static str,
    /// Where it runs.
    pub folder: PathBuf,
    /// What runs it, with absolute paths.
    pub command: Command,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// This machine or this judge has not what is needed: nothing is known of the program.
    #[error("{0}")]
    Unavailable(String),
    /// The program is at fault.
    #[error("{0}")]
    Failed(String),
    /// This signal came to us, and the build was ended.
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
}

/// How a program is built.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The package's folder.
    pub package: &'a Path,
    /// The limit of memory, which Java wants to know.
    pub memory_mib: u64,
    /// Whether scripts `build` and `run` in its folder are used, and files of `include/` are not: a validator.
    pub is_validator: bool,
}

impl Builder<'_> {
    /// Copies the program at `path` to `folder`, which must not exist, and builds it there.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn build(&self, path: &Path, folder: &Path) -> Result<Program, BuildError> {
        let failed = |error: io::Error| BuildError::Unavailable(format!("failed to copy: {error}"));
        copy(path, folder).map_err(failed)?;
        let has = |name: &str| folder.join(name).is_file();
        if self.is_validator && (has("build") || has("run")) {
            return build_by_script(folder);
        }
        let files = files_below(folder).map_err(failed)?;
        let Some(language) = language_of(&files) else {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            return Err(BuildError::Unavailable(match ending.is_empty() {
                true => "no file is in a known language".to_owned(),
                false => format!("no language is known for .{ending}"),
            }));
        };
        if !self.is_validator {
            for code in ["default", language.code] {
                let include = self.package.join("include").join(code);
                if include.is_dir() {
                    copy(&include, folder).map_err(failed)?;
                }
            }
        }
        self.compile(language, folder)
    }

    fn compile(&self, language: &Language, folder: &Path) -> Result<Program, BuildError> {
        let unavailable = |error: io::Error| BuildError::Unavailable(error.to_string());
        let mut files = files_below(folder).map_err(unavailable)?;
        files.retain(|file| {
            // A program in C++ may have parts in C.
            language.is_of(file) || language.code == "cpp" && LANGUAGES[1].is_of(file)
        });
        let sources = Sources {
            folder,
            files: &files,
            memory_mib: self.memory_mib,
        };
        let recipe = (language.recipe)(&sources).map_err(BuildError::Failed)?;
        let lines = recipe.build.iter().chain([&recipe.run]);
        for line in lines.filter(|line| !Path::new(&line[0]).is_absolute()) {
            let found = command(line).check();
            found.map_err(|_| no_tool(language.name, &line[0]))?;
        }
        if let Some(line) = &recipe.build {
            run_in(folder, line)?;
        }
        Ok(Program {
            language: language.name,
            folder: folder.to_owned(),
            command: command(&recipe.run),
        })
    }
}

fn no_tool(language: &str, tool: &OsString) -> BuildError {
    let tool = tool.to_string_lossy();
    BuildError::Unavailable(format!("this machine has no {tool} (for {language})"))
}

fn command(line: &[OsString]) -> Command {
    Command {
        program: line[0].clone(),
        args: line[1..].to_vec(),
    }
}

fn build_by_script(folder: &Path) -> Result<Program, BuildError> {
    if folder.join("build").is_file() {
        run_in(folder, &[folder.join("build").into_os_string()])?;
    }
    let run = command(&[folder.join("run").into_os_string()]);
    let missing = |error: crate::process::StartError| BuildError::Failed(error.to_string());
    run.check().map_err(missing)?;
    Ok(Program {
        language: "script",
        folder: folder.to_owned(),
        command: run,
    })
}

/// Runs a line of a build in its folder; what it says goes into the error. A signal to us ends it, too.
fn run_in(folder: &Path, line: &[OsString]) -> Result<(), BuildError> {
    let shown = Path::new(&line[0]).file_name().unwrap_or(&line[0]);
    let shown = shown.to_string_lossy();
    let failed = |error| BuildError::Failed(format!("failed to start {shown}: {error}"));
    // Files and no pipes: a server that it has started may keep a pipe open, and we would wait for its end.
    let [stdout, stderr] = [tempfile::tempfile(), tempfile::tempfile()];
    let (stdout, stderr) = (stdout.map_err(failed)?, stderr.map_err(failed)?);
    let mut command = std::process::Command::new(&line[0]);
    command
        .args(&line[1..])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(failed)?)
        .stderr(stderr.try_clone().map_err(failed)?);
    let status = match run_line(&mut command).map_err(failed)? {
        LineEnd::Interrupted(signal) => return Err(BuildError::Interrupted(signal)),
        LineEnd::Ended(status) if status.success() => return Ok(()),
        LineEnd::Ended(status) => status,
    };
    let said = [beginning(stderr), beginning(stdout)].concat();
    let said = String::from_utf8_lossy(&said).replace(&format!("{}/", folder.display()), "");
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(SHOWN_LINES).collect();
    Err(BuildError::Failed(format!(
        "{shown} ended with {status}: {}",
        lines.join("; ")
    )))
}

/// The first part of a file that a program has written.
fn beginning(mut file: File) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What cannot be read is missing from a message.
    let _ = file.rewind();
    let _ = file.take(READ_BYTES).read_to_end(&mut bytes);
    bytes
}

/// The language of files: the first of the list that has one.
fn language_of(files: &[PathBuf]) -> Option<&'static Language> {
    let mut known = LANGUAGES.iter();
    known.find(|language| files.iter().any(|file| language.is_of(file)))
}

/// All files below a folder, in the order of their names.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(
        files: &[(&str, &str)],
        name: &str,
        is_validator: bool,
    ) -> Result<Program, BuildError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            if text.starts_with("#!") {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let builder = Builder {
            package: dir.path(),
            memory_mib: 64,
            is_validator,
        };
        builder.build(&dir.path().join(name), &dir.path().join("built"))
    }

    #[test]
    fn a_folder_with_its_own_scripts_is_built_by_them() {
        let script = "#!/bin/sh\necho '#!/bin/sh' > run; chmod +x run";
        let found = built(&[("v/build", script)], "v", true).unwrap();
        assert_eq!(found.language, "script");
        assert!(
            found
                .command
                .program
                .to_string_lossy()
                .ends_with("/built/run")
        );
        let failed = built(&[("v/build", "#!/bin/sh\necho no >&2; exit 3")], "v", true);
        let expected = BuildError::Failed("build ended with exit status: 3: no".to_owned());
        assert_eq!(failed.unwrap_err(), expected);
        let none = built(&[("v/build", "#!/bin/sh\n")], "v", true).unwrap_err();
        assert!(none.to_string().contains("run: no such file"), "{none:?}");
    }

    #[test]
    fn files_of_the_package_are_added_to_a_submission() {
        let files = [
            ("s.sh", ". ./part.sh"),
            ("include/sh/part.sh", "echo 1"),
            ("include/default/x", ""),
        ];
        let Err(BuildError::Failed(why)) = built(&files, "s.sh", false) else {
            panic!("two shell files and none is main.sh");
        };
        assert_eq!(why, "expected one file or main.sh, found 2 files");
        let found = built(&files[..1], "s.sh", false).unwrap();
        assert_eq!(found.language, "shell");
    }

    #[test]
    fn what_has_no_language_is_nothing_that_the_program_did_wrong() {
        let found = built(&[("x.plg", "")], "x.plg", false).unwrap_err();
        let expected = BuildError::Unavailable("no language is known for .plg".to_owned());
        assert_eq!(found, expected);
    }
}
