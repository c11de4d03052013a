//! The cases of a package: `data/sample`, then `data/secret`, with groups in folders.

use std::fs;
use std::path::{Path, PathBuf};

use super::above::Above;
use super::error::PackageError;
use super::settings::Settings;
use crate::util::regular_file::open_regular_unseen;

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageCase {
    /// `secret/group1/02`.
    pub name: String,
    /// The file that the validator gets first.
    pub input: PathBuf,
    /// The file that it gets next.
    pub answer: PathBuf,
    /// Its further arguments.
    pub flags: Vec<String>,
}

/// The settings of a group of cases, in the order in which they are looked for.
const GROUP_FILES: [&str; 2] = ["test_group.yaml", "testdata.yaml"];

/// The keys of a validator's arguments: that of newer formats, and that of the older one.
const FLAG_KEYS: [&str; 2] = ["output_validator_args", "output_validator_flags"];

/// All cases in the order of the format: samples first, then by the names of groups and files. Files without `.in`,
/// such as a sample's `.interaction`, are no cases.
///
/// # Errors
/// If there is none, or one cannot be read.
pub fn read_cases(dir: &Path, flags: &[String]) -> Result<Vec<PackageCase>, PackageError> {
    let data = fs::canonicalize(dir)
        .map_err(PackageError::read(dir))?
        .join("data");
    let mut cases = Vec::new();
    let own = group_flags(&data)?.unwrap_or_default();
    for group in ["sample", "secret"] {
        let folder = data.join(group);
        if folder.is_dir() {
            read_group(&folder, group, (flags, &own), &Above::default(), &mut cases)?;
        }
    }
    match cases.is_empty() {
        true => Err(PackageError::Nothing {
            what: format!("cases (.in) in {}", data.display()),
        }),
        false => Ok(cases),
    }
}

/// Adds the cases of a folder. `all` are the arguments in every case, `inherited` those of the group around it. `above` are
/// the folders around it.
///
/// Links are followed, for a group may share the cases of another, and large data may lie elsewhere.
fn read_group(
    folder: &Path,
    name: &str,
    (all, inherited): (&[String], &[String]),
    above: &Above,
    cases: &mut Vec<PackageCase>,
) -> Result<(), PackageError> {
    let entered = above.enter(folder).map_err(PackageError::read(folder))?;
    let above = entered.ok_or_else(|| PackageError::Loop(folder.to_owned()))?;
    let own = group_flags(folder)?;
    let flags = own.as_deref().unwrap_or(inherited);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(PackageError::read(folder))? {
        let path = entry.map_err(PackageError::read(folder))?.path();
        let is_case = path.extension().is_some_and(|ending| ending == "in");
        // Folders of files that belong to one case (`01.files`) hold no cases.
        let is_group = path.is_dir() && path.extension().is_none();
        if is_case || is_group {
            let stem = path.file_stem().unwrap_or_default();
            entries.push((stem.to_string_lossy().into_owned(), path));
        }
    }
    entries.sort();
    for (stem, path) in entries {
        let name = format!("{name}/{stem}");
        if path.is_dir() {
            read_group(&path, &name, (all, flags), &above, cases)?;
            continue;
        }
        let answer = path.with_extension("ans");
        if !answer.is_file() {
            return Err(PackageError::NoAnswer(path));
        }
        for file in [&path, &answer] {
            // Else each submission would get it, and the validator would seem to have failed.
            open_regular_unseen(file).map_err(PackageError::read(file))?;
        }
        let alone = case_flags(&path.with_extension("yaml"))?;
        cases.push(PackageCase {
            name,
            input: path,
            answer,
            flags: [all, alone.as_deref().unwrap_or(flags)].concat(),
        });
    }
    Ok(())
}

/// The arguments that a group sets.
fn group_flags(folder: &Path) -> Result<Option<Vec<String>>, PackageError> {
    for name in GROUP_FILES {
        if let Some(flags) = case_flags(&folder.join(name))? {
            return Ok(Some(flags));
        }
    }
    Ok(None)
}

fn case_flags(path: &Path) -> Result<Option<Vec<String>>, PackageError> {
    let Some(file) = Settings::read_if_any(path)? else {
        return Ok(None);
    };
    for key in FLAG_KEYS {
        if let Some(flags) = file.flags(key)? {
            return Ok(Some(flags));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_in_the_order_of_their_names_with_the_arguments_of_their_groups() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join("data").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for case in [
            "secret/b/2",
            "secret/b/10",
            "secret/a",
            "secret/c",
            "sample/1",
        ] {
            write(&format!("{case}.in"), "");
            write(&format!("{case}.ans"), "");
        }
        write("sample/2.interaction", ">1\n");
        write("secret/c.files/x.in", "");
        write("secret/testdata.yaml", "output_validator_flags: few\n");
        write(
            "secret/b/test_group.yaml",
            "output_validator_args: [in b, '2']\n",
        );
        write("secret/c.yaml", "output_validator_args: [alone]\n");
        let found = read_cases(dir.path(), &["all".to_owned()]).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|case| (case.name.as_str(), case.flags.join("|")))
            .collect();
        let expected = [
            ("sample/1", "all"),
            ("secret/a", "all|few"),
            ("secret/b/10", "all|in b|2"),
            ("secret/b/2", "all|in b|2"),
            ("secret/c", "all|alone"),
        ];
        assert_eq!(
            found,
            expected.map(|(name, flags)| (name, flags.to_owned()))
        );
        fs::remove_file(dir.path().join("data/secret/a.ans")).unwrap();
        assert!(
            matches!(read_cases(dir.path(), &[]), Err(PackageError::NoAnswer(path)) if path.ends_with("a.in"))
        );
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(
            read_cases(empty.path(), &[]),
            Err(PackageError::Nothing { .. })
        ));
    }
    #[test]
    fn a_group_may_be_a_link_but_not_to_a_folder_around_it() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("data/secret");
        fs::create_dir_all(secret.join("a")).unwrap();
        for ending in ["in", "ans"] {
            fs::write(secret.join("a/1").with_extension(ending), "").unwrap();
        }
        symlink("a", secret.join("b")).unwrap();
        let found = read_cases(dir.path(), &[]).unwrap();
        let names: Vec<_> = found.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["secret/a/1", "secret/b/1"]);
        // Two links, so that each folder has two others in it.
        for name in ["c", "d"] {
            symlink(".", secret.join(name)).unwrap();
        }
        let error = read_cases(dir.path(), &[]).unwrap_err();
        assert!(
            matches!(&error, PackageError::Loop(path) if path.ends_with("data/secret/c")),
            "{error}"
        );
    }
    #[test]
    fn a_case_that_cannot_be_read_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("data/secret");
        fs::create_dir_all(&secret).unwrap();
        fs::write(secret.join("1.ans"), "").unwrap();
        let case = secret.join("1.in");
        let refused = || {
            let error = read_cases(dir.path(), &[]).unwrap_err();
            assert!(error.to_string().ends_with("/data/secret/1.in"), "{error}");
            std::error::Error::source(&error).unwrap().to_string()
        };
        std::os::unix::fs::symlink("elsewhere", &case).unwrap();
        assert_eq!(refused(), "No such file or directory (os error 2)");
        fs::remove_file(&case).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &case, 0o600.into()).unwrap();
        assert_eq!(refused(), "expected a regular file, found a pipe (FIFO)");
    }
}
