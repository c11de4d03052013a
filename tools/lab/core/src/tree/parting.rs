//! Where two strategies part, and what each turn tells: both by a walk level by level.

use std::collections::VecDeque;

use super::walk::split;
use crate::policy::{Node, Policy};
use crate::solver::bayes::{Posterior, entropy_bits};
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CodeId, Codes, Feedback, Replies};

/// A position of a tree with at least two candidates: what was guessed and replied, and what is possible.
#[derive(Clone)]
pub struct Position {
    /// The guesses so far with their replies.
    pub rows: Vec<(CodeId, Feedback)>,
    /// What is known.
    pub posterior: Posterior,
    named: [bool; MAX_DIGITS],
}

impl Position {
    fn root(codes: &Codes) -> Self {
        Self {
            rows: vec![],
            posterior: Posterior::uniform(codes.len()),
            named: [false; MAX_DIGITS],
        }
    }

    fn guess(&self, codes: &Codes, policy: &dyn Policy) -> CodeId {
        policy.choose(&mut Node {
            codes,
            posterior: &self.posterior,
            named: &self.named,
            rows: &self.rows,
            evaluated: &mut 0,
        })
    }

    /// The positions after a guess that did not end the game, in ascending order of the reply's cell.
    fn after(&self, codes: &Codes, guess: CodeId) -> impl Iterator<Item = Self> {
        let mut named = self.named;
        for &digit in codes.digits(guess) {
            named[usize::from(digit)] = true;
        }
        let rows = self.rows.clone();
        split(codes, &self.posterior, guess)
            .into_iter()
            .filter(move |(_, left)| left.support() != [guess])
            .map(move |(reply, posterior)| {
                let rows = rows.iter().copied().chain([(guess, reply)]).collect();
                Self {
                    rows,
                    posterior,
                    named,
                }
            })
    }
}

/// Where two strategies first take different guesses.
pub struct Parting {
    /// The position, which both reach.
    pub position: Position,
    /// What each takes there.
    pub guesses: [CodeId; 2],
}

/// The first position, turn by turn and in the order of replies, where two strategies take different guesses; `None`
/// if they play alike. Cost: that of both trees.
pub fn parting(codes: &Codes, policies: [&dyn Policy; 2]) -> Option<Parting> {
    let mut left = VecDeque::from([Position::root(codes)]);
    while let Some(position) = left.pop_front() {
        if position.posterior.support().len() < 2 {
            continue;
        }
        let guesses = policies.map(|policy| position.guess(codes, policy));
        if guesses[0] != guesses[1] {
            return Some(Parting { position, guesses });
        }
        left.extend(position.after(codes, guesses[0]));
    }
    None
}

/// A turn of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What was guessed.
    pub guess: CodeId,
    /// The probability that the guess is right, before its reply.
    pub right: f64,
    /// Mutual information of the reply and the secret, in bits, before the reply.
    pub bits: f64,
    /// What was replied.
    pub reply: Feedback,
    /// How many candidates that leaves, the guess included if it was right.
    pub left: usize,
}

/// The game of a strategy for one secret. A single candidate is declared without asking the strategy.
///
/// # Panics
/// If the strategy guesses a code that tells nothing, again and again.
pub fn game(codes: &Codes, policy: &dyn Policy, secret: CodeId) -> Vec<Row> {
    let (mut position, mut rows) = (Position::root(codes), Vec::new());
    loop {
        let guess = match position.posterior.support() {
            &[only] => only,
            _ => position.guess(codes, policy),
        };
        let reply = Replies::new(codes, guess).feedback(secret);
        let right = position.posterior.probability(guess);
        let bits = bits_told(&split(codes, &position.posterior, guess));
        let after = position
            .after(codes, guess)
            .find(|next| next.posterior.support().contains(&secret));
        let left = after
            .as_ref()
            .map_or(1, |next| next.posterior.support().len());
        rows.push(Row {
            guess,
            right,
            bits,
            reply,
            left,
        });
        match after {
            Some(next) => position = next,
            None => return rows,
        }
        assert!(
            rows.len() <= codes.len(),
            "a guess that tells nothing is repeated"
        );
    }
}

