//! Parts of a batch that any machine can judge: which cases a part has, and the text that is written for it.
//!
//! A shard is a text of lines, each a JSON object:
//!
//! ```text
//! {"shard":{"format":2,"index":2,"of":8,"key":"9f…","run":{…},"host":{…},"begun_ms":1795303990123}}
//! {"record":{"case":"250","digest":"00f1…","seed":"250","opening":"hitblow 3 10","verdict":"AC","score":5,…}}
//! …                                          one for each case, in the order in which they were done
//! {"end":{"judged":125,"took_ms":2310,"sha256":"4c…"}}
//! ```
//!
//! `sha256` covers all bytes of the shard before `,"sha256":` in its last line. The last line has only one valid
//! form, so every lost or changed byte is noticed. Several shards may follow each other in one file.
//!
//! The key is the SHA-256 of everything that affects results ([`Manifest::key`]). The key, the number of a case and the
//! digest of its content together identify a record, on any machine. Identifiers that need all 64 bits (cases, seeds,
//! digests) are strings, because many JSON readers have no integers above 2^53.
//!
//! Nothing here opens a history or starts a program. Shards come from other machines, so everything that can be checked
//! is checked.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

mod coverage;
mod duel;
mod format1;
mod line;
mod manifest;
mod merge;
mod read;
mod write;
pub use duel::{Duel, NotAlike, Side};
pub use line::End;
pub use manifest::{Header, Manifest};
pub use merge::{InMemory, Merge, MergeError, Merged, RecordSink};
pub use read::{Event, ReadError, Reader, read_one};
pub use write::Writer;

/// The format that this tester writes.
pub const FORMAT: u32 = 2;

/// The formats that this tester reads.
const KNOWN: std::ops::RangeInclusive<u32> = 1..=FORMAT;

/// Which of how many: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    index: u64,
    of: u64,
}

/// A text, or two numbers, that are not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with 1 <= I <= N, such as 3/8, found {0:?}")]
pub struct NotAPart(String);

impl Part {
    /// Part `index` of `of` parts, counted from 1.
    ///
    /// # Errors
    /// Unless `1 <= index <= of`.
    pub fn new(index: u64, of: u64) -> Result<Self, NotAPart> {
        match 1 <= index && index <= of {
            true => Ok(Self { index, of }),
            false => Err(NotAPart(format!("{index}/{of}"))),
        }
    }

    /// The whole batch as one part.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Which, counted from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many.
    pub fn of(self) -> u64 {
        self.of
    }

    /// The positions of its cases in the order of all cases, counted from 0. Case k of M belongs to part
    /// floor(k N / M) + 1 of N. Parts are contiguous, and their sizes differ by at most one.
    pub fn block(self, cases: usize) -> Range<usize> {
        let start = |index: u64| {
            let place = (u128::from(index) * cases as u128).div_ceil(u128::from(self.of));
            place as usize
        };
        start(self.index - 1)..start(self.index)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Part {
    type Err = NotAPart;

    fn from_str(text: &str) -> Result<Self, NotAPart> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            let number = |word: &str| word.parse::<u64>().ok();
            Some((number(index)?, number(of)?))
        });
        let (index, of) = numbers.ok_or_else(|| NotAPart(text.to_owned()))?;
        Self::new(index, of)
    }
}

#[cfg(test)]
mod tests;
