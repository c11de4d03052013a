//! How many secrets give one reply to a guess and another one to the next, without listing them (`hitblow`).
//!
//! Take places and digits as points, and join each place to its digit in the guess before, and to its digit in the next
//! one. A point has two lines at most, so the lines form *chains* and *rings*. Places and digits may be renamed, so only
//! the lengths of chains and rings count. A chain begins with a digit that only the guess before has, and ends with one
//! that only the next guess has. A ring of one place is a digit that stays where it was.
//!
//! ```text
//! before  0 1 2 3 4     a chain of two places    0 - place 0 - 1 - place 1 - 7
//! next    1 7 2 4 3     rings of one and two places   2 = place 2   3 - place 3 - 4 - place 4 - 3
//! ```

use std::collections::BTreeMap;
use std::ops::Add;

use super::reply_sizes::{binomial, shapes};
use crate::solver::pegs::Game;

/// Hits, and hits and blows together.
pub(super) type Reply = (usize, usize);

/// The numbers of secrets for each type of two guesses.
pub(super) struct ReplyPairs {
    /// The replies, each with 0 hits or more and at least as many hits and blows.
    pub(super) replies: Vec<Reply>,
    /// For each type, row by row of the reply to the guess before, the numbers by the reply to the next one.
    pub(super) types: Vec<Vec<u64>>,
}

/// Two guesses: the lengths of chains and of rings, in places.
struct Type {
    chains: Vec<usize>,
    rings: Vec<usize>,
}

/// Hits that are marked: of each guess, and how many of their digits only one guess has.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Marked {
    before: usize,
    next: usize,
    only_before: usize,
    only_next: usize,
}

/// In how many ways hits can be marked so that one secret has them all: no two at one place or with one digit.
type Ways = BTreeMap<Marked, i128>;

/// The number of a reply in [`ReplyPairs::replies`].
fn index_of((hits, common): Reply) -> usize {
    common * (common + 1) / 2 + hits
}

/// The pairs of a game whose codes have different digits. Cost: 1 ms for 5 places, 0.7 s and 20 MB for 10.
pub(super) fn reply_pairs(game: Game) -> ReplyPairs {
    let places = game.places;
    let of_total = |common: usize| (0..=common).map(move |hits| (hits, common));
    let replies: Vec<Reply> = (0..=places).flat_map(of_total).collect();
    let types = (0..=places).flat_map(|in_chains| {
        let chains = shapes(in_chains, in_chains).into_iter();
        // Each chain ends with a digit of its own.
        let possible = chains.filter(move |chains| places + chains.len() <= game.digits);
        possible.flat_map(move |chains| {
            let rings = shapes(places - in_chains, places - in_chains).into_iter();
            rings.map(move |rings| Type {
                chains: chains.clone(),
                rings,
            })
        })
    });
    let types = types.map(|of| pairs_of(game, &of)).collect();
    ReplyPairs { replies, types }
}

/// The table of a type.
///
/// Let each secret count x^(hits of the guess before) · y^(hits of the next). Each hit is marked or not: x = (x − 1) + 1. So
/// the sum over all secrets is that over all sets of marked hits of (x − 1)^… · (y − 1)^…, times the number of secrets that
/// have these hits.
fn pairs_of(game: Game, of: &Type) -> Vec<u64> {
    let (width, replies) = (game.places + 1, index_of((0, game.places + 1)));
    let mut table = vec![0_i128; replies * replies];
    let own = of.chains.len();
    for ((marked, only_before, only_next), polynomial) in polynomials(of, width) {
        let rest = Unmarked {
            places: game.places - marked,
            only_before: own - only_before,
            only_next: own - only_next,
            both: game.places - own - (marked - only_before - only_next),
            neither: game.digits - game.places - own,
        };
        // The marked digits are in the secret, too.
        let marked_digits = (marked - only_next, marked - only_before);
        let totals = rest.secrets_by_common_digits(marked_digits);
        let coefficients = polynomial
            .iter()
            .enumerate()
            .filter(|(_, times)| **times != 0);
        for (at, times) in coefficients {
            let hits = (at / width, at % width);
            let possible = totals
                .iter()
                .filter(|((before, next), _)| *before >= hits.0 && *next >= hits.1);
            for (&(before, next), secrets) in possible {
                let row = index_of((hits.0, before));
                table[row * replies + index_of((hits.1, next))] += times * secrets;
            }
        }
    }
    let count = |&count: &i128| u64::try_from(count).expect("a number of codes");
    table.iter().map(count).collect()
}

/// What is not marked: places, and digits by the guesses that have them.
struct Unmarked {
    places: usize,
    only_before: usize,
    only_next: usize,
    both: usize,
    neither: usize,
}

impl Unmarked {
    /// The ways to fill the places, by the digits that the secret has in common with each guess, the marked ones included.
    fn secrets_by_common_digits(&self, marked: (usize, usize)) -> BTreeMap<(usize, usize), i128> {
        let mut secrets = BTreeMap::new();
        let orders: i128 = (1..=self.places as i128).product();
        for old in 0..=self.only_before.min(self.places) {
            for new in 0..=self.only_next.min(self.places - old) {
                for both in 0..=self.both.min(self.places - old - new) {
                    let neither = self.places - old - new - both;
                    if neither > self.neither {
                        continue;
                    }
                    let digits = binomial(self.only_before, old) * binomial(self.only_next, new);
                    let digits = digits * binomial(self.both, both);
                    let digits = digits * binomial(self.neither, neither);
                    let common = (marked.0 + old + both, marked.1 + new + both);
                    *secrets.entry(common).or_insert(0) += digits * orders;
                }
            }
        }
        secrets
    }
}

