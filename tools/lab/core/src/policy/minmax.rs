//! The smallest largest cell: the fewest candidates left in the worst case (Knuth 1977).

use super::greedy::Greedy;
use super::options::PolicyOption;
use super::traits::{Cells, PolicyFactory, Score};

pub(super) static MIN_MAX: PolicyFactory = PolicyFactory {
    name: "minmax",
    about: "fewest candidates left after the worst reply",
    takes: &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::TieSeed],
    build: |options| Box::new(Greedy::new(Largest, options)),
    score: Some(|_| Box::new(Largest)),
    outcome: None,
};

struct Largest;

impl Score for Largest {
    fn score(&self, cells: &Cells<'_>) -> f64 {
        let largest = cells.replies.iter().map(|&reply| cells.counts[reply]).max();
        -f64::from(largest.unwrap_or(0))
    }

    fn bound(&self, _: usize, _: bool) -> f64 {
        -1.0
    }
}
