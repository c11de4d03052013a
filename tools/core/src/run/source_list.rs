//! The list of a program's files that a compiler writes beside it, as a rule for `make`: `main: main.cpp a.hpp`.

use std::path::{Path, PathBuf};

use super::source_parts::plain;
use crate::util::bounded_read;

/// The longest list that is read.
const MAX_LIST: u64 = 2 << 20;

/// How far above the list the folder may be in which the compiler was called.
const LEVELS: usize = 4;

/// The files in the list of a program below one of these folders, except what was built; `None` if there is no list, or
/// one of its files was written after the list and before the program, which is then of a later call that wrote no list.
/// `program` is no link.
pub(super) fn listed_files(program: &Path, roots: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let (list, text) = list_of(program)?;
    let names = names_in_list(&text);
    let base = base_of(&names, &list);
    let files: Vec<PathBuf> = names.iter().map(|name| plain(&base.join(name))).collect();
    let written = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    // One that is newer than the program, too, says something else: that the program is not of this source.
    let (listed, made) = (written(&list), written(program));
    let is_later = |file: &PathBuf| written(file) > listed && written(file) <= made;
    if !is_by_cargo(program) && files.iter().any(is_later) {
        return None;
    }
    // What cargo and scripts of packages have put into `target`, wherever that is.
    let built: Vec<PathBuf> = (roots.iter().map(|root| root.join("target")))
        .chain(is_by_cargo(program).then(|| program.with_file_name("build")))
        .collect();
    let is_own = |file: &Path| {
        let mut all = roots.iter().chain([&base]);
        all.any(|root| file.starts_with(root))
            && !built.iter().any(|folder| file.starts_with(folder))
    };
    let own: Vec<PathBuf> = files
        .into_iter()
        .filter(|file| is_own(file) && file.is_file())
        .collect();
    (!own.is_empty()).then_some(own)
}

/// Whether cargo has made the program. It writes the list anew only if other files are in it.
fn is_by_cargo(program: &Path) -> bool {
    program.with_file_name(".cargo-lock").exists()
}

/// The list and its text. A file of that name that is no list of this program, such as one in the language D, does not
/// count.
pub(super) fn list_of(program: &Path) -> Option<(PathBuf, String)> {
    let mut appended = program.as_os_str().to_owned();
    appended.push(".d");
    let lists = [PathBuf::from(appended), program.with_extension("d")];
    lists.into_iter().find_map(|list| {
        let text = bounded_read::read_text(&list, MAX_LIST).ok()?;
        let (made, _) = text.split_once(": ")?;
        let is_own = Path::new(made).file_stem() == program.file_stem();
        is_own.then_some((list, text))
    })
}

/// The files after the colon of each rule: a backslash joins lines, and stands before a space that belongs to a name.
fn names_in_list(text: &str) -> Vec<PathBuf> {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let rules = text.lines().filter(|line| !line.starts_with('#'));
    let files = rules.filter_map(|rule| rule.split_once(": "));
    files.flat_map(|(_, files)| names_in(files)).collect()
}

/// Names with spaces between them.
fn names_in(line: &str) -> Vec<PathBuf> {
    let mut names = Vec::new();
    let mut name = String::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => name.extend(letters.next()),
            (' ' | '\t', _) => names.push(std::mem::take(&mut name)),
            (other, _) => name.push(other),
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names.into_iter().map(PathBuf::from).collect()
}

/// The folder from which a compiler has named its files: the current one, or one above the list where all of them are.
fn base_of(names: &[PathBuf], list: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let list = std::path::absolute(list).unwrap_or_default();
    let above = list.ancestors().skip(1).take(LEVELS).map(Path::to_owned);
    let mut bases = [here.clone()].into_iter().chain(above);
    let has_all = |base: &PathBuf| names.iter().all(|name| base.join(name).is_file());
    bases.find(has_all).unwrap_or(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_make_reads_them() {
        let text = "a: b\\ c.rs \\\n  d$$.h \\\r\n e\\#.txt\n# env-dep:X=y: 1\n\nb\\ c.rs:\n";
        let names = ["b c.rs", "d$.h", "e#.txt"].map(PathBuf::from);
        assert_eq!(names_in_list(text), names);
    }

    #[test]
    fn a_file_in_the_language_d_is_no_list() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("main");
        for (text, is_list) in [
            ("import std.stdio: writeln;\n", false),
            ("main.o: main.d\n", true),
            ("/x/release/main: /x/main.rs\n", true),
        ] {
            std::fs::write(dir.path().join("main.d"), text).unwrap();
            assert_eq!(list_of(&program).is_some(), is_list, "{text}");
        }
    }
}
