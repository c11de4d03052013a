//! Seeds: ranges, and files with one seed a line.

use std::ops::RangeInclusive;
use std::path::Path;

use super::error::CaseError;
use super::id::CaseId;
use crate::problem::rng::Seed;
use crate::util::bounded_read;
use crate::util::quote::quote;

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
    let bytes =
        bounded_read::read(path, bounded_read::MAX_TEXT).map_err(|source| CaseError::Read {
            path: path.to_owned(),
            source,
        })?;
    parse_seeds(path, &bytes)
}

/// Reads the content of a seeds file; messages call it `path`.
///
/// # Errors
/// If it has no line, or a line is not one unsigned 64-bit integer.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seeds_file_has_one_seed_a_line() {
        let read = |text: &str| parse_seeds(Path::new("seeds.txt"), text.as_bytes());
        let expected = [(0, 7), (1, 8), (2, u64::MAX)].map(|(id, n)| (CaseId(id), Seed(n)));
        assert_eq!(read("7\r\n 8\n18446744073709551615\n\n").unwrap(), expected);
        for (text, expected) in [("", 1), (" \n", 1), ("7\n\n8\n", 2), ("7\n8\n-1\n", 3)] {
            let error = read(text).unwrap_err();
            let is_empty = error.to_string().contains("end of file");
            assert_eq!(is_empty, text.trim().is_empty(), "{error}");
            assert!(
                matches!(error, CaseError::Seeds { line, .. } if line == expected),
                "{error}"
            );
        }
    }
}
