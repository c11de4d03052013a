//! What a wrong prior costs: the strategy believes one distribution of secrets, and they come from another.
//!
//! One walk through the tree of who believes B tells the turns of every secret that B has. Their mean under A is what A
//! pays for believing B. A secret that B gives the probability 0 is in no leaf: no reply can bring it back.

use super::walk::walk;
use crate::policy::Policy;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::Codes;

/// Secrets of one distribution, played by who believes another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorCost {
    /// Mean turns over the secrets that are found; NaN if none is.
    pub mean: f64,
    /// The probability of a secret that is never found.
    pub lost: f64,
    /// The Kullback–Leibler divergence of the believed distribution from the true one: Σ A · log2(A/B) bits. Infinite if a
    /// secret is never found.
    pub divergence_bits: f64,
}

/// Turns of every secret that `believed` has; 0 for the others.
pub fn turns_believing(codes: &Codes, believed: &Posterior, policy: &dyn Policy) -> Vec<usize> {
    let mut turns = vec![0; codes.len()];
    walk(codes, believed, policy, &mut |secret, taken, _| {
        turns[secret as usize] = taken;
    });
    turns
}

/// What secrets from `truth` cost who believes `believed` and needs these turns.
pub fn prior_cost(truth: &Posterior, believed: &Posterior, turns: &[usize]) -> PriorCost {
    let (mut sum, mut found, mut divergence_bits) = (0.0, 0.0, 0.0);
    let mut believed_probability = vec![0.0; turns.len()];
    for (secret, p) in believed.probabilities() {
        believed_probability[secret as usize] = p;
    }
    for (secret, p) in truth.probabilities() {
        divergence_bits += p * (p / believed_probability[secret as usize]).log2();
        if turns[secret as usize] > 0 {
            sum += p * turns[secret as usize] as f64;
            found += p;
        }
    }
    PriorCost {
        mean: sum / found,
        lost: (1.0 - found).max(0.0),
        divergence_bits,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::game::{self, HABITS};
    use crate::policy::{Options, select};
    use crate::solver::pegs::{self, CodeId, Feedback};
    use crate::solver::search::Solver;

    /// The turns of one secret, by playing it with the solver; `None` if no code is left.
    fn played(codes: &Codes, believed: &Posterior, secret: CodeId) -> Option<usize> {
        let policy = pegs::Policy::Map;
        let mut solver = Solver::new(codes, believed.clone(), policy, Instant::now());
        for turn in 1.. {
            let guess = solver.guess();
            if guess == secret {
                return Some(turn);
            }
            let reply = Feedback::from_codes(codes.digits(guess), codes.digits(secret));
            solver.learn(guess, reply);
            if solver.posterior().support().is_empty() {
                return None;
            }
        }
        None
    }

    #[test]
    fn turns_are_those_of_games_and_a_zero_is_never_repaired() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let options = Options {
            prior: true,
            ..Options::default()
        };
        let policy = (select("map", &options).unwrap().build)(&options);
        let priors: Vec<Posterior> = HABITS
            .iter()
            .map(|habit| habit.prior(&codes).unwrap())
            .collect();
        for believed in &priors {
            let turns = turns_believing(&codes, believed, &*policy);
            for secret in (0..720).step_by(7) {
                let expected = played(&codes, believed, secret).unwrap_or(0);
                assert_eq!(turns[secret as usize], expected, "{secret}");
                assert_eq!(expected == 0, believed.probability(secret) == 0.0);
            }
            for truth in &priors {
                let cost = prior_cost(truth, believed, &turns);
                // The mean over secrets, drawn one by one from the true distribution.
                let all = truth.support().iter().filter(|&&s| turns[s as usize] > 0);
                let (mut sum, mut weight) = (0.0, 0.0);
                for &secret in all {
                    weight += truth.probability(secret);
                    sum += truth.probability(secret) * turns[secret as usize] as f64;
                }
                assert!(
                    (cost.mean - sum / weight).abs() < 1e-9
                        && (cost.lost - (1.0 - weight)).abs() < 1e-9
                );
                assert!(
                    cost.divergence_bits > -1e-9
                        && cost.divergence_bits.is_finite() == (cost.lost < 1e-9)
                );
            }
        }
    }
}
