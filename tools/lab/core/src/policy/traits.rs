//! What a policy is, and what it sees of a game.

use super::options::{Options, PolicyOption};
use super::outcome::Outcome;
use crate::solver::bayes::Posterior;
use crate::solver::limits::MAX_DIGITS;
use crate::solver::pegs::{CELLS, CodeId, Codes, Feedback};

/// A node of the tree: what was guessed and what is still possible.
pub struct Node<'a> {
    /// All codes.
    pub codes: &'a Codes,
    /// The probabilities of secrets.
    pub posterior: &'a Posterior,
    /// Which digits the guesses so far have named.
    pub named: &'a [bool; MAX_DIGITS],
    /// The guesses so far, with their replies.
    pub rows: &'a [(CodeId, Feedback)],
    /// Replies of single candidates that were evaluated, for the benchmark line.
    pub evaluated: &'a mut u64,
}

/// A strategy: a guess for every node.
pub trait Policy: Sync {
    /// The guess. There is always a candidate; a single one is declared without asking.
    fn choose(&self, node: &mut Node<'_>) -> CodeId;
}

/// How a guess splits the candidates, as a score sees it.
pub struct Cells<'a> {
    /// How many candidates give each reply.
    pub counts: &'a [u32; CELLS],
    /// Their weights; `None` if all weigh the same.
    pub weights: Option<&'a [f64; CELLS]>,
    /// The replies that the game has.
    pub replies: &'a [usize],
    /// The reply to the right guess.
    pub win: usize,
    /// How many candidates there are.
    pub candidates: usize,
    /// n · log2 n, for every number of candidates.
    pub n_log_n: &'a [f64],
}

/// A number for how a guess splits the candidates; the largest is best.
pub trait Score: Sync {
    /// The score.
    fn score(&self, cells: &Cells<'_>) -> f64;

    /// A score that no guess among `n` equally likely candidates can exceed: the score of a guess that tells all of
    /// them apart, and is a candidate itself (`may_hit`) or not. A guess that reaches it ends the search.
    fn bound(&self, n: usize, may_hit: bool) -> f64;
}

/// Makes a score from the options.
pub type ScoreFactory = fn(&Options) -> Box<dyn Score>;

/// A policy by name, with the options that it takes.
pub struct PolicyFactory {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its description in one line.
    pub about: &'static str,
    /// Which of the options it takes.
    pub takes: &'static [PolicyOption],
    /// The policy with these options; only those that it takes are set.
    pub build: fn(&Options) -> Box<dyn Policy>,
    /// Its score, if it looks only at how a question splits the candidates: then it can choose any question, not only a
    /// guess.
    pub score: Option<ScoreFactory>,
    /// Its outcome, for a policy without a tree.
    pub outcome: Option<fn(&Codes) -> Outcome>,
}

impl PolicyFactory {
    /// A policy that takes a guess in a way of its own.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        takes: &'static [PolicyOption],
        build: fn(&Options) -> Box<dyn Policy>,
    ) -> Self {
        Self {
            name,
            about,
            takes,
            build,
            score: None,
            outcome: None,
        }
    }
}
