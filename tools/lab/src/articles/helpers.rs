//! Games, codes, outcomes and transcripts by their names in the articles.

use std::sync::Mutex;

use crate::game;
use crate::game::observations::{parse_observation, posterior};
use crate::policy::Outcome;
use crate::policy::{Node, Options, Policy, Pool, Tie, select};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes, Feedback, Scorer};
use crate::tree;

/// The codes of a game that is known to exist.
pub(super) fn codes(name: &str) -> Codes {
    game::codes(name).expect("a game of the articles")
}

/// The code of a text that is known to be one.
pub(super) fn code(codes: &Codes, text: &str) -> CodeId {
    game::find(codes, text).expect("a code of the articles")
}

/// A policy of the list, which takes these options.
pub(super) fn policy(name: &str, options: &Options) -> Box<dyn Policy> {
    (select(name, options).expect("a policy of the list").build)(options)
}

/// Options of a greedy policy whose ties go to the first.
pub(super) fn first_of(pool: Pool) -> Options {
    Options {
        pool: Some(pool),
        tie: Some(Tie::First),
        ..Options::default()
    }
}

/// The outcome of a policy with what was typed for it, over all secrets.
pub(super) fn outcome(codes: &Codes, name: &str, options: &Options) -> Outcome {
    let factory = select(name, options).expect("a policy of the list");
    tree::outcome_of(factory, &*(factory.build)(options), codes)
}

/// A policy that remembers how many candidates each of its positions has.
struct Sizes<'a> {
    policy: &'a dyn Policy,
    sizes: Mutex<Vec<u64>>,
}

impl Policy for Sizes<'_> {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let size = node.posterior.support().len() as u64;
        self.sizes.lock().expect("no thread panics").push(size);
        self.policy.choose(node)
    }
}

/// How many candidates are left in each position of a policy's tree that leaves at least two.
pub(super) fn position_sizes(codes: &Codes, policy: &dyn Policy) -> Vec<u64> {
    let sizes = Sizes {
        policy,
        sizes: Mutex::default(),
    };
    tree::outcome(codes, &Posterior::uniform(codes.len()), &sizes);
    sizes.sizes.into_inner().expect("no thread panics")
}

/// `5.15, worst 8`
pub(super) fn mean_and_worst(outcome: &Outcome) -> String {
    let turns = outcome.all_turns();
    format!("{:.2}, worst {}", turns.mean, turns.worst)
}

/// How many secrets take one turn, two, and so on.
pub(super) fn distribution(outcome: &Outcome) -> String {
    joined(&outcome.turns, " ")
}

/// A game of `policy` for one secret: each guess with its reply and the candidates left, such as
/// `012 0H1B 252`.
pub(super) fn transcript(codes: &Codes, policy: &dyn Policy, secret: CodeId) -> String {
    let line = |row: &tree::Row| {
        let (shown, reply) = (game::show(codes, row.guess), row.reply);
        format!("{shown} {}H{}B {}", reply.hits, reply.blows, row.left)
    };
    let lines: Vec<String> = tree::game(codes, policy, secret).iter().map(line).collect();
    lines.join(", ")
}

/// What is known after some replies, such as `012:0,1`.
pub(super) struct Scene {
    pub(super) codes: Codes,
    pub(super) posterior: Posterior,
}

impl Scene {
    pub(super) fn new(problem: &str, rows: &[&str]) -> Self {
        let codes = codes(problem);
        let read = |row: &&str| parse_observation(&codes, row).expect("a row of the article");
        let rows: Vec<_> = rows.iter().map(read).collect();
        let posterior = posterior(&codes, &Posterior::uniform(codes.len()), &rows);
        Self { codes, posterior }
    }

    /// The number of candidates.
    pub(super) fn candidates(&self) -> usize {
        self.posterior.support().len()
    }

    /// The information of a guess, in bits.
    pub(super) fn bits(&self, guess: &str) -> f64 {
        self.with_scorer(|scorer| scorer.mutual_information_bits(code(&self.codes, guess)))
    }

    /// The largest information of any guess, and the guesses that have it.
    pub(super) fn tops(&self) -> (f64, Vec<CodeId>) {
        self.with_scorer(|scorer| {
            let all = 0..self.codes.len() as CodeId;
            let bits: Vec<f64> = all
                .map(|guess| scorer.mutual_information_bits(guess))
                .collect();
            let most = bits.iter().copied().fold(0.0, f64::max);
            let is_top = |guess: &CodeId| bits[*guess as usize] > most - 1e-9;
            (
                most,
                (0..self.codes.len() as CodeId).filter(is_top).collect(),
            )
        })
    }

    /// How many candidates each possible reply to a guess leaves, fewest hits first.
    pub(super) fn parts(&self, guess: &str) -> Vec<(Feedback, u32)> {
        self.with_scorer(|scorer| {
            scorer.count(code(&self.codes, guess));
            let places = self.codes.game.places;
            let cells = scorer
                .counts
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > 0);
            let mut parts: Vec<(Feedback, u32)> = cells
                .map(|(cell, &count)| (Feedback::from_cell(cell, places), count))
                .collect();
            parts.sort_unstable();
            parts
        })
    }

    /// The same numbers, largest first.
    pub(super) fn sizes(&self, guess: &str) -> String {
        let mut sizes: Vec<u32> = self.parts(guess).iter().map(|part| part.1).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        joined(&sizes, " ")
    }

    /// `0H0B 8, 0H1B 10`
    pub(super) fn shown_parts(&self, guess: &str) -> String {
        let show = |(reply, n): &(Feedback, u32)| format!("{}H{}B {n}", reply.hits, reply.blows);
        let parts: Vec<String> = self.parts(guess).iter().map(show).collect();
        parts.join(", ")
    }

    fn with_scorer<T>(&self, of: impl FnOnce(&mut Scorer<'_>) -> T) -> T {
        let all: Vec<usize> = (0..self.candidates()).collect();
        of(&mut Scorer::new(&self.codes, &self.posterior, &all))
    }
}

/// Values with a text between them.
pub(super) fn joined<T: ToString>(values: &[T], between: &str) -> String {
    let words: Vec<String> = values.iter().map(T::to_string).collect();
    words.join(between)
}

/// Whether a claim holds.
pub(super) fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}
