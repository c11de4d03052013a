//! Noisy games of a few codes, solved exactly: every order of guesses, every reply.
//!
//! What is known is which codes were wrong, and how often each reply came. Noise beyond six standard deviations (10^-9)
//! is left out.

use std::collections::HashMap;

use crate::solver::distance::{Difference, Noise};

/// What is known: wrong codes, and observations in ascending order.
type State = (u32, Vec<u16>);

/// A game of a few codes.
pub struct Small {
    of: Difference,
    values: Vec<i64>,
    /// For each observation and code: the probability.
    likelihoods: Vec<Vec<f64>>,
    /// The observations that a guess can bring.
    of_guess: Vec<Vec<u16>>,
}

/// The most codes.
pub const MOST: usize = 6;
/// The greatest standard deviation of a game that is solved within seconds.
pub const MOST_SIGMA: f64 = 1.0;
const REACH: f64 = 6.0;

/// How many turns to look ahead. Without a sign there are more states, and wrong codes may be asked again.
pub fn turns(of: Difference, codes: usize) -> usize {
    match of {
        Difference::Signed => codes,
        Difference::Size => 4.min(8 - codes.min(6)),
    }
}

/// P(noise = -r, …, r), with a sum of 1.
fn masses(sigma: f64) -> Vec<f64> {
    let reach = (REACH * sigma).ceil() as i64;
    let mut noise = Noise::new(sigma);
    let mass: Vec<f64> = (-reach..=reach).map(|e| noise.log_mass(e).exp()).collect();
    let sum: f64 = mass.iter().sum();
    mass.iter().map(|mass| mass / sum).collect()
}

impl Small {
    /// The game with these codes as numbers, ascending and equally likely.
    ///
    /// # Panics
    /// If there are too many.
    pub fn new(of: Difference, values: &[i64], sigma: f64) -> Self {
        assert!(values.len() <= MOST, "expected at most {MOST} codes");
        let mass = masses(sigma);
        let reach = (mass.len() / 2) as i64;
        let at = |error: i64| match error.abs() <= reach {
            true => mass[(error + reach) as usize],
            false => 0.0,
        };
        let span = values[values.len() - 1] - values[0];
        let mut likelihoods = Vec::new();
        let mut of_guess: Vec<Vec<u16>> = Vec::new();
        for &guess in values {
            // A signed difference tells the same after any guess.
            if of == Difference::Signed && !of_guess.is_empty() {
                of_guess.push(of_guess[0].clone());
                continue;
            }
            let first = likelihoods.len() as u16;
            for reply in -span - reach..=span + reach {
                let row = values.iter().map(|&s| at(reply - of.between(s, guess)));
                likelihoods.push(row.collect());
            }
            of_guess.push((first..likelihoods.len() as u16).collect());
        }
        Self {
            of,
            values: values.to_vec(),
            likelihoods,
            of_guess,
        }
    }

    /// The fewest turns on average, between two bounds: after `turns` turns, all that is left is found in the next turn,
    /// or without hearing any more replies. Both are equal if `turns` is the number of codes and differences are signed:
    /// then no code need be guessed twice.
    pub fn fewest_turns(&self, turns: usize) -> (f64, f64) {
        let solve = |optimistic: bool| {
            let mut end = |weights: &[f64]| match optimistic {
                true => weights.iter().sum::<f64>(),
                false => one_by_one(weights),
            };
            let mut known = HashMap::new();
            let value = self.least(&mut known, &mut (0, Vec::new()), turns, &mut end);
            value / self.values.len() as f64
        };
        (solve(true), solve(false))
    }

    /// The probability of what was observed under each code, 0 under those that were wrong.
    fn weights(&self, state: &State) -> Vec<f64> {
        let weight = |code: usize| match state.0 >> code & 1 {
            1 => 0.0,
            _ => state
                .1
                .iter()
                .map(|&o| self.likelihoods[usize::from(o)][code])
                .product(),
        };
        (0..self.values.len()).map(weight).collect()
    }

    /// Calls `visit` with the state after each reply to a wrong guess.
    fn each_reply(&self, state: &State, guess: usize, visit: &mut dyn FnMut(&mut State)) {
        for &observation in &self.of_guess[guess] {
            let mut next = (state.0 | 1 << guess, state.1.clone());
            let place = next.1.partition_point(|&known| known < observation);
            next.1.insert(place, observation);
            visit(&mut next);
        }
    }

    /// The guesses to consider: with a sign, a wrong code tells no more than another one.
    fn guesses(&self, wrong: u32) -> Vec<usize> {
        let signed = self.of == Difference::Signed;
        let all = 0..self.values.len();
        all.filter(|guess| !(signed && wrong >> guess & 1 == 1))
            .collect()
    }

