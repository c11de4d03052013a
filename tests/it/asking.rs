//! Games with too many codes to list: codes that fit are drawn evenly, guesses are scored as by the definition, and few
//! turns are taken.

use std::collections::BTreeMap;

use crate::solver::asking::{Sample, UnlistedSolver};
use crate::solver::pegs::{CodeId, Codes, Feedback, Game, Policy, Replies};
use crate::solver::unlisted::Fitting;
use proptest::prelude::*;
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

fn game(name: &str, places: usize, digits: usize) -> Game {
    Game::new(name, places, digits).unwrap()
}

/// A code at random.
fn any_code(game: Game, rng: &mut Pcg64Mcg) -> Vec<u8> {
    let mut code = Vec::new();
    while code.len() < game.places {
        let digit = rng.random_range(0..game.digits) as u8;
        if !game.distinct || !code.contains(&digit) {
            code.push(digit);
        }
    }
    code
}

/// The entropy of the replies to a guess, from the definition.
fn slow_information_bits(codes: &[Vec<u8>], guess: &[u8]) -> f64 {
    let mut counts = BTreeMap::new();
    for code in codes {
        *counts
            .entry(Feedback::from_codes(guess, code))
            .or_insert(0.0) += 1.0;
    }
    let all = codes.len() as f64;
    counts
        .values()
        .map(|count: &f64| -count / all * (count / all).log2())
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_sample_scores_guesses_as_the_definition_does(seed in any::<u64>(), which in 0..4_usize, count in 1..70_usize) {
        let rules = [
            game("hitblow", 10, 64),
            game("hitblow", 4, 5),
            game("mastermind", 10, 64),
            game("mastermind", 10, 3),
        ][which];
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let codes: Vec<Vec<u8>> = (0..count).map(|_| any_code(rules, &mut rng)).collect();
        let mut sample = Sample::new(rules, codes.iter());
        for guess in [any_code(rules, &mut rng), codes[0].clone()] {
            let found = sample.information_bits(&guess);
            prop_assert!((found - slow_information_bits(&codes, &guess)).abs() < 1e-9);
            let parts = sample.partition(&guess);
            prop_assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), count);
            for (cell, part) in parts.iter().enumerate() {
                for &at in part {
                    prop_assert_eq!(Feedback::from_codes(&guess, &codes[at]).cell(rules.places), cell);
                }
            }
        }
    }
}

/// The share of codes that have each digit at each place.
fn shares(game: Game, codes: &[Vec<u8>]) -> Vec<f64> {
    let mut shares = vec![0.0; game.places * game.digits];
    for code in codes {
        for (place, &digit) in code.iter().enumerate() {
            shares[place * game.digits + usize::from(digit)] += 1.0 / codes.len() as f64;
        }
    }
    shares
}

#[test]
fn codes_that_fit_are_drawn_evenly() {
    for (rules, guess) in [
        (game("hitblow", 6, 10), [0, 1, 2, 3, 4, 5]),
        (game("mastermind", 6, 7), [0, 0, 1, 1, 2, 3]),
    ] {
        let codes = Codes::new(rules);
        let reply = Feedback { hits: 1, blows: 2 };
        let all = 0..codes.len() as CodeId;
        let id = all.clone().find(|&id| codes.digits(id) == guess).unwrap();
        let replies = Replies::new(&codes, id);
        let fits: Vec<CodeId> = all
            .filter(|&secret| replies.feedback(secret) == reply)
            .collect();
        let mut fitting = Fitting::new(rules);
        fitting.sample(&mut u64::MAX.clone(), 60_000_000);
        fitting.learn(&guess, reply);
        let (sample, complete) = fitting.sample(&mut u64::MAX.clone(), 60_000_000);
        let fits: Vec<Vec<u8>> = fits.iter().map(|&id| codes.digits(id).to_vec()).collect();
        assert!(sample.iter().all(|code| fits.binary_search(code).is_ok()));
        assert!(
            !complete && sample.len() < fits.len() && sample.len() > 2000,
            "{} of {}",
            sample.len(),
            fits.len()
        );
        // The estimate of their number is near.
        assert!((fitting.bits_left() - (fits.len() as f64).log2()).abs() < 0.5);
        let (found, expected) = (shares(rules, &sample), shares(rules, &fits));
        for (found, expected) in found.iter().zip(&expected) {
            let error = 5.0 * (expected * (1.0 - expected) / sample.len() as f64).sqrt();
            assert!(
                (found - expected).abs() <= error + 1e-9,
                "{found} {expected} {}",
                sample.len()
            );
        }
    }
}

