//! Cases: numbers, seeds, names, reading and writing files; `source` says which ones a batch is of.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

pub use crate::draw::Seed;
use crate::files::{self, WriteError};
use crate::problem::{Instance, InstanceError, ParamError, Spec, parse_case};
use crate::quote::quote;
pub use source::{Case, Content, MAX_CASES, Source, SourceError, Ticket};

mod source;

/// A case's number: `0042` in `in/0042.txt` and everything that is said of it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct CaseId(pub u64);

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0)
    }
}

impl CaseId {
    /// `0042.txt`, for `ext` = `txt`.
    pub fn file_name(self, ext: &str) -> String {
        format!("{self}.{ext}")
    }

    /// The number in a file name that [`CaseId::file_name`] could have made for `txt`.
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let id = CaseId(name.strip_suffix(".txt")?.parse().ok()?);
        (id.file_name("txt") == name).then_some(id)
    }
}

/// Which case, and what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseKey {
    /// Its number.
    pub id: CaseId,
    /// Tells whether two cases with the same number are the same case.
    pub digest: Digest,
    /// What it was generated from, where that is known; a file does not tell.
    pub seed: Option<Seed>,
}

/// The first eight bytes of the SHA-256 of a case's text, or of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u64);

impl Digest {
    /// That of `text`.
    pub fn of(text: &str) -> Self {
        Self::of_hash(&Sha256::digest(text.as_bytes()))
    }

    /// That of a file, which need not be text and may be large.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_file(mut file: impl io::Read) -> io::Result<Self> {
        let mut hasher = Sha256::new();
        let mut chunk = [0; 1 << 14];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => return Ok(Self::of_hash(&hasher.finalize())),
                Ok(read) => hasher.update(&chunk[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// That of a whole SHA-256.
    pub(crate) fn of_hash(hash: &[u8]) -> Self {
        let first = hash.first_chunk().expect("a hash of 32 bytes");
        Self(u64::from_be_bytes(*first))
    }
}

/// Why cases could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The operating system refused.
    #[error("failed to read {}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not text, or not a case.
    #[error("failed to read case {}", .path.display())]
    Case {
        /// The file.
        path: PathBuf,
        /// Which line, and why.
        source: InstanceError,
    },
    /// A seeds file's line is not a seed.
    #[error(
        "failed to read seeds {}: line {line}: expected an integer from 0 to {}, found {found}",
        .path.display(), u64::MAX
    )]
    Seeds {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What stood there, quoted, or `end of file`.
        found: String,
    },
    /// There is nothing to judge.
    #[error(
        "failed to find a case in folder {}: expected files named 0000.txt, 0001.txt, …, found none; \
         make some with `tester gen --seeds 0..100 --dir {}`",
        .dir.display(), .dir.display()
    )]
    Empty {
        /// The folder.
        dir: PathBuf,
    },
    /// No case has such a name.
    #[error(
        "failed to find cases: expected files named 0000.txt, 0001.txt, … that match {pattern}, found none"
    )]
    NoMatch {
        /// As it was typed.
        pattern: String,
    },
    /// It is no pattern.
    #[error("failed to understand the pattern {pattern}")]
    Pattern {
        /// As it was typed.
        pattern: String,
        /// What is wrong with it, and where.
        source: glob::PatternError,
    },
    /// Two files have the same number.
    #[error(
        "failed to list the cases that match {pattern}: expected each number once, found {} and {}",
        .first.display(), .second.display()
    )]
    Twice {
        /// As it was typed.
        pattern: String,
        /// One of them.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// It is no folder, or cannot be read.
    #[error(
        "failed to read {}: expected a folder with files named 0000.txt, 0001.txt, …; \
         `tester gen --seeds 0..100 --dir DIR` makes one",
        .dir.display()
    )]
    Folder {
        /// What was named.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The problem refuses its parameters.
    #[error("failed to generate a case")]
    Params(#[from] ParamError),
    /// Files are there already, with another content.
    #[error(
        "failed to write cases: {} of {total} files exist with another content, the first is {}; \
         nothing was written; choose another --dir, or replace them with --force",
        .count, .first.display()
    )]
    Exists {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
        /// How many were to be written.
        total: usize,
    },
    /// The operating system refused.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A numbered case on disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseFile {
    /// Its number.
    pub id: CaseId,
    /// Where it is.
    pub path: PathBuf,
}

/// A case file is a few lines; what is larger than this is something else.
const MAX_CASE_BYTES: u64 = 1 << 20;

