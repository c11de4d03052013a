//! Renamings of places and digits that leave a set as it is. Guesses that such a renaming takes into each other leave
//! cells that are renamings of one another, so one of them is tried.
//!
//! The list need not be complete: each renaming in it is checked with all codes of the set.

use super::guesses::Guesses;
use super::space::{Id, MAX_PLACES, Space, TOKENS};
use super::symmetry::Names;
use crate::solver::limits::MAX_DIGITS;

/// What each place, and each digit, becomes.
#[derive(Clone, Copy)]
struct Renaming {
    places: [u8; MAX_PLACES],
    digits: [u8; MAX_DIGITS],
}

impl Renaming {
    /// What a code becomes.
    fn of(&self, code: &[u8]) -> [u8; MAX_PLACES] {
        let mut other = [0; MAX_PLACES];
        for (&digit, &place) in code.iter().zip(&self.places) {
            other[usize::from(place)] = self.digits[usize::from(digit)];
        }
        other
    }
}

/// Renamings that leave a set as it is, and change more than digits that can be exchanged.
pub(super) struct Automorphisms(Vec<Renaming>);

/// Renamings that are checked at most, and kept at most.
const CHECKED: usize = 1000;
const KEPT: usize = 120;

impl Automorphisms {
    /// Of a sorted set with these names. Cost: some microseconds where the numbers of places differ, up to a
    /// millisecond where they do not.
    pub(super) fn new(space: &Space, set: &[Id], names: &Names, guesses: &Guesses) -> Self {
        let mut counts = [0; TOKENS];
        for &id in set {
            for &token in &space.at_place(id)[..space.places] {
                counts[usize::from(token) % TOKENS] += 1;
            }
        }
        let mut walk = Walk {
            space,
            set,
            names,
            classes: guesses.classes(),
            counts,
            renaming: Renaming {
                places: [0; MAX_PLACES],
                digits: [0; MAX_DIGITS],
            },
            checked: 0,
            found: Vec::new(),
        };
        walk.place(0, 0);
        Self(walk.found)
    }

    /// Whether one of the renamings makes a smaller guess of this one, digits that can be exchanged in order. So
    /// of the guesses that only they tell apart, at least one has no smaller one.
    pub(super) fn make_smaller(&self, space: &Space, guesses: &Guesses, guess: Id) -> bool {
        let code = space.code(guess);
        self.0.iter().any(|renaming| {
            let mut other = renaming.of(&code[..space.places]);
            guesses.put_in_order(&mut other[..space.places]);
            space.find(&other) < guess
        })
    }
}

/// Tries all renamings that the numbers of places and digits, and the counts of tokens, allow.
struct Walk<'a> {
    space: &'a Space,
    set: &'a [Id],
    names: &'a Names,
    classes: &'a [u8],
    counts: [u16; TOKENS],
    renaming: Renaming,
    checked: usize,
    found: Vec<Renaming>,
}

impl Walk<'_> {
    fn is_done(&self) -> bool {
        self.checked >= CHECKED || self.found.len() >= KEPT
    }

    /// Finds places for `place` and the next ones; `used` has a bit for each that is taken.
    fn place(&mut self, place: usize, used: u32) {
        if place == self.space.places {
            return self.digit(0, 0);
        }
        for other in 0..self.space.places {
            // Where codes may not begin with 0, the first place keeps its name.
            let fixed = !self.space.whole && (place == 0) != (other == 0);
            let alike = self.names.place(place) == self.names.place(other);
            if alike && !fixed && used & 1 << other == 0 && !self.is_done() {
                self.renaming.places[place] = other as u8;
                self.place(place + 1, used | 1 << other);
            }
        }
    }

    /// Finds digits for `digit` and the next ones. A class of digits that can be exchanged becomes another one, in
    /// order.
    fn digit(&mut self, digit: usize, used: u64) {
        let (space, classes) = (self.space, self.classes);
        if digit == space.digits {
            return self.check();
        }
        if usize::from(classes[digit]) != digit {
            return self.digit(digit + 1, used);
        }
        let members = |class: usize| -> Vec<usize> {
            let is_in = |&digit: &usize| usize::from(classes[digit]) == class;
            (0..space.digits).filter(is_in).collect()
        };
        let own = members(digit);
        for other in digit_classes(classes) {
            let fixed = !space.whole && (digit == 0) != (other == 0);
            let alike = self.names.are_alike(digit, other) && !fixed && used & 1 << other == 0;
            if !alike || !self.counts_agree(digit, other) || self.is_done() {
                continue;
            }
            let others = members(other);
            if others.len() != own.len() {
                continue;
            }
            for (&from, to) in own.iter().zip(others) {
                self.renaming.digits[from] = to as u8;
            }
            self.digit(digit + 1, used | 1 << other);
        }
    }

    fn counts_agree(&self, digit: usize, other: usize) -> bool {
        let digits = self.space.digits;
        (0..self.space.places).all(|place| {
            let to = usize::from(self.renaming.places[place]);
            self.counts[place * digits + digit] == self.counts[to * digits + other]
        })
    }

    fn check(&mut self) {
        self.checked += 1;
        let (space, renaming) = (self.space, self.renaming);
        let same_places = (0..space.places).all(|p| usize::from(renaming.places[p]) == p);
        if same_places && (0..space.digits).all(|d| usize::from(renaming.digits[d]) == d) {
            return;
        }
        let stays = self.set.iter().all(|&id| {
            let other = renaming.of(&space.code(id)[..space.places]);
            self.set.binary_search(&space.find(&other)).is_ok()
        });
        if stays {
            self.found.push(renaming);
        }
    }
}

