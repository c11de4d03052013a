//! A bound on the mean number of turns by pairs of replies: what two guesses leave together (`hitblow`).

use rayon::prelude::*;

use super::reply_pairs::ReplyPairs;

/// The most codes that can be found within a number of turns, by what was replied before.
///
/// Let B(t; a, b) be the most codes that can be found within t turns, of any set whose codes give reply a to the guess
/// before last, and b to the last one. The next guess finds itself. Its reply r leaves codes that give b and r to two
/// guesses, and a and r to two others: there are c(p; b, r) and c(q; a, r) at most, for the types p and q of these pairs.
/// Nothing else is asked of the three guesses: any type may follow any other.
///
/// ```text
/// B(t + 1; a, b) ≤ max over types p, q of Σ over replies r of min(c(p; b, r), c(q; a, r), B(t; b, r))
/// ```
///
/// The reply that the guess is right has 1 instead of B(t; b, r). With one guess before, or none, the sum has no a, or no b.
pub(super) struct Reach<'a> {
    pairs: &'a ReplyPairs,
    /// The index of the reply that a guess is right.
    win: usize,
    /// How many secrets give each reply to one guess.
    secrets: Vec<u64>,
    /// B(t; a, b) at `[a][b]`.
    after_two: Vec<Vec<u64>>,
    /// B(t; b), where only the last reply is known.
    after_one: Vec<u64>,
    /// The turns that are left after one guess. After two, it is one less.
    turns: usize,
}

/// Numbers by reply, and their sum.
struct Row {
    sum: u64,
    numbers: Vec<u64>,
}

impl<'a> Reach<'a> {
    /// With no turn left.
    pub(super) fn new(pairs: &'a ReplyPairs) -> Self {
        let count = pairs.replies.len();
        let secrets = pairs.types[0].chunks(count).map(|row| row.iter().sum());
        Self {
            pairs,
            win: count - 1,
            secrets: secrets.collect(),
            after_two: vec![vec![0; count]; count],
            after_one: vec![0; count],
            turns: 0,
        }
    }

    /// With one turn more: the most codes that can be found before anything is known. Cost: for ten places up to 1 s.
    pub(super) fn one_turn_more(&mut self) -> u64 {
        if self.turns > 0 {
            self.after_two = self.after_two_with_one_turn_more();
        }
        self.turns += 1;
        let most_after = |last: usize| {
            let sum = |numbers| self.limited(numbers, &self.after_two[last]).sum;
            self.numbers_of(last).map(sum).max().expect("some type")
        };
        self.after_one = (0..self.secrets.len()).map(most_after).collect();
        self.limited(&self.secrets, &self.after_one).sum
    }

    fn after_two_with_one_turn_more(&self) -> Vec<Vec<u64>> {
        let replies = 0..self.secrets.len();
        let next_rows = |last: usize| {
            let limited = |numbers| self.limited(numbers, &self.after_two[last]);
            undominated(self.numbers_of(last).map(limited))
        };
        let next: Vec<Vec<Row>> = replies.clone().map(next_rows).collect();
        // No row of the other kind counts above what can be found at all, so more rows are like others.
        let most = self.after_two.iter().flatten().copied().fold(1, u64::max);
        let most_after = |before| {
            let limited =
                |numbers: &[u64]| Row::new(numbers.iter().map(|&secrets| secrets.min(most)));
            let others = undominated(self.numbers_of(before).map(limited));
            next.iter()
                .map(|rows| most_of_both(rows, &others))
                .collect()
        };
        replies.into_par_iter().map(most_after).collect()
    }

    /// c(p; b, r) of a reply b, by r, for each type p.
    fn numbers_of(&self, reply: usize) -> impl Iterator<Item = &[u64]> {
        let count = self.secrets.len();
        let types = self.pairs.types.iter();
        types.map(move |table| &table[reply * count..][..count])
    }

    /// The numbers, but at most those that can be found, and 1 if the guess is right.
    fn limited(&self, numbers: &[u64], found: &[u64]) -> Row {
        let limits = found
            .iter()
            .enumerate()
            .map(|(reply, &found)| if reply == self.win { 1 } else { found });
        Row::new(
            numbers
                .iter()
                .zip(limits)
                .map(|(&secrets, limit)| secrets.min(limit)),
        )
    }
}

impl Row {
    fn new(numbers: impl Iterator<Item = u64>) -> Self {
        let numbers: Vec<u64> = numbers.collect();
        let sum = numbers.iter().sum();
        Self { sum, numbers }
    }
}

