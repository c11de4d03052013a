//! The scorers of each game are faster than the `bayes` module, and equal to it: the same values, and
//! the same questions turn for turn.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::core::Table;
use crate::solver::balance::{BalanceSolver, Move, REPLIES, Sides};
use crate::solver::bayes::{
    Hypothesis, Posterior, Worth, best_question, entropy_bits, noisy_information_bits,
};
use crate::solver::distance::{DistanceSolver, Noise, Tables};
use crate::solver::pegs::{Codes, Game, Policy, Replies, Scorer};
use crate::solver::search::{HIT_BONUS, Solver};
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

/// The clock has no say in a game that begins in the future.
fn in_an_hour() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// Plays a game with the solver, and asks `check` before each guess. Returns the number of turns.
fn play(
    codes: &Codes,
    prior: Posterior,
    secret: Hypothesis,
    hit_bonus: f64,
    mut check: impl FnMut(&Posterior, Hypothesis),
) -> usize {
    let mut solver = Solver::new(codes, prior, Policy::Mi { hit_bonus }, in_an_hour());
    for turns in 1.. {
        let guess = solver.guess();
        check(solver.posterior(), guess);
        if guess == secret {
            return turns;
        }
        solver.learn(guess, Replies::new(codes, guess).feedback(secret));
    }
    unreachable!("a guess is right some day")
}

#[test]
fn every_guess_of_all_games_is_that_of_the_core() {
    let table = Table::new("hitblow", 3, 10);
    let codes = Codes::new(table.game);
    for (hit_bonus, total) in [(0.0, 3616), (1.5, 3612), (2.0, 3614)] {
        let mut known = HashMap::new();
        let games = (0..720).map(|secret| {
            play(
                &codes,
                Posterior::uniform(720),
                secret,
                hit_bonus,
                |posterior, guess| {
                    let expected = known
                        .entry(posterior.support().to_vec())
                        .or_insert_with(|| table.guess(posterior, hit_bonus));
                    assert_eq!(guess, *expected, "{:?}", posterior.support());
                },
            )
        });
        assert_eq!(games.sum::<usize>(), total, "{hit_bonus}");
    }
}

#[test]
fn guesses_and_values_on_random_priors_are_those_of_the_core() {
    let mut rng = Pcg64Mcg::seed_from_u64(0);
    for (name, places, digits) in [("hitblow", 3, 6), ("mastermind", 3, 5)] {
        let table = Table::new(name, places, digits);
        let codes = Codes::new(table.game);
        for number in 0..100 {
            // Few different weights, so that many are equal; any weights; weights far apart.
            let mut weight = || match number % 3 {
                0 => f64::from(rng.random_range(0..4_u8)),
                1 => rng.random_range(0.0..1.0),
                _ => 10_f64.powf(rng.random_range(-30.0..0.0)),
            };
            let prior: Vec<f64> = (0..codes.len()).map(|_| weight()).collect();
            let prior = Posterior::from_prior(&prior);
            let secret = prior.sample(rng.random_range(0.0..1.0));
            let hit_bonus = [0.0, 0.5, HIT_BONUS, 4.0][rng.random_range(0..4)];
            play(&codes, prior, secret, hit_bonus, |posterior, guess| {
                assert_eq!(
                    guess,
                    table.guess(posterior, hit_bonus),
                    "{name}, prior {number}"
                );
                let all: Vec<usize> = (0..posterior.support().len()).collect();
                let mut scorer = Scorer::new(&codes, posterior, &all);
                for guess in 0..codes.len() as Hypothesis {
                    let fast = scorer.mutual_information_bits(guess);
                    let core = posterior.information_bits(|secret| table.reply(guess, secret));
                    assert!((fast - core).abs() < 1e-9, "{fast} {core}");
                }
            });
        }
    }
}

/// P(reply | secret) for a guess of a noisy difference: first all differences where the guess is wrong,
/// then all where it is right.
fn noisy_replies(values: &[i64], guess: i64, noise: &mut Noise, widest: i64) -> Vec<Vec<f64>> {
    let mass = |noise: &mut Noise, error: i64| noise.log_mass(error).exp();
    let row = |&secret: &i64| {
        let differences = -widest..=widest;
        let all = differences.map(|shown| mass(noise, shown - (secret - guess)));
        let all: Vec<f64> = all.collect();
        let none = vec![0.0; all.len()];
        match secret == guess {
            true => [none, all].concat(),
            false => [all, none].concat(),
        }
    };
    values.iter().map(row).collect()
}

