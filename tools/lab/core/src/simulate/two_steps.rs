//! Two steps ahead in a noisy game: the guess that is most probably right now or in the next turn.
//!
//! P(right within two turns) = P(g) + Σ over d of max over s ≠ g of P(s) · P(d | s, g): after each reply, the most
//! probable code is declared.

use super::noisy_replies::{NoisyReplies, likely_codes};
use crate::solver::bayes::Posterior;
use crate::solver::distance::Difference;

pub(super) struct TwoSteps(NoisyReplies);

impl TwoSteps {
    pub(super) fn new(of: Difference, sigma: f64) -> Self {
        Self(NoisyReplies::new(of, sigma))
    }

    /// The best of these codes; of equal ones the more probable, then the smaller. `None` before the first reply, when
    /// all are equally probable.
    pub(super) fn choose(&self, values: &[i64], belief: &Posterior) -> Option<i64> {
        if belief.is_uniform() {
            return None;
        }
        let likely = likely_codes(values, belief);
        let right = |guess: i64| {
            let found = likely.binary_search_by_key(&guess, |code| code.0);
            found.map_or(0.0, |index| likely[index].1)
        };
        let value = |guess: i64| {
            (
                right(guess) + self.next(&likely, guess),
                right(guess),
                guess,
            )
        };
        let better = |best: (f64, f64, i64), next: (f64, f64, i64)| {
            let equal = (next.0 - best.0).abs() <= 1e-12;
            match next.0 > best.0 + 1e-12 || equal && next.1 > best.1 {
                true => next,
                false => best,
            }
        };
        let pool = self.0.pool(values, &likely)?;
        pool.map(value).reduce(better).map(|best| best.2)
    }

    /// The probability that the guess is wrong, and the most probable code after the reply is right.
    fn next(&self, likely: &[(i64, f64)], guess: i64) -> f64 {
        let best = self
            .0
            .by_reply(likely, guess, |code| code != guess, f64::max);
        best.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::distance::Noise;

    #[test]
    fn the_choice_is_that_of_the_sum_over_all_pairs_of_replies_and_codes() {
        let values: Vec<i64> = (0..16).filter(|v| v / 4 != v % 4).collect();
        let weights: Vec<f64> = (0..12).map(|i| f64::from(1 + i * 7 % 11)).collect();
        let total: f64 = weights.iter().sum();
        let belief = Posterior::from_prior(&weights);
        for of in [Difference::Signed, Difference::Size] {
            let mut noise = Noise::new(1.3);
            let mut within_two = |guess: i64| {
                let mut sum = 0.0;
                for reply in -40..=40 {
                    let joint = |i: usize| match values[i] == guess {
                        true => 0.0,
                        false => {
                            weights[i] / total
                                * noise.log_mass(reply - of.between(values[i], guess)).exp()
                        }
                    };
                    sum += (0..12).map(joint).fold(0.0, f64::max);
                }
                sum + values
                    .iter()
                    .position(|&v| v == guess)
                    .map_or(0.0, |i| weights[i] / total)
            };
            let best = values.iter().map(|&g| within_two(g)).fold(0.0, f64::max);
            let chosen = TwoSteps::new(of, 1.3).choose(&values, &belief).unwrap();
            assert!((within_two(chosen) - best).abs() < 1e-9, "{of:?} {chosen}");
        }
        assert_eq!(
            TwoSteps::new(Difference::Size, 1.0).choose(&values, &Posterior::uniform(12)),
            None
        );
    }
}
