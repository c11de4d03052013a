//! The most different replies (Kooi 2005: "most parts").

use super::{Cells, Family, Greedy, Options, Policy, Score, Takes};

pub(super) struct Parts;

struct Count;

impl Family for Parts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn about(&self) -> &'static str {
        "most different replies that are possible"
    }

    fn takes(&self) -> &'static [Takes] {
        &[Takes::Pool, Takes::Tie]
    }

    fn build(&self, options: &Options) -> Box<dyn Policy> {
        Box::new(Greedy {
            score: Count,
            pool: options.pool,
            tie: options.tie,
        })
    }

    fn score(&self, _: &Options) -> Option<Box<dyn Score>> {
        Some(Box::new(Count))
    }
}

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
