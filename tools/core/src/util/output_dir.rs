//! The folder of outputs and its `.gitignore`, as caches of other tools have one.
//!
//! Without it, what a run leaves would itself be a change that is not committed, and the next run would say so.

use std::fs;
use std::io;
use std::path::Path;

use super::atomic_file::{WriteError, check_dir, make_dir, write_error};

/// Everything in the folder, this file included.
const IGNORE_ALL: &str =
    "# Made by tester: git does not see its outputs. Remove this file to commit them.\n*\n";

/// Makes a folder and its parents if they are missing. The topmost one called `out` that is made gets a `.gitignore`, or
/// the folder itself: its parents may be for sources. A folder that exists is left as it is.
///
/// # Errors
/// As [`make_dir`].
pub fn make_output_dir(path: &Path) -> Result<(), WriteError> {
    check_dir(path)?;
    let missing = |dir: &&Path| *dir != Path::new("") && !dir.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(missing).collect();
    let is_out = |dir: &&&Path| dir.file_name() == Some("out".as_ref());
    if let Some(ignored) = missing.iter().rev().find(is_out).or(missing.first()) {
        make_dir(ignored.parent().unwrap_or(Path::new("")))?;
        match fs::create_dir(ignored) {
            // Outputs can be written without this file, so that its failure is none.
            Ok(()) => _ = fs::write(ignored.join(".gitignore"), IGNORE_ALL),
            // Another tester was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(write_error(path, error)),
        }
    }
    make_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_of_outputs_that_is_made_gets_a_gitignore() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        make_output_dir(&at("out/tune/deep")).unwrap();
        assert_eq!(
            fs::read_to_string(at("out/.gitignore")).unwrap(),
            IGNORE_ALL
        );
        assert!(at("out/tune/deep").is_dir());
        fs::remove_file(at("out/.gitignore")).unwrap();
        fs::create_dir(at("mine")).unwrap();
        let names = ["out", "out/runs", "mine", "mine/out", "v1/out", "v2/a"];
        for name in names {
            make_output_dir(&at(name)).unwrap();
        }
        let has_file = |name: &str| at(name).join(".gitignore").exists();
        let found = names.map(has_file);
        assert_eq!(found, [false, true, false, true, true, true]);
        assert!(!["", "v1", "v2"].into_iter().any(has_file));
    }

    #[test]
    fn a_file_of_that_name_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("out");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("runs")] {
            make_output_dir(&path).unwrap_err();
        }
    }
}
