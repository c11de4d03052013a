//! Hit & Blow with a lie: at most one reply of a session is false. (In article 002 nobody lies, so that its
//! likelihoods are 0 and 1.)

use std::time::Duration;

use super::codes::{Shape, join};
use super::drawing::{Drawing, PlayedTurn};
use super::exchange::{Reply, TurnError};
use super::lines::{InstanceError, Lines, ParamError};
use super::pegs::{drawing, feedback};
use super::rng::{CaseRng, Seed};
use super::score::Score;
use super::traits::{Instance, Instances, Problem, Session};

pub(super) static LIAR: Liar = Liar;

pub(super) struct Liar;

/// More digits are refused: to be sure of the secret, a contestant has to exclude every code that two replies
/// contradict, and there should not be too many.
const MOST_DIGITS: u8 = 20;
/// One case in this many has no lie.
const HONEST: u64 = 4;
/// The last turn whose reply a case file may call false: the default turn limit.
const LAST_TURN: u64 = 1000;
/// Numbers that choose among false replies are smaller.
const CHOICES: u64 = 1_000_000;

impl Liar {
    fn shape(&self, params: &[&str]) -> Result<Shape, ParamError> {
        let shape = Shape::from_params(params, true);
        let shape = shape.filter(|shape| shape.digits <= MOST_DIGITS);
        shape.ok_or_else(|| ParamError::new(self, params))
    }
}

impl Problem for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn usage(&self) -> &'static str {
        "liar P K with 1 <= P <= 10 and P <= K <= 20"
    }

    fn about(&self) -> &'static str {
        "Find P distinct digits from 0 to K-1. The reply to a guess is `h b`: h digits are right and in \
         their place, b are right but in another place. At most one reply of the game is false. The reply \
         to the right guess is true, and no false reply says h = P. Done when h = P; the score is the \
         number of guesses."
    }

    fn about_in_japanese(&self) -> Option<&'static str> {
        Some(
            "0 から K−1 までの数字から異なる P 個を並べた答えを当ててください。推測するたびに `h b` が返ります。\
             h は数字も位置も合っている個数、b は数字だけが合っている個数です。ただし、1 ゲームに 1 回まで嘘の返答が\
             混ざります。正解に対する返答は必ず本当で、嘘の返答が h = P になることはありません。h = P になると終了し、\
             推測した回数がスコアになります。",
        )
    }

    fn samples(&self) -> &'static [&'static str] {
        &["1 1", "1 5", "2 2", "3 10", "4 6", "10 20"]
    }

    fn default_params(&self) -> &'static str {
        "3 10"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["lie"]
    }

    /// With many codes, to find those that one reply at most contradicts takes longer than to compare guesses.
    fn time_limit(&self) -> Duration {
        Duration::from_secs(10)
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let shape = self.shape(params)?;
        let mut draw = CaseRng::new(seed);
        let secret = shape.draw(&mut draw);
        let lie = Lie::draw(shape, &mut draw);
        Ok(Box::new(Hidden { shape, secret, lie }))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let shape = self.shape(params)?;
        let instance = move |(secret, place)| -> Box<dyn Instance> {
            let lie = Lie::draw(shape, &mut CaseRng::new(Seed(place)));
            Box::new(Hidden { shape, secret, lie })
        };
        Ok(Some(Box::new(shape.codes().zip(0..).map(instance))))
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let shape = self.shape(params).map_err(|e| hidden.refused(e))?;
        let secret = shape.parse(hidden)?;
        let lie = Lie::parse(hidden)?;
        Ok(Box::new(Hidden { shape, secret, lie }))
    }
}

/// Which reply is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lie {
    /// Counted from 1. A game that ends before has no lie.
    turn: u64,
    /// Which of the false replies it is: of n, the one of number `choice` modulo n, in ascending order.
    choice: u64,
}

impl Lie {
    /// One case in four has no lie. Otherwise each of the first 2P turns is equally likely: a good contestant needs
    /// about as many.
    fn draw(shape: Shape, draw: &mut CaseRng) -> Option<Self> {
        let lies = draw.below(HONEST) > 0;
        let turn = 1 + draw.below(2 * shape.places as u64);
        let choice = draw.below(CHOICES);
        lies.then_some(Self { turn, choice })
    }

    /// Reads the next line of a case file.
    fn parse(hidden: &mut Lines<'_>) -> Result<Option<Self>, InstanceError> {
        let expected = format!(
            "\"none\", or the turn of the lie from 1 to {LAST_TURN} and a number below {CHOICES} that chooses the \
             false reply"
        );
        let line = hidden.next(&expected)?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let number = |word: &str, most: u64| word.parse().ok().filter(|n: &u64| *n <= most);
        match words[..] {
            ["none"] => Ok(None),
            [turn, choice] => {
                let turn = number(turn, LAST_TURN).filter(|&turn| turn > 0);
                let lie = turn.zip(number(choice, CHOICES - 1));
                let refused = || hidden.error(expected.clone(), line, "out of range");
                let (turn, choice) = lie.ok_or_else(refused)?;
                Ok(Some(Self { turn, choice }))
            }
            _ => {
                let why = format!("{} words", words.len());
                Err(hidden.error(expected, line, &why))
            }
        }
    }

