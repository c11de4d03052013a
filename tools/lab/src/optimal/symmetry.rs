//! Sets and guesses that differ only in the names of places and digits.
//!
//! Renaming places and digits changes no answer between two codes, so a set of candidates costs what any
//! renaming of it costs. [`Names`] finds names that do not depend on how the set is named now (as far as
//! that is easy), so that most sets that are the same but for names get the same [normal form](Names::apply);
//! where two of them do not, only time is lost, because equal forms are always renamings of one another.

use std::collections::HashMap;
use std::rc::Rc;

use super::space::{Id, MAX_PLACES, Space};
use crate::solver::MAX_DIGITS;

/// Numbers for places and digits that a renaming of the set permutes and does not change.
pub(super) struct Names {
    places: [u64; MAX_PLACES],
    /// 0 for a digit that is in no candidate.
    digits: [u64; MAX_DIGITS],
}

/// Spreads the bits of a number.
fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

impl Names {
    /// Refines, round by round: a code's number comes from those of its places and digits, and theirs from
    /// the codes that they are in. Cost: about 10 ns for each place of each code.
    pub(super) fn of(space: &Space, set: &[Id]) -> Self {
        let mut names = Self {
            places: [1; MAX_PLACES],
            digits: [1; MAX_DIGITS],
        };
        // The counts of a large set tell nearly everything.
        let rounds = if set.len() > 2000 { 2 } else { 3 };
        for round in 0..rounds {
            names = names.refined(space, set, round);
        }
        names
    }

    fn refined(&self, space: &Space, set: &[Id], round: u64) -> Self {
        let mut sums = Self {
            places: [0; MAX_PLACES],
            digits: [0; MAX_DIGITS],
        };
        for &id in set {
            let code = &space.code(id)[..space.places];
            let of_both = |(place, &digit): (usize, &u8)| {
                mix(self.places[place] ^ self.digits[usize::from(digit)].rotate_left(17))
            };
            let parts = code.iter().enumerate().map(of_both);
            let whole = mix(parts.fold(round, u64::wrapping_add));
            for (place, &digit) in code.iter().enumerate() {
                let digit = usize::from(digit);
                let of_place = &mut sums.places[place];
                *of_place = of_place.wrapping_add(mix(whole ^ self.digits[digit]));
                let of_digit = &mut sums.digits[digit];
                *of_digit = of_digit.wrapping_add(mix(whole ^ self.places[place].rotate_left(7)));
            }
        }
        Self {
            places: sums.places.map(mix),
            digits: sums
                .digits
                .map(|sum| if sum == 0 { 0 } else { mix(sum) | 1 }),
        }
    }

    /// The set with places and digits in the order of their numbers, ascending; and a hash of it.
    pub(super) fn apply(&self, space: &Space, set: &[Id]) -> (Vec<Id>, u64) {
        let mut places: [usize; MAX_PLACES] = std::array::from_fn(|place| place);
        places[..space.places].sort_by_key(|&place| self.places[place]);
        let mut digits: [u8; MAX_DIGITS] = std::array::from_fn(|digit| digit as u8);
        digits[..space.digits].sort_by_key(|&digit| !self.digits[usize::from(digit)]);
        let mut renamed = [0; MAX_DIGITS];
        for (name, &digit) in digits[..space.digits].iter().enumerate() {
            renamed[usize::from(digit)] = name as u8;
        }
        let rename = |&id: &Id| {
            let code = space.code(id);
            let mut other = [0; MAX_PLACES];
            for (new, &old) in places[..space.places].iter().enumerate() {
                other[new] = renamed[usize::from(code[old])];
            }
            space.find(&other)
        };
        let mut set: Vec<Id> = set.iter().map(rename).collect();
        set.sort_unstable();
        let step = |hash: u64, &id: &Id| {
            let hash = (hash ^ u64::from(id)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^ (hash >> 31)
        };
        let hash = mix(set.iter().fold(0, step));
        (set, hash)
    }
}

/// Which digits can be exchanged without changing the set: each digit's class, by its smallest digit.
type Classes = Vec<u8>;

/// The guesses worth trying on a set.
pub(super) struct Guesses {
    by_classes: HashMap<Classes, Rc<[Id]>>,
    is_in: Vec<bool>,
}

impl Guesses {
    pub(super) fn new(space: &Space) -> Self {
        Self {
            by_classes: HashMap::new(),
            is_in: vec![false; space.len()],
        }
    }

