//! Lower bounds on the mean number of turns of every strategy, from the numbers of codes and replies alone.

use std::collections::BTreeSet;

use super::pairs::Reach;
use super::reply_pairs::reply_pairs;
use super::reply_sizes::{ReplySizes, reply_sizes};
use crate::solver::pegs::Game;

/// What is known without any search. The first three bounds use only N codes and R replies; the next two also use how
/// many secrets give each reply, and the last one how many give two replies.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct InformationBounds {
    /// N.
    pub codes: u64,
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
    /// The bits that are left over the most that a reply can tell then, summed up while they shrink (`fn telling`).
    pub telling: f64,
    /// As `counting`, but a reply leaves no more codes than give it (`fn sizes`).
    pub sizes: f64,
    /// As `sizes`, but each reply also leaves no more codes than give it together with one of the last two replies
    /// (`pairs::Reach`). Only where digits differ.
    pub pairs: Option<f64>,
}

/// The bounds of a game. The codes are not listed. Cost: 1 ms for five places; for ten places up to 10 s of
/// processor time.
pub fn information_bounds(game: Game) -> InformationBounds {
    let shapes = reply_sizes(game);
    let all = shapes.iter().flat_map(|sizes| sizes.keys());
    let replies = all.collect::<BTreeSet<_>>().len();
    let codes = game.code_count();
    let bits = (codes as f64).log2();
    let win = (game.places, game.places);
    InformationBounds {
        codes,
        replies,
        bits,
        // One reply says nothing, and then there is one code.
        entropy: match replies {
            1 => 1.0,
            _ => bits / (replies as f64).log2(),
        },
        ending: ending(bits, replies),
        counting: counting(codes, replies as u64 - 1),
        telling: telling(codes, &shapes),
        sizes: sizes(codes, &shapes, win),
        pairs: game.distinct.then(|| pairs(game)),
    }
}

/// The mean turns of a game in which a code may be found as soon as possible, where `most(found)` is the most codes that
/// can be found in a turn more than `found` codes.
fn mean_of(codes: u64, mut most: impl FnMut(u64) -> u64) -> f64 {
    let (mut found, mut mean) = (0, 0.0);
    while found < codes {
        // P(T > t) is at least the share of the codes that are not found in t turns.
        mean += (codes - found) as f64 / codes as f64;
        found = match found {
            0 => 1,
            found => most(found).min(codes),
        };
    }
    mean
}

/// At most `others` times as many codes in a turn more, and the guess itself.
fn counting(codes: u64, others: u64) -> f64 {
    mean_of(codes, |found| {
        found.saturating_mul(others.max(1)).saturating_add(1)
    })
}

/// Let B(t) be the most codes that can be found within t turns, among any set of codes. B(0) = 0. A guess finds itself,
/// and each other reply leaves a set of at most as many codes as give this reply at all:
///
/// ```text
/// B(t + 1) ≤ 1 + Σ over replies r of min(c(r), B(t)), for the best shape of a guess
/// E[T] = Σ over t ≥ 0 of P(T > t) ≥ Σ over t ≥ 0 of 1 − B(t) / N
/// ```
fn sizes(codes: u64, shapes: &[ReplySizes], win: (usize, usize)) -> f64 {
    mean_of(codes, |found| {
        let left = |sizes: &ReplySizes| {
            let others = sizes.iter().filter(|(reply, _)| **reply != win);
            others.fold(1_u64, |sum, (_, &size)| sum.saturating_add(size.min(found)))
        };
        shapes.iter().map(left).max().unwrap_or(1)
    })
}

fn pairs(game: Game) -> f64 {
    let pairs = reply_pairs(game);
    let mut reach = Reach::new(&pairs);
    mean_of(game.code_count(), |_| reach.one_turn_more())
}

/// 1 + ∫ (1 − 2^−b) / f(b) db from 0 to log2 N. f(b) is the most bits that a reply can tell, if 2^b codes are left
/// ([`most_bits`]). It shrinks with b, so the integrand grows, and a sum of its values on the left is a lower bound.
///
/// **Why.** Let G(b) be the integral alone, up to b; it is convex. Let a set have n = 2^b codes, of which a guess leaves the
/// share p(r) to reply r. On average, by convexity, Σ p(r) · G(b + log2 p(r)) ≥ G(b − H) ≥ G(b) − H · G'(b), where H ≤ f(b)
/// is the entropy of the reply, and f(b) · G'(b) = 1 − 1/n. Let V be 1 + G while the secret is not found, and 0 once it is.
/// The right guess has a share of 1/n at most, and saves the 1 of a single code. So on average a turn lowers
/// V by (1 − 1/n) + 1/n = 1 at most: every strategy takes 1 + G(log2 N) turns or more.
fn telling(codes: u64, shapes: &[ReplySizes]) -> f64 {
    /// Bits.
    const STEP: f64 = 1.0 / 16.0;
    let bits = (codes as f64).log2();
    let steps = (bits / STEP).ceil() as usize;
    let slices = (0..steps).map(|step| {
        let from = step as f64 * STEP;
        let width = STEP.min(bits - from);
        let most = shapes.iter().map(|sizes| most_bits(sizes, from.exp2()));
        width * (1.0 - (-from).exp2()) / most.fold(0.0, f64::max)
    });
    1.0 + slices.sum::<f64>()
}

