//! Plays a strategy against every secret by the judge's own rules. It does not know how strategies are found, nor how any
//! game replies: its result rests on `tester::problem` alone. Two games of other judges are games of ours with a rule more.

use tester::problem::{Instance, ParamError, Spec};

use super::text::{Node, Strategy};

/// The rules that a game of another judge has beyond those of a game of ours.
#[derive(Clone, Copy, PartialEq)]
enum Extra {
    /// None: it is a game of ours.
    None,
    /// `number P K` is `hitblow P K` in which no code begins with 0.
    NoZeroFirst,
    /// `repeats P K` is `mastermind P K` in which the digits of a secret differ.
    SecretDiffers,
}

impl Extra {
    /// The game of ours, and what to add to it.
    fn of(game: &str) -> (String, Self) {
        match game.split_once(' ') {
            Some(("number", size)) => (format!("hitblow {size}"), Self::NoZeroFirst),
            Some(("repeats", size)) => (format!("mastermind {size}"), Self::SecretDiffers),
            _ => (game.to_owned(), Self::None),
        }
    }

    fn may_be_secret(self, instance: &dyn Instance) -> bool {
        let code = instance.answer().unwrap_or_default();
        let digits: Vec<&str> = code.split_whitespace().collect();
        let differ = || (1..digits.len()).all(|i| !digits[..i].contains(&digits[i]));
        match self {
            Self::None => true,
            Self::NoZeroFirst => self.may_be_guessed(&code),
            Self::SecretDiffers => differ(),
        }
    }

    fn may_be_guessed(self, guess: &str) -> bool {
        self != Self::NoZeroFirst || guess.split_whitespace().next() != Some("0")
    }
}

/// The turns of a strategy that finds every secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many secrets there are.
    pub secrets: u64,
    /// The turns of all of them.
    pub total: u64,
    /// The number of secrets by turns, from one turn on.
    pub histogram: Vec<u64>,
}

impl Verified {
    /// Turns on average.
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.secrets as f64
    }

    /// The most turns.
    pub fn worst(&self) -> usize {
        self.histogram.len()
    }
}

