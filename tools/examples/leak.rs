//! A judge with a problem of its own, `leak`: the example of docs/solver.md.
//!
//! ```console
//! $ cargo build --release -p tester --example leak
//! $ target/release/examples/leak batch --all-secrets -- target/release/leak
//! ```
//!
//! **Leak.** A water main has N sections, numbered from 1 to N. One of them leaks; each is equally likely. You stand
//! at section 1, and get the line `leak N C`. Then, as often as you like, you print one of these lines:
//!
//! - `? i`: you walk to section i, which takes a minute for each section, and listen there, which takes C minutes.
//!   The reply is `<` if the leak has a smaller number than i, `>` if it has a greater one, `=` if it is there.
//! - `! i`: section i is dug up, wherever you stand, which takes one minute. The reply is `1` if the leak is there,
//!   and the game ends. If it is not, the verdict is WA.
//!
//! The score is the number of minutes; less is better.

use std::cmp::Ordering;
use std::process::ExitCode;

use tester::problem::rng::{CaseRng, Seed};
use tester::problem::{
    Instance, InstanceError, Instances, Lines, ParamError, Problem, Reply, Score, Session,
    TurnError,
};
use tester::util::quote::quote;

/// The problem, for `main` and the tests.
pub static LEAK: Leak = Leak;

fn main() -> ExitCode {
    tester::main_with(&[&LEAK])
}

/// See [`LEAK`].
pub struct Leak;

impl Leak {
    /// N and C, checked.
    fn numbers(&self, params: &[&str]) -> Result<(u64, u64), ParamError> {
        match params.iter().map(|word| word.parse()).collect::<Vec<_>>()[..] {
            [Ok(n @ 2..=1000), Ok(c @ 0..=1000)] => Ok((n, c)),
            _ => Err(ParamError::new(self, params)),
        }
    }
}

impl Problem for Leak {
    fn name(&self) -> &'static str {
        "leak"
    }

    fn usage(&self) -> &'static str {
        "leak N C with 2 <= N <= 1000 and 0 <= C <= 1000"
    }

    fn about(&self) -> &'static str {
        "One of N sections leaks; you stand at section 1. `? i` walks to section i, a minute for each section, and \
         listens there, C minutes: the reply is `<` if the leak has a smaller number, `>` if it has a greater one, \
         else `=`. `! i` digs, one minute, and only once: the reply is `1`, done. The score is the number of minutes."
    }

    fn samples(&self) -> &'static [&'static str] {
        &["2 0", "100 10", "300 1000"]
    }

    fn unit(&self) -> &'static str {
        "minute"
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let (n, c) = self.numbers(params)?;
        let leak = 1 + CaseRng::new(seed).below(n);
        Ok(Box::new(Case { n, c, leak }))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let (n, c) = self.numbers(params)?;
        let instance = move |leak| Box::new(Case { n, c, leak }) as Box<dyn Instance>;
        Ok(Some(Box::new((1..=n).map(instance))))
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let (n, c) = self.numbers(params).map_err(|e| hidden.refused(e))?;
        let expected = "the section that leaks";
        let line = hidden.next(expected)?;
        match section(line.trim_ascii().as_bytes(), n) {
            Ok(leak) => Ok(Box::new(Case { n, c, leak })),
            Err(why) => Err(hidden.error(expected, line, &why)),
        }
    }
}

/// Reads a section's number, of a contestant or of a case file, or says what is wrong with it.
fn section(word: &[u8], n: u64) -> Result<u64, String> {
    let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
    let inside = number.filter(|i| (1..=n).contains(i));
    inside.ok_or_else(|| format!("{} is not one of the sections 1 to {n}", quote(word)))
}

#[derive(Clone, Copy)]
struct Case {
    n: u64,
    c: u64,
    /// Hidden.
    leak: u64,
}

impl Instance for Case {
    fn opening(&self) -> String {
        format!("leak {} {}", self.n, self.c)
    }

    fn to_text(&self) -> String {
        format!("{}\n{}\n", self.opening(), self.leak)
    }

    fn answer(&self) -> Option<String> {
        Some(format!("! {}", self.leak))
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Game {
            case: *self,
            at: 1,
            minutes: 0,
        })
    }
}

struct Game {
    case: Case,
    at: u64,
    minutes: u64,
}

impl Session for Game {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let Case { n, c, leak } = self.case;
        let refused = |why| TurnError::Protocol(format!("{why} in {}", quote(line)));
        let words = line.split(u8::is_ascii_whitespace);
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        match words[..] {
            [b"?", word] => {
                // First what may be refused: a refused line costs nothing, and a person may try another.
                let i = section(word, n).map_err(refused)?;
                self.minutes += self.at.abs_diff(i) + c;
                self.at = i;
                Ok(Reply::new(match leak.cmp(&i) {
                    Ordering::Less => "<",
                    Ordering::Equal => "=",
                    Ordering::Greater => ">",
                }))
            }
            [b"!", word] => {
                if section(word, n).map_err(refused)? != leak {
                    let why = format!("{} is wrong, {leak} would have been right", quote(line));
                    return Err(TurnError::WrongAnswer(why));
                }
                self.minutes += 1;
                Ok(Reply::new("1").ending(true))
            }
            _ => {
                let why = format!("expected ? or !, and a section in {}", quote(line));
                Err(TurnError::Format(why))
            }
        }
    }

    fn score(&self) -> Score {
        self.minutes.into()
    }
}
