//! Whether two files have the same content.

use std::io::{self, Read};
use std::path::Path;

use super::regular_file::open_plain;

/// Whether two regular files have the same bytes. Links are not followed.
///
/// Cost: reads both up to the first difference, if they are of the same length.
///
/// # Errors
/// If one of them is no regular file, or cannot be read.
pub fn has_same_content(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (open_plain(a)?, open_plain(b)?);
    if a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    let mut parts = [[0; 1 << 14]; 2];
    let [of_a, of_b] = &mut parts;
    loop {
        let read = a.read(of_a)?;
        if read == 0 {
            return Ok(true);
        }
        b.read_exact(&mut of_b[..read])?;
        if of_a[..read] != of_b[..read] {
            return Ok(false);
        }
    }
}
