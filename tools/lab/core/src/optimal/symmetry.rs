//! Sets and guesses that differ only in the names of places and digits.
//!
//! Renaming places and digits changes no answer between two codes, so a set of candidates costs what any
//! renaming of it costs. [`Names`] finds names that do not depend on how the set is named now (as far as
//! that is easy), so most sets that differ only in names get the same [normal form](Names::apply);
//! where two of them do not, only time is lost, because equal forms are always renamings of one another.

use super::space::{Id, MAX_PLACES, Space, TOKENS};
use crate::solver::limits::MAX_DIGITS;

/// Numbers for places and digits that a renaming of the set permutes and does not change.
pub(super) struct Names {
    places: [u64; MAX_PLACES],
    /// 0 for a digit that is in no candidate.
    digits: [u64; MAX_DIGITS],
}

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// By how much `mix` of a count changes with one candidate more.
static STEPS: [u64; 256] = {
    let mut steps = [0; 256];
    let mut count = 0;
    while count < 256 {
        steps[count] = step(count as u64);
        count += 1;
    }
    steps
};

const fn step(count: u64) -> u64 {
    mix(count + 1).wrapping_sub(mix(count))
}

/// Spreads the bits of a number.
const fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(SPREAD);
    x ^= x >> 29;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

impl Names {
    /// Counts which digit is how often at which place, and refines that: a code's number comes from those of
    /// its places and digits, and theirs from the codes that they are in. Cost: some 5 ns for each place of
    /// each code.
    pub(super) fn new(space: &Space, set: &[Id]) -> Self {
        let names = Self::counted(space, set);
        // The counts of a large set tell nearly everything.
        match space.places {
            2 => names.refined::<2>(space, set),
            3 => names.refined::<3>(space, set),
            4 => names.refined::<4>(space, set),
            5 => names.refined::<5>(space, set),
            6 => names.refined::<6>(space, set),
            places => names.refined_by(space, set, places),
        }
    }

    /// For each place, and each digit, the sum of `mix` over the counts of its tokens (less that of no candidate).
    fn counted(space: &Space, set: &[Id]) -> Self {
        let mut counts = [0_u16; TOKENS];
        let mut names = Self {
            places: [0; MAX_PLACES],
            digits: [0; MAX_DIGITS],
        };
        for &id in set {
            let (code, tokens) = (space.code(id), space.at_place(id));
            for place in 0..space.places {
                let count = &mut counts[usize::from(tokens[place]) % TOKENS];
                let step = match STEPS.get(usize::from(*count)) {
                    Some(step) => *step,
                    None => step(u64::from(*count)),
                };
                *count += 1;
                let digit = usize::from(code[place]) % MAX_DIGITS;
                names.places[place] = names.places[place].wrapping_add(step);
                names.digits[digit] = names.digits[digit].wrapping_add(step);
            }
        }
        names
    }

    /// With the number of places known, loops over them are unrolled.
    #[inline(always)]
    fn refined<const P: usize>(&self, space: &Space, set: &[Id]) -> Self {
        self.refined_by(space, set, P)
    }

    #[inline(always)]
    fn refined_by(&self, space: &Space, set: &[Id], places: usize) -> Self {
        // By token: of a place and a digit together.
        let mut both = [0_u64; TOKENS];
        for (at_place, number) in both.chunks_mut(space.digits).zip(&self.places[..places]) {
            for (at_both, of_digit) in at_place.iter_mut().zip(self.digits) {
                *at_both = mix(number ^ of_digit.rotate_left(17));
            }
        }
        let mut sums = Self {
            places: [0; MAX_PLACES],
            digits: [0; MAX_DIGITS],
        };
        for &id in set {
            let (code, tokens) = (space.code(id), space.at_place(id));
            let digit_at = |place: usize| usize::from(code[place]) % MAX_DIGITS;
            let parts = tokens[..places].iter();
            let parts = parts.map(|&token| both[usize::from(token) % TOKENS]);
            let whole = mix(parts.fold(0, u64::wrapping_add));
            for place in 0..places {
                let digit = digit_at(place);
                let of_place = (whole ^ self.digits[digit]).wrapping_mul(SPREAD);
                sums.places[place] = sums.places[place].wrapping_add(of_place ^ of_place >> 32);
                let of_digit = (whole ^ self.places[place].rotate_left(7)).wrapping_mul(SPREAD);
                sums.digits[digit] = sums.digits[digit].wrapping_add(of_digit ^ of_digit >> 32);
            }
        }
        for number in &mut sums.places[..places] {
            *number = mix(*number);
        }
        for number in &mut sums.digits[..space.digits] {
            *number = if *number == 0 { 0 } else { mix(*number) | 1 };
        }
        sums
    }

    /// The number of a place. Two places have the same one if they can be exchanged together with some digits.
    pub(super) fn place(&self, place: usize) -> u64 {
        self.places[place]
    }

