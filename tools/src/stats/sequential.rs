//! A test of paired differences that may be looked at after every pair, and stopped at any time.
//!
//! If you repeat a usual test until it says "significant", it will say so sooner or later, even of two
//! equally good programs. This test does not: however often you look, the probability that it ever
//! decides between equally good programs is at most α.
//!
//! **The test.** With S the sum of the differences and V the sum of their squares, the evidence is
//!
//! ```text
//! M = exp(ρ²S² / 2(1 + ρ²V)) / √(1 + ρ²V)
//! ```
//!
//! M is the mean of exp(λS − λ²V/2) over λ from a normal distribution with standard deviation ρ. This is the
//! method of mixtures (H. Robbins, Annals of Mathematical Statistics 41, 1970), self-normalised (V. de
//! la Peña, Annals of Probability 27, 1999). The test decides when M ≥ 1/α.
//!
//! **Why the guarantee holds.** Let the two programs be equally good in this sense: swapping them changes
//! nothing. Then, given the sizes of the differences, their signs are fair coins. Because
//! cosh x ≤ exp(x²/2), each pair multiplies exp(λS − λ²V/2) by at most 1 on average. So M is a
//! supermartingale that starts at 1. By Ville's inequality, the probability that M ever reaches 1/α is at
//! most α. No bound on scores and no number of pairs is assumed. ρ may depend on the sizes but not on the
//! signs, so it is set from the first few differences.
//!
//! **What the test does not guarantee.** The means may be equal although one program often wins by little
//! and the other rarely wins by much. Then the guarantee holds only in the limit of many pairs (I. Waudby-Smith
//! et al., "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics
//! 52, 2024; the interval is theirs). Without a bound on scores, no test can guarantee more: a rare large
//! difference is unknown until it occurs. Therefore the test decides nothing before 30 differences.
//!
//! Measured at α = 0.05, over 4,000 duels of up to 3,000 pairs: symmetric differences are decided in 2.7 %;
//! 2 to 1 (wins by 1 against losses by 2, half as often) in 4.1 %; 3 to 1 in 4.7 %; 9 to 1 in 11 %.

/// How many nonzero differences set the scale; the test decides nothing before. With 10 (and a third of
/// the number below), a difference of 0.25 standard deviations was decided after 120 pairs instead of 144.
/// But 26 % of the duels between equals with differences of 9 to 1 were decided.
const SCALING: usize = 30;
/// The test is most sensitive after about this many nonzero differences.
const SHARPEST: f64 = 300.0;

/// The state after some pairs.
#[derive(Clone, Debug)]
pub struct Sequential {
    alpha: f64,
    pairs: usize,
    not_zero: usize,
    sum: f64,
    squares: f64,
    /// ρ², once it is set.
    rho2: Option<f64>,
}

