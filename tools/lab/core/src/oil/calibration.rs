//! Whether cells of probability p have oil with frequency p.
//!
//! Before each operation of many games, every cell that was not drilled has a probability of oil. Of all cells with
//! probability p, a fraction p must have oil. Cells and turns of one game depend on each other, so the games are what
//! is counted: the deviation comes from the differences between games.
//!
//! Which turns count must not depend on what comes later. To take each game's turns with one over their number would:
//! the games in which the player was wrong are the long ones.

use std::ops::Range;
use std::sync::Arc;

use ahc030::generate::{FixedParameters, generate};
use rayon::prelude::*;
use serde::Serialize;

use super::likelihood::{log_likelihood, oil_probabilities};
use super::table::{Table, cells_of_move, true_values};
use crate::oil_solver::{Move, Player, Settings};

/// The number of groups, all of the same width.
pub const BINS: usize = 20;

/// Where the probabilities come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Belief {
    /// The pool that the player chooses its questions by. It is broader than the posterior on purpose.
    Pool,
    /// The pool, each layout weighted by the power of its likelihood that the player's walk leaves out.
    Weighted,
    /// The different layouts of the pool, each weighted by its likelihood alone.
    Distinct,
    /// The pool of another player, which hears the same replies and whose powers of the likelihood are 1.
    Listener,
}

/// Which turns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Turns {
    /// Every turn. A game that goes on for hundreds of them outweighs many others.
    All,
    /// Turns 1, 2, 4, 8 and so on: no game counts more than ten times.
    Doubling,
}

impl Turns {
    fn contain(self, turn: usize) -> bool {
        self == Self::All || turn.is_power_of_two()
    }
}

/// One way to look at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Where the probabilities come from.
    pub belief: Belief,
    /// Which turns count.
    pub turns: Turns,
}

/// Cells of nearly the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// How many there were, over all turns of all games.
    pub cells: u64,
    /// The sum of their probabilities: how many were expected to have oil.
    pub expected: f64,
    /// How many had oil.
    pub oil: u64,
    /// The variance of `oil - expected`: the number of games times the variance of the difference between games; at
    /// least that of independent cells, where hardly any came out otherwise.
    pub variance: f64,
}

impl Bin {
    /// How many standard deviations more had oil than expected.
    pub fn off(&self) -> f64 {
        match self.variance > 0.0 {
            true => (self.oil as f64 - self.expected) / self.variance.sqrt(),
            false => 0.0,
        }
    }
}

/// One group of one game.
#[derive(Clone, Copy, Default)]
struct Share {
    cells: u64,
    expected: f64,
    oil: u64,
    /// The variance if the cells were independent.
    independent: f64,
}

/// Plays the official cases of these seeds and compares. The groups of each view, ascending by probability.
pub fn calibration(
    seeds: Range<u64>,
    settings: Settings,
    views: &[View],
    played: &(dyn Fn() + Sync),
) -> Vec<[Bin; BINS]> {
    let game = |seed: u64| {
        let shares = shares_of_game(seed, settings, views);
        played();
        shares
    };
    let games: Vec<_> = seeds.into_par_iter().map(game).collect();
    let of_view = |index: usize| {
        let bin = |at: usize| total(games.iter().map(|shares| &shares[index][at]));
        std::array::from_fn(bin)
    };
    (0..views.len()).map(of_view).collect()
}

/// A group over all games.
fn total<'a>(shares: impl Iterator<Item = &'a Share>) -> Bin {
    let (mut bin, mut independent, mut squares, mut games) = (Bin::default(), 0.0, 0.0, 0.0);
    for share in shares {
        bin.cells += share.cells;
        bin.expected += share.expected;
        bin.oil += share.oil;
        independent += share.independent;
        squares += (share.oil as f64 - share.expected).powi(2);
        games += 1.0;
    }
    let sum = bin.oil as f64 - bin.expected;
    let between = match games > 1.0 {
        true => (squares - sum * sum / games) * games / (games - 1.0),
        false => squares,
    };
    bin.variance = between.max(independent);
    bin
}

