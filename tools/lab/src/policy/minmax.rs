//! The smallest largest cell: the fewest candidates left in the worst case (Knuth 1977).

use super::greedy::GreedyFactory;
use super::traits::{Cells, Score};

pub(super) static MIN_MAX: GreedyFactory<Largest> = GreedyFactory {
    name: "minmax",
    about: "fewest candidates left after the worst reply",
    score: Largest,
};

#[derive(Clone, Copy)]
pub(super) struct Largest;

impl Score for Largest {
    fn score(&self, cells: &Cells<'_>) -> f64 {
        let largest = cells.replies.iter().map(|&reply| cells.counts[reply]).max();
        -f64::from(largest.unwrap_or(0))
    }

    fn bound(&self, _: usize, _: bool) -> f64 {
        -1.0
    }
}
