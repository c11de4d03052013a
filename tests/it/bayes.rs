//! The solver's probabilities and choices against published examples, and against slow and obvious
//! twins that share with it only the rule and the list of what is possible.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CELLS, CodeId, Codes, Feedback, Game, Policy, Replies, Scorer};
use crate::solver::search::Solver;
use proptest::prelude::*;

fn codes(name: &str, places: usize, digits: usize) -> Codes {
    Codes::new(Game::new(name, places, digits).unwrap())
}

fn id(codes: &Codes, text: &str) -> CodeId {
    let digits: Vec<u8> = text.bytes().map(|b| b - b'0').collect();
    (0..codes.len() as CodeId)
        .find(|&id| codes.digits(id) == digits)
        .expect(text)
}

fn feedback(hits: u8, blows: u8) -> Feedback {
    Feedback { hits, blows }
}

/// The posterior after replies such as `("012", 0, 1)`.
fn after(codes: &Codes, history: &[(&str, u8, u8)]) -> Posterior {
    let mut posterior = Posterior::uniform(codes.len());
    for &(guess, hits, blows) in history {
        let replies = Replies::new(codes, id(codes, guess));
        posterior.update(|secret| replies.likelihood(secret, feedback(hits, blows)));
    }
    posterior
}

fn all_of(posterior: &Posterior) -> Vec<usize> {
    (0..posterior.support().len()).collect()
}

#[test]
fn posterior_of_the_small_game_of_article_002() {
    // Two distinct digits of {1, 2, 3}, written 0 to 2 here: 12 is answered 0 hits, 1 blow.
    let codes = codes("hitblow", 2, 3);
    let prior = Posterior::uniform(codes.len());
    assert!((prior.probability(id(&codes, "12")) - 1.0 / 6.0).abs() < 1e-12);
    let posterior = after(&codes, &[("01", 0, 1)]);
    for (code, probability) in [
        ("12", 0.5),
        ("20", 0.5),
        ("01", 0.0),
        ("10", 0.0),
        ("21", 0.0),
    ] {
        assert_eq!(
            posterior.probability(id(&codes, code)),
            probability,
            "{code}"
        );
    }
    assert_eq!(posterior.entropy_bits(), 1.0);
}

#[test]
fn likelihoods_of_article_002() {
    let codes = codes("hitblow", 3, 10);
    let replies = Replies::new(&codes, id(&codes, "135"));
    let likelihood = |code| replies.likelihood(id(&codes, code), feedback(1, 0));
    assert_eq!(
        (likelihood("147"), likelihood("246"), likelihood("123")),
        (1.0, 0.0, 0.0)
    );
}

#[test]
fn candidates_and_conditional_entropies_of_article_000() {
    let codes = codes("hitblow", 3, 10);
    let posterior = after(&codes, &[("012", 0, 1), ("134", 0, 2)]);
    assert_eq!(posterior.support().len(), 19);
    let mut scorer = Scorer::new(&codes, &posterior, &all_of(&posterior));
    let mut left =
        |guess| posterior.entropy_bits() - scorer.mutual_information_bits(id(&codes, guess));
    assert_eq!(
        format!("{:.2} {:.2}", left("243"), left("451")),
        "2.46 1.95"
    );
    let sizes = |partition: [f64; CELLS]| {
        let mut sizes: Vec<u32> = partition
            .iter()
            .map(|&n| n as u32)
            .filter(|&n| n > 0)
            .collect();
        sizes.sort_unstable();
        sizes
    };
    assert_eq!(sizes(scorer.partition(id(&codes, "243"))), [1, 1, 2, 5, 10]);
    assert_eq!(
        sizes(scorer.partition(id(&codes, "451"))),
        [1, 1, 2, 4, 5, 6]
    );
}

