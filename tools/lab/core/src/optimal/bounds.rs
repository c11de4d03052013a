//! The least cost of a given number of candidates, whatever they are.
//!
//! A guess ends the game for one candidate at most; each of the other answers leads to a next guess, and so
//! on. So with b other answers one candidate can end with the first guess, b with the second, b² with the
//! third, and n candidates cost at least 1 + 2·b + 3·b² + …, filled up to n.

/// More than anything costs, and small enough that a few of them can be added.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 64;

/// How many turns are left; [`ANY`] for as many as it takes.
pub(super) type Cap = u8;
/// No cap.
pub(super) const ANY: Cap = Cap::MAX;

/// The cap after one more turn.
pub(super) fn next(cap: Cap) -> Cap {
    if cap == ANY { ANY } else { cap - 1 }
}

/// By cap and number of candidates.
pub(super) struct Bounds {
    by_cap: Vec<Vec<u32>>,
    any: Vec<u32>,
}

/// With more turns left than this, nothing is different from any number.
const CAPS: usize = 16;

impl Bounds {
    /// For up to `most` candidates, and a number of answers besides the winning one.
    pub(super) fn new(most: usize, other_answers: usize) -> Self {
        let within = |cap: usize| (0..=most).map(|n| least(n, other_answers, cap)).collect();
        Self {
            by_cap: (0..CAPS).map(within).collect(),
            any: within(usize::MAX),
        }
    }

    /// The least cost of this many candidates within the cap.
    pub(super) fn least(&self, count: usize, cap: Cap) -> u32 {
        self.table(cap)[count]
    }

    /// All of them for a cap, by number of candidates.
    pub(super) fn table(&self, cap: Cap) -> &[u32] {
        self.by_cap.get(usize::from(cap)).unwrap_or(&self.any)
    }
}

/// The least cost of `count` candidates that are split into at most `parts` cells: an even split, because the
/// bound grows faster and faster.
pub(super) fn least_of_parts(table: &[u32], count: usize, parts: usize) -> u32 {
    if count == 0 {
        return 0;
    }
    if parts == 0 {
        return IMPOSSIBLE;
    }
    let (size, larger) = (count / parts, count % parts);
    let smaller = (parts - larger) as u32 * table[size].min(IMPOSSIBLE / 64);
    let rest = larger as u32 * table[(size + 1).min(table.len() - 1)].min(IMPOSSIBLE / 64);
    smaller + rest
}

fn least(count: usize, other_answers: usize, cap: usize) -> u32 {
    let (mut left, mut width, mut turn, mut sum) = (count as u64, 1_u64, 1_u64, 0_u64);
    while left > 0 {
        if turn > cap as u64 {
            return IMPOSSIBLE;
        }
        let ending = left.min(width);
        sum += ending * turn;
        left -= ending;
        // One answer leads on to one candidate more, and so does none.
        width = width.saturating_mul(other_answers.max(1) as u64);
        turn += 1;
    }
    sum as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_filled_up_turn_by_turn() {
        let bounds = Bounds::new(200, 13);
        let least = |count| bounds.least(count, ANY);
        assert_eq!([0, 1, 2, 14].map(least), [0, 1, 3, 1 + 2 * 13]);
        assert_eq!(least(15), 1 + 2 * 13 + 3);
        assert_eq!(least(184), 1 + 2 * 13 + 3 * 169 + 4);
        assert_eq!(bounds.least(14, 2), 27);
        assert_eq!(bounds.least(15, 2), IMPOSSIBLE);
        assert_eq!((next(3), next(ANY)), (2, ANY));
        // With a single other answer, candidates end one after the other.
        assert_eq!(Bounds::new(4, 1).least(4, ANY), 1 + 2 + 3 + 4);
    }

    #[test]
    fn no_split_is_below_the_even_one() {
        let bounds = Bounds::new(40, 3);
        for cap in [2, 3, ANY] {
            let table = bounds.table(cap);
            for count in 0..40 {
                assert_eq!(
                    least_of_parts(table, count, 1).min(IMPOSSIBLE / 64),
                    table[count].min(IMPOSSIBLE / 64)
                );
                let split = |a: usize| (table[a] + table[count - a]).min(IMPOSSIBLE / 64);
                let best = (0..=count).map(split).min().unwrap();
                assert_eq!(
                    least_of_parts(table, count, 2).min(IMPOSSIBLE / 64),
                    best,
                    "{count} {cap}"
                );
            }
        }
    }
}
