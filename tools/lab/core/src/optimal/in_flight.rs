//! Which sets are being solved at the moment, so that threads do not solve the same ones side by side.
//!
//! Guesses that are tried one after the other often leave the same cells. Without claims, two threads do most of the
//! work twice. A claim is only a hint: solving a set twice costs time, and changes no result.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use super::bounds::Cap;

/// The sets that are claimed, by their hash.
pub(super) struct InFlight {
    shards: Vec<Mutex<HashSet<u64>>>,
}

const SHARDS: usize = 64;

/// How often a waiting thread looks whether a claim has ended. The number is limited: a thread that helps another one
/// may itself hold the claim that the other waits for.
const LOOKS: u32 = 400;
/// The first ones at very short intervals.
const SPINS: u32 = 100;
const INTERVAL: Duration = Duration::from_micros(50);

impl InFlight {
    /// Without threads nothing is claimed.
    pub(super) fn new(threads: usize) -> Self {
        let shards = if threads > 1 { SHARDS } else { 0 };
        Self {
            shards: (0..shards).map(|_| Mutex::default()).collect(),
        }
    }

    fn shard(&self, key: u64) -> Option<std::sync::MutexGuard<'_, HashSet<u64>>> {
        let shard = self.shards.get(key as usize % SHARDS)?;
        Some(shard.lock().expect("no thread panics in here"))
    }

    fn key(hash: u64, cap: Cap) -> u64 {
        hash ^ u64::from(cap)
    }

    /// A claim on a set, until it is dropped; none if another thread has it.
    pub(super) fn claim(&self, hash: u64, cap: Cap) -> Option<Claim<'_>> {
        let key = Self::key(hash, cap);
        let free = self.shard(key).is_none_or(|mut keys| keys.insert(key));
        free.then(|| Claim {
            in_flight: self,
            key,
        })
    }

    /// Waits until no thread has claimed it, for some milliseconds at most.
    pub(super) fn wait(&self, hash: u64, cap: Cap) {
        let key = Self::key(hash, cap);
        for look in 0..LOOKS {
            if self.shard(key).is_none_or(|keys| !keys.contains(&key)) {
                return;
            }
            match look {
                // Most sets are solved in some microseconds.
                0..SPINS => (0..200).for_each(|_| std::hint::spin_loop()),
                _ => std::thread::sleep(INTERVAL),
            }
        }
    }
}

/// A set that its holder is solving.
pub(super) struct Claim<'a> {
    in_flight: &'a InFlight,
    key: u64,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(mut keys) = self.in_flight.shard(self.key) {
            keys.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_claimed_by_one() {
        let in_flight = InFlight::new(2);
        let first = in_flight.claim(7, 3);
        assert!(first.is_some() && in_flight.claim(7, 3).is_none());
        assert!(in_flight.claim(7, 4).is_some() && in_flight.claim(8, 3).is_some());
        drop(first);
        in_flight.wait(7, 3);
        assert!(in_flight.claim(7, 3).is_some());
        let alone = InFlight::new(1);
        assert!(alone.claim(7, 3).is_some() && alone.claim(7, 3).is_some());
    }
}
