//! The results of a search as bytes that outlast it: costs and bounds of sets, the bound on the total, the best strategy.
//!
//! Each result is true by itself, whichever search found it. So results of several searches of one game may be put
//! together, and a search that knows only some of them finds the others anew.
//!
//! ```text
//! saguri checkpoint 1
//! {"game":"hitblow 3 10","codes":720,"least_total":3480,"results":12,"tree_bytes":15000}
//! the strategy as text, and the results, each: 12 bytes, and two for each code
//! SHA-256 of everything before (32 bytes)
//! ```

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::bounds::Cap;
use super::memo::{Cost, Known, Want, Work};
use super::space::Id;
use crate::strategy::Strategy;

/// What one search, or several, have found out about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    game: String,
    codes: usize,
    least_total: u32,
    best: Option<Strategy>,
    results: usize,
    bytes: Vec<u8>,
}

/// Why bytes are no checkpoint of a game.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CheckpointError {
    /// They are something else.
    #[error("expected a file that begins with {BEGINNING:?}, found {0:?}")]
    Foreign(String),
    /// Of a later program, or an earlier one.
    #[error("expected format {FORMAT}, found format {0}")]
    Format(String),
    /// Bytes are missing, or were changed.
    #[error(
        "expected the checksum of {0} bytes in the last 32, found another one: the file is damaged or cut"
    )]
    Damaged(usize),
    /// The checksum is right, and the content is not what a search writes.
    #[error("expected {0}")]
    Content(&'static str),
    /// Of another game.
    #[error("expected a checkpoint of {expected}, found one of {found}")]
    Game {
        /// What is searched.
        expected: String,
        /// What the file is about.
        found: String,
    },
}

const BEGINNING: &str = "saguri checkpoint ";
const FORMAT: &str = "1";
const SUM: usize = 32;
/// Bytes of a result before its codes.
const FIXED: usize = 12;

#[derive(Serialize, Deserialize)]
struct Header {
    game: String,
    codes: usize,
    least_total: u32,
    results: usize,
    tree_bytes: usize,
}

/// What is known of a set.
pub(super) struct Kept {
    pub(super) want: Want,
    pub(super) cap: Cap,
    pub(super) known: Known,
    pub(super) work: Work,
    /// Ascending.
    pub(super) set: Vec<Id>,
}

impl Checkpoint {
    /// Nothing is known yet. `codes` is the number of codes that may be guessed.
    pub(super) fn new(game: &str, codes: usize, least_total: u32, best: Option<Strategy>) -> Self {
        Self {
            game: game.to_owned(),
            codes,
            least_total,
            best,
            results: 0,
            bytes: Vec::new(),
        }
    }

    /// No strategy has a lower total.
    pub fn least_total(&self) -> u64 {
        u64::from(self.least_total)
    }

    /// The best strategy so far.
    pub fn best(&self) -> Option<&Strategy> {
        self.best.as_ref()
    }

    /// Results for sets.
    pub fn results(&self) -> usize {
        self.results
    }

    /// How many bytes a result for a set of this size takes.
    pub(super) fn size_of(codes: usize) -> usize {
        FIXED + 2 * codes
    }

    pub(super) fn push(&mut self, want: Want, cap: Cap, known: Known, work: Work, set: &[Id]) {
        let (total, worst, guess) = match known {
            Known::Exact(cost, guess) => (cost.total, cost.worst, guess),
            Known::AtLeast(total) => (total, 0, 0),
        };
        let want = match want {
            Want::Least => 0,
            Want::Any => 1,
        };
        self.bytes.extend([want, cap, worst, work]);
        self.bytes.extend(total.to_le_bytes());
        self.bytes.extend(guess.to_le_bytes());
        self.bytes.extend((set.len() as Id).to_le_bytes());
        self.bytes
            .extend(set.iter().flat_map(|id| id.to_le_bytes()));
        self.results += 1;
    }

    /// The results.
    pub(super) fn kept(&self) -> impl Iterator<Item = Kept> {
        let mut left = self.bytes.as_slice();
        std::iter::from_fn(move || read_result(&mut left))
    }

