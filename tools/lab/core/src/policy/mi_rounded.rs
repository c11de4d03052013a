//! Mutual information as article 001's program sums and compares it, with the rounding errors of its sums.

use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::{CodeId, Feedback, Scorer};

pub(super) static MI_ROUNDED: PolicyFactory = PolicyFactory::new(
    "mi-rounded",
    "mi among candidates; rounding errors break ties (entropy in article 001)",
    // The article has no other pool, and rounding leaves few ties.
    &[],
    |_| Box::new(Rounded),
);

/// The least sum of p · ln p over replies by hits, then blows; of equal ones the first.
struct Rounded;

impl Policy for Rounded {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let support = node.posterior.support();
        let all: Vec<usize> = (0..support.len()).collect();
        let mut scorer = Scorer::new(node.codes, node.posterior, &all);
        let places = node.codes.game.places as u8;
        let mut best = (support[0], f64::INFINITY);
        for &guess in support {
            *node.evaluated += support.len() as u64;
            scorer.count(guess);
            let counts = scorer.counts;
            let mut minus_entropy = 0.0;
            for hits in 0..=places {
                for blows in 0..=places - hits {
                    let count = counts[Feedback { hits, blows }.cell(usize::from(places))];
                    if count > 0 {
                        let p = f64::from(count) / support.len() as f64;
                        minus_entropy += p * p.ln();
                    }
                }
            }
            if minus_entropy < best.1 {
                best = (guess, minus_entropy);
            }
        }
        best.0
    }
}
