//! What is known of sets of candidates that were met before. A hash only finds the place; all of a set is compared, so
//! no proof rests on a hash.

use std::sync::Mutex;

use super::bounds::Cap;
use super::space::Id;

/// What is wanted of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// The least cost.
    Least,
    /// Any cost at all within the cap.
    Any,
}

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

/// How much work a result took: the number of bits of the number of sets that were searched for it.
pub(super) type Work = u8;

/// The work class of this many sets.
pub(super) const fn work_of(nodes: u64) -> Work {
    (u64::BITS - nodes.leading_zeros()) as Work
}

/// 24 bytes: there are millions of them.
struct Entry {
    hash: u64,
    /// Where the set is in its shard.
    start: u32,
    total: u32,
    len: u16,
    /// Without meaning for a lower bound.
    guess: Id,
    cap: Cap,
    /// [`BOUND`] for a lower bound.
    worst: Cap,
    work: Work,
}

const BOUND: Cap = Cap::MAX;

impl Entry {
    fn known(&self) -> Known {
        let (total, worst) = (self.total, self.worst);
        match worst {
            BOUND => Known::AtLeast(total),
            _ => Known::Exact(Cost { total, worst }, self.guess),
        }
    }

    fn learn(&mut self, known: Known) {
        (self.total, self.worst, self.guess) = match known {
            Known::AtLeast(total) => (total, BOUND, 0),
            Known::Exact(cost, guess) => (cost.total, cost.worst, guess),
        };
    }
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

/// An entry as others see it.
pub(super) struct Remembered<'a> {
    pub(super) set: &'a [Id],
    pub(super) cap: Cap,
    pub(super) known: Known,
    pub(super) work: Work,
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

    /// Keeps what is known now; a lower bound does not replace a higher one. Work adds up.
    pub(super) fn put(&self, hash: u64, set: &[Id], cap: Cap, known: Known, work: Work) {
        lock(self.shard(hash)).put(hash, set, cap, known, work);
    }

    /// Every entry, shard by shard; others use a shard meanwhile only if it is not the one that is visited.
    pub(super) fn visit(&self, mut see: impl FnMut(&Remembered<'_>)) {
        for shard in &self.shards {
            let shard = lock(shard);
            for entry in &shard.entries {
                see(&Remembered {
                    set: shard.set(entry),
                    cap: entry.cap,
                    known: entry.known(),
                    work: entry.work,
                });
            }
        }
    }
}

fn lock(shard: &Mutex<Shard>) -> std::sync::MutexGuard<'_, Shard> {
    shard.lock().expect("no thread panics in here")
}

impl Shard {
    fn set(&self, entry: &Entry) -> &[Id] {
        &self.sets[entry.start as usize..][..usize::from(entry.len)]
    }

    fn get(&self, hash: u64, set: &[Id], cap: Cap) -> Option<Known> {
        let found = self.slots[self.slot(hash, set, cap)];
        (found != EMPTY).then(|| self.entries[found as usize].known())
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
            if same && self.set(entry) == set {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn put(&mut self, hash: u64, set: &[Id], cap: Cap, known: Known, work: Work) {
        let mut slot = self.slot(hash, set, cap);
        if let Some(entry) = self.entries.get_mut(self.slots[slot] as usize) {
            entry.work = entry.work.max(work);
            entry.learn(match (entry.known(), known) {
                (Known::AtLeast(old), Known::AtLeast(new)) => Known::AtLeast(old.max(new)),
                (Known::Exact(cost, guess), _) => Known::Exact(cost, guess),
                (_, Known::Exact(..)) => known,
            });
            return;
        }
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow();
            slot = self.slot(hash, set, cap);
        }
        // Where a shard is full, a set is not remembered: that costs time, and changes no result.
        let Ok(start) = u32::try_from(self.sets.len()) else {
            return;
        };
        self.slots[slot] = self.entries.len() as u32;
        let mut entry = Entry {
            hash,
            start,
            total: 0,
            len: set.len() as u16,
            guess: 0,
            cap,
            worst: BOUND,
            work,
        };
        entry.learn(known);
        self.entries.push(entry);
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
            memo.put(7 * u64::from(set % 9), &[set, 1], 3, known, 1);
        }
        assert_eq!(memo.len(), 9000);
        for set in 0..9000_u16 {
            let known = memo.get(7 * u64::from(set % 9), &[set, 1], 3);
            assert_eq!(known, Some(Known::AtLeast(u32::from(set))));
        }
        assert_eq!(memo.get(0, &[0, 1], 4), None);
        memo.put(0, &[0, 1], 3, Known::AtLeast(9), 1);
        memo.put(0, &[0, 1], 3, Known::AtLeast(8), 3);
        assert_eq!(memo.get(0, &[0, 1], 3), Some(Known::AtLeast(9)));
        let cost = Cost {
            total: 10,
            worst: 4,
        };
        let exact = Known::Exact(cost, 7);
        memo.put(0, &[0, 1], 3, exact, 2);
        memo.put(0, &[0, 1], 3, Known::AtLeast(9), 1);
        assert_eq!(memo.get(0, &[0, 1], 3), Some(exact));
        let mut seen = Vec::new();
        memo.visit(|entry| {
            if entry.set == [0, 1] {
                seen.push((entry.cap, entry.known, entry.work));
            }
        });
        assert_eq!(seen, [(3, exact, 3)]);
    }

    #[test]
    fn work_is_the_number_of_bits() {
        assert_eq!([0, 1, 2, 3, 4, 63, 64].map(work_of), [0, 1, 2, 2, 3, 6, 7]);
    }
}
