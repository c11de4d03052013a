//! How few turns a noisy game takes on average: a bound that no strategy can beat.
//!
//! **Signed differences.** To know s - g + noise is to know y = s + noise, whatever the guess. So guess i depends on
//! y₁ … yᵢ₋₁ and nothing else (while all guesses are wrong). Guesses j + 1 to t are then a set of at most t - j codes that
//! depends on y₁ … yₜ₋₁. The secret is in such a set with at most the expected probability of the t - j most probable
//! codes after t - 1 replies, M(t - j, t - 1). Sums over blocks of turns that cover 1 to t bound P(T ≤ t):
//!
//! ```text
//! B(0) = 0,  B(t) = min over j < t of B(j) + M(t - j, t - 1),  mean turns ≥ Σ over t ≥ 0 of 1 - min(1, B(t))
//! ```
//!
//! With one block from 1 to t, the bound knows in hindsight which codes to guess. With blocks it does not know more than
//! the replies so far at the end of each block.
//!
//! **Without the sign.** The reply is that of a signed difference, whose noise is as likely to be e as -e, to whom is also
//! told on which side of the guess the secret lies. So who hears y and the side does at least as well. With t - 1 sides
//! guess i is one of at most 2^(i-1) codes for given y's, and a block has 2^t - 2^j codes instead of t - j.

use std::ops::Range;

use rayon::prelude::*;
use tester::case::Seed;
use tester::problem::{Instance, Spec};

use super::distance::{difference_of, sigma_of};
use super::games::SimulateError;
use crate::solver::distance::{Difference, Noise};

/// A mean over games, and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// Of these numbers.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            mean,
            error: (squares / (count - 1.0).max(1.0) / count).sqrt(),
        }
    }

    /// Half the width of the interval that contains the true mean in 95 % of samples, if the mean is normal.
    pub fn half_width(&self) -> f64 {
        1.96 * self.error
    }
}

/// Lower bounds for the mean turns of a game.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Bound {
    /// With one block for each t, over all games.
    pub hindsight: Estimate,
    /// With the best blocks. They are chosen on the even games and computed on the odd ones, so that the choice does not
    /// favour any side.
    pub blocks: Estimate,
    /// Bounds of P(T ≤ t) for t = 1, 2, …, with the best blocks.
    pub found: Vec<f64>,
}

/// More turns are not looked at; what is left out makes the bound smaller.
const MOST_TURNS: usize = 250;
/// A game is over when all but this is found.
const REST: f64 = 1e-7;
/// More codes are not listed.
const MOST_CODES: usize = 50_000;

/// For t = 1, 2, … and each j < t: the probability of the codes that guesses j + 1 to t can be.
type Masses = Vec<Vec<f64>>;

/// The bound over the cases of these seeds. Calls `counted` after each, from any thread.
///
/// # Errors
/// If the game is not `distance` or `gap`, or has too many codes.
pub fn bound(
    problem: &str,
    seeds: Range<u64>,
    counted: &(dyn Fn() + Sync),
) -> Result<Bound, SimulateError> {
    let spec = Spec::parse(problem)?;
    spec.generate(Seed(0))?;
    let failed = |why: &str| SimulateError::Game {
        problem: problem.to_owned(),
        case: "seed",
        number: seeds.start,
        why: why.to_owned(),
    };
    let of = difference_of(spec.problem.name());
    let of = of.ok_or_else(|| SimulateError::NotNoisy(problem.to_owned()))?;
    let base = spec.params[1].parse().unwrap_or(1);
    let number = |words: &str| number(words, base);
    let all = spec.enumerate()?.take(MOST_CODES + 1);
    let values: Vec<i64> = all
        .filter_map(|case| Some(number(&case.answer()?)))
        .collect();
    if values.len() > MOST_CODES {
        return Err(failed(&format!("expected at most {MOST_CODES} codes")));
    }
    let sigma = sigma_of(&spec.params);
    let game = |noise: &mut Noise, seed: u64| {
        let case = spec.generate(Seed(seed))?;
        let secret = number(&case.answer().unwrap_or_default());
        let masses = masses(of, &values, noise, &told(&*case, secret));
        counted();
        Ok::<_, SimulateError>(masses)
    };
    let games = seeds.into_par_iter().map_init(|| Noise::new(sigma), game);
    let games: Vec<Masses> = games.collect::<Result<_, _>>()?;
    Ok(combine(&games))
}

