//! The fewest candidates left on average: Σ n² / N (article 001 calls it `exp_minmax`).

use super::greedy::Greedy;
use super::options::PolicyOption;
use super::traits::{Cells, PolicyFactory, Score};

pub(super) static EXPECTED_SIZE: PolicyFactory = PolicyFactory {
    name: "expected-size",
    about: "fewest candidates left on average",
    takes: &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::TieSeed],
    build: |options| Box::new(Greedy::new(Mean, options)),
    score: Some(|_| Box::new(Mean)),
    outcome: None,
};

struct Mean;

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
