//! A case by its number, and by what is in it.

use std::fmt;
use std::path::Path;

use super::digest::Digest;
use crate::problem::rng::Seed;

/// A case's number: `0042` for `in/0042.txt`, in all output.
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
    pub fn from_path(path: &Path) -> Option<Self> {
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
    /// Its content: differs if two cases with the same number are different cases.
    pub digest: Digest,
    /// The seed that it was generated from; `None` for a file, which does not contain it.
    pub seed: Option<Seed>,
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
            assert_eq!(CaseId::from_path(Path::new(name)), id.map(CaseId), "{name}");
        }
    }
}
