//! The solver and a noisy difference: probabilities against references and slow twins, and whether what it
//! believes comes true as often as it believes.

use std::collections::BTreeMap;

use crate::solver::bayes::Posterior;
use crate::solver::distance::{Difference, DistanceSolver, Gaps, Noise, Tables};
use crate::solver::pegs::{Game, Policy};
use crate::solver::search::HIT_BONUS;
use proptest::prelude::*;
use tester::case::Seed;
use tester::problem::Spec;

/// Computed with 60 digits, as a difference of two complementary error functions.
const LOG_MASSES: [(f64, i64, f64); 16] = [
    (0.5, 0, -0.38171514630212607),
    (0.5, 1, -1.8495664205476084),
    (0.5, 7, -87.98971997102312),
    (1.0, 0, -0.959_916_333_695_622_3),
    (1.0, 1, -1.4199324821566263),
    (1.0, 40, -784.720_879_104_317_6),
    (1.0, 1000, -499507.95119468814),
    (3.0, 2, -2.2423449426081614),
    (10.0, 0, -3.221_940_223_426_453),
    (10.0, 5, -3.346836093645861),
    (10.0, 987, -4871.421921146682),
    (30.0, -100, -9.875_223_434_527_072),
    (1000.0, 999, -8.32569431227010),
    (1e9, 0, -21.642204370151084),
    (1e9, 4_000_000_000, -29.642204370151084),
    (1e-6, 1, -125000000014.0413),
];

#[test]
fn probabilities_of_rounded_deviates_are_right_to_nine_digits_however_far_out() {
    for (sigma, error, expected) in LOG_MASSES {
        let found = Noise::new(sigma).log_mass(error);
        let close = (found - expected).abs() < 1e-9 * expected.abs().max(1.0);
        assert!(close, "{sigma} {error}: {found}, expected {expected}");
    }
}

#[test]
fn probabilities_add_up_to_one_and_fall_outwards() {
    for sigma in [1e-6, 0.1, 0.7, 1.0, 4.3, 60.0, 2000.0] {
        let mut noise = Noise::new(sigma);
        let reach = (9.0 * sigma) as i64 + 1;
        let sum: f64 = (-reach..=reach).map(|e| noise.log_mass(e).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sigma}: {sum}");
        let outwards: Vec<f64> = (0..1000).map(|e| noise.log_mass(e * e)).collect();
        assert!(
            outwards.is_sorted_by(|a, b| a > b && b.is_finite()),
            "{sigma}"
        );
    }
    let mut none = Noise::new(0.0);
    assert_eq!(
        (none.log_mass(0), none.log_mass(1)),
        (0.0, f64::NEG_INFINITY)
    );
}

fn game(places: usize, digits: usize) -> Game {
    Game::new("hitblow", places, digits).unwrap()
}

fn solver(places: usize, digits: usize, sigma: f64, policy: Policy) -> DistanceSolver {
    DistanceSolver::new(game(places, digits), sigma, policy).unwrap()
}

const MI: Policy = Policy::Mi {
    hit_bonus: HIT_BONUS,
};

#[test]
fn a_code_that_looks_impossible_comes_back() {
    // The first reply points at 13, 400 standard deviations away from 98; all that follow say 98.
    let mut solver = solver(2, 10, 0.2, MI);
    solver.guess().unwrap();
    let of = |solver: &DistanceSolver, value: i64| {
        let (values, belief) = solver.listed().unwrap();
        belief.probability(values.binary_search(&value).unwrap() as u32)
    };
    solver.learn(1, 12);
    assert_eq!(of(&solver, 98), 0.0); // too small for a number, but not lost
    assert_eq!(solver.listed().unwrap().1.support().len(), 89);
    for _ in 0..600 {
        solver.learn(1, 97);
    }
    assert!(of(&solver, 98) > 0.999, "{}", of(&solver, 98));
    assert!(!solver.listed().unwrap().1.entropy_bits().is_nan());
}

/// Plays with extremely improbable noise; returns the number of turns.
fn play_against(noise: &[i64], secret: i64, places: usize, sigma: f64) -> usize {
    let mut solver = solver(places, 10, sigma, MI);
    for turn in 1..500 {
        let guess = solver.guess().unwrap();
        if guess == secret {
            return turn;
        }
        let noise = noise.get(turn - 1).copied().unwrap_or(0);
        solver.learn(guess, secret - guess + noise);
    }
    panic!("{secret} was not found");
}

