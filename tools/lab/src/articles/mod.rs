//! Every figure that the five articles publish, computed anew each time, beside what they print.
//!
//! Articles 000, 002 (Hit & Blow by mutual information, and by Bayes' rule), 001 (Mastermind policies),
//! 003 (Hit & Blow, greedy information), 004 (the game with nine digits). Where an article has a slip, the explanation
//! stands beside the figure.
//!
//! Imports `game`, `policy` and `tree`. Start with [`figures`].

mod all;
mod bayes;
mod figure;
mod gandhi;
mod greedy;
mod helpers;
mod information;
mod mastermind;

pub use all::{boxes, figures};
pub use figure::{Agreement, Figure};
