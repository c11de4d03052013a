//! Article 003: greedy information, its surprise, and the bonus for a hit.

use super::figure::{Figure, exact};
use super::helpers::{code, codes, outcome, transcript};
use crate::policy::{Options, Pool, Tie, select};

const ARTICLE: &str = "003";

pub(super) fn figures() -> Vec<Figure> {
    let codes = codes("hitblow 3 10");
    let given = |pool, hit_bonus| Options {
        pool: Some(pool),
        tie: Some(Tie::First),
        hit_bonus,
        ..Options::default()
    };
    let candidates = given(Pool::Candidates, None);
    let all = given(Pool::All, None);
    let bonus = given(Pool::All, Some(2.0));
    let mut figures = Vec::new();
    for (what, given, published) in [
        ("information among candidates", &candidates, "5.15, worst 8"),
        ("information among all codes", &all, "5.26, worst 7"),
        (
            "information among all codes, a hit counts as -2 bits left",
            &bonus,
            "5.02, worst 7",
        ),
    ] {
        let turns = outcome(&codes, "mi", given).all_turns();
        let measured = format!("{:.2}, worst {}", turns.mean, turns.worst);
        figures.push(exact(
            ARTICLE,
            format!("mean turns, {what}"),
            published,
            measured,
        ));
    }
    for (secret, what, given, published) in [
        (
            "825",
            "candidates",
            &candidates,
            "012 0H1B 252, 134 0H0B 80, 506 0H1B 21, 725 2H0B 2, 825 3H0B 1",
        ),
        (
            "370",
            "candidates",
            &candidates,
            "012 0H1B 252, 134 0H1B 75, 350 2H0B 5, 360 2H0B 3, 370 3H0B 1",
        ),
        (
            "219",
            "candidates",
            &candidates,
            "012 1H1B 42, 023 0H1B 18, 214 2H0B 5, 215 2H0B 4, 216 2H0B 3, 217 2H0B 2, 218 2H0B 1, 219 3H0B 1",
        ),
        (
            "219",
            "all codes",
            &all,
            "012 1H1B 42, 034 0H0B 10, 156 0H1B 3, 078 0H0B 1, 219 3H0B 1",
        ),
        (
            "329",
            "all codes, a hit as -2 bits",
            &bonus,
            "012 0H1B 252, 134 0H1B 75, 350 1H0B 16, 640 0H0B 6, 327 2H0B 2, 328 2H0B 1, 329 3H0B 1",
        ),
    ] {
        let factory = select("mi", given).expect("a policy of the list");
        let played = transcript(&codes, &*(factory.build)(given), code(&codes, secret));
        let what = format!("guesses, replies and candidates left for {secret} ({what})");
        figures.push(exact(ARTICLE, what, published, played));
    }
    figures
}
