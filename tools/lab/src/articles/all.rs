//! All entries together.

use super::entry::Entry;
use super::{bayes, gandhi, greedy, information, mastermind};

/// The four boxes of article 000, each with its balls of three colours: aqua, blue and purple.
pub fn boxes() -> [[f64; 3]; 4] {
    information::BOXES
}

/// All entries, article by article; those that one command computes follow each other. Cost: a second, most of it for
/// article 001's largest game.
pub fn entries() -> Vec<Entry> {
    let all = [
        information::entries,
        mastermind::entries,
        bayes::entries,
        greedy::entries,
        gandhi::entries,
    ];
    all.into_iter().flat_map(|entries| entries()).collect()
}