#[test]
fn entropies_of_article_004() {
    // Digits are written 1 to 9 there, 0 to 8 here.
    let codes = codes("hitblow", 3, 9);
    let posterior = after(&codes, &[("012", 1, 1)]);
    assert_eq!(posterior.support().len(), 36);
    let mut scorer = Scorer::new(&codes, &posterior, &all_of(&posterior));
    let mut bits = |guess| scorer.mutual_information_bits(id(&codes, guess));
    assert_eq!(
        format!("{:.4} {:.4}", bits("034"), bits("345")),
        "2.3244 1.4591"
    );
}

#[test]
fn trace_of_article_002_is_played_by_map() {
    let codes = codes("hitblow", 3, 10);
    let secret = id(&codes, "960");
    let mut solver = Solver::new(&codes, Posterior::uniform(720), Policy::Map, Instant::now());
    for (expected, one_in) in [
        ("012", 720.0),
        ("134", 252.0),
        ("256", 80.0),
        ("507", 24.0),
        ("680", 6.0),
        ("960", 1.0),
    ] {
        let guess = solver.guess();
        assert_eq!(guess, id(&codes, expected));
        assert!((solver.posterior().probability(guess) - 1.0 / one_in).abs() < 1e-12);
        solver.learn(guess, Replies::new(&codes, guess).feedback(secret));
    }
}

/// Mutual information from its definition, over any weights and likelihoods of 0 and 1:
/// Σ over replies r and secrets s of p(s, r) · log2 (p(s, r) / (p(s) · p(r))).
fn information_by_definition(codes: &Codes, believed: &[(CodeId, f64)], guess: CodeId) -> f64 {
    let total: f64 = believed.iter().map(|b| b.1).sum();
    let replies = Replies::new(codes, guess);
    let mut of_reply = BTreeMap::<Feedback, f64>::new();
    for &(secret, weight) in believed {
        *of_reply.entry(replies.feedback(secret)).or_default() += weight / total;
    }
    let term = |&(secret, weight): &(CodeId, f64)| {
        let joint = weight / total; // the reply is certain, given the secret
        joint * (joint / (weight / total * of_reply[&replies.feedback(secret)])).log2()
    };
    believed.iter().map(term).sum()
}

/// Scores every code, one by one, and takes the best; of equal ones a candidate, then the smallest.
fn best_guess_by_definition(codes: &Codes, posterior: &Posterior, hit_bonus: f64) -> CodeId {
    let believed: Vec<_> = posterior
        .support()
        .iter()
        .map(|&c| (c, posterior.probability(c)))
        .collect();
    let scores: Vec<f64> = (0..codes.len() as CodeId)
        .map(|guess| {
            let bits = information_by_definition(codes, &believed, guess);
            bits + hit_bonus * posterior.probability(guess)
        })
        .collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let best = (0..codes.len() as CodeId).filter(|&guess| scores[guess as usize] > most - 1e-9);
    let candidate = best
        .clone()
        .find(|&guess| posterior.probability(guess) > 0.0);
    candidate.or(best.min()).unwrap()
}

fn plays_like_the_twin(name: &str, places: usize, digits: usize, hit_bonus: f64, step: usize) {
    let codes = codes(name, places, digits);
    let policy = Policy::Mi { hit_bonus };
    for secret in (0..codes.len() as CodeId).step_by(step) {
        let prior = Posterior::uniform(codes.len());
        let mut solver = Solver::new(&codes, prior, policy, Instant::now());
        loop {
            let guess = solver.guess();
            let expected = best_guess_by_definition(&codes, solver.posterior(), hit_bonus);
            assert_eq!(
                codes.digits(guess),
                codes.digits(expected),
                "secret {:?}",
                codes.digits(secret)
            );
            if guess == secret {
                break;
            }
            solver.learn(guess, Replies::new(&codes, guess).feedback(secret));
        }
    }
}

