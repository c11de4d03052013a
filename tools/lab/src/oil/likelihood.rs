//! The exact likelihood of a layout after some replies.
//!
//! The player keeps its layouts broader than the posterior on purpose. With the exact likelihood of each they can be
//! weighted anew.

use crate::oil_solver::grid::{CellSet, Grid};
use crate::oil_solver::noise::Noise;
use crate::oil_solver::question::Pool;

/// Replies so far.
pub struct Replies {
    noise: Noise,
    questions: Vec<(Vec<usize>, usize)>,
    refused: Vec<CellSet>,
}

impl Replies {
    /// None yet.
    pub fn new(grid: &Grid) -> Self {
        Self {
            noise: Noise::new(grid.eps, grid.area()),
            questions: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// One more.
    pub fn push(&mut self, cells: Vec<usize>, reply: usize) {
        self.questions.push((cells, reply));
    }

    /// A wrong answer.
    pub fn refuse(&mut self, answer: CellSet) {
        self.refused.push(answer);
    }

    /// ln P(replies | layout), its rounding included.
    pub fn log_likelihood(&self, grid: &Grid, layout: &[u16]) -> f64 {
        if !self.refused.is_empty() && self.refused.contains(&grid.oil(layout)) {
            return f64::NEG_INFINITY;
        }
        let mut values = vec![0; grid.area()];
        for cell in grid.covered(layout) {
            values[cell] += 1;
        }
        let log = |(cells, reply): &(Vec<usize>, usize)| {
            let sum = cells.iter().map(|&cell| values[cell]).sum();
            self.noise.log_likelihood(cells.len(), sum, *reply)
        };
        self.questions.iter().map(log).sum()
    }
}

/// For each cell, the probability of oil if `weight` gives the logarithm of a layout's weight, from that of its
/// probability in the pool and its log likelihood. If no layout of the pool is possible, the pool's own.
pub fn oil_probabilities(
    grid: &Grid,
    pool: &Pool,
    log_likelihoods: &[f64],
    weight: impl Fn(f64, f64) -> f64,
) -> Vec<f64> {
    let own = (0..pool.layouts.len()).map(|index| pool.posterior.probability(index as u32).ln());
    let logs: Vec<f64> = own
        .zip(log_likelihoods)
        .map(|(own, &log)| weight(own, log))
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return pool.oil_probabilities();
    }
    let (mut oil, mut total) = (vec![0.0; grid.area()], 0.0);
    for (layout, log) in pool.layouts.iter().zip(logs) {
        let weight = (log - largest).exp();
        total += weight;
        let set = grid.oil(layout);
        for (cell, sum) in oil.iter_mut().enumerate() {
            if set[cell / 64] >> (cell % 64) & 1 == 1 {
                *sum += weight;
            }
        }
    }
    oil.into_iter().map(|sum| sum / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oil_solver::{Player, Settings};

    #[test]
    fn posterior_among_listed_layouts_is_that_of_the_player() {
        let mut grid = Grid {
            n: 10,
            eps: 0.1,
            fields: vec![],
        };
        grid.add_field(&[(0, 0), (0, 1), (1, 0), (1, 1)]).unwrap();
        let mut player = Player::new(grid, Settings::default());
        let half: Vec<usize> = (0..50).collect();
        let even: Vec<usize> = (0..100).step_by(2).collect();
        let questions = [(half, 5), (even, 4)];
        let mut replies = Replies::new(player.grid());
        for (cells, reply) in questions {
            player.choose(0.0);
            player.learn(&cells, reply);
            replies.push(cells, reply);
        }
        player.choose(0.0);
        let (grid, pool) = (player.grid(), &player.pool);
        assert!(pool.layouts.len() > 10);
        let logs: Vec<f64> = pool
            .layouts
            .iter()
            .map(|layout| replies.log_likelihood(grid, layout))
            .collect();
        let exact = oil_probabilities(grid, pool, &logs, |_, log| log);
        for (own, exact) in pool.oil_probabilities().iter().zip(exact) {
            assert!((own - exact).abs() < 1e-4, "{own} {exact}");
        }
        let kept = oil_probabilities(grid, pool, &logs, |own, _| own);
        for (own, kept) in pool.oil_probabilities().iter().zip(kept) {
            assert!((own - kept).abs() < 1e-4, "{own} {kept}");
        }
    }
}