#[test]
fn incredible_noise_is_got_over_however_many_codes_there_are() {
    // Twenty standard deviations in the first turn: the secret was not even listed, or given up.
    assert!(play_against(&[20], 345, 3, 1.0) < 40);
    assert!(play_against(&[20], 3456, 4, 1.0) < 60);
    assert!(play_against(&[20], 34567, 5, 1.0) < 60);
    assert!(play_against(&[3000, -3000], 34567, 5, 1.0) < 100);
    // It was guessed at random once, when only far-out noise and no work was left.
    assert_eq!(play_against(&[-487, 1_000_000_000], 987, 3, 2000.0), 3);
}

#[test]
fn without_noise_the_second_guess_is_right() {
    for value in [45, 345, 987] {
        let mut solver = solver(3, 10, 0.0, MI);
        let guess = solver.guess().unwrap();
        assert_ne!(guess, value);
        solver.learn(guess, value - guess);
        assert_eq!(solver.guess(), Ok(value));
        solver.learn(value, 5);
        assert!(solver.guess().unwrap_err().contains("contradict"));
    }
}

fn gap_solver(places: usize, sigma: f64) -> DistanceSolver {
    DistanceSolver::with(Difference::Size, game(places, 10), sigma, Policy::Optimal).unwrap()
}

#[test]
fn without_a_sign_secrets_are_found_however_many_codes_there_are() {
    for (places, secret, sigma) in [
        (3, 345, 0.0),
        (3, 12, 0.0),
        (3, 987, 2.0),
        (6, 345_678, 3.0),
        (9, 987_654_321, 0.5),
    ] {
        let mut solver = gap_solver(places, sigma);
        let mut noise = [3, -2, 1, 0, 2, -1].iter().cycle();
        let turn = (1..60).find(|_| {
            let guess = solver.guess().unwrap();
            let error = if sigma > 0.0 {
                *noise.next().unwrap()
            } else {
                0
            };
            solver.learn(guess, (secret - guess).abs() + error);
            guess == secret
        });
        let most = if sigma == 0.0 { 3 } else { 50 };
        assert!(
            turn.is_some_and(|turn| turn <= most),
            "{places} {secret}: {turn:?}"
        );
    }
    // Twenty deviations of noise in the first turn, and a reply below 0.
    let mut solver = gap_solver(3, 1.0);
    let mut errors = [20, -3].into_iter().chain(std::iter::repeat(0));
    let turn = (1..60).find(|_| {
        let guess = solver.guess().unwrap();
        solver.learn(guess, (345 - guess).abs() + errors.next().unwrap());
        guess == 345
    });
    assert!(turn.is_some(), "345 was not found");
}

#[test]
fn a_gap_without_noise_leaves_the_codes_on_both_sides() {
    let mut solver = gap_solver(3, 0.0);
    solver.guess().unwrap();
    solver.learn(345, 20);
    let (values, belief) = solver.listed().unwrap();
    let left: Vec<i64> = belief
        .support()
        .iter()
        .map(|&code| values[code as usize])
        .collect();
    assert_eq!(left, [325, 365]);
    solver.learn(325, 3);
    assert!(solver.guess().unwrap_err().contains("contradict"));
}

#[test]
fn digits_are_those_of_the_number() {
    assert_eq!(solver(3, 10, 1.0, MI).to_digits(45), [0, 4, 5]);
    assert_eq!(solver(2, 64, 1.0, MI).to_digits(63 * 64 + 1), [63, 1]);
    assert!(DistanceSolver::new(game(2, 5), -1.0, MI).is_err());
    assert!(DistanceSolver::new(game(2, 5), f64::NAN, MI).is_err());
}

#[test]
fn games_with_too_many_codes_begin_in_the_middle_and_end_at_the_secret() {
    let digits = [31, 60, 5, 7, 8, 9, 10, 11, 12, 13];
    let secret = digits.iter().fold(0, |value, digit| value * 64 + digit);
    let mut solver = solver(10, 64, 2.0, MI);
    assert!(solver.guess().unwrap() > 0 && solver.listed().is_none());
    let first = solver.guess().unwrap();
    solver.learn(first, secret - first);
    let second = solver.guess().unwrap();
    assert!((second - secret).abs() < 64 * 64, "{second}");
    let (values, _) = solver.listed().unwrap();
    assert!(values.is_sorted() && values.len() < 60 && values.contains(&secret));
}

