//! Information of the difference alone, as if the reply did not say whether the guess is right.

use super::noisy_replies::{NoisyReplies, likely_codes};
use crate::solver::bayes::{Posterior, entropy_bits};
use crate::solver::distance::Difference;

/// The guess whose difference tells most; of equal ones the smallest.
pub(super) struct DifferenceAlone(NoisyReplies);

impl DifferenceAlone {
    pub(super) fn new(of: Difference, sigma: f64) -> Self {
        Self(NoisyReplies::new(of, sigma))
    }

    /// `None` if nothing is likely.
    pub(super) fn choose(&self, values: &[i64], belief: &Posterior) -> Option<i64> {
        let likely = likely_codes(values, belief);
        // H(d). The noise has the same part of it for every guess.
        let bits =
            |guess| entropy_bits(self.0.by_reply(&likely, guess, |_| true, |sum, p| sum + p));
        let told = self
            .0
            .pool(values, &likely)?
            .map(|guess| (bits(guess), guess));
        let better = |best: (f64, i64), next: (f64, i64)| match next.0 > best.0 + 1e-9 {
            true => next,
            false => best,
        };
        told.reduce(better).map(|best| best.1)
    }
}
