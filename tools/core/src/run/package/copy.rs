//! Copies a program of a package, with what its links lead to, as far as that may be a program.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::above::Above;
use crate::util::regular_file::open_regular;

/// The most that a program may have. Source is far smaller: more comes by a link to something else.
const MOST: Most = Most {
    mib: 64,
    files: 10_000,
};

#[derive(Clone, Copy)]
struct Most {
    mib: u64,
    /// Folders count, too.
    files: u64,
}

/// Copies a file into a folder, or what is in a folder; what links lead to is copied. Hidden files are left out.
///
/// # Errors
/// If a file cannot be copied, or is a pipe, for which a copy would wait; if a folder is a link to one around it; or if
/// there is too much.
pub(super) fn copy(from: &Path, folder: &Path) -> io::Result<()> {
    copy_at_most(MOST, from, folder)
}

fn copy_at_most(most: Most, from: &Path, folder: &Path) -> io::Result<()> {
    let mut copier = Copier {
        most,
        program: from,
        link: None,
        bytes_left: most.mib << 20,
        files_left: most.files,
    };
    copier
        .copy(from, folder, &Above::default())
        .map_err(|(path, error)| io::Error::other(format!("{}: {error}", path.display())))
}

/// What cannot be copied, and why.
type Failure = (PathBuf, io::Error);

struct Copier<'a> {
    most: Most,
    program: &'a Path,
    /// The outermost link that leads to what is copied now.
    link: Option<PathBuf>,
    bytes_left: u64,
    files_left: u64,
}

impl Copier<'_> {
    /// Copies what is at a path, below other folders.
    fn copy(&mut self, from: &Path, folder: &Path, above: &Above) -> Result<(), Failure> {
        let is_outermost = self.link.is_none() && from.is_symlink();
        if is_outermost {
            self.link = Some(from.to_owned());
        }
        self.files_left = (self.files_left.checked_sub(1)).ok_or_else(|| self.too_much())?;
        match from.is_dir() {
            true => self.copy_folder(from, folder, above)?,
            false => self.copy_file(from, folder)?,
        }
        if is_outermost {
            self.link = None;
        }
        Ok(())
    }

    fn copy_folder(&mut self, from: &Path, folder: &Path, above: &Above) -> Result<(), Failure> {
        let failed = |error| (from.to_owned(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        let in_itself = || {
            failed(io::Error::other(
                "it is a link to a folder in which it lies",
            ))
        };
        let above = above.enter(from).map_err(failed)?.ok_or_else(in_itself)?;
        for entry in fs::read_dir(from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.path().is_dir() {
                _ if is_hidden => {}
                true => self.copy(&entry.path(), &folder.join(entry.file_name()), &above)?,
                false => self.copy(&entry.path(), folder, &above)?,
            }
        }
        Ok(())
    }

    /// Copies a file with its permissions.
    fn copy_file(&mut self, from: &Path, folder: &Path) -> Result<(), Failure> {
        let copy = || {
            fs::create_dir_all(folder)?;
            let to = folder.join(from.file_name().unwrap_or_default());
            let source = open_regular(from)?;
            let permissions = source.metadata()?.permissions();
            let mut target = fs::File::create(to)?;
            // Its length may be another one when it is read.
            let copied = io::copy(&mut source.take(self.bytes_left + 1), &mut target)?;
            target.set_permissions(permissions)?;
            Ok(copied)
        };
        let copied = copy().map_err(|error| (from.to_owned(), error))?;
        self.bytes_left = (self.bytes_left.checked_sub(copied)).ok_or_else(|| self.too_much())?;
        Ok(())
    }

    /// Names the link that leads to too much, or the program itself.
    fn too_much(&self) -> Failure {
        let path = self.link.as_deref().unwrap_or(self.program);
        let Most { mib, files } = self.most;
        let found = format!("more than {mib} MiB or {files} files");
        let what = match fs::read_link(path) {
            Ok(to) => format!(
                "it is a link to {}, which has {found}: link to source only",
                to.display()
            ),
            Err(_) => format!("it has {found}: keep source only in it"),
        };
        (path.to_owned(), io::Error::other(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn pipes_and_folders_without_end_are_not_copied() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("from")).unwrap();
        fs::write(at("from/main.py"), "print(1)\n").unwrap();
        let refused = || copy(&at("from"), &at("to")).unwrap_err().to_string();
        // Two links, so that each copy would have two others in it.
        for name in ["from/a", "from/b"] {
            symlink(".", at(name)).unwrap();
        }
        let expected = ": it is a link to a folder in which it lies";
        assert!(refused().ends_with(expected), "{}", refused());
        for name in ["from/a", "from/b"] {
            fs::remove_file(at(name)).unwrap();
        }
        assert!(copy(&at("from"), &at("to")).is_ok());
        assert_eq!(fs::read(at("to/main.py")).unwrap(), b"print(1)\n");
        rustix::fs::mkfifoat(rustix::fs::CWD, at("from/pipe"), 0o600.into()).unwrap();
        let expected = "/from/pipe: expected a regular file, found a pipe (FIFO)";
        assert!(refused().ends_with(expected), "{}", refused());
    }

    #[test]
    fn a_link_to_more_than_a_program_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["from", "from/part", "large", "many"] {
            fs::create_dir(at(folder)).unwrap();
        }
        let copied = || {
            let most = Most { mib: 1, files: 7 };
            copy_at_most(most, &at("from"), &at("to")).map_err(|error| error.to_string())
        };
        let shown = |name: &str| at(name).display().to_string();
        let too_much = |link: &str, to: &str| {
            let (link, to) = (shown(link), shown(to));
            let what = "which has more than 1 MiB or 7 files: link to source only";
            Err(format!("{link}: it is a link to {to}, {what}"))
        };

        let large = fs::File::create(at("large/data")).unwrap();
        large.set_len(1 << 20).unwrap();
        symlink(at("large"), at("from/part/link")).unwrap();
        assert_eq!(copied(), Ok(()));
        large.set_len((1 << 20) + 1).unwrap();
        assert_eq!(copied(), too_much("from/part/link", "large"));
        fs::remove_file(at("from/part/link")).unwrap();

        // The two folders and the link are the other three.
        symlink(at("many"), at("from/link")).unwrap();
        for number in 0..4 {
            fs::create_dir(at("many").join(number.to_string())).unwrap();
        }
        assert_eq!(copied(), Ok(()));
        fs::create_dir(at("many/4")).unwrap();
        assert_eq!(copied(), too_much("from/link", "many"));
        fs::remove_file(at("from/link")).unwrap();

        fs::rename(at("large/data"), at("from/data")).unwrap();
        let expected = ": it has more than 1 MiB or 7 files: keep source only in it";
        assert_eq!(copied(), Err(shown("from") + expected));
    }
}
