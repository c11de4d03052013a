//! What a row of differences says about their mean: money won by betting on the next difference.
//!
//! [`crate::stats::sequential`] says what is done with it, and why the guarantee holds.

/// What a bet puts at stake, for a difference as large as is usual (the root of the mean square). The best stake
/// for a mean of x usual differences is about x.
const STAKES: [f64; 7] = [0.5, 0.25, 0.125, 0.0625, 0.031_25, 0.015_625, 0.007_812_5];
/// Bets assume that no difference is larger than this many mean sizes …
const USUAL: f64 = 6.0;
/// … nor than this many times the largest so far.
const LARGEST: f64 = 2.0;
/// As long as all differences favour one program, bets on it assume this many mean sizes. This number is divided by the
/// square of 1 + the number of differences that favour the other.
const ONE_SIDED: f64 = 100.0;
/// The share of their money that bets begin with; when they must start again, they get this share of the rest.
const START: f64 = 0.9;
/// Keeps numbers finite.
const RICH: f64 = 1e300;

/// The sizes of the differences so far; those that are 0 do not count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sizes {
    sum: f64,
    squares: f64,
    /// The largest.
    pub(crate) largest: f64,
    /// How many differences are below 0, and above.
    pub(crate) signs: [usize; 2],
    /// No difference is larger than this, the user says.
    max_difference: Option<f64>,
}

impl Sizes {
    fn add(&mut self, difference: f64) {
        if difference != 0.0 {
            self.sum += difference.abs();
            self.squares += difference * difference;
            self.largest = self.largest.max(difference.abs());
            self.signs[usize::from(difference > 0.0)] += 1;
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.signs[0] + self.signs[1]
    }

    /// Their mean; there must be one.
    pub(crate) fn mean(&self) -> f64 {
        self.sum / self.count() as f64
    }

    /// What the user says, unless a difference has shown it wrong.
    pub(crate) fn known_bound(&self) -> Option<f64> {
        self.max_difference.filter(|&bound| self.largest <= bound)
    }

    /// No larger difference is assumed by a bet against those of this sign.
    fn bound(&self, against: usize) -> f64 {
        if let Some(bound) = self.known_bound() {
            return bound;
        }
        let seen = 1.0 + self.signs[against] as f64;
        let sizes = USUAL.max(ONE_SIDED / (seen * seen));
        (sizes * self.mean()).max(LARGEST * self.largest)
    }
}

/// Bets on one side, always with the same stake unless the bound forbids it.
#[derive(Clone, Copy, Debug)]
struct Bets {
    /// What became of the money that is in use.
    money: f64,
    /// For new starts.
    reserve: f64,
    /// The bets since the start were fair if no difference against them exceeds this.
    bound: f64,
}

impl Bets {
    fn new(reserve: f64) -> Self {
        Self {
            money: START * reserve,
            reserve: (1.0 - START) * reserve,
            bound: f64::INFINITY,
        }
    }

    /// One more difference, positive if it is in favour. No more than the money is lost, and no more is won.
    fn add(&mut self, difference: f64, stake: f64) {
        self.bound = self.bound.min(1.0 / stake);
        self.money = (self.money * (1.0 + (stake * difference).clamp(-1.0, 1.0))).min(RICH);
    }
}

/// The bets on both signs of the mean, after some differences.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    /// The sizes of the differences.
    pub(crate) sizes: Sizes,
    /// On a mean below 0 and above.
    bets: [[Bets; STAKES.len()]; 2],
}

impl Evidence {
    /// No difference yet.
    pub(crate) fn new(max_difference: Option<f64>) -> Self {
        Self {
            sizes: Sizes {
                max_difference,
                ..Sizes::default()
            },
            bets: [[Bets::new(1.0 / STAKES.len() as f64); STAKES.len()]; 2],
        }
    }

