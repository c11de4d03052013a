//! The guesses that are worth trying on a set, in *bags*: those with the same digits in another order.
//!
//! Which candidates have how many digits in common with a guess is the same for all guesses of a bag, and is
//! counted once for all of them.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use super::space::{Id, MAX_PLACES, Space};
use super::symmetry::Names;
use crate::solver::limits::MAX_DIGITS;

/// Guesses with the same digits.
#[derive(Clone, Debug)]
pub(super) struct Bag {
    /// The tokens of the digits, whatever their places.
    pub(super) tokens: [u8; MAX_PLACES],
    /// By number of digits in common: how many other answers one guess can get at most.
    pub(super) most: [u8; MAX_PLACES + 1],
    start: u32,
    end: u32,
}

/// Guesses, no two of which differ only by exchanging digits that make no difference.
#[derive(Debug)]
pub(super) struct Guesses {
    pub(super) bags: Vec<Bag>,
    ids: Vec<Id>,
    classes: Classes,
    /// By digit: the next larger one of its class.
    next: Vec<Option<u8>>,
}

impl Guesses {
    /// The guesses of a bag, ascending.
    pub(super) fn of(&self, bag: &Bag) -> &[Id] {
        &self.ids[bag.start as usize..bag.end as usize]
    }

    /// Which digits can be exchanged: each digit's class, by its smallest digit.
    pub(super) fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// Exchanges digits of each class so that they appear in ascending order.
    pub(super) fn put_in_order(&self, code: &mut [u8]) {
        let mut names = [u8::MAX; MAX_DIGITS];
        // By class: the digit that appears next.
        let mut following: [u8; MAX_DIGITS] = std::array::from_fn(|digit| digit as u8);
        for digit in code {
            let name = &mut names[usize::from(*digit)];
            if *name == u8::MAX {
                let following = &mut following[usize::from(self.classes[usize::from(*digit)])];
                *name = *following;
                *following = self.next[usize::from(*name)].unwrap_or(u8::MAX);
            }
            *digit = *name;
        }
    }

    fn new(space: &Space, classes: &[u8]) -> Self {
        let mut list: Vec<([u8; MAX_PLACES], Id)> = List::new(space, classes)
            .all()
            .into_iter()
            .map(|id| {
                let mut digits = *space.code(id);
                digits[..space.places].sort_unstable();
                (digits, id)
            })
            .collect();
        list.sort_unstable();
        let mut bags = Vec::new();
        let mut start = 0;
        for some in list.chunk_by(|a, b| a.0 == b.0) {
            let end = start + some.len() as u32;
            let first = some[0].1;
            bags.push(Bag {
                tokens: *space.whatever_place(first),
                most: space.most_answers(&some[0].0),
                start,
                end,
            });
            start = end;
        }
        Self {
            bags,
            ids: list.into_iter().map(|(_, id)| id).collect(),
            next: next_of_class(classes),
            classes: classes.to_vec(),
        }
    }
}

/// Which digits can be exchanged without changing the set: each digit's class, by its smallest digit.
type Classes = Vec<u8>;

/// The guesses for every pattern of digits that can be exchanged, made at first use.
pub(super) struct Lists {
    by_classes: RwLock<HashMap<Classes, Arc<Guesses>>>,
    /// Without it every guess is worth trying.
    classes: bool,
}

impl Lists {
    pub(super) fn new(classes: bool) -> Self {
        Self {
            by_classes: RwLock::default(),
            classes,
        }
    }

    /// Of guesses that differ only by exchanging digits of a class, one: that in which the digits of each
    /// class appear in ascending order. The set must be sorted.
    pub(super) fn of(&self, space: &Space, set: &[Id], names: &Names) -> Arc<Guesses> {
        let classes = match self.classes {
            true => classes(space, set, names),
            false => (0..space.digits as u8).collect(),
        };
        let known = self.by_classes.read().expect("no thread panics in here");
        if let Some(guesses) = known.get(&classes) {
            return Arc::clone(guesses);
        }
        drop(known);
        let guesses = Arc::new(Guesses::new(space, &classes));
        let mut known = self.by_classes.write().expect("no thread panics in here");
        known.insert(classes, Arc::clone(&guesses));
        guesses
    }
}