/// By the number of marked places, and of their digits that only one guess has: the coefficient of
/// x^before · y^next at `[before * width + next]`.
fn polynomials(of: &Type, width: usize) -> BTreeMap<(usize, usize, usize), Vec<i128>> {
    let longer = of.rings.iter().filter(|&&places| places > 1);
    let rings = longer.map(|&places| ways_on_ring(places));
    let parts = of.chains.iter().map(|&places| ways_on_chain(places));
    let ways = parts
        .chain(rings)
        .fold(nothing(), |all, part| product(&all, &part));
    // At such a place, a hit is one of both guesses: its factor is x · y − 1.
    let fixed = of.rings.iter().filter(|&&places| places == 1).count();
    let mut polynomials = BTreeMap::new();
    for (marked, count) in &ways {
        for both in 0..=fixed {
            let key = (
                marked.before + marked.next + both,
                marked.only_before,
                marked.only_next,
            );
            let polynomial = polynomials
                .entry(key)
                .or_insert_with(|| vec![0; width * width]);
            let count = count * binomial(fixed, both);
            for (xs, x) in less_one(marked.before) {
                for (ys, y) in less_one(marked.next) {
                    for (xys, xy) in less_one(both) {
                        polynomial[(xs + xys) * width + ys + xys] += count * x * y * xy;
                    }
                }
            }
        }
    }
    polynomials
}

/// (x − 1)^power: each power of x with its coefficient.
fn less_one(power: usize) -> impl Iterator<Item = (usize, i128)> {
    (0..=power).map(move |chosen| {
        let sign = if (power - chosen).is_multiple_of(2) {
            1
        } else {
            -1
        };
        (chosen, sign * binomial(power, chosen))
    })
}

fn nothing() -> Ways {
    Ways::from([(Marked::default(), 1)])
}

/// The lines of a chain in order. Its first digit is one that only the guess before has, its last one that only the next has.
fn lines_of_chain(places: usize) -> Vec<Marked> {
    let mut lines = lines_of_ring(places);
    lines[0].only_before = 1;
    lines[2 * places - 1].only_next = 1;
    lines
}

/// The lines of a ring in order.
fn lines_of_ring(places: usize) -> Vec<Marked> {
    let before = Marked {
        before: 1,
        ..Marked::default()
    };
    let next = Marked {
        next: 1,
        ..Marked::default()
    };
    [before, next].repeat(places)
}

fn ways_on_chain(places: usize) -> Ways {
    ways_along(&lines_of_chain(places))
}

/// Without the first line, or with it and then without its neighbours.
fn ways_on_ring(places: usize) -> Ways {
    let lines = lines_of_ring(places);
    let mut ways = ways_along(&lines[1..]);
    let with = ways_along(&lines[2..lines.len() - 1]);
    add(
        &mut ways,
        with.iter()
            .map(|(&marked, &count)| (marked + lines[0], count)),
    );
    ways
}

/// All ways to mark lines of which no two are neighbours.
fn ways_along(lines: &[Marked]) -> Ways {
    let (mut last_free, mut last_marked) = (nothing(), Ways::new());
    for &line in lines {
        let marked = last_free
            .iter()
            .map(|(&marked, &count)| (marked + line, count));
        let marked = marked.collect();
        add(&mut last_free, last_marked);
        last_marked = marked;
    }
    add(&mut last_free, last_marked);
    last_free
}

fn add(ways: &mut Ways, more: impl IntoIterator<Item = (Marked, i128)>) {
    for (marked, count) in more {
        *ways.entry(marked).or_insert(0) += count;
    }
}

fn product(left: &Ways, right: &Ways) -> Ways {
    let mut ways = Ways::new();
    for (&marked, &count) in left {
        add(
            &mut ways,
            right
                .iter()
                .map(|(&more, &times)| (marked + more, count * times)),
        );
    }
    ways
}

impl Add for Marked {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            before: self.before + more.before,
            next: self.next + more.next,
            only_before: self.only_before + more.only_before,
            only_next: self.only_next + more.only_next,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::solver::pegs::{CodeId, Codes, Replies};

    #[test]
    fn pairs_are_those_of_all_secrets_counted_one_by_one() {
        for (places, digits) in [
            (1, 1),
            (1, 3),
            (2, 3),
            (3, 3),
            (3, 4),
            (3, 8),
            (4, 6),
            (5, 6),
        ] {
            let game = Game::new("hitblow", places, digits).unwrap();
            let pairs = reply_pairs(game);
            let codes = Codes::new(game);
            let all = 0..codes.len() as CodeId;
            let replies_to = |guess| {
                let replies = Replies::new(&codes, guess);
                let indices = all.clone().map(|secret| {
                    let reply = replies.feedback(secret);
                    let (hits, blows) = (usize::from(reply.hits), usize::from(reply.blows));
                    let is_same = |known: &Reply| *known == (hits, hits + blows);
                    pairs.replies.iter().position(is_same).unwrap()
                });
                indices.collect::<Vec<_>>()
            };
            let before = replies_to(0);
            let counted: BTreeSet<Vec<u64>> = all
                .clone()
                .map(|next| {
                    let mut table = vec![0; pairs.replies.len() * pairs.replies.len()];
                    for (row, column) in before.iter().zip(replies_to(next)) {
                        table[row * pairs.replies.len() + column] += 1;
                    }
                    table
                })
                .collect();
            let found: BTreeSet<Vec<u64>> = pairs.types.into_iter().collect();
            assert!(found == counted, "hitblow {places} {digits}");
        }
    }
}
