//! The most different replies (Kooi 2005: "most parts").

use super::greedy::Greedy;
use super::options::PolicyOption;
use super::traits::{Cells, PolicyFactory, Score};

pub(super) static PARTS: PolicyFactory = PolicyFactory {
    name: "parts",
    about: "most different replies that are possible",
    takes: &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::TieSeed],
    build: |options| Box::new(Greedy::new(Count, options)),
    score: Some(|_| Box::new(Count)),
    outcome: None,
};

struct Count;

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