/// Why a tree is not a strategy for its game.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// There is no such game, or it has no list of secrets.
    #[error(transparent)]
    Game(#[from] ParamError),
    /// It has no secret at all.
    #[error("expected a game with a secret, found {0}, which has none")]
    NoSecret(String),
    /// A secret is not found.
    #[error("secret {secret}, after {}: expected {expected}, found {found}", path(.guesses))]
    Stuck {
        /// The hidden part of its case.
        secret: String,
        /// What was guessed until then.
        guesses: Vec<String>,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// A branch that no secret takes.
    #[error("after {}: expected replies that some secret gives, found {reply:?}, which none gives", path(.guesses))]
    Unused {
        /// The guesses that lead there.
        guesses: Vec<String>,
        /// The reply.
        reply: String,
    },
}

fn path(guesses: &[String]) -> String {
    match guesses {
        [] => "no guess".to_owned(),
        guesses => guesses.join(", "),
    }
}

/// Plays it against every secret. Cost: about 1 µs a turn.
///
/// # Errors
/// If there is no secret, some secret is not found, some guess breaks the rules, or some branch is never taken.
pub fn verify(strategy: &Strategy) -> Result<Verified, VerifyError> {
    let (ours, extra) = Extra::of(&strategy.game);
    let spec = Spec::parse(&ours)?;
    let mut verified = Verified {
        secrets: 0,
        total: 0,
        histogram: Vec::new(),
    };
    let mut taken = Taken::new(&strategy.root);
    let secrets = spec.enumerate()?;
    for instance in secrets.filter(|instance| extra.may_be_secret(&**instance)) {
        let turns = play(strategy, extra, instance.as_ref(), &mut taken)?;
        verified.secrets += 1;
        verified.total += turns as u64;
        if verified.histogram.len() < turns {
            verified.histogram.resize(turns, 0);
        }
        verified.histogram[turns - 1] += 1;
    }
    if verified.secrets == 0 {
        return Err(VerifyError::NoSecret(strategy.game.clone()));
    }
    taken.all(&strategy.root, &mut Vec::new())?;
    Ok(verified)
}

fn play(
    strategy: &Strategy,
    extra: Extra,
    instance: &dyn Instance,
    taken: &mut Taken,
) -> Result<usize, VerifyError> {
    let (mut node, mut taken) = (&strategy.root, taken);
    let (mut session, mut guesses) = (instance.start(), Vec::new());
    loop {
        let stuck = |guesses: &[String], expected, found| {
            let text = instance.to_text();
            let secret = text.lines().nth(1).unwrap_or_default().to_owned();
            Err(VerifyError::Stuck {
                secret,
                guesses: guesses.to_vec(),
                expected,
                found,
            })
        };
        if !extra.may_be_guessed(&node.guess) {
            let found = format!("{:?}, which begins with 0", node.guess);
            return stuck(&guesses, "a guess that keeps the rules", found);
        }
        let reply = match session.turn(node.guess.as_bytes()) {
            Ok(reply) => reply,
            Err(error) => {
                return stuck(&guesses, "a guess that keeps the rules", error.to_string());
            }
        };
        guesses.push(node.guess.clone());
        if reply.done {
            return Ok(guesses.len());
        }
        let Some(branch) = node
            .then
            .iter()
            .position(|(other, _)| *other == reply.text())
        else {
            return stuck(
                &guesses,
                "a guess for every reply",
                format!("none for {:?}", reply.text()),
            );
        };
        taken.branches[branch].0 = true;
        taken = &mut taken.branches[branch].1;
        node = &node.then[branch].1;
    }
}

/// Which branches some secret has taken.
struct Taken {
    branches: Vec<(bool, Taken)>,
}

impl Taken {
    fn new(node: &Node) -> Self {
        let branches = node.then.iter().map(|(_, node)| (false, Self::new(node)));
        Self {
            branches: branches.collect(),
        }
    }

    fn all(&self, node: &Node, guesses: &mut Vec<String>) -> Result<(), VerifyError> {
        guesses.push(node.guess.clone());
        for ((taken, below), (reply, node)) in self.branches.iter().zip(&node.then) {
            if !taken {
                let (guesses, reply) = (guesses.clone(), reply.clone());
                return Err(VerifyError::Unused { guesses, reply });
            }
            below.all(node, guesses)?;
        }
        guesses.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(tree: &str) -> String {
        let strategy: Strategy = tree.parse().unwrap();
        match verify(&strategy) {
            Ok(verified) => format!("{verified:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn trees_are_played_against_every_secret() {
        // 0: 1 turn, 1: 2, 2: 3.
        insta::assert_snapshot!(said("hitblow 1 3\n> 0\n  0 0 > 1\n    0 0 > 2\n"), @"Verified { secrets: 3, total: 6, histogram: [1, 1, 1] }");
        insta::assert_snapshot!(said("hitblow 1 3\n> 0\n  0 0 > 1\n"), @r#"secret 2, after 0, 1: expected a guess for every reply, found none for "0 0""#);
        insta::assert_snapshot!(said("hitblow 1 3\n> 0\n  0 0 > 7\n"), @"secret 1, after 0: expected a guess that keeps the rules, found 7 is out of range 0 to 2 in \"7\"");
        insta::assert_snapshot!(said("hitblow 1 2\n> 0\n  0 0 > 1\n    0 1 > 0\n"), @r#"after 0, 1: expected replies that some secret gives, found "0 1", which none gives"#);
        // 1: 1 turn, 2: 2; 0 is no number.
        insta::assert_snapshot!(said("number 1 3\n> 1\n  0 0 > 2\n"), @"Verified { secrets: 2, total: 3, histogram: [1, 1] }");
        insta::assert_snapshot!(said("number 1 3\n> 0\n  0 0 > 1\n    0 0 > 2\n"), @r#"secret 1, after no guess: expected a guess that keeps the rules, found "0", which begins with 0"#);
        // The secrets are 01 and 10, and 00 may be guessed: both then take 2 turns or 3.
        insta::assert_snapshot!(said("repeats 2 2\n> 0 0\n  1 0 > 0 1\n    0 2 > 1 0\n"), @"Verified { secrets: 2, total: 5, histogram: [0, 1, 1] }");
        insta::assert_snapshot!(said("number 1 1\n> 1\n"), @"expected a game with a secret, found number 1 1, which has none");
        insta::assert_snapshot!(said("repeats 2 1\n> 0 0\n"), @"expected a game with a secret, found repeats 2 1, which has none");
        insta::assert_snapshot!(said("chess 8 8\n> e4\n"), @r#"expected a problem such as "hitblow 3 10", found "chess 8 8""#);
    }
}
