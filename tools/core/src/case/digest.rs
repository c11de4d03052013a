//! The identity of a content: the head of its SHA-256.

use std::borrow::Cow;
use std::io;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
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

/// As a text of 16 hexadecimal digits.
impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let digits = (text.len() == 16).then(|| u64::from_str_radix(&text, 16).ok());
        digits.flatten().map(Self).ok_or_else(|| {
            D::Error::custom(format!("expected 16 hexadecimal digits, found {text:?}"))
        })
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

    /// Gives some bytes at a time, and is interrupted before each time.
    struct Interrupted<'a>(&'a [u8], bool);

    impl io::Read for Interrupted<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            match self.1 {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => self.0.read(into),
            }
        }
    }

    #[test]
    fn a_large_file_has_the_digest_of_its_text_and_an_error_is_one() {
        let text = "0123456789".repeat(5000);
        let digest = Digest::from_reader(Interrupted(text.as_bytes(), false)).unwrap();
        assert_eq!(digest, Digest::from_text(&text));
        let folder = std::fs::File::open("/").unwrap();
        assert!(Digest::from_reader(folder).is_err());
    }
}
