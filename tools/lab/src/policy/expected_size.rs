//! The fewest candidates left on average: Σ n² / N (article 001 calls it `exp_minmax`).

use super::{Cells, Family, Greedy, Options, Policy, Score, Takes};

pub(super) struct ExpectedSize;

struct Mean;

impl Family for ExpectedSize {
    fn name(&self) -> &'static str {
        "expected-size"
    }

    fn about(&self) -> &'static str {
        "fewest candidates left on average"
    }

    fn takes(&self) -> &'static [Takes] {
        &[Takes::Pool, Takes::Tie]
    }

    fn build(&self, options: &Options) -> Box<dyn Policy> {
        Box::new(Greedy {
            score: Mean,
            pool: options.pool,
            tie: options.tie,
        })
    }

    fn score(&self, _: &Options) -> Option<Box<dyn Score>> {
        Some(Box::new(Mean))
    }
}

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
