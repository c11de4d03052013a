//! How many secrets give each reply to a guess, without listing them.

use std::collections::BTreeMap;

use crate::solver::pegs::Game;

/// By hits and by hits and blows together: the number of secrets. Replies that no secret gives are left out.
pub(super) type ReplySizes = BTreeMap<(usize, usize), u64>;

/// The sizes for each shape of a guess: how often its digits appear. Only the shape counts, because digits and places may
/// be renamed.
pub(super) fn reply_sizes(game: Game) -> Vec<ReplySizes> {
    let shapes = match game.distinct {
        true => vec![vec![1; game.places]],
        false => shapes(game.places, game.places),
    };
    let possible = shapes.iter().filter(|shape| shape.len() <= game.digits);
    possible.map(|shape| sizes_of(game, shape)).collect()
}

/// All ways to write a number as a sum of numbers up to `most`, the greatest first.
pub(super) fn shapes(sum: usize, most: usize) -> Vec<Vec<usize>> {
    if sum == 0 {
        return vec![vec![]];
    }
    let with = |first: usize| {
        let rests = shapes(sum - first, first).into_iter();
        rests.map(move |rest| [vec![first], rest].concat())
    };
    (1..=most.min(sum)).rev().flat_map(with).collect()
}

/// The sizes for one shape.
///
/// Inclusion and exclusion over the hits: first count secrets together with some of their hits, marked. Digit by digit of
/// the guess, `marked` of its places are marked, and it is `free` times more in the secret, anywhere outside of the marked
/// places. So with i marks, each secret with h hits is counted C(h, i) times, and Σ (−1)^(i − h) · C(i, h) · counted(i)
/// leaves those with h hits.
fn sizes_of(game: Game, shape: &[usize]) -> ReplySizes {
    let places = game.places;
    // By marked places, other places with digits of the guess, and hits and blows together.
    let mut ways = BTreeMap::from([((0, 0, 0), 1_i128)]);
    for &times in shape {
        let mut next = BTreeMap::new();
        for (&(marked, free, common), &count) in &ways {
            for own in 0..=times.min(places - marked - free) {
                for more in 0..=places - marked - free - own {
                    if game.distinct && own + more > 1 {
                        continue;
                    }
                    let key = (marked + own, free + more, common + times.min(own + more));
                    // The free places of this digit among those of all digits so far.
                    let orders = binomial(times, own) * binomial(free + more, more);
                    *next.entry(key).or_insert(0) += count * orders;
                }
            }
        }
        ways = next;
    }
    let mut marked_sizes = BTreeMap::new();
    for ((marked, free, common), count) in ways {
        let rest = places - marked - free;
        let others = game.digits - shape.len();
        let fillings = (0..rest).map(|place| match game.distinct {
            true => others.saturating_sub(place) as i128,
            false => others as i128,
        });
        let all = count * binomial(places - marked, rest) * fillings.product::<i128>();
        *marked_sizes.entry((marked, common)).or_insert(0) += all;
    }
    let mut sizes = ReplySizes::new();
    for (hits, common) in (0..=places).flat_map(|common| (0..=common).map(move |h| (h, common))) {
        let signed = (hits..=places).map(|marked| {
            let counted = marked_sizes.get(&(marked, common)).copied().unwrap_or(0);
            let sign = if (marked - hits).is_multiple_of(2) {
                1
            } else {
                -1
            };
            sign * binomial(marked, hits) * counted
        });
        let size: i128 = signed.sum();
        if size > 0 {
            sizes.insert((hits, common), size as u64);
        }
    }
    sizes
}

pub(super) fn binomial(n: usize, k: usize) -> i128 {
    (0..k).fold(1, |product, i| product * (n - i) as i128 / (i + 1) as i128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::pegs::{CodeId, Codes, Replies};
    use crate::tree::shape;

    #[test]
    fn sizes_are_those_of_all_secrets_counted_one_by_one() {
        for (name, places, digits) in [
            ("hitblow", 1, 3),
            ("hitblow", 3, 3),
            ("hitblow", 3, 6),
            ("hitblow", 4, 6),
            ("mastermind", 1, 1),
            ("mastermind", 3, 2),
            ("mastermind", 4, 5),
            ("mastermind", 5, 3),
        ] {
            let game = Game::new(name, places, digits).unwrap();
            let codes = Codes::new(game);
            let all = 0..codes.len() as CodeId;
            let by_shape: BTreeMap<_, _> = all
                .clone()
                .map(|code| (shape(&codes, code), code))
                .collect();
            let counted = by_shape.values().map(|&guess| {
                let replies = Replies::new(&codes, guess);
                let mut sizes = ReplySizes::new();
                for secret in all.clone() {
                    let reply = replies.feedback(secret);
                    let key = (
                        usize::from(reply.hits),
                        usize::from(reply.hits + reply.blows),
                    );
                    *sizes.entry(key).or_default() += 1;
                }
                sizes
            });
            let mut counted: Vec<_> = counted.collect();
            let mut found = reply_sizes(game);
            counted.sort();
            found.sort();
            assert_eq!(found, counted, "{}", game.title());
        }
    }

    #[test]
    fn sizes_of_the_largest_games_sum_up_to_all_codes() {
        for (name, shapes) in [("hitblow", 1), ("mastermind", 42)] {
            let game = Game::new(name, 10, 64).unwrap();
            let found = reply_sizes(game);
            assert_eq!(found.len(), shapes);
            for sizes in found {
                assert_eq!(sizes.values().sum::<u64>(), game.code_count());
                assert_eq!(sizes[&(10, 10)], 1);
            }
        }
    }
}
