//! What to search for, how, and what comes out.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::checkpoint::Checkpoint;
use super::space::{MAX_CODES, MAX_PLACES, TOKENS};
use crate::solver::pegs::{CodeId, Codes};
use crate::strategy::Strategy;

/// What to minimize.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The mean, then the worst case among strategies with that mean.
    MeanThenWorst,
    /// The worst case, then the mean among strategies with that worst case.
    WorstThenMean,
}

/// A strategy, and what was proved of it.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Turns over all secrets.
    pub total: u64,
    /// The most turns.
    pub worst: usize,
    /// The number of secrets by turns, from one turn on.
    pub histogram: Vec<u64>,
    /// No strategy has a lower total. (If a worst case must be kept, the strategy may have a higher one.)
    pub least_total: u64,
    /// Whether the search was done: then the objective is least with this strategy.
    pub proved: bool,
    /// Whether everything was searched that was asked for: all, the [`Part`], or within [`Options::width`].
    pub finished: bool,
    /// The strategy.
    pub strategy: Strategy,
    /// Sets for which guesses were tried, or counted.
    pub nodes: u64,
    /// Sets that were remembered at the end.
    pub sets: usize,
}

impl Optimum {
    /// A strategy with its number of secrets by turns, of which nothing is proved.
    pub(super) fn unproved(strategy: Strategy, histogram: Vec<u64>) -> Self {
        Self {
            total: (1..).zip(&histogram).map(|(t, n): (u64, _)| t * n).sum(),
            worst: histogram.len(),
            histogram,
            least_total: 0,
            proved: false,
            finished: false,
            strategy,
            nodes: 0,
            sets: 0,
        }
    }
}

/// A game that is not searched.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected at most {} codes, {} places, and {} places times digits, found {codes}, {places} and {tokens}",
    MAX_CODES,
    MAX_PLACES,
    TOKENS
)]
pub struct TooLarge {
    codes: usize,
    places: usize,
    tokens: usize,
}

impl TooLarge {
    /// Whether a game can be searched.
    pub(super) fn check(codes: &Codes) -> Result<(), Self> {
        let places = codes.game.places;
        let (codes, tokens) = (codes.len(), places * codes.game.digits);
        match codes > MAX_CODES || places > MAX_PLACES || tokens > TOKENS {
            true => Err(Self {
                codes,
                places,
                tokens,
            }),
            false => Ok(()),
        }
    }
}

/// The bounds of a search that is running.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// No strategy has a lower total.
    pub lower: u64,
    /// Some strategy has this total.
    pub upper: u64,
    /// Sets for which guesses were tried, or counted.
    pub nodes: u64,
    /// How long it has been running.
    pub elapsed: Duration,
}

/// How to search.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// How many threads; 0 for one. With one, the same strategy is found every time.
    pub threads: usize,
    /// When it becomes true, the best strategy so far is returned.
    pub stop: Option<&'a AtomicBool>,
    /// After this time it is, too. [`Options::stop`], if there is one, becomes true then.
    pub limit: Option<Duration>,
    /// Called after a second, and then at ever longer intervals.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Techniques to leave out, to measure their effect.
    pub without: Without,
    /// The codes that may be the secret, ascending; all unless given.
    pub secrets: Option<&'a [CodeId]>,
    /// What is known before, and where results are kept.
    pub keep: Option<&'a Keep<'a>>,
    /// Search a part only, for [`Options::keep`].
    pub part: Option<Part>,
    /// Try only this many guesses of each set, those that usually cost least: a good mean soon, and no proof.
    pub width: Option<usize>,
}

/// Results of earlier searches, and a place for those of this one.
pub struct Keep<'a> {
    /// The game, as trees name it.
    pub game: &'a str,
    /// What is known before.
    pub known: &'a [Checkpoint],
    /// How often results are saved; at the end they always are.
    pub every: Duration,
    /// Saves them. It is called from another thread while the search goes on.
    pub save: &'a (dyn Fn(&Checkpoint) + Sync),
}

/// A part of a search: of the sets that the first guesses leave, sorted by size, every `of`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which, from 1 on.
    pub number: usize,
    /// Of how many parts.
    pub of: usize,
}

/// Techniques that can be left out. The result stays right.
#[derive(Clone, Copy, Debug, Default)]
pub struct Without {
    /// Remember nothing.
    pub memo: bool,
    /// Remember sets as they are, not in normal form.
    pub names: bool,
    /// Try guesses that differ only in digits that can be exchanged.
    pub classes: bool,
    /// Try guesses that a symmetry of the set takes into each other.
    pub symmetries: bool,
    /// Count every guess by itself, not bag by bag.
    pub bags: bool,
    /// Count candidates one by one, not as bits of words.
    pub words: bool,
    /// Solve the cells of a guess one by one, without a look at all of them first.
    pub looks: bool,
    /// Solve cells before the bounds of the others are raised to their first levels.
    pub levels: bool,
}
