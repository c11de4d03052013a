//! The codes of a game as the search needs them: tokens, answers, and rows of answers.

use std::sync::OnceLock;

use crate::solver::pegs::Codes;

/// The number of a code, in ascending order.
pub(super) type Id = u16;

/// More places than this are not searched: hits and digits in common are counted in three bits.
pub(super) const MAX_PLACES: usize = 7;
/// Above every token.
pub(super) const TOKENS: usize = 128;
/// More codes than this are not searched.
pub(super) const MAX_CODES: usize = 40_320;

/// All codes of a game.
pub(super) struct Space {
    pub(super) places: usize,
    pub(super) digits: usize,
    pub(super) distinct: bool,
    /// Whether every code of the game may be guessed. Else places and digits are not alike.
    pub(super) whole: bool,
    codes: Vec<[u8; MAX_PLACES]>,
    /// By place: place and digit in one number. Two codes have a hit there if these are the same.
    at_place: Vec<[u8; MAX_PLACES]>,
    /// By place: digit, and how many equal ones stand before it. Two codes have as many digits in common as
    /// they have of these.
    whatever_place: Vec<[u8; MAX_PLACES]>,
    /// By code: a bit for each of its tokens, at its place and whatever the place.
    bits: Vec<[u128; 2]>,
    /// By digits read as a number in base `digits`.
    by_digits: Vec<Id>,
    /// Hits, and digits in common, of each answer; the winning one is the last.
    answers: Vec<(u8, u8)>,
    by_pair: [[u8; MAX_PLACES + 1]; MAX_PLACES + 1],
    /// The answers to a guess for every secret, made at first use.
    rows: Vec<OnceLock<Box<[u8]>>>,
}

impl Space {
    /// Cost: about 100 ns a code.
    ///
    /// # Panics
    /// If there are more than [`MAX_CODES`] codes, or [`MAX_PLACES`] places.
    pub(super) fn new(codes: &Codes) -> Self {
        let (places, digits) = (codes.game.places, codes.game.digits);
        assert!(codes.len() <= MAX_CODES && places <= MAX_PLACES && places * digits <= TOKENS);
        let count = codes.len();
        let mut space = Self {
            places,
            digits,
            distinct: codes.game.distinct,
            whole: count as u64 == codes.game.code_count(),
            codes: Vec::with_capacity(count),
            at_place: Vec::with_capacity(count),
            whatever_place: Vec::with_capacity(count),
            bits: Vec::with_capacity(count),
            by_digits: vec![Id::MAX; digits.pow(places as u32)],
            answers: Vec::new(),
            by_pair: [[0; MAX_PLACES + 1]; MAX_PLACES + 1],
            rows: (0..count).map(|_| OnceLock::new()).collect(),
        };
        for id in 0..count {
            let mut code = [0; MAX_PLACES];
            code[..places].copy_from_slice(codes.digits(id as u32));
            let token = |row: usize, place: usize| (row * digits + usize::from(code[place])) as u8;
            let before = |place: usize| code[..place].iter().filter(|&&d| d == code[place]).count();
            let tokens = |row: &dyn Fn(usize) -> usize| {
                let mut tokens = [0; MAX_PLACES];
                (0..places).for_each(|place| tokens[place] = token(row(place), place));
                tokens
            };
            let (at, whatever) = (tokens(&|place| place), tokens(&before));
            let bits = |tokens: &[u8]| tokens.iter().fold(0, |bits, &token| bits | 1 << token);
            (space.bits).push([bits(&at[..places]), bits(&whatever[..places])]);
            space.at_place.push(at);
            space.whatever_place.push(whatever);
            let number = space.number(&code);
            space.by_digits[number] = id as Id;
            space.codes.push(code);
        }
        space.list_answers();
        space
    }

    /// Answers that no pair of codes gives only weaken bounds.
    fn list_answers(&mut self) {
        let places = self.places;
        let some = self.distinct && self.whole;
        let mut given = [[!some; MAX_PLACES + 1]; MAX_PLACES + 1];
        if some {
            // All guesses are alike before the first answer, so the first stands for all.
            for secret in 0..self.len() as Id {
                let (hits, common) = self.compare(0, secret);
                given[hits][common] = true;
            }
        } else {
            given[places - 1][places] = false;
        }
        let pairs =
            (0..=places).flat_map(|common| (0..=common.min(places - 1)).map(move |h| (h, common)));
        for (hits, common) in pairs.filter(|&(hits, common)| given[hits][common]) {
            self.by_pair[hits][common] = self.answers.len() as u8;
            self.answers.push((hits as u8, common as u8));
        }
        self.by_pair[places][places] = self.answers.len() as u8;
        self.answers.push((places as u8, places as u8));
    }

    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The digits of a code; those after the last place are 0.
    pub(super) fn code(&self, id: Id) -> &[u8; MAX_PLACES] {
        &self.codes[usize::from(id)]
    }

    pub(super) fn at_place(&self, id: Id) -> &[u8; MAX_PLACES] {
        &self.at_place[usize::from(id)]
    }

    pub(super) fn whatever_place(&self, id: Id) -> &[u8; MAX_PLACES] {
        &self.whatever_place[usize::from(id)]
    }

    /// The bits of a code's tokens, at its place and whatever the place. Two codes have as many hits, and digits in
    /// common, as bits in common.
    pub(super) fn bits(&self, id: Id) -> [u128; 2] {
        self.bits[usize::from(id)]
    }

