//! Play that is proved optimal: of all strategies, one that costs least.
//!
//! - `space`: the codes, and the answers between them
//! - `bounds`: what so many candidates cost at least
//! - `symmetry`: sets that differ in names only
//! - `guesses`: those that are worth trying on a set, in bags
//! - `words`, `cells`: into how many cells a guess splits a set, counted for many guesses at once
//! - `memo`: what is known of sets that were met before
//! - `claims`: which sets another thread is solving
//! - `search`, `node`: branch and bound over all that
//! - `floor`: lower bounds, told while the search goes on
//! - `plan`: which searches an objective needs, and the strategy that they found
//!
//! Each uses only those above it (`node` and `cells` belong to `search`). `docs/optimal.md` explains it, and
//! why it is a proof.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::solver::pegs::Codes;
use crate::strategy::Strategy;

mod bounds;
mod cells;
mod claims;
mod floor;
mod guesses;
mod memo;
mod node;
mod plan;
mod search;
mod space;
mod symmetry;
mod words;

use plan::Plan;
use space::Space;

/// What is to be least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The mean; and of all strategies with that mean, the worst case.
    MeanThenWorst,
    /// The worst case; and of all strategies with that worst case, the mean.
    WorstThenMean,
}

/// A strategy, and what was proved of it.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Turns over all secrets.
    pub total: u64,
    /// The most turns.
    pub worst: usize,
    /// By turns, from one on: how many secrets take so many.
    pub histogram: Vec<u64>,
    /// No strategy has a lower total. (With a worst case to keep, those without it may.)
    pub least_total: u64,
    /// Whether the search was done: then the objective is least with this strategy.
    pub proved: bool,
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
    "expected at most {} codes, {} places, and {} places times digits, found {codes}, {places} and {tokens}; larger games are played, not proved (lab policy mi)",
    space::MAX_CODES,
    space::MAX_PLACES,
    space::TOKENS
)]
pub struct TooLarge {
    codes: usize,
    places: usize,
    tokens: usize,
}

/// How a search goes on.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// No strategy has a lower total.
    pub lower: u64,
    /// Some strategy has this total.
    pub upper: u64,
    /// Sets for which guesses were tried.
    pub nodes: u64,
    /// How long it has been going on.
    pub elapsed: Duration,
}

/// How to search.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// How many threads; 0 for one. With one, the same strategy is found every time.
    pub threads: usize,
    /// When it becomes true, what was found so far is returned.
    pub stop: Option<&'a AtomicBool>,
    /// Called after a second, and then at ever longer intervals.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Which techniques are left out, to measure what they give.
    pub without: Without,
}

/// Techniques that can be left out. What is found stays right.
#[derive(Clone, Copy, Debug, Default)]
pub struct Without {
    /// Remember nothing.
    pub memo: bool,
    /// Remember sets as they are, not in normal form.
    pub names: bool,
    /// Try guesses that differ only in digits that can be exchanged.
    pub classes: bool,
    /// Count every guess by itself, not bag by bag.
    pub bags: bool,
    /// Count candidates one by one, not as bits of words.
    pub words: bool,
    /// Solve the cells of a guess one by one, without a look at all of them first.
    pub looks: bool,
}

/// Finds a strategy that is optimal, by trying everything that is not proved to be worse.
///
/// Cost: from microseconds to for ever; the least mean of `hitblow 4 10` takes some seconds and 100 MB.
///
/// # Errors
/// If the game is too large even to begin.
pub fn find(
    codes: &Codes,
    objective: Objective,
    options: &Options<'_>,
) -> Result<Optimum, TooLarge> {
    let (places, tokens) = (codes.game.places, codes.game.places * codes.game.digits);
    if codes.len() > space::MAX_CODES || places > space::MAX_PLACES || tokens > space::TOKENS {
        let codes = codes.len();
        return Err(TooLarge {
            codes,
            places,
            tokens,
        });
    }
    let never = AtomicBool::new(false);
    let lower = AtomicU32::new(0);
    let space = Space::new(codes);
    let plan = Plan::new(
        codes,
        &space,
        options,
        options.stop.unwrap_or(&never),
        &lower,
    );
    let search = || match options.threads {
        0 | 1 => plan.follow(objective),
        threads => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            // Searches are as deep as games are long, and threads lend each other a hand in the middle of them.
            let pool = pool.stack_size(256 << 20).build();
            pool.expect("threads can be started")
                .install(|| plan.follow(objective))
        }
    };
    let Some(tell) = options.progress else {
        return Ok(search());
    };
    let (done, is_done) = channel::<()>();
    Ok(std::thread::scope(|scope| {
        let (plan, lower) = (&plan, &lower);
        scope.spawn(move || {
            let started = Instant::now();
            let mut pause = Duration::from_secs(1);
            while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tell(&Progress {
                    lower: u64::from(lower.load(Ordering::Relaxed)),
                    upper: plan.so_far().total,
                    nodes: plan.nodes(),
                    elapsed: started.elapsed(),
                });
                // To know what was found so far costs something.
                pause = (pause * 5 / 4).min(Duration::from_secs(30));
            }
        });
        let found = search();
        drop(done);
        found
    }))
}