/// Reads and checks one case file. `name` is what messages call it.
///
/// # Errors
/// If it cannot be read, is not UTF-8, or is not a case.
pub fn read_case(name: &Path, source: impl io::Read) -> Result<Box<dyn Instance>, CaseError> {
    let bytes = read_at_most(source, MAX_CASE_BYTES).map_err(|source| CaseError::Read {
        path: name.to_owned(),
        source,
    })?;
    let in_file = |source| CaseError::Case {
        path: name.to_owned(),
        source,
    };
    let text = str::from_utf8(&bytes).map_err(|e| {
        let line = bytes[..e.valid_up_to()]
            .iter()
            .filter(|&&b| b == b'\n')
            .count();
        in_file(InstanceError {
            line: line + 1,
            expected: "a case file, which is ASCII text".to_owned(),
            found: quote(bytes.split(|&b| b == b'\n').nth(line).unwrap_or_default()),
        })
    })?;
    parse_case(text).map_err(in_file)
}

/// [`read_case`] of a file by its path.
///
/// # Errors
/// As there.
pub fn read_case_file(path: &Path) -> Result<Box<dyn Instance>, CaseError> {
    read_case(path, open(path)?)
}

impl CaseFile {
    /// [`read_case_file`] of this one.
    ///
    /// # Errors
    /// As there.
    pub fn read(&self) -> Result<Box<dyn Instance>, CaseError> {
        read_case_file(&self.path)
    }
}

/// The cases in a folder, by number. Files with other names are passed over.
///
/// # Errors
/// If the folder cannot be read or has no case in it.
pub fn list_cases(dir: &Path) -> Result<Vec<CaseFile>, CaseError> {
    let failed = |source| CaseError::Folder {
        dir: dir.to_owned(),
        source,
    };
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(id) = CaseId::of(&path) {
            cases.push(CaseFile { id, path });
        }
    }
    cases.sort();
    if cases.is_empty() {
        return Err(CaseError::Empty {
            dir: dir.to_owned(),
        });
    }
    Ok(cases)
}

/// The cases whose paths match a pattern (`in/000*.txt`, `in/00[0-4]?.txt`), by number. Files that are
/// not named as cases are passed over.
///
/// # Errors
/// If it is no pattern, matches no case, or matches two with the same number.
pub fn list_matching(pattern: &str) -> Result<Vec<CaseFile>, CaseError> {
    let paths = glob::glob(pattern).map_err(|source| CaseError::Pattern {
        pattern: pattern.to_owned(),
        source,
    })?;
    let mut cases = Vec::new();
    for path in paths {
        let path = path.map_err(|e| CaseError::Read {
            path: e.path().to_owned(),
            source: e.into(),
        })?;
        if let Some(id) = CaseId::of(&path) {
            cases.push(CaseFile { id, path });
        }
    }
    cases.sort();
    if let Some(pair) = cases.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(CaseError::Twice {
            pattern: pattern.to_owned(),
            first: pair[0].path.clone(),
            second: pair[1].path.clone(),
        });
    }
    if cases.is_empty() {
        return Err(CaseError::NoMatch {
            pattern: pattern.to_owned(),
        });
    }
    Ok(cases)
}

/// The pattern that matches this path and nothing else.
pub fn literally(path: &str) -> String {
    glob::Pattern::escape(path)
}

/// Numbered seeds, in the order in which their cases are written.
pub type Seeds = Vec<(CaseId, Seed)>;

/// Every seed of `range`, each the number of its own case.
pub fn seeds_of_range(range: RangeInclusive<u64>) -> Seeds {
    range.map(|n| (CaseId(n), Seed(n))).collect()
}

/// Reads a seeds file: one seed a line; a case's number is its line's, counted from 0.
///
/// # Errors
/// If it cannot be read, has no line, or a line is not one unsigned 64-bit integer.
pub fn seeds_of_file(path: &Path) -> Result<Seeds, CaseError> {
    let bytes = read_at_most(open(path)?, 1 << 30).map_err(|source| CaseError::Read {
        path: path.to_owned(),
        source,
    })?;
    parse_seeds(path, &bytes)
}

