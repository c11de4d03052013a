//! The guesses that tell most, as classes: two are alike if one becomes the other when places are reordered and digits
//! renamed in a way that leaves every guess so far as it is. Then the candidates stay the same set, so both tell as much.

use std::collections::BTreeMap;

use crate::game::observations::Observation;
use crate::solver::pegs::{CodeId, Codes, Scorer};

/// Guesses that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlikeGuesses {
    /// The smallest of them.
    pub example: CodeId,
    /// How many there are.
    pub count: usize,
}

/// More work than that is not worth a line.
const MOST_FEEDBACKS: usize = 200_000_000;
/// Orders of more places are too many to try.
const MOST_PLACES: usize = 6;

/// The guesses with the largest mutual information, all codes considered, in classes; `None` if that takes too long.
/// All candidates are equally likely.
///
/// Cost: candidates times codes feedbacks, and P! renamings of each of the best guesses.
pub fn tops(
    codes: &Codes,
    candidates: usize,
    rows: &[Observation],
    scorer: &mut Scorer<'_>,
) -> Option<Vec<AlikeGuesses>> {
    if codes.len() * candidates > MOST_FEEDBACKS || codes.game.places > MOST_PLACES {
        return None;
    }
    let bits: Vec<f64> = (0..codes.len() as CodeId)
        .map(|guess| scorer.mutual_information_bits(guess))
        .collect();
    let most = bits.iter().copied().fold(0.0, f64::max);
    let renamings = renamings(codes, rows);
    let mut classes = BTreeMap::<Vec<u8>, AlikeGuesses>::new();
    for guess in (0..codes.len() as CodeId).filter(|&guess| bits[guess as usize] > most - 1e-9) {
        let of = renamings
            .iter()
            .map(|renaming| renaming.smallest(codes.digits(guess)));
        let name = of.min().expect("leaving everything as it is is a renaming");
        let class = classes.entry(name).or_insert(AlikeGuesses {
            example: guess,
            count: 0,
        });
        class.count += 1;
    }
    let mut classes: Vec<AlikeGuesses> = classes.into_values().collect();
    classes.sort_by_key(|class| (std::cmp::Reverse(class.count), class.example));
    Some(classes)
}

/// A reordering of places, with the new names of the digits that the rows have named; the others are free.
struct Renaming {
    /// Where each place goes.
    order: Vec<usize>,
    /// The new name of each digit; `None` for one that is free.
    names: Vec<Option<u8>>,
}

impl Renaming {
    /// The smallest of the codes that this makes of a code, over all names of the free digits.
    fn smallest(&self, code: &[u8]) -> Vec<u8> {
        let mut moved = vec![0; code.len()];
        for (&to, &digit) in self.order.iter().zip(code) {
            moved[to] = digit;
        }
        let mut names = self.names.clone();
        let mut free =
            (0..names.len() as u8).filter(|&digit| self.names[usize::from(digit)].is_none());
        // A free digit gets the next free name where it first appears.
        let mut rename = |digit: u8| {
            let name = &mut names[usize::from(digit)];
            *name.get_or_insert_with(|| free.next().expect("as many names as digits"))
        };
        moved.into_iter().map(&mut rename).collect()
    }
}

/// Every reordering of places that, with some names for the digits, leaves each guess of the rows as it is.
fn renamings(codes: &Codes, rows: &[Observation]) -> Vec<Renaming> {
    let places = codes.game.places;
    let named_as = |order: Vec<usize>| {
        let mut names: Vec<Option<u8>> = vec![None; codes.game.digits];
        for row in rows {
            let guess = codes.digits(row.guess);
            for (&digit, &to) in guess.iter().zip(&order) {
                // The digit goes to a place where the guess has `wanted`, which must be its new name.
                let wanted = guess[to];
                match &mut names[usize::from(digit)] {
                    Some(name) if *name != wanted => return None,
                    name => *name = Some(wanted),
                }
            }
        }
        let mut given: Vec<u8> = names.iter().flatten().copied().collect();
        let count = given.len();
        given.sort_unstable();
        given.dedup();
        (given.len() == count).then_some(Renaming { order, names })
    };
    orders(places).into_iter().filter_map(named_as).collect()
}

/// Every order of this number of places.
fn orders(places: usize) -> Vec<Vec<usize>> {
    if places == 0 {
        return vec![vec![]];
    }
    let insert = |order: Vec<usize>| {
        (0..places).map(move |at| {
            let mut order = order.clone();
            order.insert(at, places - 1);
            order
        })
    };
    orders(places - 1).into_iter().flat_map(insert).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use crate::game::observations::{parse_observation, posterior};
    use crate::solver::bayes::Posterior;

    fn found(problem: &str, rows: &[&str]) -> Vec<(String, usize)> {
        let codes = game::codes(problem).unwrap();
        let rows: Vec<Observation> = rows
            .iter()
            .map(|row| parse_observation(&codes, row).unwrap())
            .collect();
        let known = posterior(&codes, &Posterior::uniform(codes.len()), &rows);
        let all: Vec<usize> = (0..known.support().len()).collect();
        let mut scorer = Scorer::new(&codes, &known, &all);
        let classes = tops(&codes, all.len(), &rows, &mut scorer).unwrap();
        classes
            .iter()
            .map(|class| (game::show(&codes, class.example), class.count))
            .collect()
    }

    #[test]
    fn all_first_guesses_of_different_digits_are_alike() {
        assert_eq!(found("hitblow 3 10", &[]), [("012".to_owned(), 720)]);
    }

    #[test]
    fn article_004_keeps_one_of_three_digits_and_takes_two_of_six() {
        // 3 places for the one that is kept, 6 · 5 for the others.
        assert_eq!(found("hitblow 3 9", &["012:1,1"]), [("034".to_owned(), 90)]);
    }

    /// Alike guesses split the candidates alike: the sizes of what each reply leaves are the same.
    #[test]
    fn alike_guesses_tell_as_much_and_classes_are_whole() {
        let codes = game::codes("mastermind 3 4").unwrap();
        let row = parse_observation(&codes, "001:1,0").unwrap();
        // By hand: places 0 and 1 may change, digits 2 and 3 may.
        let renamings = renamings(&codes, &[row]);
        assert_eq!(renamings.len(), 2);
        let name = |text: &str| {
            let code = game::find(&codes, text).unwrap();
            renamings
                .iter()
                .map(|r| r.smallest(codes.digits(code)))
                .min()
                .unwrap()
        };
        assert_eq!(name("023"), name("302"));
        assert_ne!(name("023"), name("230"));
        assert_eq!(name("223"), name("332"));
        assert_ne!(name("001"), name("010"));
    }
}