    /// Whether two digits have the same number, as they have if they can be exchanged.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> bool {
        self.digits[one] == self.digits[other]
    }

    /// The set in the names that it has.
    pub(super) fn keep(self, set: &[Id]) -> Form {
        let mut set = set.to_vec();
        set.sort_unstable();
        Form {
            hash: hash(&set),
            set,
            names: self,
            renaming: Renaming::new(),
        }
    }

    /// The set with places and digits in the order of their numbers, and these names in that order too. A digit
    /// that is in no candidate comes last.
    pub(super) fn apply(&self, space: &Space, set: &[Id]) -> Form {
        let mut renaming = Renaming::new();
        // Where some codes may not be guessed, those begin with 0: this digit and that place keep their names.
        let fixed = usize::from(!space.whole);
        let places = &mut renaming.places[fixed..space.places];
        places.sort_by_key(|&place| self.places[usize::from(place)]);
        let digits = &mut renaming.digits[fixed..space.digits];
        digits.sort_by_key(|&digit| !self.digits[usize::from(digit)]);
        // By token: what it adds to the new number of a code.
        let mut parts = [0_u32; TOKENS];
        let mut weight = 1;
        for &place in renaming.places[..space.places].iter().rev() {
            for (name, &digit) in renaming.digits[..space.digits].iter().enumerate() {
                let token = usize::from(place) * space.digits + usize::from(digit);
                parts[token] = name as u32 * weight;
            }
            weight *= space.digits as u32;
        }
        let rename = |&id: &Id| {
            let tokens = &space.at_place(id)[..space.places];
            let number: u32 = tokens
                .iter()
                .map(|&token| parts[usize::from(token) % TOKENS])
                .sum();
            space.by_number(number as usize)
        };
        let mut set: Vec<Id> = set.iter().map(rename).collect();
        set.sort_unstable();
        Form {
            hash: hash(&set),
            set,
            names: Self {
                places: renaming.places.map(|place| self.places[usize::from(place)]),
                digits: renaming.digits.map(|digit| self.digits[usize::from(digit)]),
            },
            renaming,
        }
    }
}

/// A set in names of its own.
pub(super) struct Form {
    /// Sorted.
    pub(super) set: Vec<Id>,
    pub(super) hash: u64,
    /// Its names.
    pub(super) names: Names,
    renaming: Renaming,
}

fn hash(set: &[Id]) -> u64 {
    let step = |hash: u64, &id: &Id| {
        let hash = (hash ^ u64::from(id)).wrapping_mul(SPREAD);
        hash ^ (hash >> 31)
    };
    mix(set.iter().fold(0, step))
}

/// What place, and what digit, each new name stands for.
struct Renaming {
    places: [u8; MAX_PLACES],
    digits: [u8; MAX_DIGITS],
}

impl Renaming {
    fn new() -> Self {
        Self {
            places: std::array::from_fn(|place| place as u8),
            digits: std::array::from_fn(|digit| digit as u8),
        }
    }
}

impl Form {
    /// A code in the names of the form, of one in the names that the set had.
    pub(super) fn named(&self, space: &Space, id: Id) -> Id {
        let mut code = [0; MAX_PLACES];
        for (new, &place) in code[..space.places].iter_mut().zip(&self.renaming.places) {
            let digit = space.code(id)[usize::from(place)];
            let mut names = self.renaming.digits.iter();
            let name = names.position(|&old| old == digit);
            *new = name.expect("every digit has a name") as u8;
        }
        space.find(&code)
    }

    /// A code in the names that the set had.
    pub(super) fn named_back(&self, space: &Space, id: Id) -> Id {
        let mut code = [0; MAX_PLACES];
        for (&digit, &place) in space.code(id)[..space.places]
            .iter()
            .zip(&self.renaming.places)
        {
            code[usize::from(place)] = self.renaming.digits[usize::from(digit)];
        }
        space.find(&code)
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
        let form = |set: &[Id]| {
            let form = Names::new(&space, set).apply(&space, set);
            let mut back: Vec<Id> = form
                .set
                .iter()
                .map(|&id| form.named_back(&space, id))
                .collect();
            for &id in &form.set {
                assert_eq!(form.named(&space, form.named_back(&space, id)), id);
            }
            back.sort_unstable();
            let mut sorted = set.to_vec();
            sorted.sort_unstable();
            assert_eq!(back, sorted);
            (form.set, form.hash)
        };
        let digits = [3, 1, 6, 0, 2, 5, 4];
        for places in [[0, 1, 2], [2, 0, 1], [1, 0, 2]] {
            let other = renamed(&space, &set, &places, &digits);
            assert_eq!(form(&other), form(&set));
        }
        assert_ne!(form(&set[1..]), form(&set));
    }
}