    /// Turns times probability.
    fn least(
        &self,
        known: &mut HashMap<State, f64>,
        state: &mut State,
        turns: usize,
        end: &mut dyn FnMut(&[f64]) -> f64,
    ) -> f64 {
        let weights = self.weights(state);
        let total: f64 = weights.iter().sum();
        let left = weights.iter().filter(|&&weight| weight > 0.0).count();
        // What is that improbable changes no digit.
        if turns == 0 || total < 1e-13 {
            return end(&weights);
        }
        if left <= 1 {
            return total;
        }
        if let Some(&value) = known.get(state) {
            return value;
        }
        let mut best = f64::INFINITY;
        for guess in self.guesses(state.0) {
            let mut value = total;
            self.each_reply(state, guess, &mut |next| {
                value += self.least(known, next, turns - 1, end);
            });
            best = best.min(value);
        }
        known.insert(state.clone(), best);
        best
    }
}

/// The most probable code first, then the next: turns times probability.
fn one_by_one(weights: &[f64]) -> f64 {
    let mut weights = weights.to_vec();
    weights.sort_by(|a, b| b.total_cmp(a));
    (1..)
        .zip(weights)
        .map(|(turn, weight)| f64::from(turn) * weight)
        .sum()
}

/// Calls `visit` with the joint probabilities of each code and each sequence of this number of signed differences.
#[cfg(test)]
pub(super) fn sequences(values: &[i64], sigma: f64, replies: usize, visit: &mut dyn FnMut(&[f64])) {
    let game = Small::new(Difference::Signed, values, sigma);
    let start = vec![1.0 / values.len() as f64; values.len()];
    game.all_sequences(&start, replies, visit);
}

/// Values to which tests hold others.
#[cfg(test)]
impl Small {
    /// The largest probability of finding the secret within `turns` turns.
    pub(super) fn most_found(&self, turns: usize) -> f64 {
        let mut known = HashMap::new();
        let found = self.most(&mut known, &mut (0, Vec::new()), turns);
        found / self.values.len() as f64
    }

    fn most(&self, known: &mut HashMap<State, f64>, state: &mut State, turns: usize) -> f64 {
        let weights = self.weights(state);
        if turns <= 1 {
            return weights.iter().copied().fold(0.0, f64::max) * turns as f64;
        }
        if let Some(&value) = known.get(state) {
            return value;
        }
        let mut best = 0.0_f64;
        for guess in self.guesses(state.0) {
            let mut value = weights[guess];
            self.each_reply(state, guess, &mut |next| {
                value += self.most(known, next, turns - 1)
            });
            best = best.max(value);
        }
        known.insert(state.clone(), best);
        best
    }

    fn all_sequences(&self, joint: &[f64], replies: usize, visit: &mut dyn FnMut(&[f64])) {
        if replies == 0 {
            return visit(joint);
        }
        for row in &self.likelihoods {
            let next: Vec<f64> = joint.iter().zip(row).map(|(p, q)| p * q).collect();
            self.all_sequences(&next, replies - 1, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_can_be_worked_out_by_hand() {
        let turns = |sigma, values: &[i64]| {
            let small = Small::new(Difference::Signed, values, sigma);
            let (low, high) = small.fewest_turns(values.len());
            assert!((low - high).abs() < 1e-9, "{low} {high}");
            low
        };
        // Without noise, the second guess is right unless the first one is.
        assert!((turns(0.0, &[0, 1, 2, 3]) - 7.0 / 4.0).abs() < 1e-9);
        // With much noise nothing is told: (1 + 2 + 3) / 3.
        assert!((turns(60.0, &[0, 1, 2]) - 2.0).abs() < 0.01);
        // Two codes: the first is right or the second is.
        assert!((turns(1.0, &[3, 4]) - 1.5).abs() < 1e-9);
        // Three codes 0, 10, 20, hardly any noise, no sign: 10 first does not tell 0 from 20, 0 first tells all.
        let gap = Small::new(Difference::Size, &[0, 10, 20], 0.3);
        let (low, high) = gap.fewest_turns(3);
        assert!((low - 5.0 / 3.0).abs() < 1e-9 && (high - low).abs() < 1e-9);
        assert!(
            (gap.most_found(2) - 1.0).abs() < 1e-9 && (gap.most_found(1) - 1.0 / 3.0).abs() < 1e-9
        );
    }

    #[test]
    fn the_optimum_of_three_codes_is_that_of_one_reply_written_out() {
        // Guess g; after reply y, of the two others the more probable first: 1 + Σ (P + 2 P') over the others.
        let (values, mass) = ([0_i64, 1, 2], masses(1.0));
        let at = |error: i64| mass.get((error + 6) as usize).copied().unwrap_or(0.0);
        let after = |guess: i64| {
            let mut sum = 1.0 / 3.0;
            for y in -10..=14 {
                let others = values.iter().filter(|&&v| v != guess);
                let joint: Vec<f64> = others.map(|&v| at(y - v) / 3.0).collect();
                let (more, less) = (joint[0].max(joint[1]), joint[0].min(joint[1]));
                sum += 2.0 * more + 3.0 * less;
            }
            sum
        };
        let least = values
            .iter()
            .map(|&guess| after(guess))
            .fold(f64::INFINITY, f64::min);
        let (low, _) = Small::new(Difference::Signed, &values, 1.0).fewest_turns(3);
        assert!((low - least).abs() < 1e-9, "{low} {least}");
    }
}
