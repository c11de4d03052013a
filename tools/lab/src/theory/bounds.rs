//! Lower bounds on the mean number of turns of every strategy, from the numbers of codes and replies alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::solver::pegs::{CodeId, Codes, Replies};
use crate::tree::shape;

/// What N codes and R replies tell of the mean turns. Nothing else of the game is used.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct InformationBounds {
    /// N.
    pub codes: usize,
    /// R: the replies that some guess can get, the winning one included.
    pub replies: usize,
    /// log2 N: what has to be learned.
    pub bits: f64,
    /// log2 N / log2 R: no reply tells more than log2 R bits.
    pub entropy: f64,
    /// The least mean μ with μ · h(1/μ) + (μ − 1) · log2(R − 1) ≥ log2 N: the winning reply comes once, at the end.
    pub ending: f64,
    /// (1 + 2·b + 3·b² + …) / N, filled up to N codes, where b = R − 1: each guess finds one code at most.
    pub counting: f64,
}

/// The bounds of a game.
pub fn information_bounds(codes: &Codes) -> InformationBounds {
    let replies = replies(codes);
    let bits = (codes.len() as f64).log2();
    InformationBounds {
        codes: codes.len(),
        replies,
        bits,
        entropy: bits / (replies as f64).log2(),
        ending: ending(bits, replies),
        counting: counting(codes.len(), replies - 1),
    }
}

/// All codes of a shape get the same replies, so one of each is asked.
fn replies(codes: &Codes) -> usize {
    let all = 0..codes.len() as CodeId;
    let by_shape: BTreeMap<_, _> = all.clone().map(|code| (shape(codes, code), code)).collect();
    let mut seen = BTreeSet::new();
    for &guess in by_shape.values() {
        let replies = Replies::new(codes, guess);
        seen.extend(all.clone().map(|secret| {
            let reply = replies.feedback(secret);
            (reply.hits, reply.blows)
        }));
    }
    seen.len()
}

/// By bisection: the left side grows with μ.
fn ending(bits: f64, replies: usize) -> f64 {
    let others = (replies as f64 - 1.0).max(1.0).log2();
    let told = |mean: f64| {
        let p = 1.0 / mean;
        let entropy = match p < 1.0 {
            true => -p * p.log2() - (1.0 - p) * (1.0 - p).log2(),
            false => 0.0,
        };
        mean * entropy + (mean - 1.0) * others
    };
    let (mut low, mut high) = (1.0, bits.exp2().max(1.0));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        match told(middle) < bits {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

fn counting(codes: usize, others: usize) -> f64 {
    let (mut left, mut width, mut turn, mut total) = (codes, 1, 1, 0);
    while left > 0 {
        let found = left.min(width);
        total += found * turn;
        left -= found;
        width = width.saturating_mul(others.max(1));
        turn += 1;
    }
    total as f64 / codes as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn bounds_of_a_game_counted_by_hand() {
        // 0 or 1 hits: codes fall one after the other, 1 + 2 + 3 turns for three.
        let bounds = information_bounds(&game::codes("hitblow 1 3").unwrap());
        assert_eq!((bounds.codes, bounds.replies), (3, 2));
        assert_eq!(bounds.counting, 2.0);
        assert!((bounds.entropy - 3_f64.log2()).abs() < 1e-12);
        let codes = game::codes("hitblow 3 10").unwrap();
        let bounds = information_bounds(&codes);
        assert_eq!(bounds.replies, 9);
        // 1 + 8 + 64 + 512 codes in 4 turns, 135 in the fifth.
        let total = 1 + 2 * 8 + 3 * 64 + 4 * 512 + 5 * 135;
        assert_eq!(bounds.counting, f64::from(total) / 720.0);
        let p = 1.0 / bounds.ending;
        let h = -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
        assert!((bounds.ending * h + (bounds.ending - 1.0) * 3.0 - bounds.bits).abs() < 1e-9);
        assert!(bounds.entropy < bounds.ending && bounds.ending < bounds.counting);
    }
}