/// log P(error) by a sum over a thousand slices of the density.
fn mass_by_slices(sigma: f64, error: i64) -> f64 {
    let density =
        |x: f64| (-0.5 * (x / sigma).powi(2)).exp() / (sigma * (2.0 * std::f64::consts::PI).sqrt());
    let slice = |i: i32| density(error as f64 - 0.5 + (f64::from(i) + 0.5) / 1000.0) / 1000.0;
    (0..1000).map(slice).sum()
}

/// What the reply (c, d) tells about the secret, from the definition, and what d alone tells.
fn information_by_definition(
    of: Difference,
    values: &[i64],
    prior: &[f64],
    guess: i64,
    sigma: f64,
) -> (f64, f64) {
    let masses: Vec<f64> = (0..=12).map(|error| mass_by_slices(sigma, error)).collect();
    let mut both = BTreeMap::<(bool, i64), Vec<f64>>::new();
    let mut alone = BTreeMap::<i64, Vec<f64>>::new();
    for (index, (&secret, &p)) in values.iter().zip(prior).enumerate() {
        for error in -12..=12_i64 {
            let reply = of.between(secret, guess) + error;
            let joint = p * masses[error.unsigned_abs() as usize];
            let none = || vec![0.0; values.len()];
            both.entry((secret == guess, reply)).or_insert_with(none)[index] += joint;
            alone.entry(reply).or_insert_with(none)[index] += joint;
        }
    }
    fn bits<'a>(replies: impl Iterator<Item = &'a Vec<f64>>, prior: &[f64]) -> f64 {
        let term = |row: &Vec<f64>| {
            let of_reply: f64 = row.iter().sum();
            // Smaller ones tell nothing, and p · of_reply may be rounded to 0.
            let one = |(&joint, &p): (&f64, &f64)| match joint > f64::MIN_POSITIVE {
                true => joint * (joint / (p * of_reply)).log2(),
                false => 0.0,
            };
            row.iter().zip(prior).map(one).sum::<f64>()
        };
        replies.map(term).sum()
    }
    (bits(both.values(), prior), bits(alone.values(), prior))
}

/// Two distinct digits of 0..5: twenty numbers from 1 to 23, and their probabilities.
fn twenty_numbers(weights: &[u32]) -> (Vec<i64>, Vec<f64>) {
    let values = (0..25).filter(|v| v / 5 != v % 5).collect();
    let total: f64 = weights.iter().map(|&w| f64::from(w)).sum();
    let prior = weights.iter().map(|&w| f64::from(w) / total).collect();
    (values, prior)
}

