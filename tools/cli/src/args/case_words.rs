//! The words after `--cases`, and in `cases` and `held_out` of `tester.toml`: folders, files, patterns, numbers.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tester_core::case::{CaseId, CaseNumbers, Source, literally};
use tester_core::process::{Command, shell_word};
use tester_core::util::tester_word::tester_word;

use crate::hint::with_hint;

/// The usual folder of the cases, and that of official tools.
const FOLDERS: [&str; 2] = ["in", "tools/in"];

/// What a word names.
enum Word {
    Folder(PathBuf),
    CaseFile(PathBuf),
    Pattern(String),
    Numbers(CaseNumbers),
}

/// Whether a word is numbers of cases, and no path. A wrong list of numbers is one too.
pub(super) fn is_numbers(word: &Path) -> bool {
    let text = word.to_str().unwrap_or_default();
    let is_dashed = (text.split('-')).all(|part| part.parse::<u64>().is_ok());
    let looks_like = text.starts_with(|first: char| first.is_ascii_digit())
        && !text.contains('/')
        && (text.parse::<CaseNumbers>().is_ok()
            || text.contains("..")
            || text.contains(',')
            || is_dashed);
    looks_like && !word.exists()
}

/// Whether a word names a folder, which may be missing: no file, no numbers, no pattern.
pub(crate) fn is_folder(word: &Path) -> bool {
    let is_pattern = || word.to_string_lossy().contains(PATTERN);
    word.is_dir() || !(word.is_file() || is_numbers(word) || is_pattern())
}

/// What a pattern has and a usual path has not.
const PATTERN: [char; 3] = ['*', '?', '['];

impl Word {
    fn new(word: &Path) -> anyhow::Result<Self> {
        let Some(text) = word.to_str() else {
            let cause = format!("the name after --cases is not UTF-8: {}", word.display());
            return Err(with_hint(cause, "rename the folder"));
        };
        Ok(match () {
            () if is_numbers(word) => Self::Numbers(text.parse().map_err(|cause| {
                with_hint(cause, "a folder with such a name is typed as ./NAME")
            })?),
            () if word.is_file() && CaseId::from_path(word).is_some() => {
                Self::CaseFile(word.to_owned())
            }
            () if word.is_file() => Self::Numbers(CaseNumbers::from_file(word)?),
            () if !word.is_dir() && text.contains(PATTERN) => Self::Pattern(text.to_owned()),
            () => Self::Folder(word.to_owned()),
        })
    }
}

/// Refuses cases that were typed where a program is expected: numbers, a folder, or a case file.
///
/// # Errors
/// If the first word of a command is one of these, and no program in `PATH`.
pub(super) fn refuse_as_program(words: &[OsString]) -> anyhow::Result<()> {
    let Some((first, rest)) = words.split_first() else {
        return Ok(());
    };
    let path = Path::new(first);
    let is_executable = |file: &Metadata| file.permissions().mode() & 0o111 != 0;
    let found = match path.metadata() {
        Err(_) if is_numbers(path) => "numbers of cases",
        Ok(found) if found.is_dir() && has_cases(path) => "a folder",
        Ok(file) if CaseId::from_path(path).is_some() && !is_executable(&file) => "a case file",
        _ => return Ok(()),
    };
    let program = Command {
        program: first.clone(),
        args: rest.to_vec(),
    };
    if program.find().is_ok_and(|program| program != path) {
        return Ok(());
    }
    let shown = |words: &[OsString]| {
        let words = words.iter().map(|word| format!(" {}", shell_word(word)));
        words.collect::<String>()
    };
    let after = match rest {
        [] => String::new(),
        rest => format!(" --{}", shown(rest)),
    };
    Err(with_hint(
        format!("expected a program, found {found}: {}", path.display()),
        format!(
            "cases come after --cases: {} batch --cases{}{after}",
            tester_word(),
            shown(&words[..1])
        ),
    ))
}