/// One game: for each view, its groups.
fn shares_of_game(seed: u64, settings: Settings, views: &[View]) -> Vec<[Share; BINS]> {
    let case = Arc::new(generate(seed, FixedParameters::default()));
    let truth = true_values(&case);
    let mut table = Table::new(&case, settings);
    let listens = views.iter().any(|view| view.belief == Belief::Listener);
    let mut listener = listens.then(|| listener(&case, settings));
    let mut drilled = vec![false; truth.len()];
    let mut shares = vec![[Share::default(); BINS]; views.len()];
    let mut turn = 0;
    while !table.is_over() {
        turn += 1;
        let operation = table.player.choose(1.0);
        if let Some(listener) = &mut listener {
            listener.choose(1.0);
        }
        let weighted = WeightedPool::new(&table.player);
        for (shares, view) in shares.iter_mut().zip(views) {
            if !view.turns.contain(turn) {
                continue;
            }
            let probabilities = match (view.belief, &listener) {
                (Belief::Listener, Some(listener)) => listener.pool.oil_probabilities(),
                (belief, _) => weighted.oil_probabilities(belief),
            };
            for (cell, p) in probabilities.into_iter().enumerate() {
                if !drilled[cell] {
                    add(shares, p.clamp(0.0, 1.0), truth[cell] > 0);
                }
            }
        }
        let reply = table
            .play(&operation)
            .expect("the submission keeps the rules");
        let cells = cells_of_move(&operation);
        match operation {
            Move::Ask(_) => {
                if let &[cell] = &cells[..] {
                    drilled[cell] = true;
                }
                if let Some(listener) = &mut listener {
                    listener.value = listener.value_of(&cells);
                    listener.learn(&cells, reply);
                }
            }
            Move::Answer(oil) => {
                if let Some(listener) = &mut listener {
                    listener.learn_refusal(oil);
                }
            }
        }
    }
    shares
}

fn add(shares: &mut [Share; BINS], p: f64, has_oil: bool) {
    let share = &mut shares[((p * BINS as f64) as usize).min(BINS - 1)];
    share.cells += 1;
    share.expected += p;
    share.oil += u64::from(has_oil);
    share.independent += p * (1.0 - p);
}

/// A player that only listens: nearly all of its work goes into its layouts, which are those of the posterior.
fn listener(case: &ahc030::case::Case, settings: Settings) -> Player {
    let settings = Settings {
        trust: 1.0,
        heat: 1.0,
        asking: 0.02,
        ..settings
    };
    Player::new(super::table::visible_grid(case), settings)
}

/// What the player's pool says, in several ways.
struct WeightedPool<'a> {
    player: &'a Player,
    logs: Vec<f64>,
    left_out: f64,
}

impl<'a> WeightedPool<'a> {
    fn new(player: &'a Player) -> Self {
        let logs = player.pool.layouts.iter();
        Self {
            player,
            logs: logs
                .map(|layout| log_likelihood(&player.know, layout))
                .collect(),
            left_out: 1.0 - player.settings.heat,
        }
    }

    fn oil_probabilities(&self, belief: Belief) -> Vec<f64> {
        let (grid, pool) = (&self.player.know.grid, &self.player.pool);
        match belief {
            Belief::Pool | Belief::Listener => pool.oil_probabilities(),
            Belief::Weighted => {
                oil_probabilities(grid, pool, &self.logs, |own, log| own + self.left_out * log)
            }
            Belief::Distinct => oil_probabilities(grid, pool, &self.logs, |_, log| log),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn deviation_is_that_between_games() {
        let share = |oil: u64| Share {
            cells: 10,
            expected: 5.0,
            oil,
            independent: 2.5,
        };
        // Differences 5, -5, 5, -5: the games are all or nothing. 4 games of variance 100 / 3.
        let bin = total([10, 0, 10, 0].map(share).iter());
        assert_eq!((bin.cells, bin.expected, bin.oil), (40, 20.0, 20));
        assert!((bin.variance - 4.0 * 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(bin.off(), 0.0);
        // All the same: at least the variance of independent cells.
        let bin = total([7, 7].map(share).iter());
        assert_eq!(bin.variance, 5.0);
        assert!((bin.off() - 4.0 / 5_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn every_cell_of_every_turn_is_in_a_group_of_each_belief() {
        let settings = Settings {
            work: 1e6,
            ..Settings::default()
        };
        let view = |belief, turns| View { belief, turns };
        let all = Belief::value_variants().iter();
        let mut views = Vec::from_iter(all.map(|belief| view(*belief, Turns::All)));
        views.push(view(Belief::Pool, Turns::Doubling));
        let bins = calibration(0..2, settings, &views, &|| ());
        let cells = |bins: &[Bin; BINS]| bins.iter().map(|bin| bin.cells).sum::<u64>();
        assert!(cells(&bins[0]) > 2 * cells(&bins[4]) && cells(&bins[4]) > 1000);
        for of_view in &bins[..4] {
            assert_eq!(cells(of_view), cells(&bins[0]));
            for (bin, at) in of_view.iter().zip(0..) {
                // Sums are rounded, and all cells of the last group may be certain.
                let edge = |at: i32| f64::from(at) / BINS as f64;
                let range = edge(at) - 1e-12..=edge(at + 1) + 1e-12;
                let mean = bin.expected / bin.cells as f64;
                assert!(bin.cells == 0 || range.contains(&mean), "{bin:?}");
            }
        }
    }
}
