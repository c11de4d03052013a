//! Bulls and cows on other judges: every secret of the games that are listed, and some numbers of more digits.
//!
//! A strategy depends on the replies alone, so one walk through its tree plays every secret.

use std::collections::BTreeMap;

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
