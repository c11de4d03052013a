//! The value of a game in which the opponent chooses the secret: mean turns that neither player can improve.
//!
//! Both may rename digits and places at random first, so only two things count: how probable each *orbit* is (codes that
//! can be renamed into each other), and the mean turns of a tree over each orbit. That is a matrix game with a row for
//! each orbit and a column for each tree. Trees join the matrix when they are best against the opponent's mixture, until
//! none is new. With one orbit, as in `hitblow`, the value is the least mean.

use std::collections::BTreeMap;

use crate::optimal::{Objective, Options, TooLarge, WeightedSearch, find};
use crate::race::{Fraction, solve_matrix_game};
use crate::solver::pegs::{CodeId, Codes};
use crate::strategy::turns_by_code;
use crate::tree::shape;

/// An orbit in the solution.
#[derive(Clone, Debug)]
pub struct OrbitValue {
    /// How often the digits of a code appear, most frequent first.
    pub shape: Vec<usize>,
    /// How many codes there are.
    pub codes: u64,
    /// How often the opponent's secret is one of them, in the mixture of [`GameValue::at_least`].
    pub probability: f64,
    /// Mean turns of the player's mixture for one of them.
    pub mean: f64,
}

/// Bounds of the value, and the mixtures that prove them.
#[derive(Clone, Debug)]
pub struct GameValue {
    /// No strategy takes fewer turns on average against the opponent's mixture.
    pub at_least: Fraction,
    /// The player's mixture takes no more turns on average, whatever the secret.
    pub at_most: Fraction,
    /// The least total where all codes are equally likely.
    pub least_total: u64,
    /// By shape.
    pub orbits: Vec<OrbitValue>,
    /// How many trees the player's mixture has.
    pub trees: usize,
}

/// Why there is no value.
pub type ValueError = TooLarge;

/// The parts of which mixtures consist.
const WHOLE: u64 = 1_000_000;

/// Orbits, and what trees take over each.
struct Table {
    /// Shape and number of codes.
    orbits: Vec<(Vec<usize>, u64)>,
    /// By tree, and then by orbit: the sum of turns.
    totals: Vec<Vec<u64>>,
}

/// Bounds of the value that are equal or differ by rounding.
///
/// Cost: a [`WeightedSearch`] for each tree; about 20 for `mastermind 4 6`. With one orbit, one [`find`].
///
/// # Errors
/// If the game is too large.
pub fn value(codes: &Codes) -> Result<GameValue, ValueError> {
    let mut by_shape = BTreeMap::<Vec<usize>, u64>::new();
    for code in 0..codes.len() as CodeId {
        *by_shape.entry(shape(codes, code)).or_default() += 1;
    }
    let mut table = Table {
        orbits: by_shape.into_iter().collect(),
        totals: Vec::new(),
    };
    let mut weights = vec![1; table.orbits.len()];
    // With one orbit, all trees are one row. Its least mean needs no weights, and so a search with all techniques.
    if table.orbits.len() == 1 {
        let least = find(codes, Objective::MeanThenWorst, &Options::default())?.total;
        table.totals.push(vec![least]);
        let mean = Fraction::new(u128::from(least), codes.len() as u128);
        return Ok(table.result(&[WHOLE], &weights, mean, least));
    }
    let first = table.best(codes, &weights)?;
    let least_total = first.iter().sum();
    table.totals.push(first);
    let mut at_least = Fraction::new(u128::from(least_total), codes.len() as u128);
    let mut best_weights = weights;
    loop {
        let (parts, probabilities) = table.mixtures();
        weights = table.weights(&probabilities);
        let answer = table.best(codes, &weights)?;
        let bound = table.mean(&answer, &weights);
        if bound.value() > at_least.value() {
            (at_least, best_weights) = (bound, weights);
        }
        if table.totals.contains(&answer) {
            return Ok(table.result(&parts, &best_weights, at_least, least_total));
        }
        table.totals.push(answer);
    }
}

