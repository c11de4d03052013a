//! A balance without weights and one stone that differs (the puzzle that article 004 ends with).

use super::exchange::{Reply, TurnError};
use super::lines::{InstanceError, Lines, ParamError};
use super::rng::{CaseRng, Seed};
use super::score::Score;
use super::traits::{Instance, Instances, Problem, Session};
use super::words::{integer, refused, unreadable, words};
use crate::util::quote::quote;
use crate::util::template::{Template, templates};

templates! {
    STONE = "stone {0}", "石 {0}";
    STONES_ON_EACH_SIDE = "how many stones are on each side: {0}", "片側に載せる石の数 {0}";
    TWICE = "stone {0} appears twice", "石 {0} が 2 回使われています";
    A_NUMBER = "a stone's number", "石の番号";
    A_NUMBER_AND_SIGN = "a stone's number and + or -", "石の番号と + か - ";
    ONE_WORD = "expected {0*}, found {1} word", "{0*}が必要ですが、語が {1} 個ありました";
    WORDS = "expected {0*}, found {1} words", "{0*}が必要ですが、語が {1} 個ありました";
    NO_COUNT =
        "expected how many stones are on each side after ?, found nothing",
        "? の後に、片側に載せる石の数が必要です";
    STONE_COUNT =
        "expected {0} stones, {1} on each side, found {2}",
        "石は片側 {1} 個ずつ、合わせて {0} 個必要ですが、{2} 個でした";
    NO_COMMAND =
        "expected ? (a weighing) or ! (the answer) and a blank",
        "?（天秤を使う）か !（答え）と空白で始める必要があります";
    WRONG =
        "{0\"} is wrong, {1*} would have been right",
        "{0\"} は誤りです。正解は {1*} でした";
}

pub(super) static BALANCE: Balance = Balance;

pub(super) struct Balance;

/// The most stones.
const MAX_STONES: u64 = 1000;

impl Balance {
    fn game(&self, params: &[&str]) -> Result<Game, ParamError> {
        let refused = || ParamError::new(self, params);
        let &[stones, kind] = params else {
            return Err(refused());
        };
        let (kind, fewest) = match kind {
            "heavy" => (Kind::Heavy, 2),
            // Two stones do not show which of them differs.
            "odd" => (Kind::Odd, 3),
            _ => return Err(refused()),
        };
        match stones.parse() {
            Ok(stones) if (fewest..=MAX_STONES).contains(&stones) => Ok(Game {
                stones: stones as usize,
                kind,
            }),
            _ => Err(refused()),
        }
    }
}

impl Problem for Balance {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn usage(&self) -> &'static str {
        "balance N heavy with 2 <= N <= 1000, or balance N odd with 3 <= N <= 1000"
    }

    fn about(&self) -> &'static str {
        "Of N stones, numbered from 1, one is heavier than the others (heavy), or heavier or lighter \
         (odd). `? k a1 ... ak b1 ... bk` weighs k stones against k others; the reply is `<` if the first \
         are lighter, `>` if they are heavier, else `=`. `! i` (heavy) or `! i +`, `! i -` (odd, heavier or \
         lighter) answers, once: the reply is `1`, done. The score is the number of weighings."
    }

    fn about_in_japanese(&self) -> Option<&'static str> {
        Some(
            "1 から N までの番号が付いた N 個の石のうち、1 個だけ重さが異なります。heavy ではほかの石より重く、odd では\
             重いか軽いかも分かりません。`? k a1 … ak b1 … bk` で左右に k 個ずつ載せると、左が軽ければ `<`、重ければ \
             `>`、釣り合えば `=` が返ります。答えは `! i`（heavy）、または `! i +`（重い）か `! i -`（軽い）です（odd）。\
             答えられるのは 1 回だけで、正しければ `1` が返って終了します。天秤を使った回数がスコアになります。",
        )
    }

    fn reasons(&self) -> &'static [Template] {
        TEMPLATES
    }

    fn samples(&self) -> &'static [&'static str] {
        &["2 heavy", "9 heavy", "3 odd", "12 odd", "1000 odd"]
    }

    fn default_params(&self) -> &'static str {
        "12 odd"
    }

    fn unit(&self) -> &'static str {
        "weighing"
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let game = self.game(params)?;
        let which = CaseRng::new(seed).below(game.secrets() as u64);
        Ok(game.instance(game.secret(which as usize)))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let game = self.game(params)?;
        let instance = move |which| game.instance(game.secret(which));
        Ok(Some(Box::new((0..game.secrets()).map(instance))))
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let game = self.game(params).map_err(|e| hidden.refused(e))?;
        let expected = format!("the one that differs, {}", game.answer_form());
        let line = hidden.next(&expected)?;
        let words: Vec<&[u8]> = words(line.as_bytes()).collect();
        match game.read_answer(&words) {
            Ok(secret) => Ok(game.instance(secret)),
            Err(why) => Err(hidden.error(expected, line, &why)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Heavy,
    Odd,
}

/// The stone that differs, counted from 1, and whether it is heavier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Secret {
    stone: usize,
    heavier: bool,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    stones: usize,
    kind: Kind,
}

