//! Sets of up to 64 candidates, one bit of a word for each.
//!
//! For each token (a digit at a place, say) a word has the bits of the candidates that contain it. Adding the words of
//! a guess's tokens bit by bit counts hits, or digits in common, for all candidates at once.

use super::lanes::counted;
#[cfg(target_arch = "x86_64")]
use super::lanes::has_avx2;
use super::space::{Id, MAX_PLACES, Space, TOKENS};

/// As many candidates fit into a word.
pub(super) const MOST: usize = 64;

/// Which candidates of a set have which token.
pub(super) struct Words<'a> {
    pub(super) space: &'a Space,
    pub(super) at_place: [u64; TOKENS],
    pub(super) whatever_place: [u64; TOKENS],
    pub(super) count: usize,
}

impl<'a> Words<'a> {
    /// # Panics
    /// If the set has more than [`MOST`] candidates.
    pub(super) fn new(space: &'a Space, set: &[Id]) -> Self {
        assert!(set.len() <= MOST);
        let mut words = Self {
            space,
            at_place: [0; TOKENS],
            whatever_place: [0; TOKENS],
            count: set.len(),
        };
        for (number, &id) in set.iter().enumerate() {
            let (at, whatever) = (space.at_place(id), space.whatever_place(id));
            for place in 0..space.places {
                words.at_place[usize::from(at[place]) % TOKENS] |= 1 << number;
                words.whatever_place[usize::from(whatever[place]) % TOKENS] |= 1 << number;
            }
        }
        words
    }

    /// Which candidates each answer leaves, by its number; the winning one too.
    #[inline(always)]
    pub(super) fn split(&self, guess: Id) -> [u64; 64] {
        let candidates = u64::MAX >> (64 - self.count);
        let (at, whatever) = (self.space.at_place(guess), self.space.whatever_place(guess));
        let (mut hits, mut common) = ([[0; 1]; MAX_PLACES], [[0; 1]; MAX_PLACES]);
        for place in 0..self.space.places {
            hits[place] = [self.at_place[usize::from(at[place]) % TOKENS]];
            common[place] = [self.whatever_place[usize::from(whatever[place]) % TOKENS]];
        }
        let hits = counted(&hits[..self.space.places], candidates);
        let common = counted(&common[..self.space.places], candidates);
        let mut cells = [0; 64];
        for (cell, &(hit, both)) in cells.iter_mut().zip(self.space.all_answers()) {
            *cell = hits[usize::from(hit) % 8][0] & common[usize::from(both) % 8][0];
        }
        cells
    }

    /// How many candidates each answer leaves, by its number; the winning one too.
    pub(super) fn sizes(&self, guess: Id) -> [u8; 64] {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            // SAFETY: the processor has what the code is compiled for.
            return unsafe { self.sizes_avx2(guess) };
        }
        self.split(guess).map(|cell| cell.count_ones() as u8)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn sizes_avx2(&self, guess: Id) -> [u8; 64] {
        let split = self.split(guess);
        let mut sizes = [0; 64];
        for (size, cell) in sizes.iter_mut().zip(&split[..self.space.answers()]) {
            *size = cell.count_ones() as u8;
        }
        sizes
    }
}

/// Adds how many candidates of all words each answer leaves, by its number; the winning one too.
pub(super) fn add_sizes(all: &[Words<'_>], guess: Id, sizes: &mut [u16; 64]) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has what the code is compiled for.
        return unsafe { add_sizes_avx2(all, guess, sizes) };
    }
    add_sizes_of(all, guess, sizes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn add_sizes_avx2(all: &[Words<'_>], guess: Id, sizes: &mut [u16; 64]) {
    add_sizes_of(all, guess, sizes);
}

#[inline(always)]
fn add_sizes_of(all: &[Words<'_>], guess: Id, sizes: &mut [u16; 64]) {
    for words in all {
        let split = words.split(guess);
        for (size, cell) in sizes.iter_mut().zip(&split[..words.space.answers()]) {
            *size += cell.count_ones() as u16;
        }
    }
}