impl Sequential {
    /// A test without pairs. The probability that it ever decides between equals is at most `alpha`.
    ///
    /// # Panics
    /// Unless `alpha` is between 0 and 1.
    pub fn new(alpha: f64) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "alpha is a probability");
        Self {
            alpha,
            pairs: 0,
            not_zero: 0,
            sum: 0.0,
            squares: 0.0,
            rho2: None,
        }
    }

    /// One more difference.
    pub fn add(&mut self, difference: f64) {
        self.pairs += 1;
        self.sum += difference;
        self.squares += difference * difference;
        self.not_zero += usize::from(difference != 0.0);
        if self.rho2.is_none() && self.not_zero == SCALING {
            let size2 = self.squares / SCALING as f64;
            let log = -2.0 * libm::log(self.alpha);
            // Nearly the best for a fixed number of pairs (Waudby-Smith et al., their section 2.3).
            self.rho2 = Some((log + libm::log1p(log)) / (SHARPEST * size2));
        }
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The mean difference; 0 before the first pair.
    pub fn mean(&self) -> f64 {
        self.sum / self.pairs.max(1) as f64
    }

    /// How far from 0 the sum of differences must be to decide, for this sum of squares.
    fn boundary(&self, squares: f64) -> Option<f64> {
        let rho2 = self.rho2?;
        let log = libm::log1p(rho2 * squares) - 2.0 * libm::log(self.alpha);
        Some(((squares + 1.0 / rho2) * log).sqrt())
    }

    /// Whether the test has decided that the mean difference is not 0; the sign is that of the mean.
    pub fn decided(&self) -> bool {
        let boundary = self.boundary(self.squares);
        boundary.is_some_and(|boundary| self.sum.abs() >= boundary)
    }

    /// Half the width of an interval around the mean. In the limit of many pairs, it contains the true mean with
    /// probability 1 − α, however often you look. `None` before the scale is set.
    pub fn half_width(&self) -> Option<f64> {
        Some(self.boundary(self.squares)? / self.pairs as f64)
    }

    /// How much more it would take to decide.
    pub fn outlook(&self) -> Outlook {
        if self.not_zero == 0 {
            return Outlook::Never;
        }
        let Some(half_width) = self.half_width() else {
            let missing = (SCALING - self.not_zero) as f64;
            let rate = self.not_zero as f64 / self.pairs as f64;
            return Outlook::AtLeast((missing / rate).ceil() as usize);
        };
        let mean = self.mean().abs();
        match self.pairs_to_go(mean) {
            Some(more) => Outlook::About(more),
            // Even if the true difference were as large as what was seen allows.
            None => Outlook::AtLeast(self.pairs_to_go(mean + half_width).unwrap_or(0)),
        }
    }

    /// How many pairs more it would take if the mean became this; `None` if they would be more than a
    /// thousand million.
    fn pairs_to_go(&self, mean: f64) -> Option<usize> {
        let square = self.squares / self.pairs as f64;
        let decides = |pairs: f64| {
            let boundary = self.boundary(square * pairs);
            boundary.is_some_and(|boundary| mean * pairs >= boundary)
        };
        let (mut low, mut high) = (self.pairs as f64, 2.0 * self.pairs as f64);
        while !decides(high) {
            (low, high) = (high, high * 2.0);
            if high > 1e9 {
                return None;
            }
        }
        while high - low > 1.0 {
            let middle = ((low + high) / 2.0).floor();
            match decides(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        Some(high as usize - self.pairs)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::rng::{CaseRng, Seed};

    const ALPHA: f64 = 0.05;

    /// After how many pairs of `draw` it decides, if at all within `pairs`.
    fn duel(pairs: usize, mut draw: impl FnMut() -> f64) -> Option<usize> {
        let mut test = Sequential::new(ALPHA);
        (1..=pairs).find(|_| {
            test.add(draw());
            test.decided()
        })
    }

    /// The share of duels that are decided.
    fn decided(duels: u64, pairs: usize, difference: impl Fn(&mut CaseRng) -> f64) -> f64 {
        let decided = (0..duels).filter(|&seed| {
            let mut draw = CaseRng::new(Seed(seed));
            duel(pairs, || difference(&mut draw)).is_some()
        });
        decided.count() as f64 / duels as f64
    }

    /// Mean 0, symmetric: most cases equal, as with two variants of a solver.
    fn symmetric(draw: &mut CaseRng) -> f64 {
        [0.0, 0.0, 0.0, 0.0, -1.0, 1.0, -2.0, 2.0][draw.below(8) as usize]
    }

    /// Mean 0, but one wins often by 1 and the other seldom by `ratio`.
    fn lopsided(draw: &mut CaseRng, ratio: u64) -> f64 {
        match draw.below(ratio + 1) {
            0 => ratio as f64,
            _ => -1.0,
        }
    }

    #[test]
    fn equals_are_told_apart_with_probability_alpha_at_most() {
        // Of 2000 duels, a share of 0.05 would have a standard deviation of 0.005.
        let share = decided(2000, 2000, symmetric);
        assert!(share <= ALPHA, "symmetric: {share}");
        for ratio in [2, 3] {
            let share = decided(2000, 2000, |draw| lopsided(draw, ratio));
            assert!(share <= ALPHA + 0.01, "{ratio} to 1: {share}");
        }
    }

    #[test]
    fn a_usual_test_that_is_looked_at_again_and_again_is_fooled() {
        // The same pairs under |S| ≥ 1.96 √V: this is what the sequential test is for.
        let fooled = (0..500).filter(|&seed| {
            let mut draw = CaseRng::new(Seed(seed));
            let (mut sum, mut squares) = (0.0, 0.0);
            (0..2000).any(|n| {
                let d = symmetric(&mut draw);
                sum += d;
                squares += d * d;
                n >= 20 && f64::abs(sum) >= 1.96 * f64::sqrt(squares)
            })
        });
        assert!(fooled.count() > 150);
    }

    #[test]
    fn what_differs_is_told_apart_and_the_right_way_round() {
        // Mean 0.25, standard deviation 0.97: a test with a fixed number of pairs needs about 120 for a
        // power of 80 %.
        let better = |draw: &mut CaseRng| symmetric(draw) + f64::from(draw.below(4) == 0);
        assert!(decided(500, 600, better) > 0.9);
        for seed in 0..200 {
            let mut draw = CaseRng::new(Seed(seed));
            let mut test = Sequential::new(ALPHA);
            while !test.decided() && test.pairs() < 5000 {
                test.add(better(&mut draw));
            }
            assert!(test.decided() && test.mean() > 0.0, "seed {seed}");
            assert!(test.mean() > test.half_width().unwrap());
        }
    }

    #[test]
    fn scale_does_not_matter() {
        let run = |unit: f64| {
            let mut draw = CaseRng::new(Seed(3));
            duel(5000, || unit * (symmetric(&mut draw) + 0.3))
        };
        assert!(run(1.0).is_some());
        assert_eq!(run(1.0), run(1e6));
        assert_eq!(run(1.0), run(-1e-6));
    }

    #[test]
    fn pairs_to_go_is_when_it_decides_if_nothing_changes() {
        let mut test = Sequential::new(ALPHA);
        let cycle = [1.0, -1.0, 0.0, 1.0, 0.0];
        (0..60).for_each(|i| test.add(cycle[i % 5]));
        assert!(!test.decided());
        let Outlook::About(expected) = test.outlook() else {
            panic!("{:?}", test.outlook());
        };
        let begun = test.pairs();
        while !test.decided() {
            test.add(cycle[test.pairs() % 5]);
        }
        let needed = test.pairs() - begun;
        assert!(needed.abs_diff(expected) <= 5, "{needed} {expected}");
        let mut equal = Sequential::new(ALPHA);
        assert_eq!(equal.outlook(), Outlook::Never);
        // One pair in two differs, so that the 30 are there after 60.
        (0..40).for_each(|i| equal.add([1.0, 0.0, -1.0, 0.0][i % 4]));
        assert_eq!(equal.outlook(), Outlook::AtLeast(20));
        (0..60).for_each(|i| equal.add([1.0, 0.0, -1.0, 0.0][i % 4]));
        assert!(matches!(equal.outlook(), Outlook::AtLeast(more) if more > 0));
    }
}
