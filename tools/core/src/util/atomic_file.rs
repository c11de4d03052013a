//! Files that appear whole or not at all.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, fcntl_setfl};

use super::temporary::temporary_in;

use super::regular_file::open_without_waiting;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("failed to write {}", .path.display())]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// A file that is written under a temporary name in its folder and renamed by
/// [`AtomicFile::finish`]. Dropped without that, nothing of it remains.
///
/// If the path is a link, its target is made or replaced, not the link. Our own streams (`/dev/stderr`), pipes,
/// terminals and other devices are written directly.
pub struct AtomicFile {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Temporary(io::BufWriter<tempfile::NamedTempFile>),
    Device(io::BufWriter<File>),
}

impl AtomicFile {
    /// Opens the temporary file; `path` itself is not touched yet.
    ///
    /// # Errors
    /// If the folder is missing or may not be written.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        if path.is_dir() {
            let error = io::Error::other("expected the name of a file, found a folder");
            return Err(write_error(path, error));
        }
        if let Some(file) = open_stream(path)? {
            let sink = Sink::Device(io::BufWriter::new(file));
            let path = path.to_owned();
            return Ok(Self { path, sink });
        }
        let target = target_of(path).map_err(|e| write_error(path, e))?;
        let file = temporary_in(folder_of(&target)).map_err(|e| write_error(path, e))?;
        let sink = Sink::Temporary(io::BufWriter::new(file));
        Ok(Self { path: target, sink })
    }

    /// The same after the content is on the disk, so that even a crash of the machine cannot leave the name without the
    /// content.
    ///
    /// Cost: some milliseconds, depending on the disk.
    ///
    /// # Errors
    /// As [`AtomicFile::finish`].
    pub fn finish_on_disk(mut self) -> Result<(), WriteError> {
        if let Sink::Temporary(file) = &mut self.sink {
            let synced = file
                .flush()
                .and_then(|()| file.get_ref().as_file().sync_all());
            synced.map_err(|e| write_error(&self.path, e))?;
        }
        self.finish()
    }

    /// Gives the file its name, replacing what was there.
    ///
    /// # Errors
    /// If the last bytes cannot be written, or the name is a folder's.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { path, sink } = self;
        let done = match sink {
            Sink::Device(mut file) => file.flush(),
            Sink::Temporary(file) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| persist(file, &path)),
        };
        done.map_err(|e| write_error(&path, e))
    }
}

/// The file that a path leads to over links, which need not exist, as for the `>` of a shell.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    match std::fs::metadata(path) {
        Ok(_) => return path.canonicalize(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        // Links in a circle, or one of another user that the kernel does not follow.
        Err(error) => return Err(error),
    }
    // The kernel has followed the links to their end, which is not there.
    let mut target = path.to_owned();
    while let Ok(next) = std::fs::read_link(&target) {
        target = folder_of(&target).join(next);
    }
    Ok(target)
}

/// Gives a temporary file its name.
fn persist(file: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    let id = |found: Metadata| (found.dev(), found.ino());
    let at_its_name = std::fs::symlink_metadata(file.path()).map(id)?;
    if at_its_name != id(file.as_file().metadata()?) {
        let why = "expected our temporary file, found that another program has replaced it";
        return Err(io::Error::other(why));
    }
    file.persist(path).map(drop).map_err(|e| e.error)
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Temporary(file) => file.write(bytes).map_err(|e| bare(&e)),
            Sink::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Temporary(file) => file.flush().map_err(|e| bare(&e)),
            Sink::Device(file) => file.flush(),
        }
    }
}

/// Opens a page for writing, and makes its folder if it is missing. A page replaces only a page: if you name a case, a
/// program or the history by mistake, you lose nothing.
///
/// # Errors
/// If something else is there, or the system refuses.
pub fn create_page(path: &Path) -> Result<AtomicFile, WriteError> {
    make_dir(folder_of(path))?;
    if path.is_file() {
        let mut head = Vec::new();
        let read = File::open(path)
            .and_then(|file| file.take(PAGE_START.len() as u64).read_to_end(&mut head));
        read.map_err(|e| write_error(path, e))?;
        if !head.is_empty() && !head.eq_ignore_ascii_case(PAGE_START.as_bytes()) {
            let why = "expected a page to replace, or no such file, found another kind of file; nothing was changed";
            return Err(write_error(path, io::Error::other(why)));
        }
    }
    AtomicFile::create(path)
}

/// How pages begin.
const PAGE_START: &str = "<!DOCTYPE html>";

/// The system's message, without the name of the temporary file at its end.
fn bare(error: &io::Error) -> io::Error {
    let said = error.to_string();
    let said = said.split(" at path ").next().unwrap_or_default();
    io::Error::new(error.kind(), said)
}

/// Checks that a file could be made in the folder of `path`, whatever is at the path itself. Nothing is left.
///
/// # Errors
/// As [`AtomicFile::create`].
pub(crate) fn check_folder_of(path: &Path) -> Result<(), WriteError> {
    let made = temporary_in(folder_of(path));
    made.map(drop).map_err(|e| write_error(path, e))
}