impl Game {
    fn instance(self, secret: Secret) -> Box<dyn Instance> {
        Box::new(Hidden { game: self, secret })
    }

    fn secrets(&self) -> usize {
        match self.kind {
            Kind::Heavy => self.stones,
            Kind::Odd => 2 * self.stones,
        }
    }

    /// The secret number `which` of 0..[`Game::secrets`]: stone by stone, heavier before lighter.
    fn secret(&self, which: usize) -> Secret {
        match self.kind {
            Kind::Heavy => Secret {
                stone: which + 1,
                heavier: true,
            },
            Kind::Odd => Secret {
                stone: which / 2 + 1,
                heavier: which.is_multiple_of(2),
            },
        }
    }

    fn write(&self, secret: Secret) -> String {
        match (self.kind, secret.heavier) {
            (Kind::Heavy, _) => secret.stone.to_string(),
            (Kind::Odd, true) => format!("{} +", secret.stone),
            (Kind::Odd, false) => format!("{} -", secret.stone),
        }
    }

    fn answer_form(&self) -> String {
        match self.kind {
            Kind::Heavy => A_NUMBER.fill(&[]),
            Kind::Odd => A_NUMBER_AND_SIGN.fill(&[]),
        }
    }

    /// Reads a stone's number, and its sign where the game has one; or says what is wrong.
    fn read_answer(&self, words: &[&[u8]]) -> Result<Secret, String> {
        match (self.kind, words) {
            (Kind::Heavy, [stone]) => Ok(Secret {
                stone: self.stone(stone)?,
                heavier: true,
            }),
            (Kind::Odd, [stone, sign @ (b"+" | b"-")]) => Ok(Secret {
                stone: self.stone(stone)?,
                heavier: *sign == b"+",
            }),
            _ => {
                let found = if words.len() == 1 { ONE_WORD } else { WORDS };
                Err(found.fill(&[&self.answer_form(), &words.len()]))
            }
        }
    }

    fn stone(&self, word: &[u8]) -> Result<usize, String> {
        Ok(integer(word, |n| STONE.fill(&[&n]), 1..=self.stones as u64)? as usize)
    }

    /// Reads `k a1 … ak b1 … bk`; the first k are on the left.
    fn read_weighing(&self, words: &[&[u8]]) -> Result<Vec<usize>, String> {
        let most = self.stones as u64 / 2;
        let Some((first, stones)) = words.split_first() else {
            return Err(NO_COUNT.fill(&[]));
        };
        let k = integer(first, |n| STONES_ON_EACH_SIDE.fill(&[&n]), 1..=most)? as usize;
        if stones.len() != 2 * k {
            return Err(STONE_COUNT.fill(&[&(2 * k), &k, &stones.len()]));
        }
        let mut seen = vec![false; self.stones + 1];
        let mut weighed = Vec::with_capacity(2 * k);
        for word in stones {
            let stone = self.stone(word)?;
            if std::mem::replace(&mut seen[stone], true) {
                return Err(TWICE.fill(&[&stone]));
            }
            weighed.push(stone);
        }
        Ok(weighed)
    }
}