    /// The number of an answer, by hits and digits in common.
    pub(super) fn answer(&self, hits: u32, common: u32) -> u8 {
        self.by_pair[hits as usize % 8][common as usize % 8]
    }

    fn number(&self, code: &[u8]) -> usize {
        let digits = code[..self.places].iter();
        digits.fold(0, |number, &digit| {
            number * self.digits + usize::from(digit)
        })
    }

    /// The code whose digits are this number in base `digits`; `Id::MAX` if there is none.
    pub(super) fn by_number(&self, number: usize) -> Id {
        self.by_digits[number]
    }

    /// By number of digits in common: how many answers besides the winning one a guess with these digits (in
    /// whatever order) can get.
    pub(super) fn most_answers(&self, digits: &[u8]) -> [u8; MAX_PLACES + 1] {
        let mut most = [0; MAX_PLACES + 1];
        for &(_, common) in self.other_answers() {
            most[usize::from(common)] += 1;
        }
        if digits[..self.places]
            .iter()
            .all(|digit| *digit == digits[0])
        {
            // What is in common is in its place.
            most = [1; MAX_PLACES + 1];
            most[self.places] = 0;
        }
        most
    }

    /// The code with these digits; `Id::MAX` if there is none.
    pub(super) fn find(&self, code: &[u8]) -> Id {
        self.by_digits[self.number(code)]
    }

    /// How many answers there are, the winning one included.
    pub(super) fn answers(&self) -> usize {
        self.answers.len()
    }

    /// The number of the winning answer, which is the highest.
    pub(super) fn win(&self) -> usize {
        self.answers.len() - 1
    }

    /// Hits and digits in common of the answers but the winning one, by their numbers.
    pub(super) fn other_answers(&self) -> &[(u8, u8)] {
        &self.answers[..self.win()]
    }

    /// Hits and digits in common of all answers, by their numbers.
    pub(super) fn all_answers(&self) -> &[(u8, u8)] {
        &self.answers
    }

    /// A code as the judge reads it.
    pub(super) fn typed(&self, id: Id) -> String {
        let digits = self.code(id)[..self.places].iter();
        digits.map(u8::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The code that [`Space::typed`] writes so.
    pub(super) fn read(&self, text: &str) -> Option<Id> {
        let mut code = [0; MAX_PLACES];
        let mut words = text.split(' ');
        for place in &mut code[..self.places] {
            *place = words.next()?.parse().ok()?;
            if usize::from(*place) >= self.digits {
                return None;
            }
        }
        let id = self.find(&code);
        (words.next().is_none() && id != Id::MAX).then_some(id)
    }

    /// An answer as the judge writes it: hits and blows.
    pub(super) fn reply(&self, answer: u8) -> String {
        let (hits, common) = self.answers[usize::from(answer)];
        format!("{hits} {}", common - hits)
    }

    fn compare(&self, guess: Id, secret: Id) -> (usize, usize) {
        let (places, a, b) = (self.places, self.at_place(guess), self.at_place(secret));
        let hits = (0..places).filter(|&place| a[place] == b[place]).count();
        let (a, b) = (self.whatever_place(guess), self.whatever_place(secret));
        let common = a[..places].iter().filter(|t| b[..places].contains(t));
        (hits, common.count())
    }

    /// The answers to a guess, by secret.
    pub(super) fn row(&self, guess: Id) -> &[u8] {
        self.rows[usize::from(guess)].get_or_init(|| self.make_row(guess))
    }

    fn make_row(&self, guess: Id) -> Box<[u8]> {
        // What each token adds: 16 for a hit, 1 for a digit in common.
        let (mut hit, mut common) = ([0_u8; TOKENS], [0_u8; TOKENS]);
        for place in 0..self.places {
            hit[usize::from(self.at_place(guess)[place])] = 16;
            common[usize::from(self.whatever_place(guess)[place])] = 1;
        }
        let mut row = vec![0; self.len()].into_boxed_slice();
        let secrets = self.at_place.iter().zip(&self.whatever_place);
        for (answer, (at_place, whatever_place)) in row.iter_mut().zip(secrets) {
            let mut sum = 0;
            for place in 0..self.places {
                sum += hit[usize::from(at_place[place]) % TOKENS];
                sum += common[usize::from(whatever_place[place]) % TOKENS];
            }
            *answer = self.by_pair[usize::from(sum >> 4)][usize::from(sum & 15)];
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::codes;
    use crate::solver::pegs::{CodeId, Replies};

    #[test]
    fn answers_are_the_solvers() {
        for game in [
            "hitblow 3 6",
            "mastermind 3 4",
            "mastermind 4 3",
            "hitblow 5 6",
        ] {
            let codes = codes(game).unwrap();
            let space = Space::new(&codes);
            for guess in (0..codes.len() as CodeId).step_by(7) {
                let replies = Replies::new(&codes, guess);
                for secret in 0..codes.len() as CodeId {
                    let number = usize::from(space.row(guess as Id)[secret as usize]);
                    let (hits, common) = space.answers[number];
                    let expected = replies.feedback(secret);
                    assert_eq!(
                        (hits, common),
                        (expected.hits, expected.hits + expected.blows)
                    );
                    assert_eq!(number == space.win(), guess == secret);
                }
            }
        }
    }
}