fn classes(space: &Space, set: &[Id], names: &Names) -> Classes {
    let mut classes: Classes = (0..space.digits as u8).collect();
    for digit in 0..space.digits as u8 {
        // Where some codes are no guesses, those begin with 0, and no digit can be exchanged with it.
        if classes[usize::from(digit)] != digit || digit == 0 && !space.whole {
            continue;
        }
        let others = (digit + 1..).zip(&mut classes[usize::from(digit) + 1..]);
        for (other, class) in others {
            let alike = names.are_alike(usize::from(digit), usize::from(other));
            if alike && can_be_exchanged(space, set, [digit, other]) {
                *class = digit;
            }
        }
    }
    classes
}

fn can_be_exchanged(space: &Space, set: &[Id], [one, other]: [u8; 2]) -> bool {
    set.iter().all(|&id| {
        let code = space.code(id);
        let has = |digit: u8| code[..space.places].contains(&digit);
        if !has(one) && !has(other) {
            return true;
        }
        let exchanged = code.map(|digit| match digit {
            digit if digit == one => other,
            digit if digit == other => one,
            digit => digit,
        });
        // (Places after the last one are ignored.)
        set.binary_search(&space.find(&exchanged)).is_ok()
    })
}

/// By digit: the next larger one of its class.
fn next_of_class(classes: &[u8]) -> Vec<Option<u8>> {
    let next_of = |digit: usize| {
        let mut larger = digit + 1..classes.len();
        let next = larger.find(|&other| classes[other] == classes[digit]);
        next.map(|digit| digit as u8)
    };
    (0..classes.len()).map(next_of).collect()
}

/// Lists guesses by walking through their places.
struct List<'a> {
    space: &'a Space,
    /// The next larger digit of the same class.
    next: Vec<Option<u8>>,
    found: Vec<Id>,
}

impl<'a> List<'a> {
    fn new(space: &'a Space, classes: &[u8]) -> Self {
        Self {
            space,
            next: next_of_class(classes),
            found: Vec::new(),
        }
    }

    fn all(mut self) -> Vec<Id> {
        let followers: Vec<u8> = self.next.iter().flatten().copied().collect();
        let first = |digit: &u8| !followers.contains(digit);
        let allowed = (0..self.space.digits as u8).filter(first).collect();
        self.extend(&mut [0; MAX_PLACES], 0, allowed);
        self.found
    }

    /// Fills the places from `place` on; of each class, the digits used so far and the next are `allowed`.
    fn extend(&mut self, code: &mut [u8; MAX_PLACES], place: usize, allowed: Vec<u8>) {
        if place == self.space.places {
            let id = self.space.find(code);
            self.found.extend((id != Id::MAX).then_some(id));
            return;
        }
        for &digit in &allowed {
            let used = code[..place].contains(&digit);
            if used && self.space.distinct {
                continue;
            }
            let mut allowed = allowed.clone();
            allowed.extend(self.next[usize::from(digit)].filter(|_| !used));
            code[place] = digit;
            self.extend(code, place + 1, allowed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::codes;

    #[test]
    fn of_guesses_that_differ_in_names_only_one_is_tried() {
        let space = Space::new(&codes("hitblow 4 10").unwrap());
        let count = |set: &[Id]| {
            let guesses = Lists::new(true).of(&space, set, &Names::new(&space, set));
            let all: usize = guesses.bags.iter().map(|bag| guesses.of(bag).len()).sum();
            assert_eq!(all, guesses.ids.len());
            all
        };
        let all: Vec<Id> = (0..space.len() as Id).collect();
        assert_eq!(count(&all), 1);
        // After one guess its four digits can be told apart: Σ C(4, k) · 4!/(4 − k)! over k of them.
        let after: Vec<Id> = (0..5040)
            .filter(|&id| space.row(0)[usize::from(id)] == 3)
            .collect();
        assert_eq!(count(&after), 1 + 16 + 72 + 96 + 24);
        // Four codes without the digits 4 to 9, which are all alike.
        let few =
            [&[0, 1, 2, 3], &[1, 0, 2, 3], &[2, 1, 3, 0], &[3, 1, 0, 2]].map(|c| space.find(c));
        assert_eq!(count(&few), 1 + 16 + 72 + 96 + 24);
    }

    #[test]
    fn guesses_of_a_bag_have_its_digits() {
        let space = Space::new(&codes("mastermind 3 4").unwrap());
        let set = [0, 17, 40];
        let guesses = Lists::new(true).of(&space, &set, &Names::new(&space, &set));
        for bag in &guesses.bags {
            let mut tokens = bag.tokens[..3].to_vec();
            tokens.sort_unstable();
            for &id in guesses.of(bag) {
                let mut own = space.whatever_place(id)[..3].to_vec();
                own.sort_unstable();
                assert_eq!(own, tokens);
            }
        }
    }
}