    /// Of guesses that differ only by exchanging digits of a class, one: that in which the digits of each
    /// class appear in ascending order.
    pub(super) fn of(&mut self, space: &Space, set: &[Id], names: &Names) -> Rc<[Id]> {
        let classes = self.classes(space, set, names);
        if let Some(guesses) = self.by_classes.get(&classes) {
            return Rc::clone(guesses);
        }
        let guesses: Rc<[Id]> = List::new(space, &classes).all().into();
        self.by_classes.insert(classes, Rc::clone(&guesses));
        guesses
    }

    fn classes(&mut self, space: &Space, set: &[Id], names: &Names) -> Classes {
        set.iter()
            .for_each(|&id| self.is_in[usize::from(id)] = true);
        let mut classes: Classes = (0..space.digits as u8).collect();
        for digit in 0..space.digits {
            if usize::from(classes[digit]) != digit {
                continue;
            }
            let like = |&other: &usize| {
                let alike = names.digits[digit] == names.digits[other];
                alike && self.can_be_exchanged(space, set, [digit as u8, other as u8])
            };
            let others: Vec<usize> = (digit + 1..space.digits).filter(like).collect();
            others
                .into_iter()
                .for_each(|other| classes[other] = digit as u8);
        }
        set.iter()
            .for_each(|&id| self.is_in[usize::from(id)] = false);
        classes
    }

    fn can_be_exchanged(&self, space: &Space, set: &[Id], [one, other]: [u8; 2]) -> bool {
        set.iter().all(|&id| {
            let exchanged = space.code(id).map(|digit| match digit {
                digit if digit == one => other,
                digit if digit == other => one,
                digit => digit,
            });
            // (Places behind the last one are not looked at.)
            self.is_in[usize::from(space.find(&exchanged))]
        })
    }
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
        let next_of = |digit: usize| {
            let mut larger = digit + 1..classes.len();
            larger
                .find(|&other| classes[other] == classes[digit])
                .map(|d| d as u8)
        };
        Self {
            space,
            next: (0..classes.len()).map(next_of).collect(),
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
            self.found.push(self.space.find(code));
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

    fn space(game: &str) -> Space {
        Space::new(&codes(game).unwrap())
    }

    /// The set after places and digits got other names.
    fn renamed(space: &Space, set: &[Id], places: &[usize], digits: &[u8]) -> Vec<Id> {
        let rename = |&id: &Id| {
            let code = space.code(id);
            let new: Vec<u8> = places
                .iter()
                .map(|&p| digits[usize::from(code[p])])
                .collect();
            space.find(&new)
        };
        set.iter().map(rename).collect()
    }

    #[test]
    fn a_set_and_its_renamings_have_one_normal_form() {
        let space = space("hitblow 3 7");
        // What is left after two guesses, which has no symmetry that misleads the numbers.
        let left =
            |id: &Id| space.row(0)[usize::from(*id)] == 2 && space.row(77)[usize::from(*id)] == 1;
        let set: Vec<Id> = (0..space.len() as Id).filter(left).collect();
        assert!(set.len() > 5);
        let form = |set: &[Id]| Names::of(&space, set).apply(&space, set);
        let digits = [3, 1, 6, 0, 2, 5, 4];
        for places in [[0, 1, 2], [2, 0, 1], [1, 0, 2]] {
            let other = renamed(&space, &set, &places, &digits);
            assert_eq!(form(&other), form(&set));
        }
        assert_ne!(form(&set[1..]), form(&set));
    }

    #[test]
    fn of_guesses_that_differ_in_names_only_one_is_tried() {
        let space = space("hitblow 4 10");
        let count = |set: &[Id]| {
            let names = Names::of(&space, set);
            Guesses::new(&space).of(&space, set, &names).len()
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
            [&[0, 1, 2, 3], &[1, 0, 2, 3], &[3, 1, 0, 2], &[2, 1, 3, 0]].map(|c| space.find(c));
        assert_eq!(count(&few), 1 + 16 + 72 + 96 + 24);
    }
}
