//! Article 001: four policies on five games. Turns are counted until the secret is determined, and
//! guesses are candidates.

use super::figure::{Figure, exact, explained};
use super::helpers::{codes, outcome};
use crate::policy::Outcome;
use crate::policy::{Node, Options, Policy, Pool, Tie};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes, Feedback, Scorer};
use crate::tree;

const ARTICLE: &str = "001";

/// A game, then largest and mean number of turns for random, minmax, exp_minmax, entropy.
const TABLE: [(&str, [&str; 4]); 5] = [
    (
        "mastermind 4 4",
        ["4 / 2.9648", "4 / 2.9023", "4 / 2.8867", "4 / 2.8633"],
    ),
    (
        "mastermind 4 5",
        ["6 / 3.6704", "5 / 3.4832", "4 / 3.3168", "4 / 3.3024"],
    ),
    (
        "mastermind 4 6",
        ["6 / 3.9714", "5 / 3.8642", "5 / 3.7793", "5 / 3.8287"],
    ),
    (
        "mastermind 5 4",
        ["5 / 3.5010", "5 / 3.4092", "5 / 3.2422", "5 / 3.2500"],
    ),
    (
        "mastermind 5 5",
        ["6 / 3.9901", "5 / 3.7885", "5 / 3.7331", "5 / 3.7174"],
    ),
];

pub(super) fn figures() -> Vec<Figure> {
    let given = Options {
        pool: Some(Pool::Candidates),
        tie: Some(Tie::First),
        ..Options::default()
    };
    let mut figures = Vec::new();
    for (game, [random, minmax, exp_minmax, entropy]) in TABLE {
        let codes = codes(game);
        let (pins, colours) = (codes.game.places, codes.game.digits);
        let what = |policy: &str| format!("colors {colours} pins {pins}, {policy}, most / mean");
        let first_draw = shown(&walk(&codes, &FirstDraw));
        if game == "mastermind 4 6" {
            figures.push(explained(
                ARTICLE,
                &what("random"),
                random,
                ("6 / 3.9715", first_draw),
                "5147 / 1296 = 3.971451; with the six digits that C++ prints that is 3.97145, of which the \
                 last was dropped, not rounded",
            ));
        } else {
            figures.push(exact(ARTICLE, what("random"), random, first_draw));
        }
        for (theirs, ours, published) in [
            ("minmax", "minmax", minmax),
            ("exp_minmax", "expected-size", exp_minmax),
        ] {
            figures.push(exact(
                ARTICLE,
                what(theirs),
                published,
                shown(&outcome(&codes, ours, &given)),
            ));
        }
        let ties_equal = shown(&outcome(&codes, "mi", &given));
        if game == "mastermind 5 5" {
            figures.push(explained(
                ARTICLE,
                &what("entropy"),
                entropy,
                ("5 / 3.7168", ties_equal),
                "rounding breaks one tie there: summed as p ln p over (hit, blow) in ascending order and \
                 compared as they are, see the next line",
            ));
            figures.push(exact(
                ARTICLE,
                what("entropy, rounded as there"),
                entropy,
                shown(&walk(&codes, &Rounded)),
            ));
        } else {
            figures.push(exact(ARTICLE, what("entropy"), entropy, ties_equal));
        }
    }
    figures
}

fn walk(codes: &Codes, policy: &dyn Policy) -> Outcome {
    tree::outcome(codes, &Posterior::uniform(codes.len()), policy)
}

fn shown(outcome: &Outcome) -> String {
    let until = outcome.until_determined();
    format!("{} / {:.4}", until.worst, until.mean)
}

/// The article's random choice: a Mersenne twister with seed 0 is made anew for each guess, and its
/// first output is always 2357136044.
struct FirstDraw;

impl Policy for FirstDraw {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let support = node.posterior.support();
        support[((2_357_136_044 * support.len() as u64) >> 32) as usize]
    }
}

/// Entropy as the article's program sums and compares it.
struct Rounded;

impl Policy for Rounded {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let support = node.posterior.support();
        let all: Vec<usize> = (0..support.len()).collect();
        let mut scorer = Scorer::new(node.codes, node.posterior, &all);
        let places = node.codes.game.places as u8;
        let mut best = (support[0], f64::INFINITY);
        for &guess in support {
            scorer.count(guess);
            let counts = scorer.counts;
            let mut minus_entropy = 0.0;
            for hits in 0..=places {
                for blows in 0..=places - hits {
                    let count = counts[Feedback { hits, blows }.cell(usize::from(places))];
                    if count > 0 {
                        let p = f64::from(count) / support.len() as f64;
                        minus_entropy += p * p.ln();
                    }
                }
            }
            if minus_entropy < best.1 {
                best = (guess, minus_entropy);
            }
        }
        best.0
    }
}
