//! The contestant's programs in a contest's folder, the likeliest first.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tester_core::process::{Command, SourceRecipe, shell_word};

use super::official_tools::{OfficialTools, PROGRAMS, USUAL_TOOLS};
use super::other_judges::is_judge;
use super::packages::{Package, Packages, UNPACKED_IN_TOOLS};

/// A program, or what becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The file, from the contest's folder.
    pub(super) source: PathBuf,
    /// The shell line that builds it.
    pub(super) build: Option<String>,
    /// The command to judge.
    pub(super) command: String,
}

impl Candidate {
    /// Whether Cargo builds it, and to a file of the same name and folder as this one.
    pub(super) fn is_built_by_cargo_as(&self, file: &Path) -> bool {
        let last = |path: &Path| {
            Some((
                path.file_name()?.to_owned(),
                path.parent()?.file_name()?.to_owned(),
            ))
        };
        let program = Command::from_line(&self.command).ok();
        let own = program.and_then(|command| last(Path::new(&command.program)));
        let by_cargo = self
            .build
            .as_ref()
            .is_some_and(|line| line.starts_with("cargo "));
        by_cargo && own.is_some() && own == last(file)
    }
}

/// Stems of names that submissions usually have.
const USUAL: [&str; 7] = [
    "main",
    "a",
    "solver",
    "solution",
    "submit",
    "submission",
    "solve",
];

/// All programs: of Cargo packages, of source files, then files that can be executed.
pub(super) fn candidates(
    top: &Path,
    packages: &Packages,
    tools: Option<&OfficialTools>,
) -> Vec<Candidate> {
    let is_below = |package: &Package| !package.folder.as_os_str().is_empty();
    let are_tools = |package: &Package| {
        let is_chosen = tools.is_some_and(|it| it.folder == package.folder);
        is_chosen || package.folder == Path::new(UNPACKED_IN_TOOLS)
    };
    // Of folders beside each other, one with only `src/bin` has experiments and helpers.
    let mut packages: Vec<_> = packages.found.iter().collect();
    packages.sort_by_key(|package| (are_tools(package), is_below(package) && !package.has_main()));
    let of = |package| of_package(package, are_tools(package));
    let (below, here): (Vec<_>, Vec<_>) = packages.into_iter().partition(|it| is_below(it));
    // Beside a source with a usual name that is compiled, such a folder has something else.
    let is_usual = |file: &Candidate| {
        let is_compiled = file.build.is_some() && rank(&stem(&file.source)) < USUAL.len();
        is_compiled && file.source.parent() == Some(Path::new(""))
    };
    let (usual, others): (Vec<_>, Vec<_>) = of_files(top).into_iter().partition(is_usual);
    let mut found: Vec<Candidate> = here.into_iter().flat_map(of).collect();
    found.extend(usual);
    found.extend(below.into_iter().flat_map(of));
    found.extend(others);
    if found.is_empty() {
        found = in_folders(top, tools);
    }
    if found.is_empty() {
        found = of_sources(usual_files(top, Path::new(USUAL_TOOLS)).into_iter());
    }
    found
}

/// Sources with usual names in folders such as `cpp` or `solver`.
fn in_folders(top: &Path, tools: Option<&OfficialTools>) -> Vec<Candidate> {
    let is_other = |folder: &Path| {
        let name = folder.as_os_str().as_encoded_bytes();
        let is_of_tools =
            folder == Path::new(USUAL_TOOLS) || tools.is_some_and(|it| it.folder == folder);
        name.starts_with(b".") || name == b"target" || is_of_tools
    };
    let folders = files_in(top, Path::new(""));
    let folders = folders.into_iter().filter(|folder| !is_other(folder));
    let files = folders.flat_map(|folder| usual_files(top, &folder));
    of_sources(files)
}

/// Files in a folder whose names submissions usually have.
fn usual_files(top: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut files = files_in(top, folder);
    files.retain(|file| rank(&stem(file)) < USUAL.len() && top.join(file).is_file());
    files
}

/// What is in a folder, from the contest's folder.
fn files_in(top: &Path, folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(top.join(folder));
    let entries = entries.into_iter().flatten().flatten();
    entries
        .map(|entry| folder.join(entry.file_name()))
        .collect()
}

/// Programs of source files outside packages, the likeliest first.
fn of_sources(files: impl Iterator<Item = PathBuf>) -> Vec<Candidate> {
    let with_recipe = |file: PathBuf| Some((SourceRecipe::from_path(&file)?, file));
    // Go builds no program of such a file.
    let files = files.filter(|file| !file.to_string_lossy().ends_with("_test.go"));
    let mut found: Vec<_> = files.filter_map(with_recipe).collect();
    // Compiled languages first: a script beside them is more often a helper than the submission.
    found.sort_by_key(|(recipe, file)| {
        let is_script = recipe.build.is_none();
        (
            rank(&stem(file)),
            is_script,
            Reverse(number(file)),
            file.clone(),
        )
    });
    let candidate = |(recipe, source): (SourceRecipe, PathBuf)| Candidate {
        source,
        build: recipe.build,
        command: recipe.run,
    };
    found.into_iter().map(candidate).collect()
}

