//! Play that is proved optimal: of all strategies, one that costs least.
//!
//! - `space`: the codes, and the answers between them
//! - `bounds`: what so many candidates cost at least
//! - `symmetry`: sets and guesses that differ in names only
//! - `guesses`: those worth trying, in bags
//! - `words`: what many guesses cost at least, counted at once
//! - `memo`: what is known of sets that were met before
//! - `search`: branch and bound over all that
//!
//! `docs/optimal.md` explains it, and why it is a proof.

use std::sync::atomic::AtomicBool;

use crate::solver::{CodeId, Codes};
use crate::strategy::{Node, Strategy};

mod bounds;
mod guesses;
mod memo;
mod search;
mod space;
mod symmetry;
mod words;

use bounds::{ANY, Bounds, Cap, IMPOSSIBLE};
use search::{Cells, Search, Want};
use space::{Id, Space};

/// What is to be least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The mean; and of all strategies with that mean, the worst case.
    Mean,
    /// The worst case.
    Worst,
    /// The worst case; and of all strategies with that worst case, the mean.
    WorstThenMean,
}

/// A strategy with which the objective is least, and its figures.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Turns over all secrets.
    pub total: u64,
    /// The most turns.
    pub worst: usize,
    /// By turns, from one on: how many secrets take so many.
    pub histogram: Vec<u64>,
    /// The strategy.
    pub strategy: Strategy,
    /// Sets for which guesses were tried.
    pub nodes: u64,
    /// Sets that were remembered at the end.
    pub sets: usize,
}

/// A game that is not searched.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected at most {} codes and {} places, found {codes} and {places}",
    space::MAX_CODES,
    space::MAX_PLACES
)]
pub struct TooLarge {
    codes: usize,
    places: usize,
}

/// Finds a strategy that is optimal, by trying everything that is not proved to be worse.
///
/// Cost: from microseconds to for ever. The least mean of `hitblow 4 10` takes some ten seconds. A least worst
/// case takes much longer than a least mean: that there is none lower is proved by trying nearly everything.
///
/// # Errors
/// If the game is too large even to begin.
pub fn find(codes: &Codes, objective: Objective) -> Result<Optimum, TooLarge> {
    let stop = AtomicBool::new(false);
    let places = codes.game.places;
    if codes.len() > space::MAX_CODES || places > space::MAX_PLACES {
        return Err(TooLarge {
            codes: codes.len(),
            places,
        });
    }
    let space = Space::new(codes);
    let finder = Finder {
        codes,
        space: &space,
        all: (0..codes.len() as Id).collect(),
        stop: &stop,
    };
    Ok(match objective {
        Objective::Mean => finder.least_mean(),
        Objective::Worst => finder.least_worst(),
        Objective::WorstThenMean => finder.least_mean_with_least_worst(),
    })
}

struct Finder<'a> {
    codes: &'a Codes,
    space: &'a Space,
    all: Vec<Id>,
    stop: &'a AtomicBool,
}

impl Finder<'_> {
    fn least_mean(&self) -> Optimum {
        let search = Search::new(self.space, Want::Least, self.stop);
        let cost = search.least(&self.all, ANY, IMPOSSIBLE).unwrap();
        // Other strategies with that total may never take so long.
        let mut cap = ANY;
        let mut worst = cost.worst;
        loop {
            let lower = worst - 1;
            let other = search.least(&self.all, lower, cost.total + 1).unwrap();
            if other.total > cost.total {
                break;
            }
            cap = lower;
            worst = other.worst;
        }
        self.optimum(&search, cap)
    }

    fn least_worst(&self) -> Optimum {
        let search = Search::new(self.space, Want::Any, self.stop);
        let cap = self.lowest_cap(&search);
        self.optimum(&search, cap)
    }

    fn least_mean_with_least_worst(&self) -> Optimum {
        let cap = self.lowest_cap(&Search::new(self.space, Want::Any, self.stop));
        let search = Search::new(self.space, Want::Least, self.stop);
        search.least(&self.all, cap, IMPOSSIBLE).unwrap();
        self.optimum(&search, cap)
    }

    /// The lowest cap that can be kept.
    fn lowest_cap(&self, search: &Search<'_>) -> Cap {
        let bounds = Bounds::new(self.all.len(), self.space.win());
        let feasible = |&cap: &Cap| bounds.least(self.all.len(), cap) < IMPOSSIBLE;
        let mut caps = (1..ANY).filter(feasible);
        let found = caps.find(|&cap| search.least(&self.all, cap, IMPOSSIBLE).unwrap().total < IMPOSSIBLE);
        found.expect("guessing one code after the other ends")
    }

    /// The strategy that was found within a cap.
    fn optimum(&self, search: &Search<'_>, cap: Cap) -> Optimum {
        let mut histogram = Vec::new();
        let root = self.node(search, &self.all, cap, &mut histogram, 0);
        let game = &self.codes.game;
        let name = if game.distinct {
            "hitblow"
        } else {
            "mastermind"
        };
        Optimum {
            total: (1..)
                .zip(&histogram)
                .map(|(turns, count): (u64, &u64)| turns * count)
                .sum(),
            worst: histogram.len(),
            histogram,
            strategy: Strategy {
                game: format!("{name} {} {}", game.places, game.digits),
                root,
            },
            nodes: search.nodes(),
            sets: search.sets(),
        }
    }

    fn node(
        &self,
        search: &Search<'_>,
        set: &[Id],
        cap: Cap,
        histogram: &mut Vec<u64>,
        depth: usize,
    ) -> Node {
        // Where names were drawn otherwise, it may have to be searched again.
        search.least(set, cap, IMPOSSIBLE).unwrap();
        let guess = search.remembered(set, cap);
        let guess = guess.expect("what was searched is remembered");
        if histogram.len() <= depth {
            histogram.resize(depth + 1, 0);
        }
        histogram[depth] += u64::from(set.contains(&guess));
        let cap = bounds::next(cap);
        let cells = Cells::new(self.space, set, guess);
        let mut then: Vec<(u8, Node)> = Vec::new();
        for (answer, cell) in cells.by_answer() {
            then.push((
                answer,
                self.node(search, cell, cap, histogram, depth + 1),
            ));
        }
        then.sort_by_key(|(answer, _)| *answer);
        let replies = then
            .into_iter()
            .map(|(answer, node)| (self.reply(answer), node));
        Node {
            guess: self.typed(guess),
            then: replies.collect(),
        }
    }

    fn typed(&self, guess: Id) -> String {
        let digits = self.codes.digits(CodeId::from(guess)).iter();
        digits.map(u8::to_string).collect::<Vec<_>>().join(" ")
    }

    fn reply(&self, answer: u8) -> String {
        let (hits, common) = self.space.other_answers()[usize::from(answer)];
        format!("{hits} {}", common - hits)
    }
}