#[test]
fn definition_is_finite_where_an_error_has_next_to_no_probability() {
    let weights = [
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 18, 14, 8, 17, 16, 14, 16, 2,
    ];
    let (values, prior) = twenty_numbers(&weights);
    for &guess in &values {
        let sigma = 0.300_754_537_398_334_85;
        let (both, alone) =
            information_by_definition(Difference::Signed, &values, &prior, guess, sigma);
        assert!(
            both.is_finite() && alone.is_finite(),
            "{guess}: {both} {alone}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_difference_tells_as_much_after_any_guess_and_the_rest_is_what_the_solver_computes(
        weights in prop::collection::vec(1_u32..20, 20), sigma in 0.3_f64..1.4,
    ) {
        let (values, prior) = twenty_numbers(&weights);
        let belief = Posterior::from_prior(&prior);
        let mut noise = Noise::new(sigma);
        let tables = Tables::new(&values, &belief, &mut noise, &mut 1_000_000).unwrap();
        let all: Vec<(f64, f64)> =
            values.iter().map(|&guess| information_by_definition(Difference::Signed, &values, &prior, guess, sigma)).collect();
        for (index, (both, alone)) in all.iter().enumerate() {
            prop_assert!((alone - all[0].1).abs() < 1e-6, "d tells the same");
            let found = tables.information_bits(index);
            prop_assert!((found - (both - alone)).abs() < 1e-6, "{found} {both} {alone}");
        }
    }

    #[test]
    fn without_a_sign_each_guess_tells_what_the_solver_computes(
        weights in prop::collection::vec(1_u32..20, 20), sigma in 0.3_f64..1.4,
    ) {
        let (values, prior) = twenty_numbers(&weights);
        let belief = Posterior::from_prior(&prior);
        let mut noise = Noise::new(sigma);
        let mut gaps = Gaps::new(&values, &belief, &mut noise, &mut 1_000_000).unwrap();
        for &guess in &values {
            let (both, _) = information_by_definition(Difference::Size, &values, &prior, guess, sigma);
            let found = gaps.information_bits(guess);
            prop_assert!((found - both).abs() < 1e-6, "{found} {both}");
        }
    }

    #[test]
    fn replies_are_multiplied_as_bayes_says(replies in prop::collection::vec((0_usize..20, -15_i64..15), 1..6)) {
        let values: Vec<i64> = (0..25).filter(|v| v / 5 != v % 5).collect();
        let sigma = 2.0;
        let mut solver = solver(2, 5, sigma, MI);
        solver.guess().unwrap();
        let mut products = vec![1.0; 20];
        for (guess, difference) in replies {
            let guess = values[guess];
            solver.learn(guess, difference);
            for (product, &secret) in products.iter_mut().zip(&values) {
                let wrong = f64::from(u8::from(secret != guess));
                *product *= wrong * mass_by_slices(sigma, difference - (secret - guess));
            }
        }
        let sum: f64 = products.iter().sum();
        prop_assume!(sum > 0.0);
        let (listed, belief) = solver.listed().unwrap();
        prop_assert_eq!(listed, &values[..]);
        for (code, product) in (0..).zip(&products) {
            prop_assert!((belief.probability(code) - product / sum).abs() < 1e-6);
        }
    }
}

/// Figures for each of the first `turns` turns, by probability in tenths of its logarithm: the sum of the
/// probabilities that the solver gave to codes, their variance, and how many of the codes were the secret.
/// The cases are the judge's.
fn promises(sigma: f64, believed: f64, cases: u64, turns: usize) -> Vec<BTreeMap<i32, [f64; 3]>> {
    let problem = format!("distance 3 10 {sigma}");
    let spec = Spec::parse(&problem).unwrap();
    let mut bins = vec![BTreeMap::<i32, [f64; 3]>::new(); turns];
    for seed in 0..cases {
        let instance = spec.generate(Seed(seed)).unwrap();
        let secret = instance
            .answer()
            .unwrap()
            .replace(' ', "")
            .parse::<i64>()
            .unwrap();
        let mut session = instance.start();
        let mut solver = solver(3, 10, believed, Policy::Map);
        for bins in &mut bins {
            let guess = solver.guess().unwrap();
            let (values, belief) = solver.listed().unwrap();
            let total = belief.total();
            for (&code, index) in belief.support().iter().zip(0..) {
                let p = belief.weight(index) / total;
                let bin = bins
                    .entry((4.0 * p.max(1e-9).log10()).floor() as i32)
                    .or_default();
                bin[0] += p;
                bin[1] += p * (1.0 - p);
                bin[2] += f64::from(u8::from(values[code as usize] == secret));
            }
            let digits: Vec<String> = solver.to_digits(guess).iter().map(u8::to_string).collect();
            let reply = session.turn(digits.join(" ").as_bytes()).unwrap();
            if reply.done {
                break;
            }
            solver.learn(guess, reply.text()[2..].parse().unwrap());
        }
    }
    bins
}

/// The largest distance between what was promised and what came, in standard deviations.
fn largest_deviation(bins: &[BTreeMap<i32, [f64; 3]>]) -> f64 {
    let all = bins.iter().flat_map(BTreeMap::values);
    let enough = all.filter(|[_, variance, _]| *variance >= 5.0);
    let deviation =
        enough.map(|[promised, variance, came]| (came - promised).abs() / variance.sqrt());
    deviation.fold(0.0, f64::max)
}

#[test]
fn codes_of_probability_p_are_right_with_frequency_p() {
    // Games are independent of each other, and turns are looked at one by one. Some 40 bins: four
    // standard deviations are passed once in 400 such tests by chance, and the seeds are fixed.
    for sigma in [1.0, 10.0] {
        let bins = promises(sigma, sigma, 600, 4);
        let filled: usize = bins.iter().map(BTreeMap::len).sum();
        assert!(filled > 25, "{filled}");
        let largest = largest_deviation(&bins);
        assert!(largest < 4.0, "{sigma}: {largest}");
    }
    // Who believes in too little or too much noise is found out.
    for believed in [6.0, 16.0] {
        let largest = largest_deviation(&promises(10.0, believed, 600, 4));
        assert!(largest > 5.0, "{believed}: {largest}");
    }
}
