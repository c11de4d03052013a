//! Whether codes of probability p are the secret with frequency p.
//!
//! Before each guess of many games, every code has a probability. Of all codes with probability p, a fraction p must be
//! the secret.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use tester::case::Seed;
use tester::problem::Spec;

use super::distance::{difference_of, steps};
use super::games::SimulateError;
use crate::solver::pegs::Policy;

/// Codes of nearly the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many there were, over all turns of all games.
    pub codes: u64,
    /// The sum of their probabilities: how many were expected to be right.
    pub expected: f64,
    /// How many were right.
    pub right: u64,
    /// The variance of `right - expected`: the sum of its squares over games, for the turns of one game
    /// depend on each other; at least `expected`, where hardly any was right to tell.
    pub variance: f64,
}

/// Bins by a quarter of a power of ten.
pub const BINS_PER_DECADE: f64 = 4.0;
/// Less probable codes are left out.
const LEAST: f64 = 1e-7;

/// Plays `distance` or `gap` with these seeds and compares. Ascending by probability.
///
/// # Errors
/// If there is no such problem, or a game goes wrong.
pub fn reliability(
    problem: &str,
    seeds: Range<u64>,
    played: &(dyn Fn() + Sync),
) -> Result<Vec<Bin>, SimulateError> {
    let spec = Spec::parse(problem)?;
    spec.generate(Seed(0))?;
    let failed = |seed: u64, why: String| SimulateError::Game {
        problem: problem.to_owned(),
        case: "seed",
        number: seed,
        why,
    };
    // Here and not in a thread, so that the message always names the same seed.
    let Some(of) = difference_of(spec.problem.name()) else {
        let why = "expected distance or gap".to_owned();
        return Err(failed(seeds.start, why));
    };
    let game = |seed: u64| {
        let wrong = |why| failed(seed, why);
        let instance = spec.generate(Seed(seed))?;
        let steps = steps(of, &*instance, &spec.params, Policy::Map).map_err(wrong)?;
        let secret = steps.last().map_or(0, |step| step.guess);
        played();
        let mut bins = BTreeMap::<i32, Bin>::new();
        for &(code, p) in steps.iter().flat_map(|step| &step.belief) {
            if p >= LEAST {
                let bin = bins
                    .entry((BINS_PER_DECADE * p.log10()).floor() as i32)
                    .or_default();
                bin.codes += 1;
                bin.expected += p;
                bin.right += u64::from(code == secret);
            }
        }
        Ok::<_, SimulateError>(bins)
    };
    let games: Vec<_> = seeds.into_par_iter().map(game).collect::<Result<_, _>>()?;
    let mut all = BTreeMap::<i32, Bin>::new();
    for (key, bin) in games.into_iter().flatten() {
        let sum = all.entry(key).or_default();
        sum.codes += bin.codes;
        sum.expected += bin.expected;
        sum.right += bin.right;
        sum.variance += (bin.right as f64 - bin.expected).powi(2);
    }
    let at_least = |bin: Bin| Bin {
        variance: bin.variance.max(bin.expected),
        ..bin
    };
    Ok(all.into_values().map(at_least).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_believed_comes_true_over_whole_games() {
        let bins = reliability("distance 2 10 5", 0..400, &|| ()).unwrap();
        assert!(bins.len() > 12 && bins.is_sorted_by(|a, b| mean(a) < mean(b)));
        let filled: Vec<&Bin> = bins.iter().filter(|bin| bin.expected >= 10.0).collect();
        assert!(filled.len() >= 6);
        for bin in filled {
            // Of some ten bins, none is four deviations off by chance; the seeds are fixed.
            let off = (bin.right as f64 - bin.expected) / bin.variance.sqrt();
            assert!(off.abs() < 4.0, "{bin:?}");
        }
        assert!(reliability("hitblow 2 10", 0..1, &|| ()).is_err());
    }

    fn mean(bin: &Bin) -> f64 {
        bin.expected / bin.codes as f64
    }
}