struct Hidden {
    game: Game,
    secret: Secret,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        format!("{}\n{}\n", self.opening(), self.game.write(self.secret))
    }

    fn opening(&self) -> String {
        let kind = match self.game.kind {
            Kind::Heavy => "heavy",
            Kind::Odd => "odd",
        };
        format!("balance {} {kind}", self.game.stones)
    }

    fn answer(&self) -> Option<String> {
        Some(format!("! {}", self.game.write(self.secret)))
    }

    /// The space after the first character may be left out.
    fn typed(&self, line: &str) -> String {
        let line = line.trim();
        match line.strip_prefix(['?', '!']) {
            Some(rest) => format!("{} {}", &line[..1], rest.trim_start()),
            None => line.to_owned(),
        }
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Weighing {
            game: self.game,
            secret: self.secret,
            weighings: 0,
        })
    }
}

struct Weighing {
    game: Game,
    secret: Secret,
    weighings: u64,
}

impl Weighing {
    fn weigh(&mut self, weighed: &[usize]) -> &'static str {
        self.weighings += 1;
        let at = weighed.iter().position(|&stone| stone == self.secret.stone);
        let on_the_left = at.map(|at| at < weighed.len() / 2);
        match on_the_left {
            None => "=",
            Some(left) if left == self.secret.heavier => ">",
            Some(_) => "<",
        }
    }
}

