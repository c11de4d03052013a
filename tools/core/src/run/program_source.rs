//! The source files of a program, found without being named by the user, so that the history can keep them with a run.
//!
//! A script is its own source, with the modules that it imports from beside it. For other programs, a compiler's list may
//! say of which files one is made (`source_list`): cargo writes one for each program, others with `-MMD`. Without a list,
//! it is the source file beside the program with its name, such as `main.cpp` for `./main`, or for `a.out` the only one of
//! the folder; with the headers that it includes (`source_parts`). For programs of Java and .NET, see `virtual_source`.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::source_list::{list_of, listed_files};
use super::source_parts::with_parts;
use super::virtual_source::virtual_source;
use crate::process::Command;
use crate::process::program::language::{
    compiled_endings, first_line_of_script, is_script, is_source,
};
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
    /// All of its files, as far as they can be found.
    Known(Vec<SourceFile>),
    /// A file of it was written after the program was made, or while it was; so the program may be of an older one.
    Newer(PathBuf),
    /// None was found, or there is too much of it.
    Unknown,
}

/// By how much the clock of another machine, whose disk has the files, may be ahead of ours.
const CLOCKS_DIFFER: Duration = Duration::from_secs(60);

impl ProgramSource {
    /// The source of the program that a command starts, as it is now. `built` is when the last of its build lines
    /// began, if it was built for this run.
    ///
    /// Cost: reads the files, at most 2 MiB.
    pub fn of_command(command: &Command, built: Option<SystemTime>) -> Self {
        let mut all = script_files(command);
        let Some((program, files)) = compiled(command) else {
            return read_all(all);
        };
        // `None` is before every time.
        let made = written_at(&program).map(|made| built.map_or(made, |built| built.min(made)));
        // An edit gives a file the present time. A time to come, as of an archive from elsewhere, tells nothing, and
        // a program that is built again is older than that, too.
        let soon = SystemTime::now() + CLOCKS_DIFFER;
        let is_newer = |at: Option<SystemTime>| at > made && at.is_none_or(|at| at <= soon);
        match files.iter().find(|file| is_newer(written_at(file))) {
            Some(newer) if made.is_some() => Self::Newer(from_here(newer)),
            _ => {
                all.extend(files);
                read_all(all)
            }
        }
    }

    /// The scripts that a command names, with their modules, as they are now: not all of them are files of the command.
    pub fn of_scripts(command: &Command) -> Self {
        read_all(script_files(command))
    }
}