/// Opens what is written directly: our own streams, pipes, terminals and other devices. `None` if the path is a regular
/// file, or nothing yet.
///
/// # Errors
/// If the system refuses, or no program reads the pipe: waiting for one would have no end.
pub fn open_stream(path: &Path) -> Result<Option<File>, WriteError> {
    if !is_device(path) {
        return Ok(None);
    }
    // Our own streams are shared, not opened again: a second offset into one file would overwrite.
    let opened = match path.to_str() {
        Some("/dev/stdout") => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        Some("/dev/stderr") => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        _ => open_device(path),
    };
    opened.map(Some).map_err(|e| write_error(path, e))
}

fn open_device(path: &Path) -> io::Result<File> {
    let opened = open_without_waiting(path, File::options().write(true), OFlags::empty());
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::ENXIO) => {
            io::Error::other("expected a file, found a pipe (FIFO) that no program reads")
        }
        _ => error,
    })?;
    // Only opening must not wait.
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(file)
}

/// Whether renaming another file to `path` would be wrong. `/dev/stderr` may be a link to a regular
/// file, and must stay one.
fn is_device(path: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_default();
    let streams = [
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/fd",
        "/proc",
    ];
    streams.iter().any(|stream| absolute.starts_with(stream))
        || std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Writes `bytes` as the whole content of `path`.
///
/// # Errors
/// As [`AtomicFile::create`] and [`AtomicFile::finish`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(|e| write_error(path, e))?;
    file.finish()
}

/// As [`write_whole`], but a link at `path` is replaced, whatever it leads to. For names that no user has typed: another
/// program may have put a link in their place.
///
/// # Errors
/// If the folder is missing or may not be written, or the name is a folder's.
pub(crate) fn replace_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let file = temporary_in(folder_of(path));
    let mut file = file.map_err(|e| write_error(path, e))?;
    let written = file.write_all(bytes).and_then(|()| persist(file, path));
    written.map_err(|e| write_error(path, e))
}

/// Makes a folder and its parents if they are missing.
///
/// # Errors
/// If the operating system refuses, or a file has that name.
pub fn make_dir(path: &Path) -> Result<(), WriteError> {
    check_dir(path)?;
    std::fs::create_dir_all(path).map_err(|e| write_error(path, e))
}

/// The folder that a file is in: for a bare name the current one, which [`Path::parent`] leaves empty.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    }
}

/// Checks that a folder exists or could be made.
///
/// # Errors
/// If the path is not a folder.
pub(crate) fn check_dir(path: &Path) -> Result<(), WriteError> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_dir() => {
            let error = io::Error::other("expected a folder, found a file");
            Err(write_error(path, error))
        }
        _ => Ok(()),
    }
}

pub(super) fn write_error(path: &Path, source: io::Error) -> WriteError {
    WriteError {
        path: path.to_owned(),
        source: match source.get_ref() {
            // The library's, with the temporary file's name, or one of ours.
            Some(_) => bare(&source),
            None => source,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_file_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
    }

    #[test]
    fn what_has_replaced_the_temporary_file_does_not_get_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        let file = AtomicFile::create(&path).unwrap();
        let Sink::Temporary(temporary) = &file.sink else {
            panic!("not a device");
        };
        let temporary = temporary.get_ref().path().to_owned();
        std::fs::remove_file(&temporary).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &temporary, 0o600.into()).unwrap();
        let error = file.finish().unwrap_err();
        assert!(error.source.to_string().contains("has replaced it"));
        assert!(!path.exists());
    }

    #[test]
    fn devices_are_written_and_not_replaced() {
        write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        write_whole(Path::new("/dev/stderr"), b"").unwrap();
        assert!(
            std::fs::symlink_metadata("/dev/stderr")
                .unwrap()
                .is_symlink()
        );
    }

    #[test]
    fn links_stay_links_unless_they_are_to_be_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        write_whole(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        replace_whole(&link, b"newer").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_file());
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_leads_to_it() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(at("sub/deep")).unwrap();
        symlink("sub/deep", at("folder")).unwrap();
        symlink("folder/second", at("first")).unwrap();
        symlink("../file", at("sub/deep/second")).unwrap();
        write_whole(&at("first"), b"new").unwrap();
        assert_eq!(std::fs::read(at("sub/file")).unwrap(), b"new");
        for (link, to) in [("circle", "circle"), ("nowhere", "missing/file")] {
            symlink(to, at(link)).unwrap();
            write_whole(&at(link), b"new").unwrap_err();
        }
        for link in ["first", "sub/deep/second", "circle", "nowhere"] {
            assert!(at(link).is_symlink(), "{link}");
        }
    }

    #[test]
    fn errors_name_the_file() {
        let error = write_whole(Path::new("/nonexistent/a.txt"), b"").unwrap_err();
        assert_eq!(error.to_string(), "failed to write /nonexistent/a.txt");
    }
}
