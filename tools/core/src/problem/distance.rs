//! Noisy differences (the variant that article 002 ends with): how far the secret lies from the guess,
//! as numbers, give or take an error. `distance` says on which side, `gap` does not.

use std::sync::LazyLock;

use super::codes::{Shape, join};
use super::exchange::{Reply, TurnError};
use super::lines::{InstanceError, Lines, ParamError};
use super::rng::{CaseRng, Seed};
use super::score::Score;
use super::traits::{Instance, Instances, Problem, Session};
use crate::util::quote::quote;
use crate::util::template::{Template, templates};

templates! {
    PAST_ONE =
        "{0\"} is past the {1} turn that this case has noise for",
        "{0\"} は、このケースに誤差が用意されている {1} ターンを過ぎてから出力されました";
    PAST_NOISE =
        "{0\"} is past the {1} turns that this case has noise for",
        "{0\"} は、このケースに誤差が用意されている {1} ターンを過ぎてから出力されました";
}

pub(super) static DISTANCE: Distance = Distance {
    of: Difference::Signed,
};
pub(super) static GAP: Distance = Distance {
    of: Difference::Size,
};

pub(super) struct Distance {
    of: Difference,
}

/// What the noise is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    /// secret - guess
    Signed,
    /// |secret - guess|
    Size,
}

/// A case has noise for this many turns: the default turn limit.
const NOISY_TURNS: usize = 1000;
/// The greatest standard deviation.
const MAX_SIGMA: u64 = 1_000_000_000;
/// Digits after the point.
const DECIMALS: usize = 6;
/// Greater noise in a case file is refused, so that differences fit into 64 bits.
const MAX_NOISE: u64 = 1 << 61;

impl Distance {
    fn game(&self, params: &[&str]) -> Result<Game, ParamError> {
        let refused = || ParamError::new(self, params);
        let (sigma, code) = params.split_last().ok_or_else(refused)?;
        Ok(Game {
            of: self.of,
            shape: Shape::from_params(code, true).ok_or_else(refused)?,
            sigma: Sigma::parse(sigma).ok_or_else(refused)?,
        })
    }
}

/// The parameters of both games.
macro_rules! usage {
    () => {
        " P K SIGMA with 1 <= P <= 10, P <= K <= 64 and a decimal 0 <= SIGMA <= 1000000000"
    };
}

impl Difference {
    fn name(self) -> &'static str {
        match self {
            Self::Signed => "distance",
            Self::Size => "gap",
        }
    }

    fn between(self, secret: i64, guess: i64) -> i64 {
        match self {
            Self::Signed => secret - guess,
            Self::Size => (secret - guess).abs(),
        }
    }
}

