//! The identity of a content: the head of its SHA-256.

use std::io;

use sha2::{Digest as _, Sha256};

/// The first eight bytes of the SHA-256 of a case's text, or of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u64);

impl Digest {
    /// The digest of `text`.
    pub fn from_text(text: &str) -> Self {
        Self::from_sha256(&Sha256::digest(text.as_bytes()))
    }

    /// The digest of a file, which need not be text and may be large.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn from_reader(mut file: impl io::Read) -> io::Result<Self> {
        let mut hasher = Sha256::new();
        let mut chunk = [0; 1 << 14];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => return Ok(Self::from_sha256(&hasher.finalize())),
                Ok(read) => hasher.update(&chunk[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// That of a whole SHA-256.
    fn from_sha256(hash: &[u8]) -> Self {
        let first = hash.first_chunk().expect("a hash of 32 bytes");
        Self(u64::from_be_bytes(*first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_the_head_of_what_sha256sum_prints() {
        // printf 'hitblow 3 10\n8 2 5\n' | sha256sum | cut -c1-16
        let digest = Digest::from_text("hitblow 3 10\n8 2 5\n");
        assert_eq!(format!("{:016x}", digest.0), "352f1659bef0596e");
    }
}
