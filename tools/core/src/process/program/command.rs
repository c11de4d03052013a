//! What to start, and why it could not be started.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::language::{interpreter_of, is_interpreter, is_script};
use super::os_text::Word;
use super::shell_word::shell_word;
use super::unusable::{
    Unusable, is_compiled_source, not_executable_here, source_file, why_foreign,
    why_not_executable, without_quotes,
};

/// A program and its arguments. Written down, it is a list of words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Word>", from = "Vec<Word>")]
pub struct Command {
    /// A path, or a name that is looked up in `PATH`.
    pub program: OsString,
    /// Handed over as they are; no shell is involved.
    pub args: Vec<OsString>,
}

/// Why a contestant could not be started: always ours, or the user's, never the contestant's.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such program, or it is not one.
    #[error("failed to start {}: {}", .program.display(), .why.cause)]
    NotAProgram {
        /// As it was typed.
        program: OsString,
        /// What is wrong with it.
        why: Unusable,
    },
    /// The machine does not tell about processes.
    #[error(
        "failed to start {}: expected /proc, from which memory, processes and processor time are read, found {found}",
        .program.display()
    )]
    NoProc {
        /// As it was typed.
        program: OsString,
        /// What is at its place.
        found: String,
    },
    /// The operating system failed: too many processes, no memory, no descriptors.
    #[error("failed to start {}", .program.display())]
    System {
        /// As it was typed.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
}

impl StartError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotAProgram { why, .. } => why.hint.clone(),
            Self::NoProc { .. } => {
                Some("mount it for this PID namespace: mount -t proc proc /proc".to_owned())
            }
            Self::System { .. } => None,
        }
    }
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It ends within quotes.
    #[error("a quote is open in {0:?}")]
    OpenQuote(String),
    /// The line is empty.
    #[error("expected a program, found an empty word")]
    Empty,
}

impl Command {
    /// Splits a line into a program and its arguments, as a shell would.
    ///
    /// # Errors
    /// If a quote is open, or there is no word.
    pub fn from_line(line: &str) -> Result<Self, LineError> {
        let words = shlex::split(line).ok_or_else(|| LineError::OpenQuote(line.to_owned()))?;
        let mut words = words.into_iter().map(OsString::from);
        let program = words.next().ok_or(LineError::Empty)?;
        Ok(Self {
            program,
            args: words.collect(),
        })
    }

    /// The shell, with a line.
    pub fn shell(line: impl Into<OsString>) -> Self {
        Self {
            program: "sh".into(),
            args: vec!["-c".into(), line.into()],
        }
    }
}

impl From<Command> for Vec<Word> {
    fn from(command: Command) -> Self {
        let words = std::iter::once(command.program).chain(command.args);
        words.map(Word::from).collect()
    }
}

impl From<Vec<Word>> for Command {
    fn from(words: Vec<Word>) -> Self {
        let mut words = words.into_iter().map(OsString::from);
        Self {
            program: words.next().unwrap_or_default(),
            args: words.collect(),
        }
    }
}

impl fmt::Display for Command {
    /// The words with spaces in between, quoted for a shell where that is needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", shell_word(&self.program))?;
        self.args
            .iter()
            .try_for_each(|arg| write!(f, " {}", shell_word(arg)))
    }
}

impl Command {
    /// Checks whether this can be started, without starting it.
    ///
    /// # Errors
    /// If there is no such program, or it may not be executed.
    pub fn check(&self) -> Result<(), StartError> {
        let path = self.find()?;
        self.refuse(why_not_executable(&path).or_else(|| why_foreign(&path)))?;
        self.check_script()
    }

    /// Checks that this names no source file that must be compiled or needs an interpreter, and no interpreter that is
    /// missing, for before anything is built.
    ///
    /// # Errors
    /// If it does.
    pub fn check_no_source(&self) -> Result<(), StartError> {
        let typed = Path::new(&self.program);
        let is_interpreter = || is_interpreter(&self.program.to_string_lossy());
        match self.find() {
            Err(error) if source_file(typed).is_some() || is_interpreter() => Err(error),
            // What is built may become executable, but no compiled language.
            Ok(path) if path == typed && is_compiled_source(typed) => {
                self.refuse(why_not_executable(typed))
            }
            _ => Ok(()),
        }
    }

    /// Checks what compiling cannot change, for before it: a script that is missing, or may not be executed.
    ///
    /// # Errors
    /// If it is.
    pub fn check_script_before_compiling(&self) -> Result<(), StartError> {
        if let Ok(path) = self.find()
            && interpreter_of(&path).is_some()
        {
            self.refuse(why_not_executable(&path))?;
        }
        self.check_script()
    }

    /// Checks whether a shell can start this, without starting it. A shell also reads files without `#!`.
    ///
    /// # Errors
    /// If there is no such program, or it may not be executed.
    pub(crate) fn check_in_shell(&self) -> Result<(), StartError> {
        self.refuse(why_not_executable(&self.find()?))?;
        self.check_script()
    }