impl Problem for Distance {
    fn name(&self) -> &'static str {
        self.of.name()
    }

    fn usage(&self) -> &'static str {
        match self.of {
            Difference::Signed => concat!("distance", usage!()),
            Difference::Size => concat!("gap", usage!()),
        }
    }

    fn about(&self) -> &'static str {
        match self.of {
            Difference::Signed => {
                "Find P distinct digits from 0 to K-1, read as a number in base K. The reply to a guess is `c d`: c is \
                 1 if the guess is right, else 0; d is secret - guess + noise, the noise being a normal deviate \
                 of standard deviation SIGMA, rounded to the nearest integer, and another one at each turn. Done \
                 when c = 1; the score is the number of guesses."
            }
            Difference::Size => {
                "Find P distinct digits from 0 to K-1, read as a number in base K. The reply to a guess is `c d`: c is \
                 1 if the guess is right, else 0; d is |secret - guess| + noise: you are not told on which side of the \
                 guess the secret is. The noise is a normal deviate of standard deviation SIGMA, rounded to the nearest \
                 integer, and another one at each turn; so d can be negative. Done when c = 1; the score is the number \
                 of guesses."
            }
        }
    }

    fn about_in_japanese(&self) -> Option<&'static str> {
        Some(match self.of {
            Difference::Signed => {
                "0 から K−1 までの異なる P 個の数字を並べた、K 進数の答えを当ててください。推測するたびに `c d` が返ります。\
                 c は正解なら 1、そうでなければ 0 で、d は「答え − 推測 + 誤差」です。誤差は標準偏差 SIGMA の正規分布に従う\
                 値を整数に丸めたもので、ターンごとに異なります。c = 1 になると終了し、推測した回数がスコアになります。"
            }
            Difference::Size => {
                "0 から K−1 までの異なる P 個の数字を並べた、K 進数の答えを当ててください。推測するたびに `c d` が返ります。\
                 c は正解なら 1、そうでなければ 0 で、d は「|答え − 推測| + 誤差」です。答えが推測より大きいか小さいかは\
                 分かりません。誤差は標準偏差 SIGMA の正規分布に従う値を整数に丸めたもので、ターンごとに異なり、d は負にも\
                 なります。c = 1 になると終了し、推測した回数がスコアになります。"
            }
        })
    }

    fn reasons(&self) -> &'static [Template] {
        TEMPLATES
    }

    fn samples(&self) -> &'static [&'static str] {
        &["1 1 0", "3 10 0", "2 5 0.5", "3 10 10", "2 64 1000000000"]
    }

    fn default_params(&self) -> &'static str {
        "3 10 10"
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let game = self.game(params)?;
        let mut draw = CaseRng::new(seed);
        let secret = game.shape.draw(&mut draw);
        Ok(game.instance(secret, move || game.noise(&mut draw)))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let game = self.game(params)?;
        let instance = move |(secret, place)| {
            game.instance(secret, move || game.noise(&mut CaseRng::new(Seed(place))))
        };
        Ok(Some(Box::new(game.shape.codes().zip(0..).map(instance))))
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let game = self.game(params).map_err(|e| hidden.refused(e))?;
        let secret = game.shape.parse(hidden)?;
        let noise = if game.sigma.0 == 0 {
            Vec::new()
        } else {
            read_noise(hidden)?
        };
        Ok(game.instance(secret, || noise))
    }
}

/// A standard deviation, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sigma(u64);

impl Sigma {
    /// Digits, and perhaps a point and up to six more.
    fn parse(word: &str) -> Option<Self> {
        let (whole, decimals) = word.split_once('.').unwrap_or((word, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(decimals) || decimals.len() > DECIMALS {
            return None;
        }
        let millionths: u64 = format!("{decimals:0<DECIMALS$}").parse().ok()?;
        let sigma = whole.parse::<u64>().ok()?.checked_mul(1_000_000)? + millionths;
        (sigma <= MAX_SIGMA * 1_000_000).then_some(Self(sigma))
    }
}

impl std::fmt::Display for Sigma {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, millionths) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let text = format!("{whole}.{millionths:06}");
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[derive(Clone, Copy, Debug)]
struct Game {
    of: Difference,
    shape: Shape,
    sigma: Sigma,
}

impl Game {
    fn instance(
        self,
        secret: Vec<u8>,
        noise: impl FnOnce() -> Vec<i64> + Send + 'static,
    ) -> Box<dyn Instance> {
        Box::new(Hidden {
            game: self,
            secret,
            noise: LazyLock::new(Box::new(noise)),
        })
    }

    /// That of every turn; none where there is no noise.
    fn noise(&self, draw: &mut CaseRng) -> Vec<i64> {
        let turns = if self.sigma.0 == 0 { 0 } else { NOISY_TURNS };
        (0..turns)
            .map(|_| draw.rounded_normal(self.sigma.0))
            .collect()
    }

    /// The number that a code is in base K.
    fn value(&self, code: &[u8]) -> i64 {
        let base = i64::from(self.shape.digits);
        code.iter().fold(0, |value, &d| value * base + i64::from(d))
    }
}

fn read_noise(hidden: &mut Lines<'_>) -> Result<Vec<i64>, InstanceError> {
    let expected = "the noise of turn 1, 2, …, integers separated by spaces";
    let line = hidden.next(expected)?;
    let number = |word: &str| {
        let number = word.parse().ok();
        let number = number.filter(|n: &i64| n.unsigned_abs() <= MAX_NOISE);
        let why = || {
            format!(
                "{} is not an integer of at most 2^61",
                quote(word.as_bytes())
            )
        };
        number.ok_or_else(why)
    };
    let noise: Result<Vec<i64>, String> = line.split_ascii_whitespace().map(number).collect();
    match noise {
        Ok(noise) if !noise.is_empty() => Ok(noise),
        Ok(_) => Err(hidden.error(expected, line, "the line is empty")),
        Err(why) => Err(hidden.error(expected, line, &why)),
    }
}

struct Hidden {
    game: Game,
    secret: Vec<u8>,
    /// The noise of each turn; empty if there is none. It is drawn when it is needed, so that counting all secrets
    /// does not draw all their noise.
    noise: LazyLock<Vec<i64>, Box<dyn FnOnce() -> Vec<i64> + Send>>,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.opening(), join(&self.secret));
        if !self.noise.is_empty() {
            let words: Vec<String> = self.noise.iter().map(i64::to_string).collect();
            text += &(words.join(" ") + "\n");
        }
        text
    }

