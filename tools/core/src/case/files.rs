//! Case files: their names, reading and listing them, and writing new ones.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::CaseError;
use super::id::CaseId;
use super::in_progress::generate;
use super::numbers::CaseNumbers;
use crate::problem::rng::Seed;
use crate::problem::{Instance, InstanceError, Spec, parse_case};
use crate::util::atomic_file;
use crate::util::bounded_read::{self, read_at_most};
use crate::util::quote::quote;
use crate::util::regular_file::{open_regular, open_regular_unseen};

/// A numbered case on disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseFile {
    /// Its number.
    pub id: CaseId,
    /// Where it is.
    pub path: PathBuf,
}

/// A larger file is no case file: those have a few lines.
const MAX_CASE_BYTES: u64 = 1 << 20;

/// Reads and checks one case file. `name` is what messages call it.
///
/// # Errors
/// If it cannot be read, is not UTF-8, or is not a case.
pub fn read_case(name: &Path, source: impl io::Read) -> Result<Box<dyn Instance>, CaseError> {
    let bytes = read_at_most(source, MAX_CASE_BYTES).map_err(failed(name))?;
    let in_file = |source| CaseError::Case {
        path: name.to_owned(),
        source,
    };
    let text = str::from_utf8(&bytes).map_err(|e| {
        let line = bytes[..e.valid_up_to()]
            .iter()
            .filter(|&&b| b == b'\n')
            .count();
        in_file(InstanceError {
            line: line + 1,
            expected: "a case file, which is ASCII text".to_owned(),
            found: quote(bytes.split(|&b| b == b'\n').nth(line).unwrap_or_default()),
        })
    })?;
    parse_case(text).map_err(in_file)
}

/// [`read_case`] of a file that you have named; a pipe without a name will do.
///
/// # Errors
/// As [`read_case`].
pub fn read_case_file(path: &Path) -> Result<Box<dyn Instance>, CaseError> {
    read_case(path, bounded_read::open(path).map_err(failed(path))?)
}

impl CaseFile {
    /// Reads the case of this file.
    ///
    /// # Errors
    /// As [`read_case`], and if it is not a regular file.
    pub fn read(&self) -> Result<Box<dyn Instance>, CaseError> {
        read_case(&self.path, open(&self.path)?)
    }
}

/// The cases in a folder, by number. Files with other names are ignored.
///
/// # Errors
/// If the folder cannot be read or has no case in it.
pub fn list_cases(dir: &Path) -> Result<Vec<CaseFile>, CaseError> {
    let failed = |source| CaseError::Folder {
        dir: dir.to_owned(),
        source,
    };
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(id) = CaseId::from_path(&path) {
            cases.push(CaseFile { id, path });
        }
    }
    cases.sort();
    if cases.is_empty() {
        return Err(CaseError::Empty {
            dir: dir.to_owned(),
        });
    }
    Ok(cases)
}

/// The cases whose paths match a pattern (`in/000*.txt`, `in/00[0-4]?.txt`), by number. Files with
/// other names are ignored.
///
/// # Errors
/// If it is no pattern, matches no case, or matches two with the same number.
pub(crate) fn list_matching(pattern: &str) -> Result<Vec<CaseFile>, CaseError> {
    let paths = glob::glob(pattern).map_err(|source| CaseError::Pattern {
        pattern: pattern.to_owned(),
        source,
    })?;
    let mut cases = Vec::new();
    for path in paths {
        let path = path.map_err(|e| CaseError::Read {
            path: e.path().to_owned(),
            source: e.into(),
        })?;
        if let Some(id) = CaseId::from_path(&path) {
            cases.push(CaseFile { id, path });
        }
    }
    cases.sort();
    if let Some(pair) = cases.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(CaseError::Twice {
            pattern: pattern.to_owned(),
            first: pair[0].path.clone(),
            second: pair[1].path.clone(),
        });
    }
    if cases.is_empty() {
        return Err(CaseError::NoMatch {
            pattern: pattern.to_owned(),
        });
    }
    Ok(cases)
}

/// The files of a folder with these numbers, each looked up by its name; `None` if one is missing, or if there are so many
/// that the folder is listed as fast.
///
/// A folder of 10,000 cases takes 6 ms to list, and a batch needs its files five times: a tenth of what 100 quick cases
/// take.
pub(super) fn look_up(dir: &Path, cases: &CaseNumbers) -> Option<Vec<CaseFile>> {
    const MOST: u64 = 2000;
    let file = |number| {
        let id = CaseId(number);
        let path = dir.join(id.file_name("txt"));
        path.symlink_metadata()
            .is_ok()
            .then_some(CaseFile { id, path })
    };
    match cases.count() {
        1..=MOST => cases.iter().map(file).collect(),
        _ => None,
    }
}

