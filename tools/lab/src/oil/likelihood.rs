//! The exact likelihood of a layout after some replies.
//!
//! The player keeps its layouts broader than the posterior on purpose. With the exact likelihood of each they can be
//! weighted anew.

use crate::oil_solver::grid::Grid;
use crate::oil_solver::knowledge::Knowledge;
use crate::oil_solver::question::Pool;

/// ln P(replies | layout), its rounding included; minus infinity if the layout's answer was refused.
pub fn log_likelihood(know: &Knowledge, layout: &[u16]) -> f64 {
    match know.is_refused(layout) {
        true => f64::NEG_INFINITY,
        false => know.log_of(&know.sums(layout)),
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
    let total = pool.posterior.total();
    let own = (0..pool.layouts.len()).map(|index| (pool.posterior.weight(index) / total).ln());
    let logs: Vec<f64> = own
        .zip(log_likelihoods)
        .map(|(own, &log)| weight(own, log))
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return pool.oil_probabilities();
    }
    let weights = logs.iter().map(|log| (log - largest).exp());
    Pool::new(grid, pool.layouts.iter().cloned().zip(weights).collect()).oil_probabilities()
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
        for (cells, reply) in questions {
            player.choose(0.0);
            player.learn(&cells, reply);
        }
        player.choose(0.0);
        let (grid, pool) = (player.grid(), &player.pool);
        assert!(pool.layouts.len() > 10);
        let logs: Vec<f64> = pool
            .layouts
            .iter()
            .map(|layout| log_likelihood(&player.know, layout))
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
