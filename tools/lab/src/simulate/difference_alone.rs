//! Information of the difference alone, as if the reply did not say whether the guess is right.

use super::two_steps::near;
use crate::solver::bayes::{Posterior, entropy_bits};
use crate::solver::distance::{Difference, Noise};

/// The guess whose difference tells most; of equal ones the smallest. `mass` is that of the noise, from -r to r.
pub(super) struct DifferenceAlone {
    of: Difference,
    mass: Vec<f64>,
}

impl DifferenceAlone {
    pub(super) fn new(of: Difference, sigma: f64) -> Self {
        let reach = (8.0 * sigma).ceil().min(1e6) as i64 + 1;
        let mut noise = Noise::new(sigma);
        let mass = (-reach..=reach).map(|error| noise.log_mass(error).exp());
        Self {
            of,
            mass: mass.collect(),
        }
    }

    /// `None` if nothing is likely.
    pub(super) fn choose(&self, values: &[i64], belief: &Posterior) -> Option<i64> {
        let likely = near(values, belief);
        let margin = (self.mass.len() / 16) as i64 + 1;
        let (least, most) = (likely.first()?.0 - margin, likely.last()?.0 + margin);
        let pool = values.iter().filter(|value| (least..=most).contains(value));
        let told = pool.map(|&guess| (self.bits_of_reply(&likely, guess), guess));
        let better = |best: (f64, i64), next: (f64, i64)| match next.0 > best.0 + 1e-9 {
            true => next,
            false => best,
        };
        told.reduce(better).map(|best| best.1)
    }

    /// H(d). The noise has the same part of it for every guess.
    fn bits_of_reply(&self, likely: &[(i64, f64)], guess: i64) -> f64 {
        let apart = |code: &(i64, f64)| self.of.between(code.0, guess);
        let least = likely.iter().map(apart).min().unwrap_or(0);
        let most = likely.iter().map(apart).max().unwrap_or(0);
        let mut of_reply = vec![0.0; (most - least) as usize + self.mass.len()];
        for code in likely {
            let cells = of_reply[(apart(code) - least) as usize..].iter_mut();
            let add = |(sum, mass): (&mut f64, &f64)| *sum += code.1 * mass;
            cells.zip(&self.mass).for_each(add);
        }
        entropy_bits(of_reply)
    }
}