/// The files with these numbers.
///
/// # Errors
/// If one is missing.
pub(super) fn choose_files(
    of: &impl Display,
    cases: &CaseNumbers,
    mut files: Vec<CaseFile>,
) -> Result<Vec<CaseFile>, CaseError> {
    let there = files
        .first()
        .zip(files.last())
        .map(|(first, last)| (files.len(), first.id, last.id));
    files.retain(|file| cases.contains(file.id.0));
    let missing = cases.count() - files.len() as u64;
    if missing > 0 {
        let mut found = files.iter().map(|file| file.id.0).peekable();
        let is_missing = |number: &u64| found.next_if_eq(number).is_none();
        let first = cases.iter().find(is_missing).unwrap_or_default();
        return Err(CaseError::Missing {
            first: CaseId(first),
            more: missing - 1,
            of: of.to_string(),
            there,
        });
    }
    Ok(files)
}

/// The files of several sources, each once.
///
/// # Errors
/// If two of them have the same number.
pub(super) fn files_of_all(
    of: &impl Display,
    mut files: Vec<CaseFile>,
) -> Result<Vec<CaseFile>, CaseError> {
    files.sort();
    files.dedup();
    match files.windows(2).find(|pair| pair[0].id == pair[1].id) {
        None => Ok(files),
        Some(pair) => Err(CaseError::Twice {
            pattern: of.to_string(),
            first: pair[0].path.clone(),
            second: pair[1].path.clone(),
        }),
    }
}

/// The pattern that matches this path and nothing else.
pub fn literally(path: &str) -> String {
    glob::Pattern::escape(path)
}

/// What [`write_cases`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteCounts {
    /// Files that were made or replaced.
    pub written: usize,
    /// Files that had this content already.
    pub unchanged: usize,
}