/// The mean information of a reply that parts equally likely secrets so, in bits.
fn bits_told(parts: &[(Feedback, Posterior)]) -> f64 {
    let sizes = parts.iter().map(|(_, part)| part.support().len() as f64);
    let all: f64 = sizes.clone().sum();
    entropy_bits(sizes.map(|size| size / all))
}

/// What a turn tells: how many of the secrets have it, and the mean of its information in bits over those.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnBits {
    /// The secrets whose game has this turn.
    pub secrets: usize,
    /// Mutual information of the reply and the secret, on average.
    pub bits: f64,
}

/// What each turn of a strategy tells, from the first on, if all secrets are equally likely. Weighed by `secrets`,
/// the bits add up to the entropy of the prior. Cost: that of the tree.
///
/// # Panics
/// If the strategy guesses a code that tells nothing.
pub fn bits_by_turn(codes: &Codes, policy: &dyn Policy) -> Vec<TurnBits> {
    let mut turns: Vec<TurnBits> = Vec::new();
    let mut left = VecDeque::from([Position::root(codes)]);
    while let Some(position) = left.pop_front() {
        let (turn, n) = (position.rows.len(), position.posterior.support().len());
        if turns.len() <= turn {
            turns.push(TurnBits::default());
        }
        turns[turn].secrets += n;
        if n < 2 {
            continue; // it is declared, and tells nothing
        }
        let guess = position.guess(codes, policy);
        let parts = split(codes, &position.posterior, guess);
        assert!(parts.len() > 1, "a guess that tells nothing");
        turns[turn].bits += n as f64 * bits_told(&parts);
        left.extend(position.after(codes, guess));
    }
    for turn in &mut turns {
        turn.bits /= turn.secrets as f64;
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use crate::policy::{Options, Tie, select};
    use crate::tree::outcome;

    fn mi(tie: Tie) -> Box<dyn Policy> {
        let options = Options {
            tie: Some(tie),
            ..Options::default()
        };
        (select("mi", &options).unwrap().build)(&options)
    }

    #[test]
    fn a_strategy_plays_like_itself() {
        let codes = game::codes("hitblow 3 6").unwrap();
        let [a, b] = [mi(Tie::First), mi(Tie::First)];
        assert!(parting(&codes, [&*a, &*b]).is_none());
    }

    #[test]
    fn where_two_part_their_guesses_differ_and_before_they_are_the_same() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let [a, b] = [mi(Tie::First), mi(Tie::Candidate)];
        let found = parting(&codes, [&*a, &*b]).unwrap();
        assert_ne!(found.guesses[0], found.guesses[1]);
        // Each row is what both would guess there, and the candidates are those that explain all rows.
        let mut position = Position::root(&codes);
        for &(guess, reply) in &found.position.rows {
            assert_eq!(position.guess(&codes, &*a), guess);
            assert_eq!(position.guess(&codes, &*b), guess);
            let next = position
                .after(&codes, guess)
                .find(|next| next.rows.last() == Some(&(guess, reply)));
            position = next.unwrap();
        }
        assert_eq!(
            position.posterior.support(),
            found.position.posterior.support()
        );
        let explains = |&secret: &CodeId| {
            let rows = &found.position.rows;
            rows.iter()
                .all(|&(guess, reply)| Replies::new(&codes, guess).feedback(secret) == reply)
        };
        let slow: Vec<CodeId> = (0..codes.len() as CodeId).filter(explains).collect();
        assert_eq!(found.position.posterior.support(), slow);
    }

    #[test]
    fn bits_of_all_turns_are_the_entropy_of_the_prior() {
        for name in ["hitblow 3 10", "mastermind 3 5"] {
            let codes = game::codes(name).unwrap();
            let policy = mi(Tie::Candidate);
            let turns = bits_by_turn(&codes, &*policy);
            let all: f64 = turns
                .iter()
                .map(|turn| turn.bits * turn.secrets as f64)
                .sum();
            let n = codes.len() as f64;
            assert!((all / n - n.log2()).abs() < 1e-9, "{name}: {all}");
            let played = outcome(&codes, &Posterior::uniform(codes.len()), &*policy);
            let had: Vec<usize> = turns.iter().map(|turn| turn.secrets).collect();
            let longer = (0..played.turns.len())
                .map(|turn| played.turns[turn..].iter().sum::<u64>() as usize);
            assert_eq!(had, longer.collect::<Vec<_>>(), "{name}");
        }
    }
}