    /// The false reply to a wrong guess: a reply that some wrong guess gets in this game.
    /// `None` if there is no other.
    fn reply(&self, shape: Shape, truth: (usize, usize)) -> Option<(usize, usize)> {
        let places = shape.places;
        // Two codes have at least this many digits in common.
        let fewest = (2 * places).saturating_sub(usize::from(shape.digits));
        let mut others = Vec::new();
        for hits in 0..places {
            for blows in 0..=places - hits {
                // A single digit that is not in its place would have no other place.
                let possible = hits + blows >= fewest && (hits, blows) != (places - 1, 1);
                if possible && (hits, blows) != truth {
                    others.push((hits, blows));
                }
            }
        }
        let count = others.len() as u64;
        (count > 0).then(|| others[(self.choice % count) as usize])
    }
}

struct Hidden {
    shape: Shape,
    secret: Vec<u8>,
    lie: Option<Lie>,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        let lie = match self.lie {
            None => "none".to_owned(),
            Some(Lie { turn, choice }) => format!("{turn} {choice}"),
        };
        format!("{}\n{}\n{lie}\n", self.opening(), join(&self.secret))
    }

    fn opening(&self) -> String {
        format!("liar {} {}", self.shape.places, self.shape.digits)
    }

    /// The turn of the lie; 0 if there is none.
    fn parameters(&self) -> Vec<f64> {
        vec![self.lie.map_or(0.0, |lie| lie.turn as f64)]
    }

    fn answer(&self) -> Option<String> {
        Some(join(&self.secret))
    }

    fn typed(&self, line: &str) -> String {
        self.shape.typed(line)
    }

    /// One reply alone excludes no code.
    fn is_noisy(&self) -> bool {
        true
    }

    /// The marks of the pegs are the truth, whatever was replied.
    fn draw(&self, turns: &[PlayedTurn<'_>], _last: &[&str]) -> Option<Drawing> {
        Some(drawing(&self.shape, &self.secret, turns))
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Guessing {
            shape: self.shape,
            secret: self.secret.clone(),
            lie: self.lie,
            turns: 0,
        })
    }
}

struct Guessing {
    shape: Shape,
    secret: Vec<u8>,
    lie: Option<Lie>,
    turns: u64,
}