/// The rows of which no other one has as much everywhere, the greatest sums first.
fn undominated(rows: impl Iterator<Item = Row>) -> Vec<Row> {
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.sum));
    let mut kept: Vec<Row> = vec![];
    for row in rows {
        let is_below = |other: &Row| row.numbers.iter().zip(&other.numbers).all(|(a, b)| a <= b);
        if !kept.iter().any(is_below) {
            kept.push(row);
        }
    }
    kept
}

/// The greatest Σ min over a row of each list. Both lists begin with the greatest sums.
fn most_of_both(rows: &[Row], others: &[Row]) -> u64 {
    let mut most = 0;
    for row in rows {
        for other in others {
            if row.sum.min(other.sum) <= most {
                break;
            }
            let both = row.numbers.iter().zip(&other.numbers);
            most = most.max(both.map(|(a, b)| a.min(b)).sum());
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::reply_pairs::reply_pairs;
    use super::*;
    use crate::solver::pegs::{CodeId, Codes, Game, Replies};

    /// The same bound by its formula, from all codes of a small game.
    struct Twin {
        /// For each second guess, how many secrets give a pair of replies.
        types: Vec<Vec<Vec<u64>>>,
        win: usize,
    }

    impl Twin {
        fn new(game: Game) -> Self {
            let codes = Codes::new(game);
            let all = 0..codes.len() as CodeId;
            let replies_to = |guess| {
                let replies = Replies::new(&codes, guess);
                let number = |secret| {
                    let reply = replies.feedback(secret);
                    usize::from(reply.hits) * (game.places + 1) + usize::from(reply.blows)
                };
                all.clone().map(number).collect::<Vec<_>>()
            };
            let count = (game.places + 1) * (game.places + 1);
            let table = |next| {
                let mut table = vec![vec![0; count]; count];
                for (before, next) in replies_to(0).into_iter().zip(replies_to(next)) {
                    table[before][next] += 1;
                }
                table
            };
            Self {
                types: all.clone().map(table).collect(),
                win: game.places * (game.places + 1),
            }
        }

        /// B(t) after no, one or two replies, from what can be found with one turn less.
        fn step(&self, none: &mut u64, one: &mut Vec<u64>, two: &mut Vec<Vec<u64>>) {
            let limit = |found: u64, reply: usize| if reply == self.win { 1 } else { found };
            let replies = 0..two.len();
            let secrets = |reply: usize| self.types[0].iter().map(|row| row[reply]).sum::<u64>();
            *none = replies
                .clone()
                .map(|r| secrets(r).min(limit(one[r], r)))
                .sum();
            let after_one = |b: usize| {
                let found = |p: &Vec<Vec<u64>>| {
                    let each = replies.clone().map(|r| p[b][r].min(limit(two[b][r], r)));
                    each.sum::<u64>()
                };
                self.types.iter().map(found).max().unwrap()
            };
            *one = replies.clone().map(after_one).collect();
            let after_two = |a: usize, b: usize| {
                let pairs = self
                    .types
                    .iter()
                    .flat_map(|p| self.types.iter().map(move |q| (p, q)));
                let found = pairs.map(|(p, q)| {
                    let each = replies.clone();
                    each.map(|r| p[b][r].min(q[a][r]).min(limit(two[b][r], r)))
                        .sum::<u64>()
                });
                found.max().unwrap()
            };
            let row = |a| replies.clone().map(|b| after_two(a, b)).collect();
            *two = replies.clone().map(row).collect();
        }
    }

    #[test]
    fn what_can_be_found_is_that_of_the_formula() {
        for (places, digits) in [(1, 3), (2, 4), (3, 3), (3, 5)] {
            let game = Game::new("hitblow", places, digits).unwrap();
            let pairs = reply_pairs(game);
            let mut reach = Reach::new(&pairs);
            let twin = Twin::new(game);
            let count = twin.types[0].len();
            let (mut none, mut one, mut two) = (0, vec![0; count], vec![vec![0; count]; count]);
            twin.step(&mut none, &mut one, &mut two);
            assert_eq!(none, 1, "one code can be found in one turn");
            for turns in 2..8 {
                twin.step(&mut none, &mut one, &mut two);
                assert_eq!(
                    reach.one_turn_more(),
                    none,
                    "{} in {turns} turns",
                    game.title()
                );
            }
            assert_eq!(none, game.code_count());
        }
    }
}
