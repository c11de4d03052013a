//! The likelihood of a layout after some replies, as the player has it.
//!
//! With many fields, the player keeps its layouts broader than the posterior on purpose. With the likelihood of each they
//! can be weighted anew.

use crate::oil_solver::grid::{Grid, cells_of};
use crate::oil_solver::knowledge::Knowledge;
use crate::oil_solver::question::Pool;

/// ln P(replies | layout) of the player; minus infinity if the layout's answer was refused.
pub fn log_likelihood(know: &Knowledge, layout: &[u16]) -> f64 {
    match know.is_refused(layout) {
        true => f64::NEG_INFINITY,
        false => know.log_of(layout, &know.gradient(layout)),
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
        .map(|(own, &log)| match log == f64::NEG_INFINITY {
            true => log, // a refused answer, also where the power that is left out is 0
            false => weight(own, log),
        })
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return pool.oil_probabilities();
    }
    let weights: Vec<f64> = logs.iter().map(|log| (log - largest).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut oil = vec![0.0; grid.area()];
    for (layout, weight) in pool.layouts.iter().zip(weights) {
        for cell in cells_of(&grid.oil(layout)) {
            oil[cell] += weight / total;
        }
    }
    oil
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oil_solver::{Player, Settings};

    #[test]
    fn posterior_of_one_field_is_that_of_the_player() {
        let mut grid = Grid {
            n: 10,
            eps: 0.1,
            fields: vec![],
        };
        grid.add_field(&[(0, 0), (0, 1), (1, 0), (1, 1)]).unwrap();
        let settings = Settings {
            walkers: 5e3,
            ..Settings::default()
        };
        let mut player = Player::new(grid, settings);
        let half: Vec<usize> = (0..50).collect();
        let even: Vec<usize> = (0..100).step_by(2).collect();
        let questions = [(half, 5), (even, 4)];
        for (cells, reply) in questions {
            player.choose(1.0);
            player.learn(&cells, reply);
        }
        player.choose(0.0);
        let (grid, pool) = (&player.know.grid, &player.pool);
        assert!(pool.layouts.len() > 10);
        let logs: Vec<f64> = pool
            .layouts
            .iter()
            .map(|layout| log_likelihood(&player.know, layout))
            .collect();
        let exact = oil_probabilities(grid, pool, &logs, |_, log| log);
        // The population is drawn: 5,000 layouts, so 4 standard deviations are 0.028 at most.
        for (own, exact) in pool.oil_probabilities().iter().zip(exact) {
            assert!((own - exact).abs() < 0.028, "{own} {exact}");
        }
        let kept = oil_probabilities(grid, pool, &logs, |own, _| own);
        for (own, kept) in pool.oil_probabilities().iter().zip(kept) {
            assert!((own - kept).abs() < 1e-4, "{own} {kept}");
        }
    }
}
