//! A leak in a water main: walking to a section takes minutes, and so does listening there.

use std::cmp::Ordering;

use tester::problem::rng::{CaseRng, Seed};
use tester::problem::{
    Instance, InstanceError, Instances, Lines, ParamError, Problem, Reply, Score, Session,
    TurnError,
};
use tester::util::quote::quote;

pub static LEAK: Leak = Leak;

pub struct Leak;

impl Leak {
    /// N and C, checked.
    fn numbers(&self, params: &[&str]) -> Result<(u64, u64), ParamError> {
        let numbers: Result<Vec<u64>, _> = params.iter().map(|word| word.parse()).collect();
        match numbers.as_deref() {
            Ok(&[n @ 2..=1000, c @ 0..=1000]) => Ok((n, c)),
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
        "One of N sections leaks; you stand at section 1. `? i` walks to section i, a minute for each \
         section, and listens there, C minutes: the reply is `<` if the leak has a smaller number, `>` if \
         a greater one, else `=`. `! i` digs, one minute, and only once: the reply is `1`, done. The \
         score is the number of minutes."
    }

    fn samples(&self) -> &'static [&'static str] {
        &["2 0", "10 3", "100 10", "1000 1000"]
    }

    fn unit(&self) -> &'static str {
        "minute"
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let (n, c) = self.numbers(params)?;
        let leak = 1 + CaseRng::new(seed).below(n);
        Ok(Box::new(Hidden { n, c, leak }))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let (n, c) = self.numbers(params)?;
        let instance = move |leak| Box::new(Hidden { n, c, leak }) as Box<dyn Instance>;
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
            Ok(leak) => Ok(Box::new(Hidden { n, c, leak })),
            Err(why) => Err(hidden.error(expected, line, &why)),
        }
    }
}

/// Reads a section's number, from a contestant or a case file, or says what is wrong with it.
fn section(word: &[u8], n: u64) -> Result<u64, String> {
    let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
    let inside = number.filter(|i| (1..=n).contains(i));
    inside.ok_or_else(|| format!("{} is not one of the sections 1 to {n}", quote(word)))
}

#[derive(Clone, Copy)]
struct Hidden {
    n: u64,
    c: u64,
    leak: u64,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        format!("{}\n{}\n", self.opening(), self.leak)
    }

    fn opening(&self) -> String {
        format!("leak {} {}", self.n, self.c)
    }

    fn answer(&self) -> Option<String> {
        Some(format!("! {}", self.leak))
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Search {
            hidden: *self,
            at: 1,
            minutes: 0,
        })
    }
}

struct Search {
    hidden: Hidden,
    at: u64,
    minutes: u64,
}

impl Session for Search {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let Hidden { n, c, leak } = self.hidden;
        let malformed = |why| TurnError::Protocol(format!("{why} in {}", quote(line)));
        let words = line.split(u8::is_ascii_whitespace);
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        let (text, done) = match words[..] {
            [b"?", word] => {
                // First what may be refused: a refused line costs nothing, and a person may try another.
                let i = section(word, n).map_err(malformed)?;
                self.minutes += self.at.abs_diff(i) + c;
                self.at = i;
                match leak.cmp(&i) {
                    Ordering::Less => ("<", false),
                    Ordering::Equal => ("=", false),
                    Ordering::Greater => (">", false),
                }
            }
            [b"!", word] => {
                if section(word, n).map_err(malformed)? != leak {
                    let why = format!("{} is wrong, {leak} would have been right", quote(line));
                    return Err(TurnError::WrongAnswer(why));
                }
                self.minutes += 1;
                ("1", true)
            }
            _ => return Err(malformed("expected ? or !, and a section".to_owned())),
        };
        Ok(Reply::new(text).ending(done))
    }

    fn score(&self) -> Score {
        self.minutes.into()
    }
}

#[cfg(test)]
mod tests {
    use tester::problem::parse_case_with;

    use super::LEAK;

    #[test]
    fn what_holds_for_every_problem() {
        tester::testing::check(&LEAK);
    }

    #[test]
    fn example_of_the_statement() {
        let case = parse_case_with(&[&LEAK], "leak 10 3\n7\n").unwrap();
        let mut session = case.start();
        let reply = |line: &str| session.turn(line.as_bytes()).unwrap().text().to_owned();
        let replies = ["? 5", "? 8", "? 7", "! 7"].map(reply);
        assert_eq!(replies, [">", "<", "=", "1"]);
        assert_eq!(session.score(), (4 + 3 + 3 + 3 + 1 + 3 + 1).into());
    }
}
