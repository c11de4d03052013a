//! The folder of the case files: that of the tools, else one of the contest's.

use std::path::{Path, PathBuf};

use tester_core::case::CaseId;

/// The folder whose cases are judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaseFolder {
    /// From the contest's folder.
    pub(super) path: PathBuf,
    /// How many case files it has.
    pub(super) count: usize,
    /// Folders of the tools with other cases, where a contest has several problems.
    pub(super) others: Vec<PathBuf>,
}

impl CaseFolder {
    /// `in` of the tools, else `in` or `input` beside the program, else a folder of the tools such as `inA`.
    pub(super) fn find(top: &Path, tools: &Path) -> Self {
        let usual = tools.join("in");
        let only = |path: PathBuf| Self {
            count: count(&top.join(&path)),
            path,
            others: Vec::new(),
        };
        let known = [usual.clone(), "in".into(), "input".into()].map(only);
        let mut known = known.into_iter().filter(|folder| folder.count > 0);
        let lettered = || {
            let mut all = lettered_folders(top, tools).into_iter();
            let first = only(all.next()?);
            let others = all.collect();
            Some(Self { others, ..first })
        };
        let none = || Self {
            path: usual,
            count: 0,
            others: Vec::new(),
        };
        known.next().or_else(lettered).unwrap_or_else(none)
    }
}

/// How many case files a folder has.
fn count(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_case = |path: PathBuf| CaseId::from_path(&path).is_some();
    entries.filter(|entry| is_case(entry.path())).count()
}

/// Folders such as `inA` or `in2` with cases, by name.
fn lettered_folders(top: &Path, tools: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(top.join(tools));
    let entries = entries.into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_lettered = |name: &String| {
        let letter = name.strip_prefix("in").unwrap_or_default();
        let is_one = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        !letter.is_empty() && letter.chars().all(is_one)
    };
    let folders = names.filter(is_lettered).map(|name| tools.join(name));
    let mut folders: Vec<PathBuf> = folders.filter(|path| count(&top.join(path)) > 0).collect();
    folders.sort();
    folders
}
