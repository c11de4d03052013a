//! Programs for a virtual machine: the files that a command runs without naming them.
//!
//! `java Main` runs `Main.class` and the classes beside it; `./main` of .NET only starts what is in `main.dll`. The
//! programs that the commands name stay the same when these files are built anew.

use std::env;
use std::ffi::{OsStr, OsString};
use std::iter;
use std::path::{Path, PathBuf};

use super::command::Command;

/// What `java` runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JavaProgram {
    /// A source file, which it compiles itself.
    Source(PathBuf),
    /// A class that was compiled before.
    Class {
        /// Its file.
        file: PathBuf,
        /// The entry of the class path in which it was found; empty for the current folder.
        root: PathBuf,
    },
}

/// Options of `java` that have a word of their own after them.
const WITH_VALUE: [&str; 7] = [
    "-p",
    "--module-path",
    "--add-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--upgrade-module-path",
];

impl JavaProgram {
    /// What a command runs, `timeout 5 java Main` included. `None` if it does not start `java`, if there is no such
    /// file, or if an archive is named.
    pub(crate) fn of_command(command: &Command) -> Option<Self> {
        let mut words = words_of(command);
        words.find(|word| Path::new(word).file_name() == Some("java".as_ref()))?;
        let mut class_path = None;
        while let Some(word) = words.next() {
            match word.to_str()? {
                "-cp" | "-classpath" | "--class-path" => class_path = Some(words.next()?.into()),
                "-jar" | "-m" | "--module" => return None,
                option if WITH_VALUE.contains(&option) => {
                    words.next();
                }
                text if text.starts_with('-') => {
                    let value = text.strip_prefix("--class-path=");
                    class_path = value.map(OsString::from).or(class_path);
                }
                name if name.ends_with(".java") => {
                    let file = PathBuf::from(name);
                    return file.is_file().then_some(Self::Source(file));
                }
                name => return Self::class(name, class_path.or_else(|| env::var_os("CLASSPATH"))),
            }
        }
        None
    }

    fn class(name: &str, class_path: Option<OsString>) -> Option<Self> {
        let class_path = class_path.filter(|path| !path.is_empty());
        let class_path = class_path.unwrap_or_else(|| ".".into());
        let below = PathBuf::from(name.replace('.', "/") + ".class");
        env::split_paths(&class_path).find_map(|root| {
            let root = root.strip_prefix(".").map_or(root.clone(), Path::to_owned);
            let file = root.join(&below);
            file.is_file().then_some(Self::Class { file, root })
        })
    }
}

/// The files that a command runs without naming them, in the order of their paths.
///
/// Cost: some microseconds; lists a folder of classes.
pub fn unnamed_files(command: &Command) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = words_of(command).filter_map(library_beside).collect();
    if let Some(JavaProgram::Class { file, .. }) = JavaProgram::of_command(command) {
        files.extend(classes_beside(&file));
    }
    files.sort();
    files.dedup();
    files
}

/// All classes in the folder of one.
pub(crate) fn classes_beside(class: &Path) -> Vec<PathBuf> {
    let folder = class.parent().filter(|path| !path.as_os_str().is_empty());
    let entries = folder.unwrap_or(Path::new(".")).read_dir();
    let names = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    let names = names.filter(|name| Path::new(name).extension() == Some("class".as_ref()));
    let mut files: Vec<PathBuf> = names.map(|name| class.with_file_name(name)).collect();
    files.sort();
    files
}

/// The library of .NET that a command runs: beside a program of it, or the one that `dotnet` gets.
pub(crate) fn dotnet_library(command: &Command) -> Option<PathBuf> {
    let is_named = |word: &OsStr| {
        let path = PathBuf::from(word);
        let is_library = path.extension() == Some("dll".as_ref());
        (is_library && path.is_file()).then_some(path)
    };
    let mut words = words_of(command);
    let beside = words_of(command).find_map(library_beside);
    beside.or_else(|| {
        words.find(|word| Path::new(word).file_name() == Some("dotnet".as_ref()))?;
        words.find_map(is_named)
    })
}

/// The library of a program of .NET.
fn library_beside(program: &OsStr) -> Option<PathBuf> {
    let is_path = program.as_encoded_bytes().contains(&b'/');
    let mut library = program.to_owned();
    library.push(".dll");
    let path = is_path.then(|| PathBuf::from(library))?;
    (path.is_file() && Path::new(program).is_file()).then_some(path)
}

fn words_of(command: &Command) -> impl Iterator<Item = &OsStr> {
    iter::once(command.program.as_os_str()).chain(command.args.iter().map(OsString::as_os_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> (tempfile::TempDir, String) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let name = dir.path().to_str().unwrap().to_owned();
        (dir, name)
    }

    fn command(line: &str) -> Command {
        Command::from_line(line).unwrap()
    }

    #[test]
    fn java_runs_the_first_class_of_that_name_in_its_class_path() {
        let (_dir, dir) = folder(&["a/Main.class", "b/Main.class", "b/my/Main.class", "M.java"]);
        let class = |root: &str, name: &str| {
            let root = PathBuf::from(format!("{dir}/{root}"));
            let file = root.join(name);
            Some(JavaProgram::Class { file, root })
        };
        let of = |line: &str| JavaProgram::of_command(&command(&line.replace("DIR", &dir)));
        assert_eq!(of("java -cp DIR/a Main 5"), class("a", "Main.class"));
        let line = "timeout 5 /bin/java -Xss64m --class-path=DIR:DIR/b:DIR/a Main";
        assert_eq!(of(line), class("b", "Main.class"));
        let line = "java -p x -classpath DIR/b my.Main";
        assert_eq!(of(line), class("b", "my/Main.class"));
        let source = JavaProgram::Source(format!("{dir}/M.java").into());
        assert_eq!(of("java -ea DIR/M.java -cp DIR/a Main"), Some(source));
        for line in [
            "java -cp DIR Main",
            "java -cp DIR/a -jar x.jar Main",
            "java -cp",
            "java none.java",
            "javac -cp DIR/a Main",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn classes_and_libraries_belong_to_the_program_that_runs_them() {
        let files = ["Main.class", "Main$1.class", "Main.java", "x/Other.class"];
        let (_dir, dir) = folder(&[&files[..], &["n/main", "n/main.dll", "n/other.dll"]].concat());
        let of = |line: &str| {
            let found = unnamed_files(&command(&line.replace("DIR", &dir)));
            let names = found
                .iter()
                .map(|path| path.strip_prefix(&dir).unwrap().to_owned());
            names.collect::<Vec<_>>()
        };
        let classes = ["Main$1.class", "Main.class"].map(PathBuf::from);
        assert_eq!(of("java -cp DIR Main"), classes);
        assert_eq!(of("DIR/n/main"), [PathBuf::from("n/main.dll")]);
        assert_eq!(of("timeout 5 DIR/n/main"), [PathBuf::from("n/main.dll")]);
        assert!(of("DIR/n/other DIR/Main.java").is_empty());
    }
}
