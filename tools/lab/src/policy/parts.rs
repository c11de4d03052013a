//! The most different replies (Kooi 2005: "most parts").

use super::greedy::GreedyFactory;
use super::traits::{Cells, Score};

pub(super) static PARTS: GreedyFactory<Count> = GreedyFactory {
    name: "parts",
    about: "most different replies that are possible",
    score: Count,
};

#[derive(Clone, Copy)]
pub(super) struct Count;

impl Score for Count {
    fn score(&self, cells: &Cells<'_>) -> f64 {
        let parts = cells
            .replies
            .iter()
            .filter(|&&reply| cells.counts[reply] > 0)
            .count();
        parts as f64
    }

    fn bound(&self, n: usize, _: bool) -> f64 {
        n as f64
    }
}
