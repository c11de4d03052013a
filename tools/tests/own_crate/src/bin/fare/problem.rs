//! A stop on a line of N stops: to look at stop i costs i hundredths. Less is better in `fare`, which counts the cost,
//! and more in `purse`, which counts what is left of 10. `forged` does not keep to its own decimals, panics
//! at stop 10 and for seed 13; `purse 39` does not return from stop 39.

use std::cmp::Ordering;
use std::time::Duration;

use tester::problem::rng::{CaseRng, Seed};
use tester::problem::{
    Instance, InstanceError, Instances, Lines, Objective, ParamError, Problem, Reply, Score,
    Session, TurnError,
};

pub static FARE: Line = Line("fare");
pub static PURSE: Line = Line("purse");
pub static FORGED: Line = Line("forged");

/// A problem of this name.
pub struct Line(&'static str);

impl Line {
    fn stops(&self, params: &[&str]) -> Result<u64, ParamError> {
        match params.iter().map(|word| word.parse()).collect::<Vec<_>>()[..] {
            [Ok(n @ 2..=40)] => Ok(n),
            _ => Err(ParamError::new(self, params)),
        }
    }

    fn instance(&self, n: u64, stop: u64) -> Box<dyn Instance> {
        let name = self.0;
        Box::new(Hidden { name, n, stop })
    }
}

impl Problem for Line {
    fn name(&self) -> &'static str {
        self.0
    }

    fn usage(&self) -> &'static str {
        match self.0 {
            "fare" => "fare N with 2 <= N <= 40",
            "purse" => "purse N with 2 <= N <= 40",
            _ => "forged N with 2 <= N <= 40",
        }
    }

    fn about(&self) -> &'static str {
        "A number i from 1 to N costs i hundredths. The reply is `<` if the secret is smaller, `>` if it is greater, \
         and `=`, done."
    }

    fn samples(&self) -> &'static [&'static str] {
        &["2", "10"]
    }

    fn unit(&self) -> &'static str {
        "coin"
    }

    fn objective(&self) -> Objective {
        match self.0 {
            "purse" => Objective::Max,
            _ => Objective::Min,
        }
    }

    fn decimals(&self) -> u8 {
        2
    }

    /// Tests run while the machine is busy, and no test is about time.
    fn time_limit(&self) -> Duration {
        Duration::from_secs(60)
    }

    fn generate(&self, params: &[&str], seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        let n = self.stops(params)?;
        assert!(self.0 != "forged" || seed != Seed(13), "a mistake");
        Ok(self.instance(n, 1 + CaseRng::new(seed).below(n)))
    }

    fn enumerate(&self, params: &[&str]) -> Result<Option<Instances>, ParamError> {
        let (n, line) = (self.stops(params)?, Line(self.0));
        Ok(Some(Box::new(
            (1..=n).map(move |stop| line.instance(n, stop)),
        )))
    }

    fn parse(
        &self,
        params: &[&str],
        hidden: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        let n = self.stops(params).map_err(|e| hidden.refused(e))?;
        let line = hidden.next("a stop")?;
        match line.trim().parse() {
            Ok(stop) if (1..=n).contains(&stop) => Ok(self.instance(n, stop)),
            _ => Err(hidden.error("a stop", line, "no stop")),
        }
    }
}

#[derive(Clone, Copy)]
struct Hidden {
    name: &'static str,
    n: u64,
    stop: u64,
}

impl Instance for Hidden {
    fn to_text(&self) -> String {
        format!("{}\n{}\n", self.opening(), self.stop)
    }

    fn opening(&self) -> String {
        format!("{} {}", self.name, self.n)
    }

    fn answer(&self) -> Option<String> {
        Some(self.stop.to_string())
    }

    fn start(&self) -> Box<dyn Session> {
        let (hidden, cost) = (*self, 0);
        Box::new(Ride { hidden, cost })
    }
}

struct Ride {
    hidden: Hidden,
    /// In hundredths.
    cost: u64,
}

impl Session for Ride {
    fn turn(&mut self, line: &[u8]) -> Result<Reply, TurnError> {
        let Hidden { n, stop, .. } = self.hidden;
        let number = std::str::from_utf8(line).ok().and_then(|w| w.parse().ok());
        let why = || format!("expected a stop from 1 to {n}");
        let number: u64 = number.ok_or_else(|| TurnError::Format(why()))?;
        if !(1..=n).contains(&number) {
            return Err(TurnError::Protocol(why()));
        }
        self.cost += number;
        assert!(self.hidden.name != "forged" || number != 10, "a mistake");
        if self.hidden.name == "purse" && n == 39 && number == 39 {
            loop {
                std::thread::park();
            }
        }
        let reply = match stop.cmp(&number) {
            Ordering::Less => "<",
            Ordering::Equal => "=",
            Ordering::Greater => ">",
        };
        Ok(Reply::new(reply).ending(stop == number))
    }

    fn score(&self) -> Score {
        match self.hidden.name {
            "purse" => Score::new(1000_u64.saturating_sub(self.cost), 2),
            // A mistake of this problem.
            "forged" if self.cost > 0 => self.cost.into(),
            _ => Score::new(self.cost, 2),
        }
    }
}
