//! What Hit & Blow and Mastermind share: a secret row of digits, the feedback of a guess, and how
//! both are written. The two differ only in whether a digit may appear twice.

use super::codes::{MAX_DIGITS, Shape, join};
use super::drawing::{Drawing, Mark, Peg, PegsDrawing, PlayedTurn};
use super::exchange::{Reply, TurnError};
use super::lines::{InstanceError, Lines, ParamError};
use super::rng::{CaseRng, Seed};
use super::score::Score;
use super::traits::{Instance, Instances, Problem, Session};

/// One of the two games, before its parameters `P K` are known.
pub(super) struct Pegs {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    pub(super) about: &'static str,
    pub(super) about_in_japanese: &'static str,
    pub(super) samples: &'static [&'static str],
    /// Whether the digits of a code must differ.
    pub(super) distinct: bool,
}

impl Pegs {
    fn game(&self, params: &[&str]) -> Result<Game, ParamError> {
        let shape = Shape::from_params(params, self.distinct);
        let shape = shape.ok_or_else(|| ParamError::new(self, params))?;
        Ok(Game {
            name: self.name,
            shape,
        })
    }
}

impl Problem for Pegs {
    fn name(&self) -> &'static str {
        self.name
    }

    fn usage(&self) -> &'static str {
        self.usage
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn about_in_japanese(&self) -> Option<&'static str> {
        Some(self.about_in_japanese)
    }

    fn samples(&self) -> &'static [&'static str] {
        self.samples
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let game = self.game(params)?;
        Ok(game.instance(game.shape.draw(&mut CaseRng::new(seed))))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let game = self.game(params)?;
        let instance = move |secret| game.instance(secret);
        Ok(Some(Box::new(game.shape.codes().map(instance))))
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let game = self.game(params).map_err(|e| hidden.refused(e))?;
        Ok(game.instance(game.shape.parse(hidden)?))
    }
}

/// A game with its number of places P and of digits K, both in range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Game {
    name: &'static str,
    shape: Shape,
}

impl Game {
    fn instance(self, secret: Vec<u8>) -> Box<dyn Instance> {
        Box::new(Hidden { game: self, secret })
    }
}

/// Hit: right digit, right place. Blow: right digit, wrong place; of a digit that repeats, as many
/// as both codes have, less the hits.
pub(super) fn feedback(secret: &[u8], guess: &[u8]) -> (usize, usize) {
    let hits = secret.iter().zip(guess).filter(|(s, g)| s == g).count();
    let mut left = [0_usize; MAX_DIGITS as usize];
    for &digit in secret {
        left[usize::from(digit)] += 1;
    }
    let mut common = 0;
    for &digit in guess {
        let left = &mut left[usize::from(digit)];
        if *left > 0 {
            *left -= 1;
            common += 1;
        }
    }
    (hits, common - hits)
}

/// Place by place, what makes up the feedback: of a digit that repeats, the first places that are no hits
/// are the blows.
fn marks(secret: &[u8], guess: &[u8]) -> Vec<Mark> {
    let mut left = [0_usize; MAX_DIGITS as usize];
    for (&s, &g) in secret.iter().zip(guess) {
        left[usize::from(s)] += usize::from(s != g);
    }
    let mut mark = |(&s, &g): (&u8, &u8)| {
        let left = &mut left[usize::from(g)];
        match (s == g, *left) {
            (true, _) => Mark::Hit,
            (false, 0) => Mark::Miss,
            (false, _) => {
                *left -= 1;
                Mark::Blow
            }
        }
    };
    secret.iter().zip(guess).map(&mut mark).collect()
}

/// A guess as pegs with marks; `None` if it is no guess.
fn row(shape: &Shape, secret: &[u8], guess: &[u8]) -> Option<Vec<Peg>> {
    let guess = shape.read(guess).ok()?;
    let marks = marks(secret, &guess);
    let peg = |(symbol, mark)| Peg { symbol, mark };
    Some(guess.into_iter().zip(marks).map(peg).collect())
}

