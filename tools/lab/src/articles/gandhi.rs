//! Article 004: "detective Gandhi", three of nine digits, written 1 to 9 there and 0 to 8 here.

use super::figure::{Figure, all_exact};
use super::helpers::{code, codes, outcome};
use crate::game::observations::{parse_observation, posterior};
use crate::policy::{Options, Pool, Tie};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Scorer};

const ARTICLE: &str = "004";

pub(super) fn figures() -> Vec<Figure> {
    let codes = codes("hitblow 3 9");
    let row = parse_observation(&codes, "012:1,1").expect("a row of the article");
    let posterior = posterior(&codes, &Posterior::uniform(codes.len()), &[row]);
    let all: Vec<usize> = (0..posterior.support().len()).collect();
    let mut scorer = Scorer::new(&codes, &posterior, &all);
    let mut classes = |guess| {
        scorer.count(code(&codes, guess));
        let counts = scorer.counts;
        let mut sizes = Vec::new();
        for hits in 0..=3_u8 {
            for blows in 0..=3 - hits {
                let count = counts[crate::solver::pegs::Feedback { hits, blows }.cell(3)];
                if count > 0 {
                    sizes.push(format!("{hits}H{blows}B {count}"));
                }
            }
        }
        sizes.join(", ")
    };
    let given = Options {
        pool: Some(Pool::All),
        tie: Some(Tie::First),
        hit_gain: Some(10.0),
        ..Options::default()
    };
    let turns = outcome(&codes, "mi", &given).all_turns();
    let (near, far) = (classes("034"), classes("345"));
    let mut bits = |guess: CodeId| scorer.mutual_information_bits(guess);
    let largest = (0..codes.len() as CodeId)
        .map(&mut bits)
        .fold(0.0, f64::max);
    let far_bits = bits(code(&codes, "345"));
    let count = posterior.support().len().to_string();
    let (largest, far_bits) = (format!("{largest:.2}"), format!("{far_bits:.3}"));
    all_exact(
        ARTICLE,
        [
            ("candidates after 123 1H1B", "36", count),
            (
                "candidates after each reply to 145",
                "0H0B 8, 0H1B 10, 0H2B 4, 1H0B 10, 1H1B 2, 2H0B 2",
                near,
            ),
            (
                "candidates after each reply to 456",
                "0H0B 18, 0H1B 12, 1H0B 6",
                far,
            ),
            ("largest entropy of a reply, bits", "2.32", largest),
            (
                "entropy of the reply to 456, bits (a formula there)",
                "1.459",
                far_bits,
            ),
            (
                "mean turns, a hit counts log2(1/p + 10)",
                "4.7",
                format!("{:.1}", turns.mean),
            ),
            ("turns that always suffice", "6", turns.worst.to_string()),
            (
                "weighings for 9 stones, one of them heavier",
                "2",
                weighings(9).to_string(),
            ),
        ],
    )
}

/// The fewest weighings that always find the heavy one of n stones: put k on each side; then it is
/// among those k, those k, or the n - 2k left.
fn weighings(n: usize) -> usize {
    let mut fewest = vec![0; n + 1];
    for n in 2..=n {
        let after = |k: usize| fewest[k].max(fewest[n - 2 * k]);
        fewest[n] = 1
            + (1..=n / 2)
                .map(after)
                .min()
                .expect("two stones can be compared");
    }
    fewest[n]
}