/// The same of a file's content; `path` is what messages call it.
///
/// # Errors
/// As [`seeds_of_file`], but for reading.
pub fn parse_seeds(path: &Path, bytes: &[u8]) -> Result<Seeds, CaseError> {
    let refuse = |line, found| CaseError::Seeds {
        path: path.to_owned(),
        line,
        found,
    };
    let end = bytes.trim_ascii_end().len();
    if end == 0 {
        return Err(refuse(1, "end of file".to_owned()));
    }
    let lines = bytes[..end].split(|&b| b == b'\n').enumerate();
    lines
        .map(|(i, line)| {
            let word = str::from_utf8(line.trim_ascii()).unwrap_or_default();
            let seed = word.parse().map_err(|_| refuse(i + 1, quote(line)))?;
            Ok((CaseId(i as u64), Seed(seed)))
        })
        .collect()
}

/// What [`write_cases`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Files that were made or replaced.
    pub written: usize,
    /// Files that had this content already.
    pub unchanged: usize,
}

/// Generates a case for each seed and writes them all to `dir`, which is made where it is missing.
///
/// Nothing is written unless everything can be generated and, without `force`, every file that
/// exists has the same content already. Each file appears whole.
///
/// # Errors
/// If the parameters are refused, a file is in the way, or the operating system refuses.
pub fn write_cases(
    dir: &Path,
    spec: &Spec<'_>,
    seeds: &[(CaseId, Seed)],
    force: bool,
) -> Result<Written, CaseError> {
    files::check_dir(dir)?;
    let mut due = Vec::new();
    let mut in_the_way = Vec::new();
    for &(id, seed) in seeds {
        let text = spec.generate(seed)?.to_text();
        let path = dir.join(id.file_name("txt"));
        match std::fs::read(&path) {
            Ok(found) if found == text.as_bytes() => continue,
            Ok(_) => in_the_way.push(path.clone()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(CaseError::Read { path, source }),
        }
        due.push((path, text));
    }
    if !force && let Some(first) = in_the_way.first() {
        return Err(CaseError::Exists {
            first: first.clone(),
            count: in_the_way.len(),
            total: seeds.len(),
        });
    }
    files::make_dir(dir)?;
    for (path, text) in &due {
        files::write_whole(path, text.as_bytes())?;
    }
    Ok(Written {
        written: due.len(),
        unchanged: seeds.len() - due.len(),
    })
}

fn open(path: &Path) -> Result<std::fs::File, CaseError> {
    std::fs::File::open(path).map_err(|source| CaseError::Read {
        path: path.to_owned(),
        source,
    })
}

fn read_at_most(mut source: impl io::Read, limit: u64) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    let read = source.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
    if read as u64 > limit {
        let message = format!("expected at most {limit} bytes, found more");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbers_of_four_digits_or_more() {
        assert_eq!(CaseId(7).file_name("txt"), "0007.txt");
        assert_eq!(CaseId(12345).file_name("err"), "12345.err");
        for (name, id) in [
            ("in/0007.txt", Some(7)),
            ("12345.txt", Some(12345)),
            ("7.txt", None),
            ("00007.txt", None),
            ("+007.txt", None),
            ("0007.err", None),
            ("notes.txt", None),
            (".0007.txt", None),
        ] {
            assert_eq!(CaseId::of(Path::new(name)), id.map(CaseId), "{name}");
        }
    }

    #[test]
    fn digest_is_the_head_of_what_sha256sum_prints() {
        // printf 'hitblow 3 10\n8 2 5\n' | sha256sum | cut -c1-16
        let digest = Digest::of("hitblow 3 10\n8 2 5\n");
        assert_eq!(format!("{:016x}", digest.0), "352f1659bef0596e");
    }

    #[test]
    fn nothing_is_written_where_another_file_is_in_the_way() {
        let dir = tempfile::tempdir().unwrap();
        let spec = Spec::parse("hitblow 3 10").unwrap();
        let seeds = seeds_of_range(0..=2);
        std::fs::write(dir.path().join("0002.txt"), "mine").unwrap();
        let error = write_cases(dir.path(), &spec, &seeds, false).unwrap_err();
        assert!(matches!(
            error,
            CaseError::Exists {
                count: 1,
                total: 3,
                ..
            }
        ));
        assert!(!dir.path().join("0000.txt").exists());
        let forced = write_cases(dir.path(), &spec, &seeds, true).unwrap();
        assert_eq!((forced.written, forced.unchanged), (3, 0));
        let again = write_cases(dir.path(), &spec, &seeds, false).unwrap();
        assert_eq!((again.written, again.unchanged), (0, 3));
        assert_eq!(list_cases(dir.path()).unwrap().len(), 3);
    }
}