/// Generates a case for each seed and writes them all to `dir`, which is made where it is missing.
///
/// Nothing is written unless everything can be generated and, without `force`, every file that
/// exists has the same content already. Each file appears whole. A link is replaced, and what it leads to stays as it is.
///
/// # Errors
/// If the parameters are refused, a file is in the way, or the operating system refuses.
pub fn write_cases(
    dir: &Path,
    spec: &Spec<'_>,
    seeds: &[(CaseId, Seed)],
    force: bool,
) -> Result<WriteCounts, CaseError> {
    atomic_file::check_dir(dir)?;
    let mut due = Vec::new();
    let mut in_the_way = Vec::new();
    for &(id, seed) in seeds {
        let text = generate(spec, seed)?.to_text();
        let path = dir.join(id.file_name("txt"));
        match has_content(&path, &text) {
            Ok(true) => continue,
            Ok(false) => in_the_way.push(path.clone()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(CaseError::Read { path, source }),
        }
        due.push((path, text));
    }
    if !force && let Some(first) = in_the_way.first() {
        return Err(CaseError::Exists {
            first: first.clone(),
            count: in_the_way.len(),
            total: seeds.len(),
        });
    }
    atomic_file::make_dir(dir)?;
    for (path, text) in &due {
        atomic_file::replace_whole(path, text.as_bytes())?;
    }
    Ok(WriteCounts {
        written: due.len(),
        unchanged: seeds.len() - due.len(),
    })
}

/// Opens a file of a folder or pattern, and leaves the time of its last reading as it is: that time would tell a program
/// which case it plays, and some sandboxes let it look.
pub(super) fn open(path: &Path) -> Result<File, CaseError> {
    open_regular_unseen(path).map_err(failed(path))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> CaseError {
    let path = path.to_owned();
    |source| CaseError::Read { path, source }
}

/// Whether a file has exactly this content.
fn has_content(path: &Path, text: &str) -> io::Result<bool> {
    let mut found = Vec::new();
    let file = open_regular(path)?;
    file.take(text.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(found == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::seeds_of_range;

    #[test]
    fn files_that_are_looked_up_are_those_of_the_list() {
        let dir = tempfile::tempdir().unwrap();
        let names = [
            "0000.txt",
            "0002.txt",
            "0003.txt",
            "10000.txt",
            "1.txt",
            "0001.in",
        ];
        for name in names {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        std::os::unix::fs::symlink("nowhere", dir.path().join("0004.txt")).unwrap();
        let all = list_cases(dir.path()).unwrap();
        let found = |numbers: &str| {
            let cases = numbers.parse().unwrap();
            let chosen = choose_files(&"the folder", &cases, all.clone()).ok();
            let found = look_up(dir.path(), &cases);
            assert_eq!(found, chosen, "{numbers}");
            found.map(|files| files.len())
        };
        assert_eq!(found("3,0,10000"), Some(3));
        assert_eq!(found("2..5"), Some(3));
        assert_eq!(found("0..3"), None);
    }

    #[test]
    fn nothing_is_written_where_another_file_is_in_the_way() {
        let dir = tempfile::tempdir().unwrap();
        let spec = Spec::parse("hitblow 3 10").unwrap();
        let seeds = seeds_of_range(0..=2);
        std::fs::write(dir.path().join("0002.txt"), "mine").unwrap();
        let error = write_cases(dir.path(), &spec, &seeds, false).unwrap_err();
        assert!(matches!(
            error,
            CaseError::Exists {
                count: 1,
                total: 3,
                ..
            }
        ));
        assert!(!dir.path().join("0000.txt").exists());
        let forced = write_cases(dir.path(), &spec, &seeds, true).unwrap();
        assert_eq!((forced.written, forced.unchanged), (3, 0));
        let again = write_cases(dir.path(), &spec, &seeds, false).unwrap();
        assert_eq!((again.written, again.unchanged), (0, 3));
        assert_eq!(list_cases(dir.path()).unwrap().len(), 3);
    }

    #[test]
    fn a_link_is_replaced_and_not_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("precious"), "mine").unwrap();
        std::os::unix::fs::symlink("precious", at("0000.txt")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("0001.txt")).unwrap();
        let spec = Spec::parse("hitblow 3 10").unwrap();
        let forced = write_cases(dir.path(), &spec, &seeds_of_range(0..=1), true).unwrap();
        assert_eq!(forced.written, 2);
        assert_eq!(std::fs::read_to_string(at("precious")).unwrap(), "mine");
        assert!(!at("nowhere").exists());
        for name in ["0000.txt", "0001.txt"] {
            assert!(at(name).symlink_metadata().unwrap().is_file(), "{name}");
        }
    }

    #[test]
    fn a_pattern_names_each_number_once_and_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        for name in ["a", "b"] {
            std::fs::create_dir(path(name)).unwrap();
        }
        let empty = list_cases(dir.path());
        assert!(matches!(empty, Err(CaseError::Empty { .. })), "{empty:?}");
        for name in [
            "b/0000.txt",
            "b/0002.txt",
            "a/0001.txt",
            "a/0003.txt",
            "a/notes.txt",
        ] {
            std::fs::write(path(name), "").unwrap();
        }
        let all = list_matching(&path("*/*.txt")).unwrap();
        let ids = |files: &[CaseFile]| files.iter().map(|file| file.id.0).collect::<Vec<_>>();
        assert_eq!(ids(&all), [0, 1, 2, 3]);
        assert_eq!(all[1].path, Path::new(&path("a/0001.txt")));
        let none = list_matching(&path("c*.txt"));
        assert!(matches!(none, Err(CaseError::NoMatch { .. })), "{none:?}");
        // The same files from two sources are there once; other files with the same number are not.
        let twice = [&all[2..], &all[..3]].concat();
        assert_eq!(ids(&files_of_all(&"x", twice).unwrap()), [0, 1, 2, 3]);
        std::fs::write(path("b/0003.txt"), "").unwrap();
        let expected = ["a/0003.txt", "b/0003.txt"].map(|name| Path::new(&path(name)).to_owned());
        let both = list_cases(&dir.path().join("b")).unwrap();
        for found in [
            list_matching(&path("*/*.txt")),
            files_of_all(&"x", [both, all].concat()),
        ] {
            match found {
                Err(CaseError::Twice { first, second, .. }) => {
                    assert_eq!([first, second], expected)
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn cases_that_are_missing_are_counted() {
        let file = |id| CaseFile {
            id: CaseId(id),
            path: CaseId(id).file_name("txt").into(),
        };
        let choose = |numbers: &str| {
            choose_files(
                &"in",
                &numbers.parse().unwrap(),
                [0, 2, 3].map(file).to_vec(),
            )
        };
        assert_eq!(choose("2..4").unwrap(), [file(2), file(3)]);
        for (numbers, first, more) in [("0..6", 1, 2), ("2..5", 4, 0), ("7,9", 7, 1)] {
            match choose(numbers).unwrap_err() {
                CaseError::Missing {
                    first: found,
                    more: others,
                    there,
                    ..
                } => {
                    assert_eq!((found, others), (CaseId(first), more), "{numbers}");
                    assert_eq!(there, Some((3, CaseId(0), CaseId(3))));
                }
                other => panic!("{other}"),
            }
        }
    }
}
