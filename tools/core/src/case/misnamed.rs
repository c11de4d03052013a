//! Files that look like cases, but do not have the name of one: a user who misses them should hear why.

use std::path::{Path, PathBuf};

use super::id::CaseId;
use super::source::Source;

/// The files of the folders of a source whose names are numbered in another way than those of cases: `7.txt`,
/// `00007.txt`, `0007.TXT`, `case 7.txt`. None where single cases were chosen.
///
/// Cost: lists the folders.
pub fn misnamed(source: &Source) -> Vec<PathBuf> {
    match source {
        Source::Folder(dir) => misnamed_in(dir),
        Source::External { files, .. } => misnamed(files),
        Source::Several(all) => all.iter().flat_map(misnamed).collect(),
        Source::Matching(_)
        | Source::Chosen { .. }
        | Source::Seeds { .. }
        | Source::AllSecrets { .. } => Vec::new(),
    }
}

fn misnamed_in(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut found: Vec<PathBuf> = paths.filter(|path| is_misnamed(path)).collect();
    found.sort();
    found
}

fn is_misnamed(path: &Path) -> bool {
    let is_text = path
        .extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("txt"));
    let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
    let is_numbered = stem.last().is_some_and(u8::is_ascii_digit);
    is_text && is_numbered && CaseId::from_path(path).is_none() && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_files_with_other_names_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let wrong = ["00004.txt", "0003.TXT", "2.txt", "case 1.txt"];
        for name in wrong {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        for name in ["0000.txt", "10000.txt", "seeds.txt", "notes", "0001.in"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        std::fs::create_dir(dir.path().join("7.txt")).unwrap();
        let external = Source::External {
            name: "external".to_owned(),
            files: Box::new(Source::Folder(dir.path().into())),
        };
        assert_eq!(misnamed(&external), wrong.map(|name| dir.path().join(name)));
    }
}