impl Session for Weighing {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let malformed = |why: String| refused(&why, line);
        let mut words = words(line);
        let first = words.next().unwrap_or_default();
        let rest: Vec<&[u8]> = words.collect();
        match first {
            b"?" => {
                let weighed = self.game.read_weighing(&rest).map_err(malformed)?;
                Ok(Reply::new(self.weigh(&weighed)))
            }
            b"!" => {
                if self.game.read_answer(&rest).map_err(malformed)? != self.secret {
                    let right = self.game.write(self.secret);
                    let why = WRONG.fill(&[&quote(line), &right]);
                    return Err(TurnError::WrongAnswer(why));
                }
                Ok(Reply::new("1").ending(true))
            }
            _ => Err(unreadable(&NO_COMMAND.fill(&[]), line)),
        }
    }

    fn score(&self) -> Score {
        self.weighings.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::parse_case;

    /// The definition: all stones have weights, and each side's are added up.
    fn by_weights(stones: usize, secret: Secret, left: &[usize], right: &[usize]) -> &'static str {
        let weight = |stone: usize| match (stone == secret.stone, secret.heavier) {
            (false, _) => 10,
            (true, true) => 11,
            (true, false) => 9,
        };
        assert!(left.iter().chain(right).all(|&stone| stone <= stones));
        let side = |side: &[usize]| side.iter().map(|&stone| weight(stone)).sum::<i32>();
        match side(left).cmp(&side(right)) {
            std::cmp::Ordering::Less => "<",
            std::cmp::Ordering::Equal => "=",
            std::cmp::Ordering::Greater => ">",
        }
    }

    #[test]
    fn replies_are_those_of_weights() {
        for kind in [Kind::Heavy, Kind::Odd] {
            let game = Game { stones: 6, kind };
            for which in 0..game.secrets() {
                let secret = game.secret(which);
                let mut session = game.instance(secret).start();
                for (left, right) in [
                    (&[1][..], &[2][..]),
                    (&[6], &[1]),
                    (&[1, 2], &[3, 4]),
                    (&[3, 5], &[6, 2]),
                    (&[1, 2, 3], &[4, 5, 6]),
                    (&[6, 4, 2], &[1, 3, 5]),
                ] {
                    let stones: Vec<_> = left.iter().chain(right).map(usize::to_string).collect();
                    let line = format!("? {} {}", left.len(), stones.join(" "));
                    let reply = session.turn(line.as_bytes()).unwrap();
                    assert_eq!(reply.text(), by_weights(6, secret, left, right), "{line}");
                    assert!(!reply.done);
                }
                assert_eq!(session.score(), 6.into());
                let answer = game.instance(secret).answer().unwrap();
                assert!(session.turn(answer.as_bytes()).unwrap().done);
                assert_eq!(session.score(), 6.into(), "the answer is not counted");
            }
        }
    }

    #[test]
    fn refusals_say_what_to_correct() {
        let refusal = |case: &str, line: &str| {
            let instance = parse_case(case).unwrap();
            let error = instance.start().turn(line.as_bytes()).unwrap_err();
            let kind = match error {
                TurnError::Protocol(_) => "malformed",
                TurnError::Format(_) => "unreadable",
                TurnError::WrongAnswer(_) => "wrong",
            };
            format!("{kind}: {error}")
        };
        let odd = |line| refusal("balance 12 odd\n3 +\n", line);
        let heavy = |line| refusal("balance 9 heavy\n3\n", line);
        insta::assert_snapshot!(odd("1 2"), @r#"unreadable: expected ? (a weighing) or ! (the answer) and a blank in "1 2""#);
        insta::assert_snapshot!(odd("?1 1 2"), @r#"unreadable: expected ? (a weighing) or ! (the answer) and a blank in "?1 1 2""#);
        insta::assert_snapshot!(odd("?"), @r#"malformed: expected how many stones are on each side after ?, found nothing in "?""#);
        insta::assert_snapshot!(odd("? 0"), @r#"malformed: how many stones are on each side: 0 is out of range 1 to 6 in "? 0""#);
        insta::assert_snapshot!(odd("? 7 1 2 3 4 5 6 7 8 9 10 11 12"), @r#"malformed: how many stones are on each side: 7 is out of range 1 to 6 in "? 7 1 2 3 4 5 6 7 8 9 10 11 12""#);
        insta::assert_snapshot!(odd("? 2 1 2 3"), @r#"malformed: expected 4 stones, 2 on each side, found 3 in "? 2 1 2 3""#);
        insta::assert_snapshot!(odd("? 1 1 2 3"), @r#"malformed: expected 2 stones, 1 on each side, found 3 in "? 1 1 2 3""#);
        insta::assert_snapshot!(odd("? 1 1 13"), @r#"malformed: stone 13 is out of range 1 to 12 in "? 1 1 13""#);
        insta::assert_snapshot!(odd("? 1 0 1"), @r#"malformed: stone 0 is out of range 1 to 12 in "? 1 0 1""#);
        insta::assert_snapshot!(odd("? 1 -1 1"), @r#"malformed: stone -1 is out of range 1 to 12 in "? 1 -1 1""#);
        insta::assert_snapshot!(odd("? 1 4 4"), @r#"malformed: stone 4 appears twice in "? 1 4 4""#);
        insta::assert_snapshot!(odd("? 1 a 4"), @r#"malformed: "a" is not an integer in "? 1 a 4""#);
        insta::assert_snapshot!(odd("? 99999999999999999999 1 4"), @r#"malformed: how many stones are on each side: 99999999999999999999 is out of range 1 to 6 in "? 99999999999999999999 1 4""#);
        insta::assert_snapshot!(odd("! 3"), @r#"malformed: expected a stone's number and + or -, found 1 word in "! 3""#);
        insta::assert_snapshot!(odd("! 3 *"), @r#"malformed: expected a stone's number and + or -, found 2 words in "! 3 *""#);
        insta::assert_snapshot!(odd("! 3 -"), @r#"wrong: "! 3 -" is wrong, 3 + would have been right"#);
        insta::assert_snapshot!(odd("! 13 -"), @r#"malformed: stone 13 is out of range 1 to 12 in "! 13 -""#);
        insta::assert_snapshot!(heavy("! 3 +"), @r#"malformed: expected a stone's number, found 2 words in "! 3 +""#);
        insta::assert_snapshot!(heavy("!"), @r#"malformed: expected a stone's number, found 0 words in "!""#);
        insta::assert_snapshot!(heavy("! 4"), @r#"wrong: "! 4" is wrong, 3 would have been right"#);
    }

    #[test]
    fn broken_cases_are_refused() {
        let error = |text| parse_case(text).err().unwrap().to_string();
        insta::assert_snapshot!(error("balance 9 heavy\n"), @"line 2: expected the one that differs, a stone's number, found end of file");
        insta::assert_snapshot!(error("balance 9 heavy\n10\n"), @r#"line 2: expected the one that differs, a stone's number, found "10" (stone 10 is out of range 1 to 9)"#);
        insta::assert_snapshot!(error("balance 9 odd\n3\n"), @r#"line 2: expected the one that differs, a stone's number and + or -, found "3" (expected a stone's number and + or -, found 1 word)"#);
        insta::assert_snapshot!(error("balance 9 light\n3\n"), @r#"line 1: expected balance N heavy with 2 <= N <= 1000, or balance N odd with 3 <= N <= 1000, found "balance 9 light""#);
        insta::assert_snapshot!(error("balance 2 odd\n1 +\n"), @r#"line 1: expected balance N heavy with 2 <= N <= 1000, or balance N odd with 3 <= N <= 1000, found "balance 2 odd""#);
    }
}