#[test]
fn leaving_out_equivalent_guesses_changes_no_guess() {
    for hit_bonus in [0.0, 1.5] {
        plays_like_the_twin("hitblow", 3, 6, hit_bonus, 7);
        plays_like_the_twin("hitblow", 2, 10, hit_bonus, 7);
        plays_like_the_twin("hitblow", 4, 5, hit_bonus, 11);
        plays_like_the_twin("mastermind", 3, 5, hit_bonus, 9);
        plays_like_the_twin("mastermind", 4, 3, hit_bonus, 7);
        plays_like_the_twin("mastermind", 2, 8, hit_bonus, 5);
        plays_like_the_twin("mastermind", 6, 2, hit_bonus, 5);
    }
    plays_like_the_twin("hitblow", 3, 10, 2.0, 181);
}

#[test]
fn thinned_out_games_are_played_alike_every_time() {
    // 151,200 and 117,649 codes: guesses and candidates are thinned out, by work and not by time.
    for (name, places, digits) in [("hitblow", 6, 10), ("mastermind", 6, 7)] {
        let codes = codes(name, places, digits);
        let secret = codes.len() as CodeId / 3;
        let play = || {
            let prior = Posterior::uniform(codes.len());
            let policy = Policy::Mi { hit_bonus: 1.5 };
            // A start in the future: the clock, which is slow in a debug build, has no say.
            let started = Instant::now() + Duration::from_secs(3600);
            let mut solver = Solver::new(&codes, prior, policy, started);
            let mut guesses = vec![solver.guess()];
            while *guesses.last().unwrap() != secret {
                let guess = *guesses.last().unwrap();
                solver.learn(guess, Replies::new(&codes, guess).feedback(secret));
                guesses.push(solver.guess());
            }
            guesses
        };
        let guesses = play();
        assert!(guesses.len() <= 10, "{guesses:?}");
        assert_eq!(guesses, play());
    }
}

#[test]
fn tiny_and_huge_weights_are_a_prior_like_any_other() {
    for scale in [1e-60, 5e-324, 1e-320, 1.0, 1e60, 8e307] {
        let weights = [scale, 0.0, 2.0 * scale];
        let all = Posterior::among(vec![0, 2], Some(vec![weights[0], weights[2]]));
        for mut posterior in [Posterior::from_prior(&weights), all] {
            assert_eq!(posterior.support(), [0, 2], "{scale}");
            assert!(
                (posterior.probability(2) - 2.0 / 3.0).abs() < 1e-9,
                "{scale}"
            );
            // By hand: log2 3 - 2/3.
            assert!((posterior.entropy_bits() - (3_f64.log2() - 2.0 / 3.0)).abs() < 1e-9);
            // The largest weight is 1, so nothing is far below it.
            posterior.forget_below(-100.0);
            assert_eq!(posterior.support(), [0, 2], "{scale}");
            posterior.update(|code| if code == 0 { 0.5 } else { 0.25 });
            assert!((posterior.probability(0) - 0.5).abs() < 1e-9, "{scale}");
        }
    }
}

#[test]
fn weights_far_apart_underflow_and_come_back() {
    // e^-1000 is no number, but a reply of likelihood e^-2000 for the other code outweighs it.
    let mut posterior = Posterior::from_prior(&[1e-300, 1e300]);
    assert_eq!(posterior.support(), [0, 1]);
    assert_eq!(posterior.probability(1), 1.0);
    posterior.update_log(|code| -2000.0 * f64::from(code));
    assert_eq!(posterior.probability(0), 1.0);
}

#[test]
fn equal_weights_are_uniform_only_if_no_code_is_left_out() {
    for weights in [&[1.0; 4][..], &[1e-60; 3], &[7.0]] {
        let posterior = Posterior::from_prior(weights);
        assert!(posterior.is_uniform());
        assert_eq!(posterior.probability(0), 1.0 / weights.len() as f64);
    }
    // Renaming digits would make other codes possible, so the digits are not interchangeable.
    let some = Posterior::from_prior(&[3.0, 0.0, 3.0]);
    assert_eq!((some.is_uniform(), some.total()), (false, 2.0));
    for weights in [&[][..], &[0.0; 3]] {
        let none = Posterior::from_prior(weights);
        assert!(none.support().is_empty() && none.check_possible().is_err());
    }
}