/// The greatest entropy of a reply with shares p(r) ≤ c(r) / n, in bits: what `n` codes can be told at most, because only
/// c(r) codes give the reply r. All shares are equal, except those that cannot be as large.
fn most_bits(sizes: &ReplySizes, n: f64) -> f64 {
    let mut caps: Vec<f64> = sizes.values().map(|&size| size as f64 / n).collect();
    caps.sort_unstable_by(f64::total_cmp);
    let (mut left, mut bits) = (1.0, 0.0);
    for (number, &cap) in caps.iter().enumerate() {
        let share = f64::min(cap, left / (caps.len() - number) as f64);
        left -= share;
        if share > 0.0 {
            bits -= share * share.log2();
        }
    }
    bits
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(name: &str, places: usize, digits: usize) -> InformationBounds {
        information_bounds(Game::new(name, places, digits).unwrap())
    }

    #[test]
    fn bounds_of_a_game_counted_by_hand() {
        // 0 or 1 hits: codes fall one after the other, 1 + 2 + 3 turns for three.
        let three = bounds("hitblow", 1, 3);
        assert_eq!((three.codes, three.replies), (3, 2));
        assert!((three.counting - 2.0).abs() < 1e-12);
        assert!((three.sizes - 2.0).abs() < 1e-12);
        assert!((three.entropy - 3_f64.log2()).abs() < 1e-12);
        let game = bounds("hitblow", 3, 10);
        assert_eq!(game.replies, 9);
        // 1 + 8 + 64 + 512 codes in 4 turns, 135 in the fifth.
        let total = 1 + 2 * 8 + 3 * 64 + 4 * 512 + 5 * 135;
        assert!((game.counting - f64::from(total) / 720.0).abs() < 1e-12);
        // Secrets for each reply other than 3 0: 210, 252, 126, 63, 42, 21, 3, 2. A set that holds at most 9, 60 or 309 codes
        // that are found in time takes as many of each.
        let second = 1 + 8;
        let third = 1 + 6 * second + 3 + 2;
        assert_eq!(third, 60);
        let fourth = 1 + 2 + 3 + 21 + 42 + 4 * third;
        let fifth = 1 + 2 + 3 + 21 + 42 + 63 + 126 + 210 + 252;
        assert_eq!(fifth, 720);
        let missing = [0, 1, second, third, fourth].map(|found| f64::from(720 - found) / 720.0);
        assert!((game.sizes - missing.iter().sum::<f64>()).abs() < 1e-12);
        let p = 1.0 / game.ending;
        let h = -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
        assert!((game.ending * h + (game.ending - 1.0) * 3.0 - game.bits).abs() < 1e-9);
        assert!(game.entropy < game.ending && game.ending < game.telling);
        assert!(game.telling < game.counting && game.counting < game.sizes);
    }

    #[test]
    fn a_reply_tells_most_if_it_leaves_equal_shares_as_far_as_it_can() {
        let sizes = ReplySizes::from([((0, 0), 6), ((0, 1), 6), ((1, 1), 1)]);
        // All 13 codes are left: the shares are fixed.
        let fixed = -2.0 * (6.0 / 13.0_f64) * (6.0 / 13.0_f64).log2()
            - (1.0 / 13.0_f64) * (1.0 / 13.0_f64).log2();
        assert!((most_bits(&sizes, 13.0) - fixed).abs() < 1e-12);
        // Of three codes each may give another reply; of 8 the last reply has an eighth at most.
        assert!((most_bits(&sizes, 3.0) - 3_f64.log2()).abs() < 1e-12);
        let eighth = 3.0 / 8.0 + 2.0 * (7.0 / 16.0) * (16.0 / 7.0_f64).log2();
        assert!((most_bits(&sizes, 8.0) - eighth).abs() < 1e-12);
    }
}
