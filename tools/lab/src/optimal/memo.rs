//! What is known of sets of candidates that were met before. A hash only finds the place; all of a set is compared, so
//! no proof rests on a hash.

use std::sync::Mutex;

use super::bounds::Cap;
use super::space::Id;

/// What is known of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The least cost, and a guess with which it is attained.
    Exact(Cost, Id),
    /// That it costs no less.
    AtLeast(u32),
}

/// The least cost of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// All candidates' turns.
    pub(super) total: u32,
    /// The most turns of the strategy that was found. (Another one may take fewer.)
    pub(super) worst: Cap,
}

struct Entry {
    hash: u64,
    start: usize,
    len: u16,
    cap: Cap,
    known: Known,
}

const EMPTY: u32 = u32::MAX;

/// Sets in [normal form](super::symmetry), each with a cap.
pub(super) struct Memo {
    shards: Vec<Mutex<Shard>>,
}

/// Threads that look for different sets mostly look into different shards.
const SHARDS: usize = 64;

struct Shard {
    slots: Vec<u32>,
    entries: Vec<Entry>,
    /// All sets, one after the other.
    sets: Vec<Id>,
}

impl Memo {
    pub(super) fn new() -> Self {
        let shard = || {
            Mutex::new(Shard {
                slots: vec![EMPTY; 1 << 6],
                entries: Vec::new(),
                sets: Vec::new(),
            })
        };
        Self {
            shards: (0..SHARDS).map(|_| shard()).collect(),
        }
    }

    /// How many sets are known.
    pub(super) fn len(&self) -> usize {
        let lens = self.shards.iter().map(|shard| lock(shard).entries.len());
        lens.sum()
    }

    fn shard(&self, hash: u64) -> &Mutex<Shard> {
        &self.shards[(hash >> 58) as usize % SHARDS]
    }

    pub(super) fn get(&self, hash: u64, set: &[Id], cap: Cap) -> Option<Known> {
        lock(self.shard(hash)).get(hash, set, cap)
    }

    /// Keeps what is known now; a lower bound does not replace a higher one.
    pub(super) fn put(&self, hash: u64, set: &[Id], cap: Cap, known: Known) {
        lock(self.shard(hash)).put(hash, set, cap, known);
    }
}

fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    shard.lock().expect("no thread panics in here")
}

impl Shard {
    fn get(&self, hash: u64, set: &[Id], cap: Cap) -> Option<Known> {
        let found = self.slots[self.slot(hash, set, cap)];
        (found != EMPTY).then(|| self.entries[found as usize].known)
    }

    /// Where it is, or would be.
    fn slot(&self, hash: u64, set: &[Id], cap: Cap) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let Some(entry) = self.entries.get(self.slots[slot] as usize) else {
                return slot;
            };
            let same = entry.hash == hash && entry.cap == cap;
            if same && self.sets[entry.start..][..usize::from(entry.len)] == *set {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn put(&mut self, hash: u64, set: &[Id], cap: Cap, known: Known) {
        let mut slot = self.slot(hash, set, cap);
        if let Some(entry) = self.entries.get_mut(self.slots[slot] as usize) {
            entry.known = match (entry.known, known) {
                (Known::AtLeast(old), Known::AtLeast(new)) => Known::AtLeast(old.max(new)),
                (Known::Exact(..), _) => entry.known,
                (_, Known::Exact(..)) => known,
            };
            return;
        }
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow();
            slot = self.slot(hash, set, cap);
        }
        self.slots[slot] = self.entries.len() as u32;
        self.entries.push(Entry {
            hash,
            start: self.sets.len(),
            len: set.len() as u16,
            cap,
            known,
        });
        self.sets.extend_from_slice(set);
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        self.slots = vec![EMPTY; mask + 1];
        for (number, entry) in self.entries.iter().enumerate() {
            let mut slot = entry.hash as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_with_the_same_hash_are_told_apart() {
        let memo = Memo::new();
        for set in 0..9000_u16 {
            let known = Known::AtLeast(u32::from(set));
            memo.put(7 * u64::from(set % 9), &[set, 1], 3, known);
        }
        assert_eq!(memo.len(), 9000);
        for set in 0..9000_u16 {
            let known = memo.get(7 * u64::from(set % 9), &[set, 1], 3);
            assert_eq!(known, Some(Known::AtLeast(u32::from(set))));
        }
        assert_eq!(memo.get(0, &[0, 1], 4), None);
        memo.put(0, &[0, 1], 3, Known::AtLeast(9));
        memo.put(0, &[0, 1], 3, Known::AtLeast(8));
        assert_eq!(memo.get(0, &[0, 1], 3), Some(Known::AtLeast(9)));
        let exact = Known::Exact(
            Cost {
                total: 10,
                worst: 4,
            },
            7,
        );
        memo.put(0, &[0, 1], 3, exact);
        memo.put(0, &[0, 1], 3, Known::AtLeast(9));
        assert_eq!(memo.get(0, &[0, 1], 3), Some(exact));
    }
}