/// The guesses as pegs, each with its mark, and the secret.
pub(super) fn drawing(shape: &Shape, secret: &[u8], turns: &[PlayedTurn<'_>]) -> Drawing {
    let row = |line: &[u8]| row(shape, secret, line);
    let rows = turns.iter().map(|turn| row(turn.question.as_bytes()));
    Drawing::Pegs(PegsDrawing {
        rows: rows.collect(),
        answer: row(join(secret).as_bytes()),
    })
}

struct Hidden {
    game: Game,
    secret: Vec<u8>,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        format!("{}\n{}\n", self.opening(), join(&self.secret))
    }

    fn opening(&self) -> String {
        let Shape { places, digits, .. } = self.game.shape;
        format!("{} {places} {digits}", self.game.name)
    }

    fn answer(&self) -> Option<String> {
        Some(join(&self.secret))
    }

    fn typed(&self, line: &str) -> String {
        self.game.shape.typed(line)
    }

    fn draw(&self, turns: &[PlayedTurn<'_>], _last: &[&str]) -> Option<Drawing> {
        Some(drawing(&self.game.shape, &self.secret, turns))
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Guessing {
            shape: self.game.shape,
            secret: self.secret.clone(),
            turns: 0,
        })
    }
}

struct Guessing {
    shape: Shape,
    secret: Vec<u8>,
    turns: u64,
}

impl Session for Guessing {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let guess = self
            .shape
            .read(line)
            .map_err(|why| self.shape.refuse(&why, line))?;
        self.turns += 1;
        let (hits, blows) = feedback(&self.secret, &guess);
        Ok(Reply::new(format!("{hits} {blows}")).ending(hits == self.shape.places))
    }

    fn score(&self) -> Score {
        self.turns.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word: pairs of places, each place used once, equal ones first.
    fn feedback_by_pairing(secret: &[u8], guess: &[u8]) -> (usize, usize) {
        let (mut s, mut g) = (secret.to_vec(), guess.to_vec());
        let (mut hits, mut blows) = (0, 0);
        for i in (0..s.len()).rev() {
            if s[i] == g[i] {
                hits += 1;
                s.remove(i);
                g.remove(i);
            }
        }
        for digit in g {
            if let Some(i) = s.iter().position(|&d| d == digit) {
                blows += 1;
                s.remove(i);
            }
        }
        (hits, blows)
    }

    proptest::proptest! {
        #[test]
        fn feedback_is_its_definition(
            (secret, guess) in (1_usize..=10, 1_u8..=64).prop_flat_map(|(places, digits)| {
                let code = proptest::collection::vec(0..digits, places);
                (code.clone(), code)
            })
        ) {
            let expected = feedback_by_pairing(&secret, &guess);
            proptest::prop_assert_eq!(feedback(&secret, &guess), expected);
            let marks = marks(&secret, &guess);
            let count = |mark| marks.iter().filter(|&&m| m == mark).count();
            proptest::prop_assert_eq!((count(Mark::Hit), count(Mark::Blow)), expected);
        }
    }
    use proptest::strategy::Strategy as _;

    #[test]
    fn each_place_of_a_guess_gets_its_mark() {
        use Mark::{Blow, Hit, Miss};
        // Two of the digit 1 are in the secret: one is hit, the first of the others is the blow.
        assert_eq!(marks(&[1, 1, 2, 3], &[1, 4, 1, 1]), [Hit, Miss, Blow, Miss]);
        assert_eq!(marks(&[5, 6, 7], &[5, 7, 6]), [Hit, Blow, Blow]);
    }

    #[test]
    fn published_replies_are_given() {
        let code = |text: &str| text.bytes().map(|b| b - b'0').collect::<Vec<_>>();
        let reply = |secret, guess| feedback(&code(secret), &code(guess));
        assert_eq!(reply("567", "576"), (1, 2)); // article 002, the rules
        assert_eq!(reply("123", "324"), (1, 1)); // article 003, the rules
        for (guess, hits, blows) in [
            ("123", 0, 1),
            ("456", 0, 1),
            ("789", 0, 1),
            ("369", 0, 1),
            ("258", 0, 1),
            ("126", 0, 2),
            ("726", 0, 3),
            ("672", 3, 0),
        ] {
            assert_eq!(reply("672", guess), (hits, blows)); // article 002, a person's game
        }
    }
}