#[test]
fn noisy_guesses_and_values_are_those_of_the_core() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for number in 0..12 {
        let sigma = [0.7, 2.0, 5.0][number % 3];
        let (policy, bonus) = match number % 2 {
            0 => (Policy::Optimal, None), // the bits of a turn
            _ => (
                Policy::Mi {
                    hit_bonus: HIT_BONUS,
                },
                Some(HIT_BONUS),
            ),
        };
        let game = Game::new("distance", 2, 6).unwrap();
        let mut solver = DistanceSolver::new(game, sigma, policy).unwrap();
        let mut noise = Noise::new(sigma);
        let values: Vec<i64> = (0..36).filter(|value| value / 6 != value % 6).collect();
        let mut posterior = Posterior::uniform(values.len());
        let secret = posterior.sample(rng.random_range(0.0..1.0)) as usize;
        let widest = 36 + (10.0 * sigma) as i64;
        let tables: Vec<_> = values
            .iter()
            .map(|&guess| noisy_replies(&values, guess, &mut noise, widest))
            .map(|rows| {
                rows.into_iter()
                    .map(|row| (entropy_bits(row.iter().copied()), row))
            })
            .map(Iterator::collect::<Vec<_>>)
            .collect();
        for turn in 0.. {
            let information_bits = |posterior: &Posterior, guess: Hypothesis| {
                let class = |&own: &Hypothesis| {
                    let (bits, row) = &tables[guess as usize][own as usize];
                    (posterior.probability(own), &row[..], *bits)
                };
                noisy_information_bits(posterior.support().iter().map(class))
            };
            // The solver leaves out less probable codes, so they are left out on both sides.
            let mut likely = posterior.clone();
            likely.forget_below(1e-9_f64.ln());
            let mut turn_bits = 0.0;
            if let Some(fast) = Tables::new(&values, &likely, &mut noise, &mut u64::MAX.clone()) {
                turn_bits = fast.bits_of_a_turn();
                for (index, &own) in likely.support().iter().enumerate() {
                    let (fast, core) = (
                        turn_bits + fast.information_bits(index),
                        information_bits(&likely, own),
                    );
                    assert!((fast - core).abs() < 1e-9, "{fast} {core}");
                }
            }
            let guess = solver.guess().unwrap();
            let mut order = posterior.support().to_vec();
            order.sort_by(|&a, &b| {
                posterior
                    .probability(b)
                    .total_cmp(&posterior.probability(a))
            });
            let worth = |&own: &Hypothesis| Worth {
                information_bits: information_bits(&posterior, own),
                right: posterior.probability(own),
                cost: 1.0,
            };
            let (expected, _) = best_question(order, worth, bonus.unwrap_or(turn_bits)).unwrap();
            assert_eq!(
                guess, values[expected as usize],
                "game {number}, turn {turn}"
            );
            if guess == values[secret] {
                break;
            }
            // The sum of twelve uniform deviates is nearly normal.
            let deviate: f64 = (0..12).map(|_| rng.random_range(-0.5..0.5)).sum();
            let difference = values[secret] - guess + (sigma * deviate).round() as i64;
            solver.learn(guess, difference);
            let column = (difference + widest) as usize;
            posterior.update(|own| tables[expected as usize][own as usize].1[column]);
        }
    }
}

#[test]
fn weighings_are_those_of_the_core() {
    for (stones, kind) in [
        (5, "odd"),
        (8, "heavy"),
        (9, "heavy"),
        (12, "odd"),
        (13, "heavy"),
    ] {
        let odd = kind == "odd";
        let candidate = |id: Hypothesis| match odd {
            true => (id as usize / 2 + 1, id.is_multiple_of(2)),
            false => (id as usize + 1, true),
        };
        let solver = || BalanceSolver::new(stones, kind, Policy::Mi { hit_bonus: 0.0 }).unwrap();
        for secret in solver().posterior().support().to_vec() {
            let mut solver = solver();
            while let Move::Weigh(weighing) = solver.next_move_until(&mut || false) {
                let (posterior, piles) = (solver.posterior(), solver.piles());
                let total = piles.candidates() as f64;
                let worth = |sides: &Sides| {
                    let weighing = solver.pick(sides);
                    let reply = |id| weighing.reply(candidate(id).0, candidate(id).1);
                    let information_bits = posterior.information_bits(reply);
                    let sizes = piles.sizes(sides).map(|size| size as f64 / total);
                    assert!((information_bits - entropy_bits(sizes)).abs() < 1e-9);
                    Worth {
                        information_bits,
                        right: 0.0,
                        cost: 1.0,
                    }
                };
                let (expected, _) = best_question(piles.questions(), worth, 0.0).unwrap();
                assert_eq!(weighing, solver.pick(&expected), "{stones} {kind} {secret}");
                let reply = weighing.reply(candidate(secret).0, candidate(secret).1);
                assert!(REPLIES.contains(&reply));
                solver.learn(&weighing, reply);
            }
        }
    }
}
