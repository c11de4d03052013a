//! A test of paired differences that may be looked at after every pair, and stopped at any time.
//!
//! If you repeat a usual test until it says "significant", it will say so sooner or later, even of two
//! equally good programs. This test does not: however often you look, the probability that it ever
//! decides between equally good programs is at most α.
//!
//! **The test.** Before each pair, seven players bet that the mean difference is above 0, and seven that it is
//! below. A player who stakes λ has
//!
//! ```text
//! 1 + clip(λ d, −1, 1)
//! ```
//!
//! times as much money after the difference d (after −d if the bet is on a mean below 0). λ depends only on earlier
//! pairs. The seven players of a side begin with 1 together. The test decides when they have 2/α. This is betting by
//! I. Waudby-Smith and A. Ramdas ("Estimating means of bounded random variables by betting", Journal of the Royal
//! Statistical Society B 86, 2024); `evidence.rs` has the stakes.
//!
//! **Why the guarantee holds.** In both cases below, no bet wins on average. So the money of a side is a
//! supermartingale. By Ville's inequality, the probability that it ever reaches 2/α is at most α/2.
//!
//! 1. *Swapping the programs changes nothing.* Then, given its size, a difference has either sign with
//!    probability 1/2, and 1 + clip(x) and 1 + clip(−x) sum to 2. No bound on scores is assumed.
//! 2. *The means are equal, and no difference against the winning side is larger than L.* While
//!    λ ≤ 1/L, a bet multiplies the money by at most 1 + λd, which is 1 on average. Wins above 1/λ are clipped, so they may
//!    be of any size. λ is known before each bet; L is the least 1/λ of all bets ([`Sequential::bound`]).
//!
//! **Which bound.** A bound on scores is of no use: if a program may lose by 1000 turns, 3700 pairs that it won by 1
//! turn show nothing yet. So the bound of a bet comes from the differences so far. It is 6 mean sizes, or twice the
//! largest if that is more. It is up to 100 mean sizes while fewer than 4 differences favour the other program, because
//! its wins are then hardly known.
//!
//! If you know a bound, the bets use it instead ([`Rule::max_difference`]), unless a difference exceeds it.
//!
//! If a difference exceeds 1/λ of a past bet, that player starts again with money that was kept for this: 90 % of it is in use at
//! first, then 90 % of the rest, and so on. So L always covers the differences that have occurred. Money that is
//! kept neither wins nor loses, and for any L, a player's time between two starts counts only up to the first
//! bet with λ > 1/L. So the sum of all is a supermartingale still.
//!
//! **What the test does not guarantee.** A larger difference that is so rare that it did not occur may outweigh the
//! others. No test can exclude it. Therefore reports state L.
//!
//! **Rejected.** The first version was Robbins' method of mixtures, self-normalised. It needs fewer pairs, but its
//! guarantee covers only the first case: with differences of 99 to 1 and equal means, it decided in three of
//! four duels, at pair 30. Another way is a set of bets for each L, with the same L from the first pair to the last. It
//! needs 1.5 times as many pairs as these bets. `docs/performance.md` has the measurements.

use super::evidence::Evidence;

/// How far ahead [`Sequential::outlook`] looks, in pairs.
const FORESIGHT: usize = 200_000;
/// If fewer differences favour one program, its wins are hardly known.
const FEW: usize = 4;
/// With fewer differences nothing is said about their sizes.
const SOME: usize = 10;
/// A difference of this many mean sizes decides much alone.
const RARE: f64 = 10.0;

/// When a test decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// How probable it may be that one of two equals is declared better.
    pub alpha: f64,
    /// No difference is larger than this. `None` if it is unknown, and then taken from the differences.
    pub max_difference: Option<f64>,
}

/// The state after some pairs.
#[derive(Clone, Debug)]
pub struct Sequential {
    rule: Rule,
    differences: Vec<f64>,
    sum: f64,
    evidence: Evidence,
}

impl Sequential {
    /// A test without pairs. The probability that it ever decides between equals is at most `rule.alpha`.
    ///
    /// # Panics
    /// Unless `rule.alpha` is between 0 and 1, and `rule.max_difference` above 0.
    pub fn new(rule: Rule) -> Self {
        assert!(
            rule.alpha > 0.0 && rule.alpha < 1.0,
            "alpha is a probability"
        );
        assert!(
            rule.max_difference.is_none_or(|largest| largest > 0.0),
            "a difference has a size"
        );
        Self {
            rule,
            differences: Vec::new(),
            sum: 0.0,
            evidence: Evidence::new(rule.max_difference),
        }
    }

    /// One more difference.
    pub fn add(&mut self, difference: f64) {
        self.differences.push(difference);
        self.sum += difference;
        self.evidence.add(difference, 0.0);
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.differences.len()
    }

    /// The mean difference; 0 before the first pair.
    pub fn mean(&self) -> f64 {
        self.sum / self.pairs().max(1) as f64
    }

    /// The largest size of a difference.
    pub fn largest(&self) -> f64 {
        self.evidence.sizes.largest
    }

    /// What one side must win.
    fn needed(&self) -> f64 {
        2.0 / self.rule.alpha
    }

