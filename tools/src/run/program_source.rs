//! The source files of a program, found without being named by the user, so that the history can keep them with a run.
//!
//! A script is its own source. For other programs, compilers say in `NAME.d` which files a program is made of: cargo
//! does so beside each program, others with `-MMD`. Without that file, it is the source file beside the program with its
//! name, such as `main.cpp` for `./main`, or for `a.out` the only one of the folder.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::process::Command;
use crate::process::language::{compiled_endings, is_script, is_source};
use crate::util::bounded_read;

/// The most bytes that are kept of all source files of a run. A submission at AtCoder has at most 512 KiB.
const MAX_SOURCE: u64 = 2 << 20;

/// The most source files that are kept of a run.
const MAX_FILES: usize = 200;

/// A source file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, from the current folder if it is below that.
    pub path: PathBuf,
    /// All of it.
    pub content: Vec<u8>,
}

/// What is known of a program's source.
#[derive(Debug, PartialEq, Eq)]
pub enum ProgramSource {
    /// All of its files.
    Known(Vec<SourceFile>),
    /// A file of it was written after the program was made, which may be of an older one.
    Newer(PathBuf),
    /// None was found, or there is too much of it.
    Unknown,
}

impl ProgramSource {
    /// The source of the program that a command starts, as it is now.
    ///
    /// Cost: reads the files, at most 2 MiB.
    pub fn of_command(command: &Command) -> Self {
        // A program of `PATH` is rarely the user's own.
        let has_folder = command.program.as_encoded_bytes().contains(&b'/');
        let program = command.find().ok().filter(|_| has_folder);
        let scripts = scripts_of(program.as_deref(), &command.args);
        if !scripts.is_empty() {
            return read_all(scripts);
        }
        let Some(program) = program else {
            return Self::Unknown;
        };
        let sources = listed_by_compiler(&program).or_else(|| beside(&program));
        let sources = sources.unwrap_or_default();
        let made = written_at(&program);
        // `None` is before every time.
        let newer = |path: &&PathBuf| made.is_some() && written_at(path) > made;
        match sources.iter().find(newer) {
            Some(newer) => Self::Newer(from_here(newer)),
            None => read_all(sources),
        }
    }
}

fn written_at(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The program and its arguments, as far as they are scripts.
fn scripts_of(program: Option<&Path>, arguments: &[OsString]) -> Vec<PathBuf> {
    let program = program.filter(|path| is_script(path) || names_interpreter(path));
    let arguments = arguments.iter().map(Path::new);
    let scripts = arguments.filter(|path| is_script(path) && path.is_file());
    program
        .into_iter()
        .chain(scripts)
        .map(Path::to_owned)
        .collect()
}

/// Whether the first line of a file names its interpreter.
fn names_interpreter(path: &Path) -> bool {
    let mut start = [0; 2];
    let read = bounded_read::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"#!"
}

/// All of them; nothing if one cannot be read, or there is too much.
fn read_all(mut paths: Vec<PathBuf>) -> ProgramSource {
    paths.iter_mut().for_each(|path| *path = from_here(path));
    paths.sort();
    paths.dedup();
    if paths.is_empty() || paths.len() > MAX_FILES {
        return ProgramSource::Unknown;
    }
    let mut left = MAX_SOURCE;
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let Ok(content) = bounded_read::read(&path, left) else {
            return ProgramSource::Unknown;
        };
        left -= content.len() as u64;
        files.push(SourceFile { path, content });
    }
    ProgramSource::Known(files)
}

/// The path from the current folder if it is below that, else the whole path.
fn from_here(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    whole
        .strip_prefix(&here)
        .map(Path::to_owned)
        .unwrap_or(whole)
}

/// The source files that the compiler's list beside a program names, if there is a list. Links are followed: `./solver`
/// may be one to what cargo makes.
fn listed_by_compiler(program: &Path) -> Option<Vec<PathBuf>> {
    let target = program.canonicalize().ok()?;
    let list = [program, &target].into_iter().find_map(|path| {
        let appended = PathBuf::from([path.as_os_str(), ".d".as_ref()].join("".as_ref()));
        let replaced = path.with_extension("d");
        let mut lists = [appended, replaced].into_iter();
        lists.find_map(|list| bounded_read::read_text(&list, MAX_SOURCE).ok())
    })?;
    let root = root_of(&target);
    let built = root.join("target");
    let roots = [root, std::env::current_dir().unwrap_or_default()];
    let mut sources = files_in_list(&list);
    sources.retain(|path| {
        let whole = std::path::absolute(path).unwrap_or_default();
        let is_own = roots.iter().any(|root| whole.starts_with(root));
        is_own && !whole.starts_with(&built) && is_source(path) && path.is_file()
    });
    (!sources.is_empty()).then_some(sources)
}

/// The folder whose files are the user's own: that with cargo's `target`, or that of the program.
fn root_of(program: &Path) -> PathBuf {
    let target = program
        .ancestors()
        .find(|folder| folder.ends_with("target"));
    let folder = target.unwrap_or(program).parent();
    folder.map_or_else(PathBuf::new, Path::to_owned)
}

/// The files after the colon of each rule, as `make` reads them: a backslash joins lines, and stands before a space that
/// belongs to a name.
fn files_in_list(list: &str) -> Vec<PathBuf> {
    let list = list.replace("\\\r\n", " ").replace("\\\n", " ");
    let rules = list.lines().filter(|line| !line.starts_with('#'));
    let files = rules.filter_map(|rule| rule.split_once(": "));
    files.flat_map(|(_, files)| names_in(files)).collect()
}