/// The number that digits are in this base.
fn number(digits: &str, base: i64) -> i64 {
    let digits = digits.split(' ').filter_map(|word| word.parse().ok());
    digits.fold(0, |value, digit: i64| value * base + digit)
}

/// y₁, y₂, … of a case: its secret plus the noise of each turn, which the third line of its file has.
fn told(case: &dyn Instance, secret: i64) -> Vec<i64> {
    let text = case.to_text();
    let noise = text.lines().nth(2).unwrap_or("0");
    let turns = noise.split(' ').take(MOST_TURNS);
    turns
        .map(|word| secret + word.parse::<i64>().unwrap_or(0))
        .collect()
}

/// How many codes guesses j + 1 to t can be.
fn codes_of_block(of: Difference, j: usize, t: usize) -> usize {
    match of {
        Difference::Signed => t - j,
        Difference::Size if t >= 40 => usize::MAX,
        Difference::Size => (1 << t) - (1 << j),
    }
}

fn masses(of: Difference, values: &[i64], noise: &mut Noise, told: &[i64]) -> Masses {
    let mut logs = vec![0.0; values.len()];
    let mut masses = Vec::new();
    let turns = (1..).zip(std::iter::once(None).chain(told.iter().map(Some)));
    for (t, told) in turns {
        if let Some(told) = told {
            let likelihoods = values.iter().map(|value| noise.log_mass(told - value));
            logs.iter_mut()
                .zip(likelihoods)
                .for_each(|(log, more)| *log += more);
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let mut sum = 0.0;
        let sums: Vec<f64> = weights
            .iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        let best = |count: usize| sums[count.min(sums.len()) - 1] / sum;
        let of_blocks: Vec<f64> = (0..t).map(|j| best(codes_of_block(of, j, t))).collect();
        let rest = 1.0 - of_blocks[0];
        masses.push(of_blocks);
        if rest < REST {
            break;
        }
    }
    masses
}

/// A game that is over counts as found.
fn mass(game: &Masses, j: usize, t: usize) -> f64 {
    game.get(t - 1).map_or(1.0, |of_blocks| of_blocks[j])
}

fn combine(games: &[Masses]) -> Bound {
    let turns = games.iter().map(Vec::len).max().unwrap_or(0);
    let in_hindsight = |game: &Masses| game.iter().map(|blocks| 1.0 - blocks[0]).sum::<f64>() + 1.0;
    let in_hindsight: Vec<f64> = games.iter().map(in_hindsight).collect();
    let half = |odd: usize| games.iter().skip(odd).step_by(2);
    let others = half(1).count().max(1) as f64;
    let chosen = half(0).count().max(1) as f64;
    // The start of the last block for each t, and B(t) over the even games.
    let mut starts = vec![0];
    let mut best = vec![0.0];
    for t in 1..=turns {
        let with = |j: usize| best[j] + half(0).map(|game| mass(game, j, t)).sum::<f64>() / chosen;
        let bounds = (0..t).map(|j| (with(j), j));
        let least = bounds.min_by(|a, b| a.0.total_cmp(&b.0));
        let (bound, start) = least.unwrap_or((1.0, 0));
        best.push(bound);
        starts.push(start);
    }
    let found_by = |game: &Masses, t: usize| {
        let (mut end, mut sum) = (t, 0.0);
        while end > 0 {
            sum += mass(game, starts[end], end);
            end = starts[end];
        }
        sum
    };
    let useful: Vec<usize> = (1..=turns).filter(|&t| best[t] < 1.0).collect();
    let left = |game: &Masses| 1.0 + useful.iter().map(|&t| 1.0 - found_by(game, t)).sum::<f64>();
    let blocks: Vec<f64> = half(1).map(left).collect();
    let found = useful
        .iter()
        .map(|&t| half(1).map(|game| found_by(game, t)).sum::<f64>() / others);
    Bound {
        hindsight: Estimate::of(&in_hindsight),
        blocks: Estimate::of(&blocks),
        found: found.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::small::{Small, sequences};

    /// The expected probability of the `count` most probable codes after `replies` replies, over all sequences of them.
    fn exactly(values: &[i64], sigma: f64, count: usize, replies: usize) -> f64 {
        let mut sum = 0.0;
        sequences(values, sigma, replies, &mut |joint| {
            let mut joint = joint.to_vec();
            joint.sort_by(|a, b| b.total_cmp(a));
            sum += joint.iter().take(count).sum::<f64>();
        });
        sum
    }

    #[test]
    fn masses_over_cases_are_those_over_all_sequences_of_replies() {
        let (values, games) = ([0, 1, 2, 3], 4000);
        let spec = Spec::parse("distance 1 4 1").unwrap();
        let mut noise = Noise::new(1.0);
        let mut game = |seed: u64| {
            let case = spec.generate(Seed(seed)).unwrap();
            let secret = number(&case.answer().unwrap(), 4);
            masses(
                Difference::Signed,
                &values,
                &mut noise,
                &told(&*case, secret),
            )
        };
        let games: Vec<Masses> = (0..games).map(&mut game).collect();
        for (j, t) in [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)] {
            let all: Vec<f64> = games.iter().map(|game| mass(game, j, t)).collect();
            let found = Estimate::of(&all);
            let expected = exactly(&values, 1.0, t - j, t - 1);
            let off = (found.mean - expected).abs();
            assert!(
                off <= 4.0 * found.error + 1e-9,
                "{j} {t}: {found:?} {expected}"
            );
        }
    }

    #[test]
    fn no_bound_is_above_the_optimum_of_a_small_game() {
        let codes = |k: i64| (0..k * k).filter(|v| v / k != v % k).collect::<Vec<i64>>();
        for (problem, values, sigma) in [
            ("distance 1 4 1", (0..4).collect(), 1.0),
            ("distance 1 5 0.7", (0..5).collect(), 0.7),
            ("distance 2 3 0.5", codes(3), 0.5),
        ] {
            let bound = bound(problem, 0..4000, &|| ()).unwrap();
            let small = Small::new(Difference::Signed, &values, sigma);
            let optimum = small.fewest_turns(values.len()).0;
            let below = |estimate: Estimate| estimate.mean <= optimum + 4.0 * estimate.error;
            assert!(
                below(bound.hindsight) && below(bound.blocks),
                "{problem}: {bound:?} {optimum}"
            );
            // It is near the optimum, and nearer with blocks.
            assert!(bound.blocks.mean > bound.hindsight.mean - 4.0 * bound.blocks.error);
            assert!(
                bound.blocks.mean > 0.93 * optimum,
                "{problem}: {bound:?} {optimum}"
            );
            for (t, found) in (1..).zip(&bound.found) {
                let most = small.most_found(t);
                assert!(found + 0.02 >= most, "{problem} {t}: {found} {most}");
            }
        }
        // Without the sign: at least as many turns as the optimum of the first turns, all found in the next.
        let bound = bound("gap 1 3 1", 0..4000, &|| ()).unwrap();
        let optimum = Small::new(Difference::Size, &[0, 1, 2], 1.0)
            .fewest_turns(2)
            .0;
        assert!(
            bound.blocks.mean <= optimum + 4.0 * bound.blocks.error,
            "{bound:?} {optimum}"
        );
    }

    #[test]
    fn what_is_no_noisy_game_is_refused() {
        assert!(bound("hitblow 3 10", 0..2, &|| ()).is_err());
        assert!(bound("distance 6 10 1", 0..2, &|| ()).is_err());
    }
}
