//! Temporary files and folders: their names say which process they are of, and a lock that it lives.
//!
//! Those of a process that was killed are removed by the next one there.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::random_name::random_name;
use super::regular_file::open_plain;
use crate::process::procfs::ProcessId;

/// The beginning of the names of temporary files; the owner's process follows.
const TEMPORARY: &str = ".tester-";

/// How the names of our own begin.
fn own_prefix() -> &'static str {
    static PREFIX: OnceLock<String> = OnceLock::new();
    PREFIX.get_or_init(|| format!("{TEMPORARY}{}-", ProcessId::this()))
}

/// A new file with a name of its own.
pub(super) fn temporary_in(dir: &Path) -> io::Result<tempfile::NamedTempFile> {
    loop {
        let file = tempfile::Builder::new()
            .prefix(own_prefix())
            .permissions(std::fs::Permissions::from_mode(0o666)) // less the user's umask
            .tempfile_in(dir)?;
        // The lock says that we live, also to processes to which our number means nothing. Before we have it, such a
        // process may take the file for one that is left over, and remove it: then another is made.
        let locked = flock(file.as_file(), FlockOperation::NonBlockingLockExclusive);
        let is_removed = || {
            file.as_file()
                .metadata()
                .is_ok_and(|found| found.nlink() == 0)
        };
        if locked != Err(Errno::WOULDBLOCK) && !is_removed() {
            return Ok(file);
        }
    }
}

/// A temporary folder for files, with a name that cannot be guessed. It is removed when this is dropped, or by the next
/// run there.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: PathBuf,
    /// Locked, as [`temporary_in`] says.
    _locked: File,
}

impl TemporaryFolder {
    /// Makes it in the folder `dir`.
    ///
    /// # Errors
    /// If `dir` is missing or may not be written.
    pub fn new(dir: &Path) -> io::Result<Self> {
        loop {
            let folder = dir.join(format!("{}{}", own_prefix(), random_name()));
            DirBuilder::new().mode(0o700).create(&folder)?;
            let opened = match open_folder(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    let _ = std::fs::remove_dir(&folder);
                    return Err(error);
                }
                Ok(opened) => opened,
            };
            let locked = flock(&opened, FlockOperation::NonBlockingLockExclusive);
            // As for files: another process may have removed it before it was locked.
            if locked != Err(Errno::WOULDBLOCK) && folder.is_dir() {
                return Ok(Self {
                    folder,
                    _locked: opened,
                });
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed only takes up space.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Removes the temporary files and folders of killed processes in a folder. Those of processes in other PID namespaces, or
/// on other machines, are locked as long as the processes live.
pub fn remove_temporary(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
        let owner = owner.and_then(|rest| rest.rsplit_once('-')?.0.parse::<ProcessId>().ok());
        if owner.is_some_and(|owner| !owner.lives()) {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => remove_folder_unless_locked(&entry.path()),
                false => remove_unless_locked(&entry.path()),
            }
        }
    }
}

/// Files that cannot be removed only take up space.
fn remove_unless_locked(path: &Path) {
    let file = match open_plain(path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return,
        // A link or a pipe, which is no temporary file of ours.
        Err(_) => None,
    };
    let locked = file.map(|file| {
        let locked = flock(&file, FlockOperation::NonBlockingLockShared);
        (file, locked)
    });
    // The lock is held while the file is removed. Some file systems have no locks.
    if !matches!(locked, Some((_, Err(Errno::WOULDBLOCK)))) {
        let _ = std::fs::remove_file(path);
    }
}

/// The same for a folder, of which only files are removed: we make no folders in it.
///
/// It is our user's own: where all may write, another user could put a link in the place of a folder of theirs after it
/// was looked at, and the files behind the link would be removed.
fn remove_folder_unless_locked(path: &Path) {
    let Ok(folder) = open_folder(path) else {
        return;
    };
    let is_own = |found: std::fs::Metadata| found.uid() == rustix::process::geteuid().as_raw();
    if !folder.metadata().is_ok_and(is_own) {
        return;
    }
    if flock(&folder, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK) {
        return;
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let _ = std::fs::remove_file(entry.path());
    }
    let _ = std::fs::remove_dir(path);
}

/// Opens a folder, and no link to one.
fn open_folder(path: &Path) -> io::Result<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let mut options = File::options();
    options
        .read(true)
        .custom_flags(flags.bits() as i32)
        .open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_dead_have_left_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let ours = temporary_in(dir.path()).unwrap();
        let dead = ProcessId { id: 1, started: 1 };
        for name in [format!("{TEMPORARY}{dead}-abc"), ".tester-mine".to_owned()] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        // Of a process in another PID namespace, which lives and writes.
        let elsewhere = dir.path().join(format!("{TEMPORARY}{dead}-def"));
        std::fs::rename(ours.path(), &elsewhere).unwrap();
        remove_temporary(dir.path());
        assert!(elsewhere.exists());
        std::fs::rename(&elsewhere, ours.path()).unwrap();
        assert!(ours.path().exists() && dir.path().join(".tester-mine").exists());
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);
    }

    #[test]
    fn folders_of_the_dead_are_removed_with_their_files() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let write = |folder: &Path| std::fs::write(folder.join("0000.txt"), "").unwrap();
        let ours = TemporaryFolder::new(dir.path()).unwrap();
        write(ours.path());
        let dead = format!("{TEMPORARY}{}", ProcessId { id: 1, started: 1 });
        for name in [
            &*format!("{dead}-abc"),
            &*format!("{dead}-with"),
            "target",
            ".tester-mine",
        ] {
            std::fs::create_dir(at(name)).unwrap();
            write(&at(name));
        }
        // What is in a folder of a folder is not ours.
        std::fs::create_dir(at(&format!("{dead}-with/folder"))).unwrap();
        std::os::unix::fs::symlink("target", at(&format!("{dead}-link"))).unwrap();
        // Of a process in another PID namespace, which lives.
        let elsewhere = at(&format!("{dead}-def"));
        std::fs::rename(ours.path(), &elsewhere).unwrap();
        remove_temporary(dir.path());
        assert!(elsewhere.join("0000.txt").exists());
        assert!(at("target/0000.txt").exists() && at(".tester-mine/0000.txt").exists());
        assert!(at(&format!("{dead}-with/folder")).exists());
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 4);
        std::fs::rename(&elsewhere, ours.path()).unwrap();
        remove_temporary(dir.path());
        assert!(ours.path().exists());
        drop(ours);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 3);
    }

    #[test]
    fn a_folder_of_another_user_stays() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("left out: only root can make a folder of another user");
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let dead = ProcessId { id: 1, started: 1 };
        let folder = dir.path().join(format!("{TEMPORARY}{dead}-abc"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("0000.txt"), "").unwrap();
        std::os::unix::fs::chown(&folder, Some(12_345), None).unwrap();
        remove_temporary(dir.path());
        assert!(folder.join("0000.txt").exists());
    }
}