/// The turns of a game in process.
fn turns(game: Game, secret: &[u8], mut solver: UnlistedSolver) -> usize {
    for turn in 1..100 {
        let guess = solver.guess(false).unwrap();
        let reply = Feedback::from_codes(&guess, secret);
        if usize::from(reply.hits) == game.places {
            return turn;
        }
        solver.learn(&guess, reply);
        let (codes, complete) = solver.codes();
        assert!(!complete || codes.iter().any(|code| code == secret));
    }
    panic!("not found in 100 turns");
}

/// What is asked with a twentieth of the work; the whole takes too long where nothing is optimised.
#[test]
fn the_largest_games_take_few_turns() {
    for (name, places, digits, most) in [
        ("hitblow", 10, 20, 15),
        ("hitblow", 10, 64, 24),
        ("mastermind", 8, 20, 13),
        ("mastermind", 10, 64, 26),
    ] {
        let game = game(name, places, digits);
        let secret = any_code(game, &mut Pcg64Mcg::seed_from_u64(7));
        let solver = UnlistedSolver::new(game, Policy::Optimal).with_work(15_000_000);
        let turns = turns(game, &secret, solver);
        assert!(turns <= most, "{} takes {turns} turns", game.title());
    }
}

#[test]
fn a_game_is_played_alike_every_time() {
    let game = game("hitblow", 7, 30);
    let secret = [3, 29, 4, 17, 8, 21, 0];
    let guesses = || {
        let mut solver = UnlistedSolver::new(game, Policy::Optimal).with_work(5_000_000);
        let mut guesses = Vec::new();
        while guesses.last().is_none_or(|guess| guess != &secret) {
            let guess = solver.guess(false).unwrap();
            solver.learn(&guess, Feedback::from_codes(&guess, &secret));
            guesses.push(guess);
        }
        guesses
    };
    assert_eq!(guesses(), guesses());
}

/// With no work left, and in a hurry: a game still ends.
#[test]
fn a_game_goes_on_without_time() {
    for (name, places, digits, most) in [("hitblow", 10, 10, 40), ("mastermind", 6, 20, 40)] {
        let game = game(name, places, digits);
        let secret = any_code(game, &mut Pcg64Mcg::seed_from_u64(3));
        let mut solver = UnlistedSolver::new(game, Policy::Optimal).with_work(0);
        let mut turn = 0;
        loop {
            turn += 1;
            let guess = solver.guess(true).unwrap();
            let reply = Feedback::from_codes(&guess, &secret);
            if usize::from(reply.hits) == places {
                break;
            }
            solver.learn(&guess, reply);
            assert!(turn < most, "{} is not over", game.title());
        }
    }
}

#[test]
#[ignore = "takes minutes: the figures of docs/solver.md, by cargo test --release -p solver --test it -- --ignored --nocapture asking::"]
fn mean_turns_of_the_largest_games() {
    const GAMES: u64 = 200;
    for (name, places, digits) in [
        ("hitblow", 10, 20),
        ("hitblow", 10, 64),
        ("mastermind", 8, 20),
        ("mastermind", 10, 64),
    ] {
        let game = game(name, places, digits);
        let turns = (0..GAMES).map(|seed| {
            let secret = any_code(game, &mut Pcg64Mcg::seed_from_u64(seed));
            turns(game, &secret, UnlistedSolver::new(game, Policy::Optimal)) as f64
        });
        let turns: Vec<f64> = turns.collect();
        let (count, most) = (GAMES as f64, turns.iter().copied().fold(0.0, f64::max));
        let mean = turns.iter().sum::<f64>() / count;
        let squares: f64 = turns.iter().map(|turns| (turns - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let title = game.title();
        println!("{title}: {mean:.2} ± {error:.2} turns, at most {most}");
        assert!(mean < 25.0);
    }
}