/// The smallest digit of each class.
fn digit_classes(classes: &[u8]) -> impl Iterator<Item = usize> {
    let first = |&digit: &usize| usize::from(classes[digit]) == digit;
    (0..classes.len()).filter(first)
}

#[cfg(test)]
mod tests {
    use super::super::guesses::Lists;
    use super::*;
    use crate::game::codes;

    /// How many guesses are left of all, and of those that only digits tell apart that can be exchanged.
    fn left(space: &Space, set: &[Id]) -> (usize, usize) {
        let names = Names::new(space, set);
        let guesses = Lists::new(true).of(space, set, &names);
        let automorphisms = Automorphisms::new(space, set, &names, &guesses);
        let all = guesses.bags.iter().flat_map(|bag| guesses.of(bag));
        let smallest = all
            .clone()
            .filter(|&&id| !automorphisms.make_smaller(space, &guesses, id));
        (all.count(), smallest.count())
    }

    #[test]
    fn of_guesses_that_a_symmetry_takes_into_each_other_one_is_left() {
        let space = Space::new(&codes("hitblow 3 6").unwrap());
        let after = |answer: u8| -> Vec<Id> {
            let codes = 0..space.len() as Id;
            codes
                .filter(|&id| space.row(0)[usize::from(id)] == answer)
                .collect()
        };
        // Left are 3, 4 and 5 in any order. Digits of 0 to 2, and of 3 to 5, can be exchanged, so 2³ guesses differ by
        // which of the two each place has. Places are alike too: only the number of digits of 0 to 2 matters.
        assert_eq!(left(&space, &after(0)), (8, 4));
        // All first guesses are alike.
        let all: Vec<Id> = (0..space.len() as Id).collect();
        assert_eq!(left(&space, &all), (1, 1));
    }

    #[test]
    fn what_is_left_stands_for_every_guess() {
        for game in ["hitblow 3 6", "mastermind 3 4", "hitblow 4 5"] {
            let space = Space::new(&codes(game).unwrap());
            for answer in 0..space.win() as u8 {
                let guess = space.len() as Id / 3;
                let set: Vec<Id> = (0..space.len() as Id)
                    .filter(|&id| space.row(guess)[usize::from(id)] == answer)
                    .collect();
                if set.len() < 3 {
                    continue;
                }
                // The sizes of cells of all guesses are those of the ones that are left.
                let names = Names::new(&space, &set);
                let guesses = Lists::new(true).of(&space, &set, &names);
                let automorphisms = Automorphisms::new(&space, &set, &names, &guesses);
                let sizes = |guess: Id| {
                    let mut sizes = vec![0; space.answers()];
                    set.iter()
                        .for_each(|&id| sizes[usize::from(space.row(guess)[usize::from(id)])] += 1);
                    sizes
                };
                let all: std::collections::BTreeSet<Vec<u32>> =
                    (0..space.len() as Id).map(sizes).collect();
                let ids = guesses.bags.iter().flat_map(|bag| guesses.of(bag)).copied();
                let smallest = ids.filter(|&id| !automorphisms.make_smaller(&space, &guesses, id));
                let left: std::collections::BTreeSet<Vec<u32>> = smallest.map(sizes).collect();
                assert_eq!(left, all, "{game} {answer}");
            }
        }
    }
}
