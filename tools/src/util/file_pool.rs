//! Temporary files that are used again, for whoever writes thousands of whole files into one folder.
//!
//! Replacing a file by another throws an inode away, and ext4 looks at everything that was thrown away
//! within the last seconds before it gives out a new one: a batch of 1,000 cases that replaces the
//! outputs of the one before it took 3 s in place of 0.7 s. So a finished file and the one that it replaces
//! change names, and the old one is written to next: over what is in it, and only then cut to its length.
//! (A file that is emptied first, ext4 writes to the disk as soon as it is closed.)

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::TempPath;

use super::atomic_file::{WriteError, bare, temporary_in, write_error};

/// The temporary files of a folder. Dropped, it removes them.
pub struct FilePool {
    dir: PathBuf,
    free: Mutex<Vec<TempPath>>,
}

/// A file that has no name yet. Dropped without [`PooledFile::finish`], nothing of it remains.
pub struct PooledFile<'a> {
    shelf: &'a FilePool,
    file: io::BufWriter<File>,
    temporary: TempPath,
    written: u64,
    /// What is left in it of its former life.
    former: u64,
}

impl FilePool {
    /// For files in `dir`. Nothing is made yet.
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            free: Mutex::default(),
        }
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<TempPath>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty file.
    ///
    /// # Errors
    /// If the folder is missing or may not be written.
    pub fn draft(&self) -> Result<PooledFile<'_>, WriteError> {
        let free = self.free().pop();
        let reopened = free.and_then(|temporary| {
            let file = File::options().write(true).open(&temporary).ok()?;
            let former = file.metadata().ok()?.len();
            Some((file, temporary, former))
        });
        let (file, temporary, former) = match reopened {
            Some(reopened) => reopened,
            None => {
                let (file, temporary) = temporary_in(&self.dir)
                    .map_err(|e| write_error(&self.dir, bare(&e)))?
                    .into_parts();
                (file, temporary, 0)
            }
        };
        Ok(PooledFile {
            shelf: self,
            file: io::BufWriter::new(file),
            temporary,
            written: 0,
            former,
        })
    }
}

impl PooledFile<'_> {
    /// Gives the file its name in the shelf's folder, replacing what was there, at one moment.
    ///
    /// # Errors
    /// If the last bytes cannot be written, or the name is a folder's.
    pub fn finish(mut self, name: &str) -> Result<(), WriteError> {
        let path = self.shelf.dir.join(name);
        let failed = |e| write_error(&path, e);
        self.file.flush().map_err(failed)?;
        if self.former > self.written {
            self.file.get_ref().set_len(self.written).map_err(failed)?;
        }
        let ours = self.file.get_ref().metadata().map_err(failed)?;
        let theirs = std::fs::symlink_metadata(&path).ok();
        if theirs.is_some_and(|theirs| can_be_used_again(&theirs, &ours))
            && renameat_with(CWD, &*self.temporary, CWD, &path, RenameFlags::EXCHANGE).is_ok()
        {
            self.shelf.free().push(self.temporary);
            return Ok(());
        }
        self.temporary.persist(&path).map_err(|e| failed(e.error))
    }
}

/// Whether nobody would miss what is in a file, or find it changed: a link stays what it is, and so
/// does a file that has another name, mode or owner.
fn can_be_used_again(theirs: &Metadata, ours: &Metadata) -> bool {
    theirs.is_file()
        && theirs.nlink() == 1
        && (theirs.mode(), theirs.uid(), theirs.gid()) == (ours.mode(), ours.uid(), ours.gid())
}

impl Write for PooledFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(shelf: &FilePool, name: &str, text: &str) {
        let mut draft = shelf.draft().unwrap();
        draft.write_all(text.as_bytes()).unwrap();
        draft.finish(name).unwrap();
    }

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        let shelf = FilePool::new(dir.path());
        for round in ["a long first text", "second", ""] {
            for name in ["1.txt", "2.txt"] {
                write(&shelf, name, round);
                assert_eq!(read(name), round);
            }
        }
        drop(shelf.draft().unwrap());
        drop(shelf);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);
    }

    #[test]
    fn a_copy_under_another_name_keeps_its_content() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let shelf = FilePool::new(dir.path());
        write(&shelf, "1.txt", "old");
        std::fs::hard_link(at("1.txt"), at("kept.txt")).unwrap();
        for text in ["new", "newer", "newest"] {
            write(&shelf, "1.txt", text);
            write(&shelf, "2.txt", text);
        }
        assert_eq!(std::fs::read_to_string(at("kept.txt")).unwrap(), "old");
        assert_eq!(std::fs::read_to_string(at("1.txt")).unwrap(), "newest");
    }

    #[test]
    fn errors_name_the_file() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("1.txt/x")).unwrap();
        let shelf = FilePool::new(dir.path());
        let error = shelf.draft().unwrap().finish("1.txt").unwrap_err();
        assert!(error.to_string().ends_with("/1.txt"), "{error}");
        drop(shelf);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
    }
}
