//! Bulls and cows on other judges: every secret of the games that are listed, and some numbers of more digits.
//!
//! A strategy depends on the replies alone, so one walk through its tree plays every secret.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::solver::elsewhere::{Numbers, Rules, play_game};
use crate::solver::limits::{MAX_LISTED_PLACES, MAX_PLACES};
use crate::solver::pegs::Feedback;
use crate::solver::search::Solver;

/// Adds the secrets that end with each turn, from the one after `depth`.
fn walk(rules: &Rules, mut solver: Solver<'_>, depth: usize, turns: &mut Vec<u64>) {
    let guess = solver.guess();
    turns.resize(turns.len().max(depth + 1), 0);
    let mut cells = BTreeMap::new();
    for &secret in solver.posterior().support() {
        // The rule itself, not the table that the solver uses.
        let (guess, secret) = (rules.codes.digits(guess), rules.codes.digits(secret));
        let reply = Feedback::from_codes(guess, secret);
        *cells.entry(reply).or_insert(0_u64) += 1;
    }
    for (reply, secrets) in cells {
        if usize::from(reply.hits) == rules.codes.game.places {
            turns[depth] += secrets;
            continue;
        }
        let mut after = solver.clone();
        after.learn(guess, reply);
        assert_eq!(after.posterior().support().len() as u64, secrets);
        walk(rules, after, depth + 1, turns);
    }
}

/// Secrets, total turns, and the most turns.
fn play_all(name: &str, places: usize) -> (u64, u64, usize) {
    let rules = Rules::new(name, places, 10).unwrap();
    let mut turns = Vec::new();
    walk(&rules, rules.solver(), 0, &mut turns);
    let total = (1..).zip(&turns).map(|(turn, secrets)| turn * secrets);
    (turns.iter().sum(), total.sum(), turns.len())
}

#[test]
fn no_secret_takes_more_guesses_than_its_judge_allows() {
    // 26274 is the least where digits may not repeat (docs/optimal.md).
    assert_eq!(play_all("hitblow", 4), (5040, 26274, 7)); // Toph 100, Gym 101192 D 8
    // docs/elsewhere.md: the least where those of a guess may repeat.
    assert_eq!(play_all("repeats", 4), (5040, 26254, 7)); // Codeforces 753C 7
}

#[test]
fn short_numbers_take_the_fewest_guesses() {
    // docs/elsewhere.md has these totals. The last guesses are chosen for the total alone, so the worst case of two or three
    // digits is not the least with it. Of one digit, nine are tried one after the other.
    assert_eq!(play_all("number", 1), (9, 45, 9));
    assert_eq!(play_all("number", 2), (81, 391, 7));
    assert_eq!(play_all("number", 3), (648, 3151, 7));
    assert_eq!(play_all("number", 4), (4536, 23283, 7));
}

/// The turns of a game of numbers.
fn turns_of(secret: &[u8]) -> usize {
    let (places, mut guesses) = (secret.len(), Vec::new());
    play_game("number", places, |guess: &[u8]| {
        assert!(guess.len() == places && guess[0] > 0, "{guess:?}");
        let digits = guess.iter().fold(0_u16, |set, digit| set | 1 << digit);
        assert_eq!(digits.count_ones() as usize, places, "{guess:?}");
        guesses.push(guess.to_vec());
        let reply = Feedback::from_codes(guess, secret);
        Feedback::from_reply(places, reply.hits, reply.blows)
    })
    .unwrap();
    assert_eq!(guesses.last().unwrap(), secret);
    guesses.len()
}

#[test]
fn long_numbers_are_found() {
    for places in MAX_LISTED_PLACES + 1..=MAX_PLACES {
        let secret = [9, 0, 8, 1, 7, 2, 6, 3, 5, 4];
        let turns = turns_of(&secret[..places]);
        assert!(turns <= 12, "{places}: {turns}");
    }
}