    /// As they are kept in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let tree = self.best.as_ref().map(ToString::to_string);
        let tree = tree.unwrap_or_default();
        let header = Header {
            game: self.game.clone(),
            codes: self.codes,
            least_total: self.least_total,
            results: self.results,
            tree_bytes: tree.len(),
        };
        let header = serde_json::to_string(&header).expect("numbers and a name");
        let mut bytes = format!("{BEGINNING}{FORMAT}\n{header}\n{tree}").into_bytes();
        bytes.extend(&self.bytes);
        let sum = Sha256::digest(&bytes);
        bytes.extend(sum);
        bytes
    }

    /// Reads what [`Checkpoint::to_bytes`] made of a search of this game.
    ///
    /// # Errors
    /// If it is not that, or was damaged since.
    pub fn from_bytes(bytes: &[u8], game: &str) -> Result<Self, CheckpointError> {
        let (first, _) = line(bytes);
        let Some(format) = first.strip_prefix(BEGINNING) else {
            let start = first.chars().take(40).collect();
            return Err(CheckpointError::Foreign(start));
        };
        if format != FORMAT {
            return Err(CheckpointError::Format(format.to_owned()));
        }
        let end = bytes.len().saturating_sub(SUM);
        let (content, sum) = bytes.split_at(end);
        if Sha256::digest(content)[..] != *sum {
            return Err(CheckpointError::Damaged(bytes.len()));
        }
        let (_, rest) = line(content);
        let (header, rest) = line(rest);
        let bad = CheckpointError::Content;
        let header: Header =
            serde_json::from_str(&header).map_err(|_| bad("a second line with the header"))?;
        if header.game != game {
            return Err(CheckpointError::Game {
                expected: game.to_owned(),
                found: header.game,
            });
        }
        let (tree, results) = rest
            .split_at_checked(header.tree_bytes)
            .ok_or(bad("a tree as long as the header says"))?;
        let tree = std::str::from_utf8(tree).map_err(|_| bad("a tree as text"))?;
        let best = match tree {
            "" => None,
            tree => Some(tree.parse().map_err(|_| bad("a tree that can be read"))?),
        };
        let found = Self {
            game: header.game,
            codes: header.codes,
            least_total: header.least_total,
            best,
            results: header.results,
            bytes: results.to_vec(),
        };
        found.check()?;
        Ok(found)
    }

    fn check(&self) -> Result<(), CheckpointError> {
        let bad = CheckpointError::Content;
        let (mut count, mut size) = (0, 0);
        for kept in self.kept() {
            let ascending = kept.set.is_sorted_by(|a, b| a < b) && kept.set.len() > 2;
            let guess = match kept.known {
                Known::Exact(_, guess) => guess,
                Known::AtLeast(_) => 0,
            };
            let highest = guess.max(kept.set.last().copied().unwrap_or(Id::MAX));
            if !ascending || usize::from(highest) >= self.codes {
                return Err(bad("sets of the game's codes, ascending"));
            }
            count += 1;
            size += Self::size_of(kept.set.len());
        }
        match (count, size) == (self.results, self.bytes.len()) {
            true => Ok(()),
            false => Err(bad("as many results as the header says")),
        }
    }
}

/// The first line, and what is after it.
fn line(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let end = end.unwrap_or(bytes.len());
    let rest = bytes.get(end + 1..).unwrap_or(&[]);
    (String::from_utf8_lossy(&bytes[..end]).into_owned(), rest)
}

fn read_result(left: &mut &[u8]) -> Option<Kept> {
    let (fixed, rest) = left.split_first_chunk::<FIXED>()?;
    let &[want, cap, worst, work, t0, t1, t2, t3, g0, g1, l0, l1] = fixed;
    let len = usize::from(Id::from_le_bytes([l0, l1]));
    let (set, rest) = rest.split_at_checked(2 * len)?;
    *left = rest;
    let total = u32::from_le_bytes([t0, t1, t2, t3]);
    Some(Kept {
        want: match want {
            0 => Want::Least,
            _ => Want::Any,
        },
        cap,
        known: match worst {
            0 => Known::AtLeast(total),
            _ => Known::Exact(Cost { total, worst }, Id::from_le_bytes([g0, g1])),
        },
        work,
        set: set
            .as_chunks()
            .0
            .iter()
            .map(|&id| Id::from_le_bytes(id))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Checkpoint {
        let tree = "hitblow 1 3\n> 0\n  0 0 > 1\n    0 0 > 2\n"
            .parse()
            .unwrap();
        let mut checkpoint = Checkpoint::new("hitblow 1 3", 3, 6, Some(tree));
        let cost = Cost { total: 6, worst: 3 };
        checkpoint.push(Want::Least, 4, Known::Exact(cost, 2), 9, &[0, 1, 2]);
        checkpoint.push(Want::Any, 255, Known::AtLeast(5), 7, &[0, 1, 2]);
        checkpoint
    }

    #[test]
    fn what_is_written_is_read() {
        let example = example();
        let read = Checkpoint::from_bytes(&example.to_bytes(), "hitblow 1 3");
        assert_eq!(read.as_ref(), Ok(&example));
        let kept: Vec<Kept> = example.kept().collect();
        assert_eq!(kept.len(), 2);
        let first = &kept[0];
        let cost = Cost { total: 6, worst: 3 };
        assert_eq!((first.want, first.cap, first.work), (Want::Least, 4, 9));
        assert_eq!(first.known, Known::Exact(cost, 2));
        assert_eq!(first.set, [0, 1, 2]);
        assert_eq!((kept[1].want, kept[1].cap), (Want::Any, 255));
        assert_eq!(kept[1].known, Known::AtLeast(5));
    }

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let bytes = example().to_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Checkpoint::from_bytes(&changed, "hitblow 1 3").is_err());
            assert!(Checkpoint::from_bytes(&bytes[..at], "hitblow 1 3").is_err());
        }
    }

    #[test]
    fn errors_say_what_was_expected_and_found() {
        let said = |bytes: &[u8], game: &str| {
            let error = Checkpoint::from_bytes(bytes, game).unwrap_err();
            error.to_string()
        };
        let bytes = example().to_bytes();
        insta::assert_snapshot!(said(b"#a tree\nhitblow 2 4\n", "hitblow 1 3"), @r##"expected a file that begins with "saguri checkpoint ", found "#a tree""##);
        insta::assert_snapshot!(said(b"saguri checkpoint 2\n", "hitblow 1 3"), @"expected format 1, found format 2");
        insta::assert_snapshot!(said(&bytes[..100], "hitblow 1 3"), @"expected the checksum of 100 bytes in the last 32, found another one: the file is damaged or cut");
        insta::assert_snapshot!(said(&bytes, "hitblow 1 4"), @"expected a checkpoint of hitblow 1 4, found one of hitblow 1 3");
        let mut wrong = example();
        wrong.push(Want::Least, 4, Known::AtLeast(5), 7, &[0, 2, 1]);
        insta::assert_snapshot!(said(&wrong.to_bytes(), "hitblow 1 3"), @"expected sets of the game's codes, ascending");
    }
}
