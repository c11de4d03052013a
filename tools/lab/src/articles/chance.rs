//! Article 003: what chance does, against an opponent who knows the strategy, and between equal guesses.

use super::entry::{Group, Kind};
use super::helpers::{codes, outcome, policy};
use crate::policy::{Options, Pool, Tie};
use crate::tree::orbits;

const ARTICLE: &str = "003";

/// Ties broken at random, against an opponent who knows the strategy.
pub(super) fn renamed(bonus: &Options) -> Group {
    let mut group = Group::new(ARTICLE, "lab exploit mi --tie first --hit-bonus 2");
    let codes = codes("hitblow 3 10");
    let orbits = orbits(&codes, &*policy("mi", bonus));
    let worst = orbits.iter().map(|orbit| orbit.worst).max().unwrap_or(0);
    let mean = orbits.iter().map(|orbit| orbit.mean).fold(0.0, f64::max);
    group.answered(
        Kind::Wish,
        "chance against an opponent who knows the strategy: the worst secret as it is, and if digits and places are renamed at random",
        "desirable",
        ("7 turns, 5.02 on average", format!("{worst} turns, {mean:.2} on average")),
    );
    group
}

/// How often ties are drawn anew.
const DRAWS: u64 = 20;

/// Any of the equal guesses, where the article takes the smallest.
pub(super) fn ties_at_random() -> Group {
    let mut group = Group::new(
        ARTICLE,
        "lab policy mi --pool candidates --tie random --seed 0",
    );
    let codes = codes("hitblow 3 10");
    let mean = |pool| {
        let drawn = |seed| {
            let given = Options {
                pool: Some(pool),
                tie: Some(Tie::Random),
                seed: Some(seed),
                ..Options::default()
            };
            outcome(&codes, "mi", &given).all_turns().mean
        };
        (0..DRAWS).map(drawn).sum::<f64>() / DRAWS as f64
    };
    let means = [mean(Pool::Candidates), mean(Pool::All)];
    group.answered(
        Kind::Wish,
        "any of the guesses with equal information, at random: mean turns of 20 draws, among candidates and among all codes (5.15 and 5.26 with the smallest)",
        "desirable",
        ("5.15, 5.26", means.map(|mean| format!("{mean:.2}")).join(", ")),
    );
    group
}
