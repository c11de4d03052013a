//! Every claim, figure, question and wish of the five articles, computed anew each time, beside what they print.
//!
//! Articles 000, 002 (Hit & Blow by mutual information, and by Bayes' rule), 001 (Mastermind policies),
//! 003 (Hit & Blow, greedy information), 004 (the game with nine digits). Where an article has a slip, the explanation
//! stands beside the figure; where it leaves something open, the answer does.
//!
//! Imports `game`, `policy`, `tree`, `simulate`, `optimal`, `race`, `theory` and `oil`. Start with [`entries`].

mod all;
mod bayes;
mod chance;
mod coins;
pub mod entropy;
mod entry;
mod gandhi;
mod greedy;
mod helpers;
mod hitblow;
mod information;
mod mastermind;
mod printed;

pub use all::{boxes, entries, titles};
pub use entry::{Agreement, Entry, Kind};
