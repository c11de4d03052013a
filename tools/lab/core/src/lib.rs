//! The lab as a library: strategies studied in this process, over all secrets at once.
//!
//! A strategy is a decision tree: what it guesses depends on the replies alone. So one walk through the tree tells
//! the turns of every secret, and no game is played. Codes, feedback, posterior and mutual information are the
//! solver's own code ([`solver`] is its one file): what is measured is what is pasted.
//!
//! A folder imports only folders that stand before it in this list:
//!
//! 1. [`game`]: codes as people write them, observations, priors
//! 2. [`policy`]: what makes a guess good, one file for each policy
//! 3. [`tree`]: the walk through a decision tree, and what an opponent gains who knows it
//! 4. [`simulate`]: games played one by one, where there is no tree; whether beliefs come true
//! 5. [`strategy`]: a strategy as a text, its independent check, its packed form
//! 6. [`optimal`]: strategies that are proved optimal
//! 7. [`race`]: two players, each with the other's secret to find: who wins how often, and the strategy that wins most
//! 8. [`theory`]: the value of a game against an opponent who chooses the secret, bounds, what greed loses
//! 9. [`oil`]: AHC030, played by the submission `src/bin/oil.rs`, whose beliefs are compared with the truth
//!
//! All of this computes for long, so tests compile it optimised. The package `lab` shows it. Start with [`tree::walk`].

/// The submission, compiled as a module.
#[allow(dead_code, missing_docs)]
#[path = "../../../../src/main.rs"]
pub mod solver;

/// The submission for AHC030, likewise. Its `main` and its input are not called here.
#[allow(dead_code, missing_docs)]
#[path = "../../../../src/bin/oil.rs"]
#[rustfmt::skip] // formatted as its own package is
pub mod oil_solver;

pub mod game;
pub mod oil;
pub mod optimal;
pub mod policy;
pub mod race;
pub mod simulate;
pub mod strategy;
pub mod theory;
pub mod tree;