/// Names with spaces between them.
fn names_in(line: &str) -> Vec<PathBuf> {
    let mut names = vec![String::new()];
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if matches!(letters.peek(), Some(' ' | '#')) => {
                names
                    .last_mut()
                    .expect("never empty")
                    .extend(letters.next());
            }
            '$' if letters.peek() == Some(&'$') => {
                names
                    .last_mut()
                    .expect("never empty")
                    .extend(letters.next());
            }
            ' ' | '\t' => names.push(String::new()),
            other => names.last_mut().expect("never empty").push(other),
        }
    }
    names.retain(|name| !name.is_empty());
    names.into_iter().map(PathBuf::from).collect()
}

/// The source file beside a program with its name; for `a.out`, the only one of the folder.
fn beside(program: &Path) -> Option<Vec<PathBuf>> {
    if program.file_name() == Some("a.out".as_ref()) {
        let folder = program.parent()?.read_dir().ok()?;
        let files = folder.flatten().map(|entry| entry.path());
        let is_compiled = |path: &PathBuf| {
            let ending = path.extension();
            ending.is_some_and(|ending| compiled_endings().any(|known| ending == known))
        };
        let mut sources: Vec<PathBuf> = files
            .filter(|path| is_compiled(path) && path.is_file())
            .collect();
        sources.truncate(2);
        return (sources.len() == 1).then_some(sources);
    }
    if program.extension().is_some() {
        return None;
    }
    let mut sources = compiled_endings().map(|ending| program.with_extension(ending));
    sources.find(|path| path.is_file()).map(|path| vec![path])
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    /// A folder for files that are as many seconds old as a test says.
    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn write(&self, name: &str, content: &str, age: u64) -> PathBuf {
            let path = self.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, content).unwrap();
            let written = SystemTime::now() - Duration::from_secs(age);
            File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(written)
                .unwrap();
            path
        }

        fn program(&self, name: &str, age: u64) -> PathBuf {
            use std::os::unix::fs::PermissionsExt;
            let path = self.write(name, "\x7fELF", age);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        }
    }

    fn source_of(words: &[&Path]) -> ProgramSource {
        ProgramSource::of_command(&Command {
            program: words[0].into(),
            args: words[1..].iter().map(Into::into).collect(),
        })
    }

    fn known(files: &[(&Path, &str)]) -> ProgramSource {
        let file = |(path, content): &(&Path, &str)| SourceFile {
            path: path.to_path_buf(),
            content: content.as_bytes().to_owned(),
        };
        ProgramSource::Known(files.iter().map(file).collect())
    }

    #[test]
    fn a_script_is_its_own_source() {
        let dir = Folder::new();
        let script = dir.write("my.py", "print(1)\n", 1);
        let weights = dir.write("weights.csv", "1,2\n", 1);
        let found = source_of(&[Path::new("sh"), &script, Path::new("--fast"), &weights]);
        assert_eq!(found, known(&[(&script, "print(1)\n")]));
        let wrapper = dir.program("run", 1);
        assert_eq!(source_of(&[&wrapper]), ProgramSource::Unknown);
        std::fs::write(&wrapper, "#!/bin/sh\n").unwrap();
        assert_eq!(source_of(&[&wrapper]), known(&[(&wrapper, "#!/bin/sh\n")]));
        assert_eq!(source_of(&[Path::new("true")]), ProgramSource::Unknown);
    }

    #[test]
    fn the_list_of_a_compiler_names_the_files() {
        let dir = Folder::new();
        let main = dir.write("src/bin/my own.rs", "mod a;", 9);
        let module = dir.write("src/a.rs", "fn a() {}", 9);
        let built = dir.write("target/release/build/x/out/b.rs", "fn b() {}", 9);
        let program = dir.program("target/release/my", 5);
        let escaped = main.display().to_string().replace(' ', "\\ ");
        let list = format!(
            "{}: \\\n  {escaped} {} /usr/include/stdio.h {}\n\n{}:\n# env-dep:A={}: 1\n",
            program.display(),
            module.display(),
            built.display(),
            module.display(),
            main.display()
        );
        dir.write("target/release/my.d", &list, 5);
        let all = known(&[(&module, "fn a() {}"), (&main, "mod a;")]);
        assert_eq!(source_of(&[&program]), all);
        let link = dir.path("solver");
        std::os::unix::fs::symlink("target/release/my", &link).unwrap();
        assert_eq!(source_of(&[&link]), all);
        dir.write("src/a.rs", "fn a() {}", 2);
        assert_eq!(source_of(&[&link]), ProgramSource::Newer(module));
    }

    #[test]
    fn else_it_is_the_file_beside_the_program() {
        let dir = Folder::new();
        let source = dir.write("main.cpp", "int main() {}", 9);
        dir.write("notes.txt", "", 9);
        let [program, other] = ["main", "v1"].map(|name| dir.program(name, 5));
        assert_eq!(source_of(&[&program]), known(&[(&source, "int main() {}")]));
        assert_eq!(source_of(&[&other]), ProgramSource::Unknown);
        let usual = dir.program("a.out", 5);
        assert_eq!(source_of(&[&usual]), known(&[(&source, "int main() {}")]));
        dir.write("gen.cpp", "int main() {}", 9);
        assert_eq!(source_of(&[&usual]), ProgramSource::Unknown);
    }

    #[test]
    fn too_much_is_not_kept() {
        let dir = Folder::new();
        let text = "#".repeat(MAX_SOURCE as usize);
        let [whole, more] = [("a.py", &*text), ("b.py", &format!("{text}#"))]
            .map(|(name, text)| dir.write(name, text, 1));
        assert_eq!(source_of(&[&whole]), known(&[(&whole, &text)]));
        assert_eq!(source_of(&[&more]), ProgramSource::Unknown);
        assert_eq!(source_of(&[&whole, &more]), ProgramSource::Unknown);
    }
}