impl Table {
    /// The totals of a tree that is best where the codes of each orbit have these weights.
    fn best(&self, codes: &Codes, weights: &[u64]) -> Result<Vec<u64>, TooLarge> {
        let orbit = |shape: &[usize]| {
            let found = self.orbits.iter().position(|(other, _)| other == shape);
            found.expect("every code is in an orbit")
        };
        let weight = |shape: &[usize]| weights[orbit(shape)];
        let strategy = WeightedSearch::new(codes, &[1, 2], &weight)?.strategy();
        let mut totals = vec![0; self.orbits.len()];
        for (code, turns) in (0..).zip(turns_by_code(codes, &strategy)) {
            totals[orbit(&shape(codes, code))] += turns as u64;
        }
        Ok(totals)
    }

    /// The player's mixture of trees, and the opponent's of orbits.
    fn mixtures(&self) -> (Vec<u64>, Vec<f64>) {
        let row = |orbit: usize| -> Vec<f64> {
            let codes = self.orbits[orbit].1 as f64;
            self.totals
                .iter()
                .map(|totals| totals[orbit] as f64 / codes)
                .collect()
        };
        let matrix: Vec<Vec<f64>> = (0..self.orbits.len()).map(row).collect();
        let (_, of_orbits, of_trees) = solve_matrix_game(&matrix);
        let part = |p: &f64| (p * WHOLE as f64).round() as u64;
        (of_trees.iter().map(part).collect(), of_orbits)
    }

    /// Weights of codes for probabilities of orbits. At least 1: a secret without weight would be found late.
    fn weights(&self, probabilities: &[f64]) -> Vec<u64> {
        let of_code = probabilities
            .iter()
            .zip(&self.orbits)
            .map(|(p, (_, codes))| p / *codes as f64);
        let most = of_code.clone().fold(0.0, f64::max);
        of_code
            .map(|p| 1 + (p / most * WHOLE as f64).round() as u64)
            .collect()
    }

    fn mean(&self, totals: &[u64], weights: &[u64]) -> Fraction {
        let product = |(a, b): (&u64, u64)| u128::from(*a) * u128::from(b);
        let cost = weights
            .iter()
            .zip(totals.iter().copied())
            .map(product)
            .sum();
        let all = weights
            .iter()
            .zip(self.orbits.iter().map(|(_, codes)| *codes));
        Fraction::new(cost, all.map(product).sum())
    }

    fn result(
        &self,
        parts: &[u64],
        weights: &[u64],
        at_least: Fraction,
        least_total: u64,
    ) -> GameValue {
        let whole: u128 = parts.iter().map(|&part| u128::from(part)).sum();
        let mean = |orbit: usize| {
            let one =
                |(part, totals): (&u64, &Vec<u64>)| u128::from(*part) * u128::from(totals[orbit]);
            let sum = parts.iter().zip(&self.totals).map(one).sum();
            Fraction::new(sum, whole * u128::from(self.orbits[orbit].1))
        };
        let means: Vec<Fraction> = (0..self.orbits.len()).map(mean).collect();
        let all: f64 = self
            .orbits
            .iter()
            .zip(weights)
            .map(|((_, codes), w)| (codes * w) as f64)
            .sum();
        let orbits = self.orbits.iter().zip(weights).zip(&means);
        GameValue {
            at_least,
            at_most: *means
                .iter()
                .max_by(|a, b| a.value().total_cmp(&b.value()))
                .expect("a game has codes"),
            least_total,
            orbits: orbits
                .map(|(((shape, codes), weight), mean)| OrbitValue {
                    shape: shape.clone(),
                    codes: *codes,
                    probability: (codes * weight) as f64 / all,
                    mean: mean.value(),
                })
                .collect(),
            trees: parts.iter().filter(|&&part| part > 0).count(),
        }
    }
}