fn written_at(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The programs of the user that a command starts: its own, if it is named with a folder, and those among its arguments,
/// for `timeout 5 ./main`. A program of `PATH` is rarely the user's own.
fn programs_of(command: &Command) -> Vec<PathBuf> {
    let has_folder = |word: &OsString| word.as_encoded_bytes().contains(&b'/');
    let own = command.find().ok().filter(|_| has_folder(&command.program));
    let arguments = command.args.iter().filter(|word| has_folder(word));
    let programs = arguments.map(PathBuf::from).filter(|path| {
        let found = path.metadata();
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    });
    own.into_iter().chain(programs).collect()
}

/// The files of which the program that a command starts is compiled; none if they are not found.
pub fn source_files(command: &Command) -> Vec<PathBuf> {
    compiled(command).map_or_else(Vec::new, |(_, files)| files)
}

/// The first program of a command whose files are found, and these.
fn compiled(command: &Command) -> Option<(PathBuf, Vec<PathBuf>)> {
    if let Some(found) = virtual_source(command, MAX_FILES) {
        return Some(found);
    }
    let mut found = programs_of(command).into_iter().map(|program| {
        let files = files_of(&program);
        (program, files)
    });
    found.find(|(_, files)| !files.is_empty())
}

/// The scripts that a command names: by their names, or the first of its programs by its first line; with their parts.
pub fn script_files(command: &Command) -> Vec<PathBuf> {
    let first = programs_of(command).into_iter().next();
    let first = first.filter(|path| is_script(path) || first_line_of_script(path).is_some());
    let arguments = command.args.iter().map(PathBuf::from);
    let scripts = arguments.filter(|path| is_script(path) && path.is_file());
    let scripts: Vec<PathBuf> = first.into_iter().chain(scripts).collect();
    let folder = |path: &PathBuf| {
        let whole = std::path::absolute(path).ok()?;
        whole.parent().map(Path::to_owned)
    };
    let here = std::env::current_dir().unwrap_or_default();
    let roots: Vec<PathBuf> = scripts.iter().filter_map(folder).chain([here]).collect();
    with_parts(scripts, &roots, MAX_FILES)
}

/// The files of a program by the compiler's list, or by their names; none if they are not found.
fn files_of(program: &Path) -> Vec<PathBuf> {
    // `./solver` may be a link to what cargo makes.
    let target = program.canonicalize().unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let roots = [root_of(&target), here];
    let parts = |source| with_parts(vec![source], &roots, MAX_FILES);
    listed_files(&target, &roots)
        .or_else(|| beside(program).map(parts))
        .unwrap_or_default()
}

/// The folder whose files are the user's own: that with cargo's `target`, or that of the program.
fn root_of(program: &Path) -> PathBuf {
    let target = program
        .ancestors()
        .find(|folder| folder.ends_with("target"));
    let folder = target.unwrap_or(program).parent();
    folder.map_or_else(PathBuf::new, Path::to_owned)
}

/// The source file beside a program with its name, if there is only one; for `a.out`, the only one of the folder.
fn beside(program: &Path) -> Option<PathBuf> {
    if program.file_name() == Some("a.out".as_ref()) {
        let folder = program.parent()?.read_dir().ok()?;
        let files = folder.flatten().map(|entry| entry.path());
        let is_compiled = |path: &PathBuf| {
            let ending = path.extension();
            ending.is_some_and(|ending| compiled_endings().any(|known| ending == known))
        };
        return only(files.filter(|path| is_compiled(path) && path.is_file()));
    }
    if program.extension().is_some() {
        return None;
    }
    let is_list = list_of(program).is_some();
    let endings = compiled_endings().filter(|ending| !(is_list && *ending == "d"));
    let sources = endings.map(|ending| program.with_extension(ending));
    only(sources.filter(|path| path.is_file()))
}

/// The only one; `None` if there are more.
fn only(mut paths: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let first = paths.next()?;
    paths.next().is_none().then_some(first)
}

/// All of the files. If there is too much, those in a programming language; if that is too much, nothing.
fn read_all(mut paths: Vec<PathBuf>) -> ProgramSource {
    paths.iter_mut().for_each(|path| *path = from_here(path));
    paths.sort();
    paths.dedup();
    let files = read_up_to_limit(&paths).or_else(|| {
        paths.retain(|path| is_source(path));
        read_up_to_limit(&paths)
    });
    let files = files.filter(|files| !files.is_empty());
    files.map_or(ProgramSource::Unknown, ProgramSource::Known)
}

/// `None` if one of them cannot be read, or there is too much.
fn read_up_to_limit(paths: &[PathBuf]) -> Option<Vec<SourceFile>> {
    let mut left = MAX_SOURCE;
    let mut files = Vec::with_capacity(paths.len());
    if paths.len() > MAX_FILES {
        return None;
    }
    for path in paths {
        let content = bounded_read::read(path, left).ok()?;
        left -= content.len() as u64;
        files.push(SourceFile {
            path: path.clone(),
            content,
        });
    }
    Some(files)
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

#[cfg(test)]
mod tests {
    use std::fs::File;

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
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(before(age)).unwrap();
            path
        }

        fn program(&self, name: &str, age: u64) -> PathBuf {
            let path = self.write(name, "\x7fELF", age);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        }
    }

    fn before(age: u64) -> SystemTime {
        SystemTime::now() - Duration::from_secs(age)
    }

    fn command(words: &[&Path]) -> Command {
        Command {
            program: words[0].into(),
            args: words[1..].iter().map(Into::into).collect(),
        }
    }

    fn source_of(words: &[&Path]) -> ProgramSource {
        ProgramSource::of_command(&command(words), None)
    }

    fn known(files: &[(&Path, &str)]) -> ProgramSource {
        let file = |(path, content): &(&Path, &str)| SourceFile {
            path: path.to_path_buf(),
            content: content.as_bytes().to_owned(),
        };
        ProgramSource::Known(files.iter().map(file).collect())
    }

    #[test]
    fn a_script_is_its_own_source_with_what_it_imports() {
        let dir = Folder::new();
        let script = dir.write("my.py", "import lib\n", 1);
        let module = dir.write("lib.py", "", 1);
        let weights = dir.write("weights.csv", "1,2\n", 1);
        let found = source_of(&[Path::new("sh"), &script, Path::new("--fast"), &weights]);
        assert_eq!(found, known(&[(&module, ""), (&script, "import lib\n")]));
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
        let data = dir.write("src/data.txt", "1 2", 9);
        let built = dir.write("target/release/build/x/out/b.rs", "fn b() {}", 9);
        let program = dir.program("target/release/my", 5);
        let escaped = main.display().to_string().replace(' ', "\\ ");
        let list = format!(
            "{}: \\\n  {escaped} {} /usr/include/stdio.h {} {}\n\n",
            program.display(),
            module.display(),
            built.display(),
            data.display()
        );
        dir.write("target/release/my.d", &list, 5);
        let all = known(&[(&module, "fn a() {}"), (&main, "mod a;"), (&data, "1 2")]);
        assert_eq!(source_of(&[&program]), all);
        let link = dir.path("solver");
        std::os::unix::fs::symlink("target/release/my", &link).unwrap();
        assert_eq!(source_of(&[&link]), all);
        assert_eq!(
            source_of(&[Path::new("timeout"), Path::new("5"), &link]),
            all
        );
        // Written while the program was built: the compiler may have read what was there before.
        let built = |age| ProgramSource::of_command(&command(&[&link]), Some(before(age)));
        assert_eq!(built(7), all);
        assert_eq!(built(11), ProgramSource::Newer(main));
    }

    #[test]
    fn a_list_that_names_its_files_from_a_folder_above_is_read_from_there() {
        let dir = Folder::new();
        let source = dir.write("src/main.cpp", "int main() {}", 9);
        let program = dir.program("build/main", 5);
        dir.write("build/main.d", "build/main: src/main.cpp\n", 8);
        assert_eq!(source_of(&[&program]), known(&[(&source, "int main() {}")]));
        // The list is of an earlier call of the compiler than the program, unless it is cargo's.
        dir.write("src/main.cpp", "int main() {}", 7);
        assert_eq!(source_of(&[&program]), ProgramSource::Unknown);
        dir.write("build/.cargo-lock", "", 9);
        assert_eq!(source_of(&[&program]), known(&[(&source, "int main() {}")]));
    }

    #[test]
    fn else_it_is_the_file_beside_the_program_with_its_headers() {
        let dir = Folder::new();
        let text = "#include \"a.hpp\"\n";
        let (source, header) = (dir.write("main.cpp", text, 9), dir.write("a.hpp", "", 9));
        dir.write("notes.txt", "", 9);
        let both = known(&[(&header, ""), (&source, text)]);
        let [program, other] = ["main", "v1"].map(|name| dir.program(name, 5));
        assert_eq!(source_of(&[&program]), both);
        assert_eq!(source_of(&[&other]), ProgramSource::Unknown);
        let usual = dir.program("a.out", 5);
        assert_eq!(source_of(&[&usual]), both);
        // A script that it gets is source, too.
        let script = dir.write("p.py", "", 9);
        let all = known(&[(&header, ""), (&source, text), (&script, "")]);
        assert_eq!(source_of(&[&program, &script]), all);
        dir.write("a.hpp", "", 3);
        assert_eq!(source_of(&[&program]), ProgramSource::Newer(header.clone()));
        let [ahead, to_come] = [30, 3600].map(|s| SystemTime::now() + Duration::from_secs(s));
        let written = |at| File::open(&header).unwrap().set_modified(at).unwrap();
        written(ahead);
        assert_eq!(source_of(&[&program]), ProgramSource::Newer(header.clone()));
        written(to_come);
        assert_eq!(
            source_of(&[&program]),
            known(&[(&header, ""), (&source, text)])
        );
        dir.write("main.rs", "", 9);
        assert_eq!(source_of(&[&program]), ProgramSource::Unknown);
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