    /// The side on which the mean is: 0 below 0, 1 not below.
    fn side(&self) -> usize {
        usize::from(self.sum >= 0.0)
    }

    /// Whether the test has decided that the mean difference is not 0; the sign is that of the mean.
    pub fn decided(&self) -> bool {
        self.sum != 0.0 && self.evidence.won(self.side()) >= self.needed()
    }

    /// The share of the evidence that it takes to decide, from 0 to 1.
    pub(crate) fn progress(&self) -> f64 {
        let share = libm::log(self.evidence.won(self.side())) / libm::log(self.needed());
        share.clamp(0.0, 1.0)
    }

    /// The guarantee holds for programs with equal means if no difference in favour of the program that seems worse
    /// is larger than this. `None` before the first bet.
    pub fn bound(&self) -> Option<f64> {
        Some(self.evidence.bound(self.side())).filter(|bound| bound.is_finite())
    }

    /// An interval around the mean. It contains the true mean with probability 1 − α, however often you look, if no
    /// difference is further from it than the bound of the bets. `None` while there are too few pairs.
    ///
    /// Cost: 0.1 µs for each pair and each of some 100 steps.
    pub fn interval(&self) -> Option<(f64, f64)> {
        Some((self.end(0)?, self.end(1)?))
    }

    /// The end of the interval on one side: beyond it, the bets that the mean is nearer have won enough.
    fn end(&self, side: usize) -> Option<f64> {
        let sign = [-1.0, 1.0][side];
        let excluded = |mean: f64| {
            let mut evidence = Evidence::new(self.rule.max_difference);
            self.differences.iter().for_each(|&d| evidence.add(d, mean));
            evidence.won(1 - side) >= self.needed()
        };
        let mut inside = self.mean();
        let mut step = self.largest();
        if step == 0.0 {
            return None;
        }
        if excluded(inside) {
            return Some(inside);
        }
        // If the mean is decided not to be 0, then 0 is excluded; so begin there.
        let mut outside = match sign * inside < 0.0 && excluded(0.0) {
            true => 0.0,
            false => loop {
                let outside = inside + sign * step;
                if excluded(outside) {
                    break outside;
                }
                inside = outside;
                step *= 2.0;
                if step > 1e6 * self.largest() {
                    return None;
                }
            },
        };
        for _ in 0..40 {
            let middle = (inside + outside) / 2.0;
            match excluded(middle) {
                true => outside = middle,
                false => inside = middle,
            }
        }
        Some(outside)
    }

    /// The size that a difference has in spite of the rule.
    pub(crate) fn beyond_rule(&self) -> Option<f64> {
        let largest = self.largest();
        self.rule.max_difference?;
        (self.evidence.sizes.known_bound().is_none()).then_some(largest)
    }

    /// What in the differences limits the guarantee; `None` if they look usual, or a bound is known.
    pub fn reservation(&self) -> Option<Reservation> {
        let sizes = &self.evidence.sizes;
        let against = sizes.signs[1 - self.side()];
        match sizes.count() {
            _ if sizes.known_bound().is_some() => None,
            0..SOME => None,
            _ if against < FEW => Some(Reservation::OneSided { against }),
            _ if sizes.largest > RARE * sizes.mean() => Some(Reservation::RareLarge {
                largest: sizes.largest,
                mean: sizes.mean(),
            }),
            _ => None,
        }
    }

    /// How much more it would take to decide.
    pub fn outlook(&self) -> Outlook {
        if self.evidence.sizes.count() == 0 {
            return Outlook::Never;
        }
        if let Some(more) = self.pairs_to_go(|difference| difference) {
            return Outlook::About(more);
        }
        // Even if the true difference were as large as what was seen allows.
        let side = self.side();
        let sign = [-1.0, 1.0][side];
        let more = match self.end(side) {
            Some(end) => {
                let shift = end - self.mean();
                self.pairs_to_go(|difference| difference + shift)
            }
            None => self.pairs_to_go(|difference| sign * difference.abs()),
        };
        Outlook::AtLeast(more.unwrap_or(FORESIGHT))
    }

    /// How many pairs more it would take if the differences so far came again and again, changed so.
    fn pairs_to_go(&self, change: impl Fn(f64) -> f64) -> Option<usize> {
        let mut sum = self.sum;
        let mut evidence = self.evidence.clone();
        let again = self.differences.iter().cycle().take(FORESIGHT);
        for (more, &difference) in again.enumerate() {
            if sum != 0.0 && evidence.won(usize::from(sum > 0.0)) >= self.needed() {
                return Some(more);
            }
            sum += change(difference);
            evidence.add(change(difference), 0.0);
        }
        None
    }
}

/// What in the differences limits the guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reservation {
    /// Nearly all favour one program.
    OneSided {
        /// How many favour the other.
        against: usize,
    },
    /// A few are much larger than the rest.
    RareLarge {
        /// The size of the largest.
        largest: f64,
        /// The mean size of those that are not 0.
        mean: f64,
    },
}

/// How much more it would take to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// No pair differs.
    Never,
    /// This many pairs, if the rest are like those so far.
    About(usize),
    /// At least this many pairs.
    AtLeast(usize),
}
