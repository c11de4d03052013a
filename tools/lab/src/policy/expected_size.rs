//! The fewest candidates left on average: Σ n² / N (article 001 calls it `exp_minmax`).

use super::greedy::GreedyFactory;
use super::traits::{Cells, Score};

pub(super) static EXPECTED_SIZE: GreedyFactory<Mean> = GreedyFactory {
    name: "expected-size",
    about: "fewest candidates left on average",
    score: Mean,
};

#[derive(Clone, Copy)]
pub(super) struct Mean;

impl Score for Mean {
    fn score(&self, cells: &Cells<'_>) -> f64 {
        let square = |&reply: &usize| u64::from(cells.counts[reply]).pow(2);
        let squares: u64 = cells.replies.iter().map(square).sum();
        -(squares as f64 / cells.candidates as f64)
    }

    fn bound(&self, _: usize, _: bool) -> f64 {
        -1.0
    }
}
