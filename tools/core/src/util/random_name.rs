//! Names that cannot be guessed.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A number that cannot be guessed: the standard library's hashes begin with random numbers of the kernel.
pub fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// 32 hexadecimal digits that cannot be guessed.
pub(crate) fn random_name() -> String {
    format!("{:016x}{:016x}", random_number(), random_number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_all_parts() {
        let [first, second] = [random_name(), random_name()];
        assert_eq!(first.len(), 32);
        assert_ne!(first[..16], first[16..]);
        assert_ne!(first[..16], second[..16]);
        assert_ne!(first[16..], second[16..]);
    }
}
