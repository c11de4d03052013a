//! The programs of a package: its validator, and its submissions.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::build::{Builder, Program};
use super::error::PackageError;
use super::expectation::Expectation;
use super::language::LANGUAGES;
use crate::util::regular_file::open_regular;

/// A submission of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// `wrong_answer/random.py`.
    pub name: String,
    /// A file, or a folder of files.
    pub path: PathBuf,
    /// Whether it is in the folder `accepted`.
    pub is_accepted: bool,
    /// What it is expected to get.
    pub expectation: Expectation,
}

/// All submissions: accepted ones first, because a time limit may follow from them, then by their names.
///
/// # Errors
/// If there is none, or a folder cannot be read.
pub fn read_submissions(dir: &Path, is_legacy: bool) -> Result<Vec<Submission>, PackageError> {
    let top = dir.join("submissions");
    let mut found = Vec::new();
    for folder in entries(&top)?.into_iter().filter(|path| path.is_dir()) {
        let kind = name_of(&folder);
        for path in entries(&folder)? {
            let source = source_of(&path).map_err(PackageError::read(&path))?;
            found.push(Submission {
                name: format!("{kind}/{}", name_of(&path)),
                path,
                is_accepted: kind == "accepted",
                expectation: Expectation::new(&kind, &source, is_legacy),
            });
        }
    }
    found.sort_by(|a, b| (!a.is_accepted, &a.name).cmp(&(!b.is_accepted, &b.name)));
    match found.is_empty() {
        true => Err(PackageError::Nothing {
            what: format!("submissions in {}", top.display()),
        }),
        false => Ok(found),
    }
}

/// Builds the validator in `folder`.
///
/// # Errors
/// If there is not exactly one, or it cannot be built.
pub fn build_validator(builder: &Builder<'_>, folder: &Path) -> Result<Program, PackageError> {
    let tops = ["output_validator", "output_validators"].map(|name| builder.package.join(name));
    let top = tops.iter().find(|top| top.is_dir()).unwrap_or(&tops[0]);
    let path = validator_in(top)?;
    builder
        .build(&path, folder)
        .map_err(|why| PackageError::Validator {
            name: name_of(&path),
            why,
        })
}

/// The validator: the only folder in this one, the only source file, or this folder as a whole.
fn validator_in(top: &Path) -> Result<PathBuf, PackageError> {
    let refused = |found: String| PackageError::Validators {
        folder: top.to_owned(),
        found,
    };
    let entries = match top.is_dir() {
        true => entries(top)?,
        false => Vec::new(),
    };
    let is_script = |path: &PathBuf| ["build", "run"].contains(&name_of(path).as_str());
    let is_source = |path: &PathBuf| LANGUAGES.iter().any(|language| language.is_of(path));
    let is_program = |path: &PathBuf| path.is_file() && (is_script(path) || is_source(path));
    if entries.iter().any(is_program) {
        return Ok(top.to_owned());
    }
    let folders: Vec<&PathBuf> = entries.iter().filter(|path| path.is_dir()).collect();
    match folders[..] {
        [only] => Ok(only.clone()),
        [] => Err(refused("none".to_owned())),
        _ => Err(refused(
            folders
                .iter()
                .map(|path| name_of(path))
                .collect::<Vec<_>>()
                .join(", "),
        )),
    }
}

/// What is in a folder, without hidden files, in the order of the names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, PackageError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        Ok(entries.into_iter().map(|entry| entry.path()).collect())
    };
    let mut found = read().map_err(PackageError::read(folder))?;
    found.retain(|path| !name_of(path).starts_with('.'));
    found.sort();
    Ok(found)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The most bytes of a submission in which a tag is looked for.
const MAX_SOURCE: u64 = 16 << 20;

/// The text of a submission, in which there may be a tag.
fn source_of(path: &Path) -> io::Result<String> {
    let mut text = Vec::new();
    let mut add = |path: &Path| {
        let left = MAX_SOURCE - text.len() as u64;
        open_regular(path)?.take(left).read_to_end(&mut text)
    };
    if !path.is_dir() {
        add(path)?;
    } else {
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            if path.is_file() {
                add(&path)?;
            }
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_validator_is_a_folder_or_the_files_beside_each_other() {
        let found = |files: &[&str]| {
            let dir = tempfile::tempdir().unwrap();
            for file in files {
                let path = dir.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
            let found = validator_in(dir.path()).map_err(|error| error.to_string());
            let relative = |path: PathBuf| path.strip_prefix(dir.path()).unwrap().to_owned();
            found
                .map(relative)
                .map_err(|why| why.split("found ").nth(1).unwrap().to_owned())
        };
        assert_eq!(found(&["v/validate.cc", "README"]), Ok("v".into()));
        assert_eq!(found(&["validate.cc", "validate.h"]), Ok("".into()));
        assert_eq!(found(&["build", "part/x.h"]), Ok("".into()));
        assert_eq!(found(&["a/x.py", "b/x.py"]), Err("a, b".to_owned()));
        assert_eq!(found(&["README"]), Err("none".to_owned()));
    }
}
