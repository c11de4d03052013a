//! The replies of a noisy game by the code that causes them: what policies that look at every reply share.
//!
//! Replies beyond eight standard deviations of the noise are left out.

use crate::solver::bayes::Posterior;
use crate::solver::distance::{Difference, Noise};

/// How replies spread around the difference of a guess and the secret.
pub(super) struct NoisyReplies {
    of: Difference,
    /// P(noise = -r, …, r).
    mass: Vec<f64>,
}

impl NoisyReplies {
    pub(super) fn new(of: Difference, sigma: f64) -> Self {
        let reach = (8.0 * sigma).ceil().min(1e6) as i64 + 1;
        let mut noise = Noise::new(sigma);
        let mass = (-reach..=reach).map(|error| noise.log_mass(error).exp());
        Self {
            of,
            mass: mass.collect(),
        }
    }

    /// The guesses that can be best: those from a little below the least of the likely codes to a little above the
    /// greatest. `None` if no code is likely.
    pub(super) fn pool<'a>(
        &self,
        values: &'a [i64],
        likely: &[(i64, f64)],
    ) -> Option<impl Iterator<Item = i64> + 'a> {
        let margin = (self.mass.len() / 16) as i64 + 1;
        let range = likely.first()?.0 - margin..=likely.last()?.0 + margin;
        let values = values.iter().copied();
        Some(values.filter(move |value| range.contains(value)))
    }

    /// A number for each reply to `guess`: `join` takes in P(code) · P(reply | code, guess) for each of the likely codes
    /// that `counts`. Time: one step for each code and each value of the noise.
    pub(super) fn by_reply(
        &self,
        likely: &[(i64, f64)],
        guess: i64,
        counts: impl Fn(i64) -> bool,
        join: impl Fn(f64, f64) -> f64,
    ) -> Vec<f64> {
        let apart = |code: &(i64, f64)| self.of.between(code.0, guess);
        let least = likely.iter().map(apart).min().unwrap_or(0);
        let most = likely.iter().map(apart).max().unwrap_or(0);
        let mut replies = vec![0.0; (most - least) as usize + self.mass.len()];
        for code in likely.iter().filter(|code| counts(code.0)) {
            let cells = replies[(apart(code) - least) as usize..].iter_mut();
            let add = |(cell, mass): (&mut f64, &f64)| *cell = join(*cell, code.1 * mass);
            cells.zip(&self.mass).for_each(add);
        }
        replies
    }
}

/// The numbers and probabilities of the likely codes, ascending.
pub(super) fn likely_codes(values: &[i64], belief: &Posterior) -> Vec<(i64, f64)> {
    let total = belief.total();
    let code = |(index, &own): (usize, &u32)| (values[own as usize], belief.weight(index) / total);
    let all = belief.support().iter().enumerate().map(code);
    all.filter(|code| code.1 > 1e-9).collect()
}
