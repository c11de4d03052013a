//! `liar`: at most one reply is false.

use std::time::Instant;

use super::adapter::{Adapter, Player, PolicyEntry, SelectedPolicy};
use crate::policy::PolicyOption;
use crate::solver::bayes::Posterior;
use crate::solver::liar::{Ending, LiarSolver, Rules};
use crate::solver::pegs::{CodeId, Codes, Feedback, Game, Policy};
use crate::solver::search::Solver;

const POLICIES: [PolicyEntry; 4] = [
    PolicyEntry::new("map", "the most probable code", &[]),
    PolicyEntry::new(
        "mi",
        "most mutual information, with a bonus for the right guess",
        HIT_BONUS,
    ),
    PolicyEntry::new("solver", "as ./solver plays: mi with its usual bonus", &[]),
    PolicyEntry::new(
        "twice",
        "as ./solver plays hitblow, but asks twice, and a third time if the replies differ",
        &[],
    ),
];
const HIT_BONUS: &[PolicyOption] = &[PolicyOption::HitBonus];

pub(super) struct Liar;

impl Adapter for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn policies(&self) -> Vec<PolicyEntry> {
        POLICIES.to_vec()
    }

    fn player(
        &self,
        params: &[&str],
        policy: &SelectedPolicy,
        _case: u64,
    ) -> Result<Box<dyn Player>, String> {
        let game = game(params)?;
        let solver = |policy| -> Result<Box<dyn Player>, String> {
            let solver = LiarSolver::new(Rules::new(game, Ending::RightGuess)?, policy);
            let guess = Vec::new();
            Ok(Box::new(SolverPlayer { solver, guess }))
        };
        match policy.entry.name {
            "map" => solver(Policy::Map),
            "mi" => solver(Policy::Mi {
                hit_bonus: policy.options.hit_bonus.unwrap_or(0.0),
            }),
            "twice" => Ok(Box::new(Twice::new(game))),
            _ => solver(Policy::Optimal),
        }
    }
}

/// The game of the words after the problem's name, which the judge has accepted.
pub(super) fn game(params: &[&str]) -> Result<Game, String> {
    let number = |word: &&str| word.parse().unwrap_or(0);
    let numbers: Vec<usize> = params.iter().map(number).collect();
    let &[places, digits] = &numbers[..] else {
        return Err(format!("expected places and digits, found {params:?}"));
    };
    Game::new("liar", places, digits)
}

fn write(code: &[u8]) -> String {
    let words: Vec<String> = code.iter().map(u8::to_string).collect();
    words.join(" ")
}

fn read(reply: &str) -> Result<Feedback, String> {
    let numbers = reply.split_once(' ');
    let numbers = numbers.and_then(|(h, b)| Some((h.parse().ok()?, b.parse().ok()?)));
    let (hits, blows) =
        numbers.ok_or_else(|| format!("expected hits and blows, found {reply:?}"))?;
    Ok(Feedback { hits, blows })
}

/// The solver's own choice.
struct SolverPlayer {
    solver: LiarSolver,
    guess: Vec<u8>,
}

impl Player for SolverPlayer {
    fn line(&mut self) -> Result<String, String> {
        self.guess = self.solver.guess()?.0;
        Ok(write(&self.guess))
    }

    fn learn(&mut self, reply: &str) -> Result<(), String> {
        self.solver.learn(&self.guess, read(reply)?)
    }
}

/// Plays as if there were no lie, but believes a reply only when it comes for the second time. Once the lie is known,
/// it asks once.
pub(super) struct Twice {
    codes: Codes,
    /// Guesses, and replies that are certain.
    history: Vec<(CodeId, Feedback)>,
    guess: CodeId,
    /// Replies to the current guess.
    replies: Vec<Feedback>,
    lie_is_known: bool,
}

impl Twice {
    fn new(game: Game) -> Self {
        Self {
            codes: Codes::new(game),
            history: Vec::new(),
            guess: 0,
            replies: Vec::new(),
            lie_is_known: false,
        }
    }
}

/// What the solver guesses in a game without lies after these replies.
pub(super) fn truthful_guess(codes: &Codes, history: &[(CodeId, Feedback)]) -> CodeId {
    let prior = Posterior::uniform(codes.len());
    let mut solver = Solver::new(codes, prior, Policy::Optimal, Instant::now());
    for &(guess, reply) in history {
        solver.learn(guess, reply);
    }
    solver.guess()
}

impl Player for Twice {
    fn line(&mut self) -> Result<String, String> {
        if self.replies.is_empty() {
            self.guess = truthful_guess(&self.codes, &self.history);
        }
        Ok(write(self.codes.digits(self.guess)))
    }

    fn learn(&mut self, reply: &str) -> Result<(), String> {
        let reply = read(reply)?;
        let certain = self.lie_is_known || self.replies.contains(&reply);
        if certain {
            // Of three replies that are not all equal, one was the lie.
            self.lie_is_known |= self.replies.len() == 2;
            self.replies.clear();
            self.history.push((self.guess, reply));
        } else {
            self.replies.push(reply);
        }
        match self.replies.len() {
            3 => Err("three different replies to one guess: more than one lie".to_owned()),
            _ => Ok(()),
        }
    }
}