    fn refuse(&self, why: Option<Unusable>) -> Result<(), StartError> {
        why.map_or(Ok(()), |why| Err(self.not_a_program(why)))
    }

    /// Checks whether the script exists, if the program is an interpreter.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn check_script(&self) -> Result<(), StartError> {
        self.refuse(self.missing_script())
    }

    /// The script of an interpreter, if there is no such file: each case would end with the interpreter's own error.
    fn missing_script(&self) -> Option<Unusable> {
        let name = Path::new(&self.program).file_name()?.to_string_lossy();
        // Code in an argument or a module: the words after it are its own.
        let is_code = |word: &OsString| ["-c", "-e", "-m"].iter().any(|option| word == option);
        let words = self.args.iter().take_while(|word| !is_code(word));
        let words = words.map(Path::new);
        let mut files = words.filter(|path| path.is_file() || is_script(path));
        let script = files
            .next()
            .filter(|path| is_interpreter(&name) && !path.exists())?;
        Some(Unusable::new(
            format!("no such file: {}", script.display()),
            "check the spelling and the folder of the script",
        ))
    }

    fn not_a_program(&self, why: Unusable) -> StartError {
        StartError::NotAProgram {
            program: self.program.clone(),
            why,
        }
    }

    /// The file that would be executed; it need not be there if it was named by its path.
    ///
    /// # Errors
    /// If a program without a path is not in `PATH`.
    pub fn find(&self) -> Result<PathBuf, StartError> {
        let typed = Path::new(&self.program);
        if self.program.is_empty() {
            let why = Unusable::without_hint("expected a program, found an empty word");
            return Err(self.not_a_program(why));
        }
        if self.program.as_encoded_bytes().contains(&b'/') {
            return Ok(typed.to_owned());
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path)
            .map(|dir| dir.join(typed))
            .find(|file| why_not_executable(file).is_none());
        found.ok_or_else(|| {
            if let Some(why) = source_file(typed) {
                return self.not_a_program(why);
            }
            if typed.is_dir() {
                let why = Unusable::new("it is a folder", "name a program, such as ./solver");
                return self.not_a_program(why);
            }
            let here = Path::new(".").join(typed);
            let hint = match why_not_executable(&here) {
                None => format!("for the file in this folder, write {}", here.display()),
                Some(_) if typed.exists() => {
                    "the file of that name in this folder is no program".to_owned()
                }
                Some(_) => without_quotes(typed).unwrap_or_else(|| {
                    "check the spelling, or write a path such as ./solver".to_owned()
                }),
            };
            self.not_a_program(Unusable::new("no program of that name in PATH", hint))
        })
    }

    /// Says better than "No such file or directory" what kept a program from starting.
    pub(in crate::process) fn start_error(&self, source: io::Error) -> StartError {
        use io::ErrorKind::{NotFound, PermissionDenied};
        let program = self.program.clone();
        let why = match source.raw_os_error() {
            Some(libc::ENOEXEC) => Some(not_executable_here(Path::new(&program))),
            _ if matches!(source.kind(), NotFound | PermissionDenied) => match self.check() {
                Err(StartError::NotAProgram { why, .. }) => Some(why),
                _ if source.kind() == NotFound => Some(Unusable::without_hint(
                    "the file exists, but the interpreter that its first line (#!) or its format \
                     names does not",
                )),
                _ => None,
            },
            _ => None,
        };
        match why {
            Some(why) => StartError::NotAProgram { program, why },
            None => StartError::System { program, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::process::program::unusable::has_other_formats;

    fn why(program: &Path) -> String {
        let command = Command {
            program: program.into(),
            args: vec![],
        };
        let error = command.check().unwrap_err();
        let hint = error.hint().unwrap_or_default();
        let checked = error.to_string();
        let started =
            crate::process::Contestant::start(&command, &crate::process::Confinement::NONE)
                .err()
                .unwrap();
        assert_eq!(checked, started.to_string());
        let (_, cause) = checked.split_once(": ").unwrap();
        format!("{cause}; {hint}")
    }

    #[test]
    fn a_pipe_is_no_program_and_is_not_read() {
        use std::io::Write as _;
        let dir = tempfile::tempdir().unwrap();
        for name in ["pipe", "pipe.cpp"] {
            let path = dir.path().join(name);
            rustix::fs::mkfifoat(rustix::fs::CWD, &path, 0o700.into()).unwrap();
            // What has it open for both would let a reader go on, and find a script.
            let mut both = std::fs::File::options()
                .read(true)
                .write(true)
                .open(&path)
                .unwrap();
            both.write_all(b"#!/bin/sh\n#!/bin/sh\n").unwrap();
            assert_eq!(why(&path), "it is a pipe or a device; ");
            let mut rest = [0; 20];
            std::io::Read::read_exact(&mut both, &mut rest).unwrap();
        }
    }

    #[test]
    fn unstartable_commands_say_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        insta::assert_snapshot!(why(&path("none")), @"no such file; check the path, or build it first: cargo build --release");
        std::os::unix::fs::symlink("target/release/solver", path("link")).unwrap();
        insta::assert_snapshot!(why(&path("link")), @"it is a link to target/release/solver, which does not exist; build it first: cargo build --release");
        insta::assert_snapshot!(why(dir.path()), @"it is a folder; ");
        insta::assert_snapshot!(why(Path::new("no-such-program")), @"no program of that name in PATH; check the spelling, or write a path such as ./solver");
        std::fs::write(path("plain"), "print(1)\n").unwrap();
        assert!(why(&path("plain")).contains("chmod +x"));
        let folder = dir.path().display().to_string();
        let shown = |name: &str| why(&path(name)).replace(&folder, "DIR");
        std::fs::write(path("foreign"), "MZ..").unwrap();
        std::fs::set_permissions(path("foreign"), std::fs::Permissions::from_mode(0o755)).unwrap();
        if !has_other_formats() {
            insta::assert_snapshot!(shown("foreign"), @"not a program this system can execute; a script needs a first line such as #!/usr/bin/env python3, or its interpreter named first: python3 FILE");
        }
        insta::assert_snapshot!(why(Path::new("python3 my.py")), @"no program of that name in PATH; write its words without quotes around all of them: python3 my.py");
        insta::assert_snapshot!(why(Path::new("./my 'a b' 5")), @"no such file; write its words without quotes around all of them: ./my a b 5");
        insta::assert_snapshot!(why(Path::new("src")), @"it is a folder; name a program, such as ./solver");
        insta::assert_snapshot!(why(Path::new("Cargo.toml")), @"no program of that name in PATH; the file of that name in this folder is no program");
        std::fs::write(path("a.cpp"), "int main() {}\n").unwrap();
        let compile = "it is a source file in C++, not a program; compile it: g++ -O2 -std=gnu++20 -o DIR/a DIR/a.cpp; \
                       the program is then DIR/a";
        assert_eq!(shown("a.cpp"), compile);
        insta::assert_snapshot!(shown("a"), @"no such file; build it first: g++ -O2 -std=gnu++20 -o DIR/a DIR/a.cpp");
        std::fs::set_permissions(path("a.cpp"), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(shown("a.cpp"), compile);
        std::fs::write(path("a.py"), "print(1)\n").unwrap();
        insta::assert_snapshot!(shown("a.py"), @"it is not executable; chmod +x DIR/a.py, or name its interpreter first: python3 DIR/a.py");
        std::fs::write(path("a.pl"), "print 1;\n").unwrap();
        insta::assert_snapshot!(shown("a.pl"), @"it is not executable; chmod +x DIR/a.pl, or name its interpreter first: perl DIR/a.pl");
        std::fs::set_permissions(path("a.pl"), std::fs::Permissions::from_mode(0o755)).unwrap();
        if !has_other_formats() {
            insta::assert_snapshot!(shown("a.pl"), @"not a program this system can execute; a script needs a first line such as #!/usr/bin/env perl, or its interpreter named first: perl DIR/a.pl");
        }
    }

    /// The system finds no `/bin/sh\r`, and `env` says that options are to be passed otherwise.
    #[test]
    fn a_script_with_line_ends_of_windows_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("run.sh");
        std::fs::write(&script, "#!/bin/sh\r\necho 1\r\n").unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let shown = why(&script).replace(&dir.path().display().to_string(), "DIR");
        insta::assert_snapshot!(shown, @r"its first line (#!) ends as on Windows (CRLF), so no interpreter is found; sed -i 's/\r$//' DIR/run.sh makes it end as here");
    }

    #[test]
    fn a_script_that_is_missing_is_told_from_words_of_the_program() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("there.py");
        std::fs::write(&script, "").unwrap();
        let there = script.to_str().unwrap();
        let check = |words: &[&str]| {
            let command = Command {
                program: words[0].into(),
                args: words[1..].iter().map(Into::into).collect(),
            };
            command.check().map_err(|error| error.to_string())
        };
        let missing = Err("failed to start sh: no such file: misspelt.sh".to_owned());
        assert_eq!(check(&["sh", "misspelt.sh"]), missing);
        assert_eq!(check(&["sh", "-u", "misspelt.sh", "a"]), missing);
        let missing = Err("failed to start sh: no such file: misspelt.ts".to_owned());
        assert_eq!(check(&["sh", "misspelt.ts"]), missing);
        for words in [
            &["sh", there, "output.sh"][..],
            &["sh", "-c", "echo $0", "name.sh"],
            &["sh", "word"],
            &["cat", "misspelt.sh"],
        ] {
            assert_eq!(check(words), Ok(()), "{words:?}");
        }
    }

    #[test]
    fn commands_are_shown_so_that_they_can_be_pasted() {
        let command = Command {
            program: "./solver".into(),
            args: ["--policy", "map", "a b", "it's", "", "a\n\u{1b}[31m'"]
                .map(Into::into)
                .into(),
        };
        insta::assert_snapshot!(command, @r"./solver --policy map 'a b' 'it'\''s' '' $'a\012\033[31m\''");
    }
}