    fn opening(&self) -> String {
        let Shape { places, digits, .. } = self.game.shape;
        format!(
            "{} {places} {digits} {}",
            self.game.of.name(),
            self.game.sigma
        )
    }

    fn answer(&self) -> Option<String> {
        Some(join(&self.secret))
    }

    fn typed(&self, line: &str) -> String {
        self.game.shape.typed(line)
    }

    fn is_noisy(&self) -> bool {
        self.game.sigma.0 > 0
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Guessing {
            game: self.game,
            secret: self.secret.clone(),
            noise: self.noise.clone(),
            turns: 0,
        })
    }
}

struct Guessing {
    game: Game,
    secret: Vec<u8>,
    noise: Vec<i64>,
    turns: usize,
}

impl Session for Guessing {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let guess = self.game.shape.read(line);
        let guess = guess.map_err(|why| self.game.shape.refuse(&why, line))?;
        let noise = match self.noise.len() {
            0 => 0,
            turns => *self.noise.get(self.turns).ok_or_else(|| {
                let past = if turns == 1 { PAST_ONE } else { PAST_NOISE };
                TurnError::Protocol(past.fill(&[&quote(line), &turns]))
            })?,
        };
        self.turns += 1;
        let right = guess == self.secret;
        let (secret, guess) = (self.game.value(&self.secret), self.game.value(&guess));
        let difference = self.game.of.between(secret, guess) + noise;
        Ok(Reply::new(format!("{} {difference}", u8::from(right))).ending(right))
    }

    fn score(&self) -> Score {
        (self.turns as u64).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::parse_case;

    #[test]
    fn example_of_article_002_is_replied_as_it_says() {
        // Secret 345, guess 123: 223 would be told as 200 with an error of -23. (The difference is 222.)
        let case = parse_case("distance 3 10 10\n3 4 5\n-22 0 5\n").unwrap();
        let mut session = case.start();
        let mut reply = |line: &str| session.turn(line.as_bytes()).unwrap().text().to_owned();
        assert_eq!(reply("1 2 3"), "0 200");
        assert_eq!(reply("1 2 3"), "0 222");
        assert_eq!(reply("3 4 5"), "1 5");
        insta::assert_snapshot!(session.turn(b"3 4 5").unwrap_err(), @r#""3 4 5" is past the 3 turns that this case has noise for"#);
        assert_eq!(session.score(), 3.into());
    }

    #[test]
    fn a_gap_does_not_say_on_which_side_the_secret_is() {
        let case = parse_case("gap 3 10 10\n3 4 5\n-22 0 0 -30 5\n").unwrap();
        assert_eq!(case.opening(), "gap 3 10 10");
        let mut session = case.start();
        let mut reply = |line: &str| session.turn(line.as_bytes()).unwrap().text().to_owned();
        assert_eq!(reply("1 2 3"), "0 200");
        assert_eq!(reply("3 2 5"), "0 20");
        assert_eq!(reply("3 6 5"), "0 20");
        assert_eq!(reply("3 6 5"), "0 -10");
        assert_eq!(reply("3 4 5"), "1 5");
        // Secret and noise of a seed are those of `distance`.
        let text = |problem: &Distance| {
            problem
                .generate(&["3", "10", "10"], Seed(7))
                .unwrap()
                .to_text()
        };
        assert_eq!(text(&GAP), text(&DISTANCE).replacen("distance", "gap", 1));
    }

    #[test]
    fn codes_are_numbers_in_base_k_and_extremes_fit() {
        let case = parse_case("distance 2 64 0\n63 1\n").unwrap();
        let reply = case.start().turn(b"0 2").unwrap();
        assert_eq!(reply.text(), "0 4031"); // 63 · 64 + 1 - 2
        let last = "63 62 61 60 59 58 57 56 55 54";
        let text = format!("distance 10 64 1000000000\n{last}\n{}\n", 1_i64 << 61);
        let case = parse_case(&text).unwrap();
        let reply = case.start().turn(b"0 1 2 3 4 5 6 7 8 9").unwrap();
        let difference = (0..10).fold(0_i128, |value, place| value * 64 + 63 - 2 * place);
        assert_eq!(reply.text(), format!("0 {}", difference + (1 << 61)));
    }

    #[test]
    fn decimals_are_read_exactly_and_written_shortest() {
        for (text, written) in [
            ("0", "0"),
            ("0.0", "0"),
            ("10", "10"),
            ("0.5", "0.5"),
            ("2.50", "2.5"),
            ("007.25", "7.25"),
            ("0.000001", "0.000001"),
            ("1000000000", "1000000000"),
        ] {
            assert_eq!(Sigma::parse(text).unwrap().to_string(), written);
        }
        for bad in [
            "",
            ".",
            ".5",
            "5.",
            "-1",
            "+1",
            "1e3",
            "nan",
            "inf",
            "0.0000001",
            "1000000000.000001",
            "18446744073709551616",
            "1,5",
            "１",
        ] {
            assert_eq!(Sigma::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn broken_noise_is_refused() {
        let error = |text| parse_case(text).err().unwrap().to_string();
        insta::assert_snapshot!(error("distance 2 5 1\n3 4\n"), @"line 3: expected the noise of turn 1, 2, …, integers separated by spaces, found end of file");
        insta::assert_snapshot!(error("distance 2 5 1\n3 4\n\n"), @r#"line 3: expected the noise of turn 1, 2, …, integers separated by spaces, found "" (the line is empty)"#);
        insta::assert_snapshot!(error("distance 2 5 1\n3 4\n1 x 2\n"), @r#"line 3: expected the noise of turn 1, 2, …, integers separated by spaces, found "1 x 2" ("x" is not an integer of at most 2^61)"#);
        insta::assert_snapshot!(error("distance 2 5 1\n3 4\n1 2305843009213693953\n"), @r#"line 3: expected the noise of turn 1, 2, …, integers separated by spaces, found "1 2305843009213693953" ("2305843009213693953" is not an integer of at most 2^61)"#);
        insta::assert_snapshot!(error("distance 2 5 0\n3 4\n1 2\n"), @r#"line 3: expected end of file, found "1 2""#);
    }

    #[test]
    fn a_case_has_noise_for_a_thousand_turns_and_none_without_sigma() {
        let case = |sigma: &str| DISTANCE.generate(&["3", "10", sigma], Seed(1)).unwrap();
        let text = case("10").to_text();
        assert_eq!(text.lines().nth(2).unwrap().split(' ').count(), 1000);
        assert_eq!(case("0").to_text().lines().count(), 2);
        // The secret of a seed is the same whatever the noise.
        assert_eq!(case("10").answer(), case("0").answer());
    }
}