/// Whether a case file lies in the folder.
fn has_cases(folder: &Path) -> bool {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut files = entries.map(|entry| entry.path());
    files.any(|path| CaseId::from_path(&path).is_some())
}

/// The cases that the words name together. Numbers are those of the folder that another word names, else of the usual
/// one.
pub(super) fn source(words: &[PathBuf]) -> anyhow::Result<Source> {
    let (mut folders, mut sources) = (Vec::new(), Vec::new());
    let mut numbers: Option<CaseNumbers> = None;
    let mut files: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for word in words {
        match Word::new(word)? {
            Word::Folder(dir) => folders.push(dir),
            Word::Pattern(pattern) => sources.push(Source::Matching(pattern)),
            Word::Numbers(more) => {
                numbers = Some(match numbers {
                    Some(numbers) => numbers.and(more),
                    None => more,
                });
            }
            Word::CaseFile(path) => {
                let dir = path.parent().unwrap_or(Path::new("")).to_owned();
                files.entry(dir).or_default().push(path);
            }
        }
    }
    sources.extend(
        files
            .into_iter()
            .map(|(dir, files)| source_of_files(dir, &files)),
    );
    match (numbers, folders.as_slice()) {
        (None, []) if sources.is_empty() => return Ok(Source::Folder(usual_folder())),
        (None, _) => sources.extend(folders.into_iter().map(Source::Folder)),
        (Some(numbers), []) => sources.push(Source::Folder(usual_folder()).choose(numbers)),
        (Some(numbers), [dir]) => sources.push(Source::Folder(dir.clone()).choose(numbers)),
        (Some(numbers), [first, second, ..]) => {
            return Err(with_hint(
                format!(
                    "expected one folder for the cases {numbers}, found {} and {}",
                    first.display(),
                    second.display()
                ),
                "name the files of the other folder by a pattern, such as 'more/*.txt'",
            ));
        }
    }
    let one = sources.len() == 1;
    Ok(match sources.pop() {
        Some(source) if one => source,
        last => Source::Several(sources.into_iter().chain(last).collect()),
    })
}

fn usual_folder() -> PathBuf {
    let found = FOLDERS.iter().find(|dir| Path::new(dir).is_dir());
    found.unwrap_or(&FOLDERS[0]).into()
}

/// Case files of one folder.
fn source_of_files(dir: PathBuf, files: &[PathBuf]) -> Source {
    if let [path] = files {
        return Source::Matching(literally(&path.to_string_lossy()));
    }
    let ids = files.iter().filter_map(|path| CaseId::from_path(path));
    let numbers = CaseNumbers::new(ids.map(|id| id.0..=id.0)).expect("they are case files");
    let dir = match dir.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => dir,
    };
    Source::Folder(dir).choose(numbers)
}

