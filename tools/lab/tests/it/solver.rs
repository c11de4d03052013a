//! The lab's `mi` and the solver that is pasted choose the same guesses.

use std::time::{Duration, Instant};

use lab::policy::{Node, Options, Policy, select};
use lab::solver;
use lab::solver::bayes::Posterior;
use lab::solver::pegs::CodeId;
use lab::solver::search::Solver;
use lab::{game, tree};

/// The solver itself as a policy: it gets all guesses and replies that lead to a node.
struct Pasted {
    hit_bonus: f64,
}

impl Policy for Pasted {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        // What a solver knows is its posterior and the digits it has named: hand it both.
        let policy = solver::pegs::Policy::Mi {
            hit_bonus: self.hit_bonus,
        };
        // A start in the future: the clock, which is slow in a debug build, has no say.
        let started = Instant::now() + Duration::from_secs(3600);
        let posterior = node.posterior.clone();
        Solver::from_posterior(
            node.codes,
            posterior,
            *node.named,
            node.rows.len() as u64,
            policy,
            started,
        )
        .guess()
    }
}

#[test]
fn what_is_measured_is_what_is_pasted() {
    for name in [
        "hitblow 3 10",
        "hitblow 3 9",
        "mastermind 4 4",
        "mastermind 4 5",
        "hitblow 4 6",
    ] {
        for hit_bonus in [0.0, 1.5] {
            let codes = game::codes(name).unwrap();
            let root = Posterior::uniform(codes.len());
            let given = Options {
                hit_bonus: Some(hit_bonus),
                ..Options::default()
            };
            let factory = select("mi", &given).unwrap();
            let lab = tree::outcome(&codes, &root, &*(factory.build)(&given));
            let pasted = tree::outcome(&codes, &root, &Pasted { hit_bonus });
            assert_eq!(lab.turns, pasted.turns, "{name} {hit_bonus}");
        }
    }
}