    /// One more difference. The bets are on whether the mean is below or above `mean`. Their stakes do not depend on
    /// it, so that what is won above it falls as `mean` rises.
    pub(crate) fn add(&mut self, difference: f64, mean: f64) {
        if self.sizes.count() > 0 {
            let usual = (self.sizes.squares / self.sizes.count() as f64).sqrt();
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let bound = self.sizes.bound(1 - side);
                for (bets, stake) in self.bets[side].iter_mut().zip(STAKES) {
                    bets.add(sign * (difference - mean), (stake / usual).min(1.0 / bound));
                    if -sign * difference > bets.bound {
                        *bets = Bets::new(bets.reserve);
                    }
                }
            }
        }
        self.sizes.add(difference);
    }

    /// What the bets have won that the mean is below (0) or above (1), as a multiple of what they began with.
    pub(crate) fn won(&self, side: usize) -> f64 {
        self.bets[side].iter().map(|bets| bets.money).sum()
    }

    /// The bets on `side` were fair if no difference against them exceeds this.
    pub(crate) fn bound(&self, side: usize) -> f64 {
        let bounds = self.bets[side].iter().map(|bets| bets.bound);
        bounds.fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each side has won after these differences, in units of 1/70 of what it began with.
    fn won(max_difference: Option<f64>, differences: &[f64]) -> [f64; 2] {
        let mut evidence = Evidence::new(max_difference);
        differences.iter().for_each(|&d| evidence.add(d, 0.0));
        [0, 1].map(|side| 70.0 * evidence.won(side))
    }

    fn assert_near(found: [f64; 2], expected: [f64; 2]) {
        let near = |side: usize| (found[side] - expected[side]).abs() < 1e-9;
        assert!(near(0) && near(1), "{found:?} {expected:?}");
    }

    #[test]
    fn money_is_worked_by_hand() {
        // Nine tenths of the money are in use, and before the first difference there is no bet.
        assert_near(won(Some(10.0), &[2.0]), [63.0, 63.0]);
        // The usual difference is 2. Stakes are a half to a 128th by 2, and a tenth at most, for 10 is the bound.
        let stakes = 0.1 + 0.1 + (1.0 / 16.0 + 1.0 / 32.0 + 1.0 / 64.0 + 1.0 / 128.0 + 1.0 / 256.0);
        let expected = [7.0 - 4.0 * stakes, 7.0 + 4.0 * stakes];
        assert_near(won(Some(10.0), &[2.0, 4.0]), expected.map(|sum| 9.0 * sum));
        // The root of the mean square of 1 and 7 is 5.
        let second: Vec<f64> = STAKES
            .iter()
            .map(|stake| 1.0 + 7.0 * stake.min(0.1))
            .collect();
        let third = STAKES.iter().map(|stake| 1.0 - 2.0 * stake / 5.0);
        let expected: f64 = second.iter().zip(third).map(|(a, b)| 9.0 * a * b).sum();
        assert!((won(Some(10.0), &[1.0, 7.0, -2.0])[1] - expected).abs() < 1e-9);
    }

    #[test]
    fn a_bet_wins_as_much_as_it_has_at_most_and_starts_again_beyond_its_bound() {
        // 40 times the stakes is 4, 4, 2.5, 1.25, 0.625, 0.3125, 0.15625: more than 1 counts as 1.
        let rest = 0.625 + 0.3125 + 0.156_25;
        // Four bets against it were fair up to 10, 10, 16, 32: they go on with nine tenths of their last tenth.
        let expected = [4.0 * 0.9 + 9.0 * (3.0 - rest), 9.0 * (7.0 + 4.0 + rest)];
        assert_near(won(Some(10.0), &[2.0, 40.0]), expected);
    }

    #[test]
    fn bounds_are_those_that_the_differences_allow() {
        let bounds = |max_difference, differences: &[f64]| {
            let mut evidence = Evidence::new(max_difference);
            differences.iter().for_each(|&d| evidence.add(d, 0.0));
            [0, 1].map(|side| evidence.bound(side))
        };
        assert_eq!(bounds(None, &[-1.0]), [f64::INFINITY; 2]);
        // 100 mean sizes against the side that has won nothing; 100 / 2² where it has won once.
        assert_eq!(bounds(None, &[-1.0, -1.0]), [100.0, 25.0]);
        assert_eq!(bounds(None, &[-1.0, 1.0, 1.0]), [25.0, 25.0]);
        // Twice the largest, whatever its sign.
        let many = [[-1.0, 1.0].repeat(20), vec![-15.0, 15.0, 1.0]].concat();
        let mut sizes = Sizes::default();
        many[..41]
            .iter()
            .for_each(|&difference| sizes.add(difference));
        assert_eq!(
            (sizes.largest, sizes.bound(0), sizes.bound(1)),
            (15.0, 30.0, 30.0)
        );
        assert_eq!(bounds(Some(4.0), &[-1.0, 4.0, 1.0]), [4.0, 4.0]);
        let mut sizes = Evidence::new(Some(4.0)).sizes;
        sizes.add(-4.0);
        assert_eq!(sizes.known_bound(), Some(4.0));
        sizes.add(-4.5);
        assert_eq!(sizes.known_bound(), None);
    }
}
