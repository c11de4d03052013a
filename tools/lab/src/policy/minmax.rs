//! The smallest largest cell: the fewest candidates left in the worst case (Knuth 1977).

use super::{Cells, Family, Greedy, Options, Policy, Score, Takes};

pub(super) struct MinMax;

struct Largest;

impl Family for MinMax {
    fn name(&self) -> &'static str {
        "minmax"
    }

    fn about(&self) -> &'static str {
        "fewest candidates left after the worst reply"
    }

    fn takes(&self) -> &'static [Takes] {
        &[Takes::Pool, Takes::Tie]
    }

    fn build(&self, options: &Options) -> Box<dyn Policy> {
        Box::new(Greedy {
            score: Largest,
            pool: options.pool,
            tie: options.tie,
        })
    }

    fn score(&self, _: &Options) -> Option<Box<dyn Score>> {
        Some(Box::new(Largest))
    }
}

impl Score for Largest {
    fn score(&self, cells: &Cells<'_>) -> f64 {
        let largest = cells.replies.iter().map(|&reply| cells.counts[reply]).max();
        -f64::from(largest.unwrap_or(0))
    }

    fn bound(&self, _: usize, _: bool) -> f64 {
        -1.0
    }
}