#[test]
fn numbers_that_fit_are_all_listed() {
    let rules = Rules::new("number", 4, 10).unwrap();
    let secret = [5, 0, 9, 3];
    let mut game = Numbers::new(4).unwrap();
    let guesses = [[1, 2, 3, 4], [5, 1, 6, 3]];
    for guess in guesses {
        game.learn(&guess, Feedback::from_codes(&guess, &secret));
    }
    let game = game.with_work(1_000_000);
    let listed = game
        .fitting()
        .unwrap()
        .iter()
        .map(|code| code[..4].to_vec());
    let fits = |code: &[u8]| {
        let same = |guess: &[u8; 4]| {
            Feedback::from_codes(guess, code) == Feedback::from_codes(guess, &secret)
        };
        guesses.iter().all(same)
    };
    let all = rules.secrets.iter().map(|&id| rules.codes.digits(id));
    let expected: Vec<Vec<u8>> = all.filter(|code| fits(code)).map(<[u8]>::to_vec).collect();
    assert!(expected.len() > 10);
    assert_eq!(listed.collect::<Vec<_>>(), expected);
}

#[test]
fn replies_that_contradict_each_other_are_an_error() {
    for (name, places) in [("repeats", 4), ("number", 4), ("number", 7)] {
        let none = |_: &[u8]| Ok(Some(Feedback { hits: 0, blows: 0 }));
        let why = play_game(name, places, none).unwrap_err();
        assert_eq!(why, "the judge's replies contradict each other", "{name}");
    }
    assert!(play_game("number", 11, |_| Ok(None)).is_err());
}

/// The digits of some number that is drawn at random.
fn any_number(places: usize, rng: &mut Pcg64Mcg) -> Vec<u8> {
    let mut digits: Vec<u8> = (0..10).collect();
    loop {
        digits.shuffle(rng);
        if digits[0] > 0 {
            return digits[..places].to_vec();
        }
    }
}

/// Adds the numbers that end with each turn, from the one after `depth`, among these.
fn walk_numbers(mut game: Numbers, depth: usize, secrets: &[Vec<u8>], turns: &mut Vec<u64>) {
    let guess = game.guess().unwrap();
    turns.resize(turns.len().max(depth + 1), 0);
    let mut cells = BTreeMap::<Feedback, Vec<Vec<u8>>>::new();
    for secret in secrets {
        let cell = cells.entry(Feedback::from_codes(&guess, secret));
        cell.or_default().push(secret.clone());
    }
    for (reply, cell) in cells {
        if usize::from(reply.hits) == guess.len() {
            turns[depth] += 1;
            continue;
        }
        let mut after = game.clone();
        after.learn(&guess, reply);
        walk_numbers(after, depth + 1, &cell, turns);
    }
}

#[test]
#[ignore = "prints the means of docs/elsewhere.md, some minutes with opt-level=3"]
fn means_of_numbers() {
    let rules = Rules::new("number", 5, 10).unwrap();
    let all = rules
        .secrets
        .iter()
        .map(|&id| rules.codes.digits(id).to_vec());
    let mut turns = Vec::new();
    walk_numbers(
        Numbers::new(5).unwrap(),
        0,
        &all.collect::<Vec<_>>(),
        &mut turns,
    );
    let total: u64 = (1..).zip(&turns).map(|(turn, count)| turn * count).sum();
    println!(
        "5 digits: {} secrets, total {total}, turns {turns:?}",
        rules.secrets.len()
    );
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for places in MAX_LISTED_PLACES + 2..=MAX_PLACES {
        let games: Vec<f64> = (0..1_000)
            .map(|_| turns_of(&any_number(places, &mut rng)) as f64)
            .collect();
        let mean = games.iter().sum::<f64>() / games.len() as f64;
        let squares = games
            .iter()
            .map(|turns| (turns - mean).powi(2))
            .sum::<f64>();
        let error = (squares / (games.len() * (games.len() - 1)) as f64).sqrt();
        let most = games.iter().copied().fold(0.0, f64::max);
        println!(
            "{places} digits: mean {mean:.3} ± {error:.3} of {}, most {most}",
            games.len()
        );
    }
}