/// The words with `--cases` before each case file that follows another one: a shell has expanded a pattern that was
/// not quoted. Other files of the pattern are left out, as those of a quoted pattern are.
pub(super) fn gather(words: Vec<OsString>) -> Vec<OsString> {
    const OPTION: &str = "--cases";
    let takes_cases = words
        .first()
        .is_some_and(|word| word == "batch" || word == "duel" || word == "tune");
    if !takes_cases {
        return words;
    }
    let is_case = |word: &OsStr| CaseId::from_path(Path::new(word)).is_some();
    let mut gathered: Vec<OsString> = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let ends = word == "--";
        let is_option = word == OPTION;
        gathered.push(word);
        if ends {
            break;
        }
        let Some(first) = words.next_if(|_| is_option) else {
            continue;
        };
        let folder = Path::new(&first).parent().map(Path::to_owned);
        let mut cases: Vec<OsString> = vec![first];
        let in_folder = |word: &OsString| {
            let path = Path::new(word);
            let same = path.parent().map(Path::to_owned) == folder;
            is_case(word) || same && word.to_string_lossy().ends_with(".txt")
        };
        while let Some(next) = words.next_if(in_folder) {
            cases.push(next);
        }
        if cases.len() > 1 {
            cases.retain(|word| is_case(word));
        }
        for (i, case) in cases.into_iter().enumerate() {
            if i > 0 {
                gathered.push(OPTION.into());
            }
            gathered.push(case);
        }
    }
    gathered.extend(words);
    gathered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(line: &str) -> String {
        let words = gather(line.split(' ').map(OsString::from).collect());
        let words: Vec<&str> = words.iter().map(|word| word.to_str().unwrap()).collect();
        words.join(" ")
    }

    #[test]
    fn what_a_shell_has_expanded_is_put_together_again() {
        for (typed, meant) in [
            (
                "batch --cases in/0000.txt in/0001.txt in/seeds.txt -- ./a.out",
                "batch --cases in/0000.txt --cases in/0001.txt -- ./a.out",
            ),
            (
                "batch --cases 0000.txt 0001.txt --jobs 2 ./a.out x/0003.txt",
                "batch --cases 0000.txt --cases 0001.txt --jobs 2 ./a.out x/0003.txt",
            ),
            (
                "batch --cases in ./a.out in/0000.txt",
                "batch --cases in ./a.out in/0000.txt",
            ),
            (
                "batch -- ./a.out --cases in/0000.txt in/0001.txt",
                "batch -- ./a.out --cases in/0000.txt in/0001.txt",
            ),
            (
                "batch --cases in/seeds.txt -- ./a",
                "batch --cases in/seeds.txt -- ./a",
            ),
            (
                "./a.out --cases in/0000.txt in/0001.txt",
                "./a.out --cases in/0000.txt in/0001.txt",
            ),
        ] {
            assert_eq!(gathered(typed), meant);
        }
    }

    #[test]
    fn words_name_cases_together() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::create_dir(path("in")).unwrap();
        for name in ["in/0000.txt", "in/0001.txt", "in/0002.txt"] {
            std::fs::write(path(name), "").unwrap();
        }
        std::fs::write(path("hard"), "2\n7").unwrap();
        let shown = |words: &[&str]| {
            let is_name = |word: &&str| ["in", "hard"].iter().any(|name| word.starts_with(name));
            let words = words.iter().map(|word| match is_name(word) {
                true => path(word),
                false => PathBuf::from(word),
            });
            let shown = source(&words.collect::<Vec<_>>())
                .map_or_else(|e| e.to_string(), |s| s.to_string());
            shown.replace(&format!("{}/", dir.path().display()), "")
        };
        assert_eq!(shown(&[]), "folder in");
        assert_eq!(shown(&["0..100", "7,200"]), "cases 0..100,200 of folder in");
        assert_eq!(shown(&["in", "5"]), "cases 5 of folder in");
        assert_eq!(shown(&["in", "hard"]), "cases 2,7 of folder in");
        assert_eq!(shown(&["in/0000.txt"]), "files in/0000.txt");
        assert_eq!(
            shown(&["in/0000.txt", "in/0002.txt"]),
            "cases 0,2 of folder in"
        );
        assert_eq!(
            shown(&["in/1*.txt", "in", "1..3"]),
            "files in/1*.txt and cases 1..3 of folder in"
        );
        insta::assert_snapshot!(shown(&["in", "more", "1..3"]), @"expected one folder for the cases 1..3, found in and more");
        insta::assert_snapshot!(shown(&["0-5"]), @r#"expected numbers of cases such as 0..100 or 5,7,100, found "0-5"; do you mean 0..=5?"#);
        insta::assert_snapshot!(shown(&["3..1"]), @r#"expected numbers of cases such as 0..100 or 5,7,100, found "3..1"; A..B stops before B, so B must be greater"#);
        insta::assert_snapshot!(shown(&["1..x"]), @r#"expected numbers of cases such as 0..100 or 5,7,100, found "1..x""#);
    }
}