fn stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The number with which a name begins, else that at its end: of `0_random.cpp` and `1_greedy.cpp`, the last one is the
/// newest, and so it is of `sol1.py` and `sol2.py`.
fn number(file: &Path) -> Option<u64> {
    let stem = stem(file);
    let begin = stem.trim_start_matches(|c: char| c.is_ascii_digit());
    let end = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let first = stem[..stem.len() - begin.len()].parse().ok();
    first.or_else(|| stem[end.len()..].parse().ok())
}

/// Whether a name has the larger number of two that are numbered alike: both at the beginning, or after the same words.
pub(super) fn is_later(file: &Path, other: &Path) -> bool {
    let words = |file: &Path| {
        let stem = stem(file);
        let begins = stem.starts_with(|c: char| c.is_ascii_digit());
        let words = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        if begins {
            String::new()
        } else {
            words.to_owned()
        }
    };
    number(other).is_some() && number(other) < number(file) && words(file) == words(other)
}

fn of_package(package: &Package, are_tools: bool) -> Vec<Candidate> {
    let mut bins: Vec<_> = package.bins.iter().collect();
    bins.retain(|(name, _)| !are_tools || !PROGRAMS.contains(&name.as_str()));
    // cargo-compete names the program of `src/bin/a.rs` after the contest: `ahc999-a`.
    let usual = |name: &str, source: &Path| match source.parent() {
        Some(folder) if folder.ends_with("src/bin") => rank(name).min(rank(&stem(source))),
        _ => rank(name),
    };
    bins.sort_by_key(|(name, source)| {
        let is_default = package.default_run.as_ref() == Some(name);
        let number = Reverse(number(Path::new(name)));
        let rank = usual(name, source);
        (!is_default, rank, *name != package.name, number)
    });
    let candidate = |(name, source): &(String, PathBuf)| Candidate {
        source: source.clone(),
        build: Some(package.build()),
        command: shell_word(package.release.join(name).as_os_str()),
    };
    bins.into_iter().map(candidate).collect()
}

fn rank(stem: &str) -> usize {
    // A class of Java begins with a capital.
    let found = USUAL
        .iter()
        .position(|usual| usual.eq_ignore_ascii_case(stem));
    found.unwrap_or(USUAL.len())
}

/// Source files outside packages, and files that can be executed.
fn of_files(top: &Path) -> Vec<Candidate> {
    let mut files = files_in(top, Path::new(""));
    files.extend(files_in(top, Path::new("src")));
    files.retain(|file| top.join(file).is_file() && !is_judge(file));
    let in_package = |file: &Path| {
        file.extension().is_some_and(|ext| ext == "rs") && top.join("Cargo.toml").is_file()
    };
    let sources = files.iter().filter(|file| !in_package(file));
    let mut found = of_sources(sources.cloned());
    let programs = files
        .iter()
        .filter(|file| file.extension().is_none_or(|ext| ext == "out"));
    let mut programs: Vec<Candidate> = programs
        .map(|file| Candidate {
            source: file.clone(),
            build: None,
            command: shell_word(Path::new(".").join(file).as_os_str()),
        })
        .filter(|program| can_start(top.join(&program.source)))
        .filter(|program| found.iter().all(|known| known.command != program.command))
        .collect();
    programs.sort_by_key(|program| (rank(&stem(&program.source)), program.source.clone()));
    found.extend(programs);
    found
}

/// Puts the program of a source file that was typed first. Says whether it is one of the candidates.
pub(super) fn put_first(typed: &str, candidates: &mut [Candidate]) -> bool {
    let typed = Path::new(typed);
    let typed = typed.strip_prefix(".").unwrap_or(typed);
    let found = candidates.iter().position(|known| known.source == typed);
    // A file that can be executed is the command itself.
    let found = found.filter(|_| !can_start(Path::new(".").join(typed)));
    if let Some(at) = found {
        candidates[..=at].rotate_right(1);
    }
    found.is_some()
}

/// Whether a program can be started: a file, or a name in `PATH`.
pub(super) fn can_start(program: impl Into<OsString>) -> bool {
    let command = Command {
        program: program.into(),
        args: Vec::new(),
    };
    command.check().is_ok()
}

/// The line that builds a program that was typed, if it is one of the candidates or beside one in `target/release`.
pub(super) fn build_of(command: &str, candidates: &[Candidate]) -> Option<String> {
    let program = |line: &str| {
        let path = PathBuf::from(Command::from_line(line).ok()?.program);
        Some(path.strip_prefix(".").map(Path::to_owned).unwrap_or(path))
    };
    let typed = program(command)?;
    let of = |candidate: &&Candidate| program(&candidate.command);
    // `java` is the program of each class.
    let is_alone = |c: &Candidate| Command::from_line(&c.command).is_ok_and(|c| c.args.is_empty());
    let is_same =
        |c: &&Candidate| c.command == command || is_alone(c) && of(c).as_ref() == Some(&typed);
    let same = candidates.iter().find(is_same);
    let beside = |c: &&Candidate| {
        let by_cargo = c
            .build
            .as_ref()
            .is_some_and(|line| line.starts_with("cargo"));
        by_cargo && of(c).is_some_and(|path| path.parent() == typed.parent())
    };
    same.or_else(|| candidates.iter().find(beside))?
        .build
        .clone()
}
