//! The mean turns of a policy in a noisy game, with less chance than games have.
//!
//! In a game, chance decides whether a guess is right. Its probability is known, so a path goes on as if the guess were
//! wrong, and P(T > t) is multiplied by 1 - p at each turn. The replies of a path are drawn as they come if the guess is
//! wrong: a secret from what is believed, and noise. The mean of Σ over t of P(T > t) over many paths is the mean of T.
//! Policies are compared on paths with the same random numbers.

use std::ops::Range;

use rayon::prelude::*;
use tester::case::Seed;
use tester::problem::Spec;
use tester::problem::rng::CaseRng;

use super::adapter::{Adapter, SelectedPolicy};
use super::distance::{Believer, difference_of, sigma_of};
use super::games::SimulateError;

/// What comes of one path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Σ of P(T > t).
    pub turns: f64,
    /// The probability that the secret is not found when the path ends.
    pub left: f64,
}

/// A path ends when the secret is found with all but this probability.
const REST: f64 = 1e-6;
/// The greatest number of turns of a path.
pub const MOST_TURNS: usize = 80;

/// A path for each seed. Calls `walked` after each, from any thread.
///
/// # Errors
/// If the game is not `distance` or `gap`, or has too many codes to list them.
pub fn paths(
    adapter: &dyn Adapter,
    problem: &str,
    policy: &SelectedPolicy,
    seeds: Range<u64>,
    walked: &(dyn Fn() + Sync),
) -> Result<Vec<Path>, SimulateError> {
    let spec = Spec::parse(problem)?;
    spec.generate(Seed(0))?;
    let one = |seed: u64| {
        let path = path(adapter, &spec, policy, seed);
        walked();
        path.map_err(|why| SimulateError::Game {
            problem: problem.to_owned(),
            case: "path",
            number: seed,
            why,
        })
    };
    seeds.into_par_iter().map(one).collect()
}

fn path(
    adapter: &dyn Adapter,
    spec: &Spec<'_>,
    policy: &SelectedPolicy,
    seed: u64,
) -> Result<Path, String> {
    let of = difference_of(spec.problem.name()).ok_or("expected distance or gap")?;
    let millionths = (sigma_of(&spec.params) * 1e6).round() as u64;
    let mut player = adapter.player(&spec.params, policy, seed)?;
    let mut believer = Believer::new(of, &spec.params)?;
    let mut rng = CaseRng::new(Seed(seed));
    let (mut turns, mut left) = (0.0, 1.0);
    for _ in 0..MOST_TURNS {
        let guess = believer.number(&player.line()?);
        turns += left;
        let right = believer.probability(guess)?;
        left *= 1.0 - right;
        let uniform = rng.below(1 << 53) as f64 / (1_u64 << 53) as f64;
        let noise = rng.rounded_normal(millionths);
        if left < REST {
            break;
        }
        let secret = believer.draw_other(guess, uniform);
        let difference = of.between(secret, guess) + noise;
        player.learn(&format!("0 {difference}"))?;
        believer.learn(guess, difference);
    }
    Ok(Path { turns, left })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Options;
    use crate::simulate::bound::Estimate;
    use crate::simulate::{Cases, adapter, scores_in_order, select};
    use tester::shard::Part;

    #[test]
    fn paths_have_the_mean_of_games_and_less_variance() {
        for problem in ["distance 2 5 2", "gap 2 5 2"] {
            let adapter = adapter(problem).unwrap();
            for name in ["map", "solver", "two-steps", "random-candidate"] {
                let policy = select(adapter, name, &Options::default()).unwrap();
                let cases = Cases::Seeds(0..1500);
                let games = scores_in_order(adapter, problem, &policy, &cases, Part::WHOLE, &|| ());
                let games: Vec<f64> = games.unwrap().iter().map(|&turns| turns as f64).collect();
                let paths = paths(adapter, problem, &policy, 0..300, &|| ()).unwrap();
                let paths: Vec<f64> = paths.iter().map(|path| path.turns).collect();
                let (games, paths) = (Estimate::of(&games), Estimate::of(&paths));
                let error = games.error.hypot(paths.error);
                let off = (games.mean - paths.mean).abs();
                assert!(off < 4.0 * error, "{problem} {name}: {games:?} {paths:?}");
                assert!(
                    paths.error < 1.5 * games.error,
                    "{problem} {name}: {games:?} {paths:?}"
                );
            }
        }
    }

    #[test]
    fn information_of_the_difference_alone_asks_from_outside_and_never_ends() {
        let adapter = adapter("gap 3 10 10").unwrap();
        let turns = |name| {
            let policy = select(adapter, name, &Options::default()).unwrap();
            let paths = paths(adapter, "gap 3 10 10", &policy, 0..3, &|| ()).unwrap();
            paths.iter().map(|path| path.turns).sum::<f64>() / 3.0
        };
        let (alone, all) = (turns("mi-difference"), turns("mi"));
        assert!(alone > 50.0 && all < 20.0, "{alone} {all}");
    }
}