impl Session for Guessing {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let guess = self.shape.read(line);
        let guess = guess.map_err(|why| self.shape.refuse(&why, line))?;
        self.turns += 1;
        let truth = feedback(&self.secret, &guess);
        let done = truth.0 == self.shape.places;
        let lie = self.lie.filter(|lie| !done && lie.turn == self.turns);
        let told = lie.and_then(|lie| lie.reply(self.shape, truth));
        let (hits, blows) = told.unwrap_or(truth);
        Ok(Reply::new(format!("{hits} {blows}")).ending(done))
    }

    fn score(&self) -> Score {
        self.turns.into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::problem::parse_case;

    #[test]
    fn one_reply_is_false_and_the_right_guess_ends_the_game() {
        // In ascending order: 0 0, 0 1, 0 2, 0 3, 1 0, 1 1, 1 2, 2 0. The true reply, 0 1, is none of the seven.
        let case = parse_case("liar 3 10\n8 2 5\n2 9\n").unwrap();
        let mut session = case.start();
        let mut reply = |line: &str| session.turn(line.as_bytes()).unwrap();
        assert_eq!(reply("0 1 2").text(), "0 1");
        assert_eq!(reply("0 1 2").text(), "0 3"); // 9 modulo 7 is 2: 0 0, 0 2, 0 3
        assert_eq!(reply("0 1 2").text(), "0 1");
        assert!(reply("8 2 5").done);
        assert_eq!(session.score(), 4.into());
    }

    #[test]
    fn the_right_guess_gets_a_true_reply_in_the_turn_of_the_lie_and_nothing_is_false_afterwards() {
        let case = parse_case("liar 3 10\n8 2 5\n1 0\n").unwrap();
        let reply = case.start().turn(b"8 2 5").unwrap();
        assert_eq!((reply.text(), reply.done), ("3 0", true));
        // With one place, or two digits in two places, there is only one reply to a wrong guess.
        for (text, guess, expected) in [
            ("liar 1 5\n3\n1 0\n", "2", "0 0"),
            ("liar 2 2\n0 1\n1 0\n", "1 0", "0 2"),
        ] {
            let reply = parse_case(text).unwrap().start().turn(guess.as_bytes());
            assert_eq!(reply.unwrap().text(), expected, "{text}");
        }
    }

    #[test]
    fn a_refused_line_is_no_turn_and_lies_stay_where_they_are() {
        let case = parse_case("liar 3 10\n8 2 5\n1 0\n").unwrap();
        let mut session = case.start();
        insta::assert_snapshot!(session.turn(b"7 7 1").unwrap_err(), @r#"digit 7 appears twice in "7 7 1""#);
        assert_eq!(session.turn(b"0 1 2").unwrap().text(), "0 0");
        assert_eq!(session.turn(b"0 1 2").unwrap().text(), "0 1");
    }

    #[test]
    fn broken_lies_are_refused() {
        let error = |text| parse_case(text).err().unwrap().to_string();
        insta::assert_snapshot!(error("liar 3 10\n8 2 5\n"), @r#"line 3: expected "none", or the turn of the lie from 1 to 1000 and a number below 1000000 that chooses the false reply, found end of file"#);
        insta::assert_snapshot!(error("liar 3 10\n8 2 5\n3\n"), @r#"line 3: expected "none", or the turn of the lie from 1 to 1000 and a number below 1000000 that chooses the false reply, found "3" (1 words)"#);
        for bad in ["0 1", "1001 1", "1 1000000", "1 -1", "x 1", "none none"] {
            let text = format!("liar 3 10\n8 2 5\n{bad}\n");
            let error = parse_case(&text).err().unwrap().to_string();
            assert!(
                error.starts_with("line 3: expected \"none\", or"),
                "{error}"
            );
        }
        insta::assert_snapshot!(error("liar 3 21\n8 2 5\nnone\n"), @r#"line 1: expected liar P K with 1 <= P <= 10 and P <= K <= 20, found "liar 3 21""#);
    }

    #[test]
    fn golden_lies_never_change() {
        let text = |seed| LIAR.generate(&["3", "10"], Seed(seed)).unwrap().to_text();
        let lies: Vec<_> = (0..4)
            .map(|seed| text(seed).lines().nth(2).unwrap().to_owned())
            .collect();
        insta::assert_snapshot!(lies.join(", "), @"1 395169, 3 557153, 6 35305, 3 209079");
    }

    #[test]
    fn seeds_have_no_lie_or_one_in_each_of_the_first_turns() {
        let mut counts = [0_u32; 7];
        for seed in 0..4000 {
            let case = LIAR.generate(&["3", "10"], Seed(seed)).unwrap();
            counts[case.parameters()[0] as usize] += 1;
        }
        // 1000 without, 500 each: five standard deviations.
        assert!(counts[0].abs_diff(1000) < 140, "{counts:?}");
        assert!(
            counts[1..].iter().all(|n| n.abs_diff(500) < 105),
            "{counts:?}"
        );
    }

    proptest! {
        /// By the definition: what a wrong guess gets for some secret of the game, except what it gets for this one.
        #[test]
        fn false_replies_are_those_that_another_secret_would_give(
            (places, digits) in (1_usize..=4).prop_flat_map(|places| (Just(places), places as u8..=6)),
            seed in any::<u64>(),
        ) {
            let shape = Shape { places, digits, distinct: true };
            let mut draw = CaseRng::new(Seed(seed));
            let (secret, guess) = (shape.draw(&mut draw), shape.draw(&mut draw));
            prop_assume!(secret != guess);
            let truth = feedback(&secret, &guess);
            let others: BTreeSet<_> = shape.codes().map(|other| feedback(&other, &guess))
                .filter(|reply| reply.0 < places && *reply != truth).collect();
            let told: BTreeSet<_> = (0..100)
                .filter_map(|choice| Lie { turn: 1, choice }.reply(shape, truth)).collect();
            prop_assert_eq!(told, others);
        }

        /// A whole session: every reply but the one of the lie is the true one.
        #[test]
        fn at_most_the_reply_of_one_turn_is_false(seed in any::<u64>(), turns in 1_u64..20) {
            let case = LIAR.generate(&["4", "10"], Seed(seed)).unwrap();
            let secret: Vec<u8> = case.answer().unwrap().split(' ').map(|d| d.parse().unwrap()).collect();
            let (mut session, mut draw) = (case.start(), CaseRng::new(Seed(!seed)));
            for turn in 1..=turns {
                let guess = draw.distinct(4, 10);
                let (hits, blows) = feedback(&secret, &guess);
                let reply = session.turn(join(&guess).as_bytes()).unwrap();
                let is_true = reply.text() == format!("{hits} {blows}");
                prop_assert_eq!(is_true, hits == 4 || turn as f64 != case.parameters()[0]);
                prop_assert_eq!(reply.done, hits == 4);
            }
        }
    }
}