#[test]
fn a_prior_on_few_codes_is_played_by_the_definition() {
    // Digits that the prior distinguishes are not interchangeable, though no guess has named them.
    let codes = codes("hitblow", 2, 5);
    for picks in [[0, 7, 11, 15], [1, 2, 3, 19], [4, 9, 10, 16]] {
        let mut weights = vec![0.0; codes.len()];
        picks.iter().for_each(|&pick| weights[pick] = 1e-60);
        let prior = Posterior::from_prior(&weights);
        let policy = Policy::Mi { hit_bonus: 0.25 };
        let expected = best_guess_by_definition(&codes, &prior, 0.25);
        let guess = Solver::new(&codes, prior, policy, Instant::now()).guess();
        assert_eq!(codes.digits(guess), codes.digits(expected), "{picks:?}");
    }
}

proptest! {
    #[test]
    fn a_prior_of_any_scale_is_its_weights_over_their_sum(
        weights in prop::collection::vec(0_u32..6, 1..40), scale in -280_i32..280,
    ) {
        let total: f64 = weights.iter().copied().map(f64::from).sum();
        prop_assume!(total > 0.0);
        let scaled: Vec<f64> = weights.iter().map(|&w| f64::from(w) * 10_f64.powi(scale)).collect();
        let mut posterior = Posterior::from_prior(&scaled);
        posterior.forget_below(-100.0);
        for (code, &weight) in (0..).zip(&weights) {
            prop_assert!((posterior.probability(code) - f64::from(weight) / total).abs() < 1e-12);
        }
    }

    #[test]
    fn any_prior_is_scored_by_the_definition_and_updated_by_bayes_rule(
        weights in prop::collection::vec(0_u32..5, 60), guess in 0_u32..60, secret in 0_u32..60,
    ) {
        let codes = codes("hitblow", 3, 5);
        let weights: Vec<f64> = weights.iter().map(|&w| f64::from(w) / 7.0).collect();
        prop_assume!(weights[secret as usize] > 0.0);
        let mut posterior = Posterior::from_prior(&weights);
        let believed: Vec<_> = (0..60).zip(weights.iter().copied()).filter(|w| w.1 > 0.0).collect();
        let sample: Vec<usize> = (0..believed.len()).collect();
        let bits = Scorer::new(&codes, &posterior, &sample).mutual_information_bits(guess);
        prop_assert!((bits - information_by_definition(&codes, &believed, guess)).abs() < 1e-9);

        // A reply that is right with probability 0.9, and otherwise any of the others.
        let replies = Replies::new(&codes, guess);
        let reply = replies.feedback(secret);
        let noisy = |code| if replies.feedback(code) == reply { 0.9 } else { 0.0125 };
        posterior.update(noisy);
        let joint: Vec<f64> = (0..60).map(|code| weights[code as usize] * noisy(code)).collect();
        for code in 0..60 {
            let expected = joint[code as usize] / joint.iter().sum::<f64>();
            prop_assert!((posterior.probability(code) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn noise_on_a_uniform_prior_is_not_lost(secret in 0_u32..60, guess in 0_u32..60) {
        let codes = codes("hitblow", 3, 5);
        let replies = Replies::new(&codes, guess);
        let reply = replies.feedback(secret);
        let mut posterior = Posterior::uniform(60);
        posterior.update(|code| if replies.feedback(code) == reply { 0.75 } else { 0.25 });
        let agreeing = (0..60).filter(|&code| replies.feedback(code) == reply).count() as f64;
        let expected = 0.75 / (0.75 * agreeing + 0.25 * (60.0 - agreeing));
        prop_assert!((posterior.probability(secret) - expected).abs() < 1e-12);
        prop_assert_eq!(posterior.support().len(), 60);
    }
}
